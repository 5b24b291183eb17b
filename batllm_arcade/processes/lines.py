"""Lines between processes, written and served."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

# -- Bytes from a pipe to lines, bounded whatever comes, and values to lines of JSON


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for what was too much to be read, and is gone; `problem` says what it was."""

    problem: str


Line = bytes | Unreadable


class LineSplitter:
    """Cuts what it is fed into lines of at most `limit` bytes; keeps no more than one unfinished line."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[Line]:
        """Return the lines that end in `data`, without their ends; one that is too long is told once."""
        *ended, rest = data.split(b"\n")
        lines: list[Line] = []
        for part in ended:
            self._take(part, lines)
            if not self._skipping:
                lines.append(self._rest.removesuffix(b"\r"))
            self._rest, self._skipping = b"", False
        self._take(rest, lines)
        return lines

    def _take(self, part: bytes, lines: list[Line]) -> None:
        if self._skipping:
            return
        if len(self._rest) + len(part) > self._limit:
            self._rest, self._skipping = b"", True
            lines.append(Unreadable(f"a line of more than {self._limit // 1024} KiB"))
        else:
            self._rest += part


def json_line(values: Mapping[str, Any]) -> bytes:
    """Return the values as a line of JSON."""
    return json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n"


def message_of(line: Line) -> dict[str, Any]:
    """Return what a line of JSON holds; raise ValueError if it is none, or no object."""
    try:
        values = json.loads(line) if isinstance(line, bytes) else None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(values, dict):
        raise ValueError(line)
    return values


# -- The other end, in a child that is Python: messages from the program, and lines to it


class Output:
    """The pipe to the program; whatever else is printed goes to standard error from now on."""

    def __init__(self) -> None:
        self._pipe = os.dup(1)
        self._writing = threading.Lock()
        os.dup2(2, 1)

    def write(self, line: bytes) -> None:
        """Write a line; raise OSError if the program is gone. Threads may write at once."""
        with self._writing:
            while line:
                line = line[os.write(self._pipe, line) :]


def messages() -> Iterator[dict[str, Any]]:
    """Yield what the program says, until it closes the pipe or is gone."""
    for line in sys.stdin.buffer:
        yield json.loads(line)
