"""Files of cases and of what is said of each, as somebody has read and approved it: `approved/*.txt` of a room."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any


def cases_in(file: Path) -> list[Any]:
    """The cases of a file: its lines that are not indented, each a plain value as Python writes it."""
    return [ast.literal_eval(line) for line in file.read_text("utf-8").splitlines() if line and line[0] != " "]


def approve(file: Path, say: Callable[[Any], str]) -> None:
    """What is said of every case must be what stands below it; a new case is a new line of the file."""
    said = ((case, say(case).splitlines()) for case in cases_in(file))
    text = "".join(f"{case!r}\n" + "".join(f"    {line}\n" for line in lines) for case, lines in said)
    if os.environ.get("ACCEPT"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8"), "read what differs; to accept it run this test again with ACCEPT=1"
