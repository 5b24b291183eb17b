"""Where the replay bar's buttons and words are: in one row below the timeline, in three in a narrow window."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from batllm_arcade.app.kit.canvas import NARROW, fitting_scale

HEIGHT, _TALL_HEIGHT = 92, 184
"""The bar's height in logical units, in a wide window and in a narrow one."""
_TRACK, _BUTTONS = (20, 40), (64, 24)
"""Where a wide bar's rows begin, and how high they are: the track, the buttons."""
_TALL_TRACK, _TALL_BUTTONS, _TALL_WORDS = (20, 44), ((72, 38), (116, 38)), 158
EDGE = 22
"""Left and right of the track, so that the playhead's knob has room at both ends."""
BUTTONS: tuple[tuple[str, float], ...] = (
    ("start", 1), ("round back", 1), ("play back", 1), ("pause", 1.5), ("play on", 1), ("round on", 1), ("end", 1),
    ("turn round", 1.2), ("slower", 0.8), ("speed", 1.7), ("faster", 0.8), ("read", 1.7), ("film", 1.7), ("share", 1.9),
    ("play on here", 2.5), ("keys", 1.7), ("back", 1.7),
)  # fmt: skip
"""The bar's buttons in their order, and how wide they are as multiples of the narrowest."""
_WIDE, _GAP = 30, 4
_SECOND_ROW = 11  # the first button of a narrow bar's second row
_CLOCK = 100  # what the time takes of that row


@dataclass(frozen=True, slots=True)
class BarLayout:
    """Rectangles in pixels of the window; `words` is the line of text, `clock` the right middle of the time."""

    scale: float
    narrow: bool
    bar: pygame.Rect
    track: pygame.Rect
    buttons: dict[str, pygame.Rect]
    words: pygame.Rect
    clock: tuple[int, int]

    @classmethod
    def of(cls, size: tuple[int, int], ui: float) -> BarLayout:
        """Return the bar at the bottom of a window of this size, enlarged by `ui`."""
        scale = fitting_scale(size, ui)
        return _in_rows(size, scale) if size[0] / scale < NARROW else _in_one_row(size, scale)


def _px(value: float, scale: float) -> int:
    return max(1, round(value * scale))


def _frame(size: tuple[int, int], scale: float, high: int, track: tuple[int, int]) -> tuple[pygame.Rect, pygame.Rect]:
    bar = pygame.Rect(0, size[1] - _px(high, scale), size[0], _px(high, scale))
    edge = _px(EDGE, scale)
    return bar, pygame.Rect(edge, bar.top + _px(track[0], scale), size[0] - 2 * edge, _px(track[1], scale))


def _in_one_row(size: tuple[int, int], scale: float) -> BarLayout:
    bar, track = _frame(size, scale, HEIGHT, _TRACK)
    top, high = bar.top + _px(_BUTTONS[0], scale), _px(_BUTTONS[1], scale)
    placed, x = {}, track.left
    for name, wide in BUTTONS:
        if name in ("turn round", "read"):
            x += _px(12, scale)
        placed[name] = pygame.Rect(x, top, _px(_WIDE * wide, scale), high)
        x += _px(_WIDE * wide, scale) + _px(_GAP, scale)
    left = placed["back"].right + _px(16, scale)
    words = pygame.Rect(left, top, max(1, track.right - left), high)
    return BarLayout(scale, False, bar, track, placed, words, (track.right, words.centery))


def _in_rows(size: tuple[int, int], scale: float) -> BarLayout:
    """The way through the recording in one row as wide as the window; what else can be done, and the time, below."""
    bar, track = _frame(size, scale, _TALL_HEIGHT, _TALL_TRACK)
    placed: dict[str, pygame.Rect] = {}
    rows = (BUTTONS[:_SECOND_ROW], BUTTONS[_SECOND_ROW:])
    for row, (top, high), room in zip(rows, _TALL_BUTTONS, (0, _CLOCK), strict=True):
        gap = _px(_GAP, scale)
        width = track.width - _px(room, scale) * (room > 0) - gap * (len(row) - 1)
        unit, x = width / sum(wide for _, wide in row), float(track.left)
        for name, wide in row:
            placed[name] = pygame.Rect(round(x), bar.top + _px(top, scale), round(wide * unit), _px(high, scale))
            x += wide * unit + gap
    words = pygame.Rect(track.left, bar.top + _px(_TALL_WORDS, scale), track.width, _px(22, scale))
    return BarLayout(scale, True, bar, track, placed, words, (track.right, placed["back"].centery))
