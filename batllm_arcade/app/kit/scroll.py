"""Scrolling: how far a window onto something higher than itself has moved, and the bar that shows it."""

from __future__ import annotations

import math

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.view import theme

_SETTLING_S = 0.04
"""Seconds in which 63 % of the remaining way is covered."""
_LEAST_GRIP = 24.0
_MARGIN = 10.0  # what stays visible above and below a revealed stretch, logical units


class Scroll:
    """A window (`box`) onto widgets that are `height` high together; their boxes count from its top."""

    def __init__(self) -> None:
        self.box = Box(0, 0, 0, 0)
        self.height = 0.0
        self._offset = self._target = 0.0
        self._updated: float | None = None

    @property
    def most(self) -> float:
        """Return how far it can be scrolled, in logical units."""
        return max(0.0, self.height - self.box.h)

    @property
    def offset(self) -> float:
        """Return how far it is scrolled now, in logical units."""
        return min(self.most, self._offset)

    def by(self, amount: float) -> None:
        """Scroll by so many logical units."""
        self._target = min(self.most, max(0.0, self._target + amount))

    def go(self, share: float) -> None:
        """Scroll so that this share of the whole height is in the middle."""
        self._target = share * self.height - self.box.h / 2
        self.by(0)

    def reveal(self, top: float, bottom: float) -> None:
        """Scroll as far as it takes to show this stretch."""
        if top - _MARGIN < self._target:
            self._target = top - _MARGIN
        elif bottom + _MARGIN > self._target + self.box.h:
            self._target = bottom + _MARGIN - self.box.h
        self.by(0)

    def update(self, now: float, *, at_once: bool = False) -> None:
        """Approach the target by the seconds since the last update; the number of frames between does not matter."""
        elapsed = 0.0 if self._updated is None else max(0.0, now - self._updated)
        self._updated = now
        self.by(0)
        gap = self._target - self._offset
        if at_once or abs(gap) < 0.5:
            self._offset = self._target
        else:
            self._offset -= gap * math.expm1(-elapsed / _SETTLING_S)

    def draw_bar(self, canvas: Canvas) -> None:
        """Draw the bar at the right edge, where there is anything to scroll."""
        track = Box(self.box.right - 5, self.box.y, 5, self.box.h)
        draw_scrollbar(canvas, track, self.box.h, self.height, self.offset)


def draw_scrollbar(canvas: Canvas, track: Box, shown: float, total: float, top: float) -> None:
    """Draw that `shown` of `total` can be seen from `top` on, all in one unit; nothing where all of it can."""
    if total <= shown:
        return
    canvas.box(track, theme.SUNKEN, None, radius=track.w / 2)
    high = max(_LEAST_GRIP, track.h * shown / total)
    grip = track._replace(y=track.y + (track.h - high) * top / (total - shown), h=high)
    canvas.box(grip, theme.DIM, None, radius=track.w / 2)
