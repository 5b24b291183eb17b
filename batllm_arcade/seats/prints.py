"""What brains inside the program print, told apart by their seats: each brain thinks on a thread of its own."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

Log = Callable[[str], None]
LONGEST = 64 * 1024
"""Characters of a line that is not ended, until it is logged all the same."""
_printing = threading.local()


@contextmanager
def logging_prints(log: Log | None) -> Iterator[None]:
    """Hand what this thread prints to `log`, line by line, where `PrintsBySeat` is the standard output."""
    if log is None:
        yield
        return
    before = getattr(_printing, "log", None), getattr(_printing, "begun", "")
    _printing.log, _printing.begun = log, ""
    try:
        yield
    finally:
        rest = _printing.begun
        _printing.log, _printing.begun = before
        if rest:
            log(rest)


class PrintsBySeat(io.TextIOBase):
    """A standard output that hands what a brain's thread prints to its log; all else goes to `stream`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        """Write a text; return its length."""
        log: Log | None = getattr(_printing, "log", None)
        if log is None:
            return self._stream.write(text)
        *lines, rest = (_printing.begun + text).split("\n")
        _printing.begun = rest
        if len(rest) > LONGEST:
            lines, _printing.begun = [*lines, rest], ""
        for line in lines:
            log(line)
        return len(text)

    def flush(self) -> None:
        """Flush the stream behind it."""
        self._stream.flush()
