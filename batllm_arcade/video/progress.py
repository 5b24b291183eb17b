"""How far a film is: a bar on a terminal, one plain line at the end everywhere."""

from __future__ import annotations

import time
from typing import Protocol, TextIO

_EVERY_S = 0.2
_WIDE = 24  # characters


class FilmProgress(Protocol):
    """Whoever is told how far a film is."""

    def show(self, done: int) -> None:
        """Take note that so many frames are done."""
        ...

    def end(self, words: str, frames: int) -> None:
        """Take note of what became of it, after so many frames."""
        ...


class Progress:
    """Tells `out` how many of `total` frames are done."""

    def __init__(self, total: int, out: TextIO) -> None:
        self._total, self._out = total, out
        self._live = out.isatty()
        self._began, self._told = time.monotonic(), 0.0

    def show(self, done: int) -> None:
        """So many frames are done."""
        now = time.monotonic()
        if not self._live or (now - self._told < _EVERY_S and done < self._total):
            return
        self._told = now
        filled = _WIDE * done // self._total
        bar = "#" * filled + "-" * (_WIDE - filled)
        self._out.write(f"\r[{bar}] {100 * done // self._total:3d}%  {self._pace(done, now)}\x1b[K")
        self._out.flush()

    def _pace(self, done: int, now: float) -> str:
        rate = done / max(now - self._began, 1e-9)
        left = (self._total - done) / rate if rate else 0.0
        return (
            f"{rate:.0f} frames/s, {left / 60:.0f} min left" if left > 99 else f"{rate:.0f} frames/s, {left:.0f} s left"
        )

    def end(self, words: str, frames: int) -> None:
        """The last line: what became of it, and how fast."""
        took = time.monotonic() - self._began
        if self._live:
            self._out.write("\r\x1b[K")
        print(f"{words} in {took:.1f} s ({frames / max(took, 1e-9):.0f} frames/s)", file=self._out)
