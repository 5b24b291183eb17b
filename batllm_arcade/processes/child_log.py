"""What a child wrote to its log: the last of it, without what would act on a terminal."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

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
        self._kept, self._begun = bytearray(), bytearray()
        self.cut = False
        """Whether there was more than is kept."""
        self.listener: Callable[[str], None] | None = None
        """Gets every line as it is shown, on the thread that writes it; a long one in pieces."""

    def write(self, data: bytes) -> None:
        """Add some bytes."""
        self._keep(data)
        if self.listener is not None:
            with self._lock:
                self._begun += data
                end = len(self._begun) if len(self._begun) > KEPT else self._begun.rfind(b"\n") + 1
                whole = bytes(self._begun[:end])
                del self._begun[:end]
            self._tell(whole)

    def end(self) -> None:
        """Tell the listener of a last line that nothing ends."""
        with self._lock:
            whole = bytes(self._begun)
            self._begun.clear()
        self._tell(whole)

    def _tell(self, data: bytes) -> None:
        listener = self.listener
        if listener is not None:
            for line in _shown_lines(data):
                listener(line)

    def _keep(self, data: bytes) -> None:
        with self._lock:
            self._kept += data[-KEPT:]
            if len(self._kept) > KEPT:
                self.cut = True
                del self._kept[:-KEPT]

    def note(self, sentence: str) -> None:
        """Add a line of the program's own."""
        with self._lock:
            start = b"" if not self._kept or self._kept.endswith(b"\n") else b"\n"
        self._keep(start + f"-- {sentence}\n".encode("utf-8", "replace"))

    def lines(self) -> list[str]:
        """Return the lines, each printable and at most 500 characters long."""
        with self._lock:
            data = bytes(self._kept)
        return _shown_lines(data)

    def last_words(self) -> str:
        """Return the last line that says something and is no note, "" without one."""
        spoken = (line for line in reversed(self.lines()) if line.strip() and not line.startswith("-- "))
        return next(spoken, "")[:200]


def _shown_lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    return [shown_line(line) for line in re.split(r"\r\n|\n", text.removesuffix("\n"))] if text else []


def shown_line(line: str) -> str:
    """Return a line of a log without escape sequences, other controls shown as such."""
    return printable(_ESCAPES.sub("", line.expandtabs(4)))[:LONGEST]
