"""What a child wrote to its log: the last of it, without what would act on a terminal."""

from __future__ import annotations

import re
import threading

from batllm_arcade.terminal.output import printable

KEPT = 64 * 1024
"""Bytes of a log that are kept."""
LONGEST = 500
"""Characters of a line of the log that are shown."""
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_]?)|\x9b[0-?]*[ -/]*[@-~]"
)
"""Control sequences, strings such as a window's title, and single escapes."""


class ChildLog:
    """The last 64 KiB of a log; every method is thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = bytearray()
        self.cut = False
        """Whether there was more than is kept."""

    def write(self, data: bytes) -> None:
        """Add some bytes."""
        with self._lock:
            self._kept += data[-KEPT:]
            if len(self._kept) > KEPT:
                self.cut = True
                del self._kept[:-KEPT]

    def note(self, sentence: str) -> None:
        """Add a line of the program's own."""
        with self._lock:
            start = b"" if not self._kept or self._kept.endswith(b"\n") else b"\n"
        self.write(start + f"-- {sentence}\n".encode("utf-8", "replace"))

    def lines(self) -> list[str]:
        """Return the lines, each printable and at most 500 characters long."""
        with self._lock:
            text = bytes(self._kept).decode("utf-8", "replace")
        return [shown_line(line) for line in re.split(r"\r\n|\n", text.removesuffix("\n"))] if text else []

    def last_words(self) -> str:
        """Return the last line that says something and is no note, "" without one."""
        spoken = (line for line in reversed(self.lines()) if line.strip() and not line.startswith("-- "))
        return next(spoken, "")[:200]


def shown_line(line: str) -> str:
    """Return a line of a log without escape sequences, other controls shown as such."""
    return printable(_ESCAPES.sub("", line.expandtabs(4)))[:LONGEST]
