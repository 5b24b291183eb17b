"""Files of cases and of what is said of each, as somebody has read and approved it: `approved/*.txt` of a room."""

from __future__ import annotations

import ast
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


def cases_in(file: Path) -> list[Any]:
    """The cases of a file: its lines that are not indented, each a plain value as Python writes it."""
    return [ast.literal_eval(line) for line in file.read_text("utf-8").splitlines() if line and line[0] != " "]


def approve(file: Path, say: Callable[[Any], str]) -> None:
    """What is said of every case must be what stands below it; a new case is a new line of the file."""
    said = ((case, say(case).splitlines()) for case in cases_in(file))
    text = "".join(f"{case!r}\n" + "".join(f"    {line}\n" for line in lines) for case, lines in said)
    _compare(file, text)


def approve_wordings(file: Path, said: Wordings) -> None:
    """What is said of many situations must be what was approved, as often."""
    _compare(file, "".join(f"{line}\n" for line in said.lines()))


def _compare(file: Path, text: str) -> None:
    if os.environ.get("ACCEPT"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), "read what differs; to accept it run this test again with ACCEPT=1"


class Wordings:
    """Counts how often something is said, and remembers of what that was first."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], str] = {}
        self._times: Counter[tuple[str, str]] = Counter()

    def note(self, kind: str, words: str, where: str) -> None:
        """Note that something of this kind is said of a place."""
        self._first.setdefault((kind, words), where)
        self._times[kind, words] += 1

    def lines(self) -> Iterator[str]:
        """Yield each wording with how often and where first it is said, by kinds."""
        for kind in sorted({kind for kind, _ in self._first}):
            yield f"{kind}:"
            said = sorted(words for other, words in self._first if other == kind)
            yield from (f"  {words or '-'}  [{self._times[kind, words]}, {self._first[kind, words]}]" for words in said)
