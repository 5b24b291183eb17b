"""Bytes from a pipe to lines: bounded, whatever comes."""

from __future__ import annotations

from typing import Final

LINE_LIMIT: Final = 64 * 1024
"""Bytes of the longest line of the line protocol, its end not counted."""


class OverlongLine:
    """Stands for a line that was longer than the limit; what it held is gone."""


OVERLONG: Final = OverlongLine()


class LineSplitter:
    """Cuts what it is fed into lines of at most `limit` bytes; keeps no more than one unfinished line."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self.limit = limit
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | OverlongLine]:
        """Return the lines that end in `data`, without their ends; one that is too long is told once."""
        *ended, rest = data.split(b"\n")
        lines: list[bytes | OverlongLine] = []
        for part in ended:
            self._take(part, lines)
            if not self._skipping:
                lines.append(self._rest.removesuffix(b"\r"))
            self._rest, self._skipping = b"", False
        self._take(rest, lines)
        return lines

    def _take(self, part: bytes, lines: list[bytes | OverlongLine]) -> None:
        if self._skipping:
            return
        if len(self._rest) + len(part) > self.limit:
            self._rest, self._skipping = b"", True
            lines.append(OVERLONG)
        else:
            self._rest += part
