"""Where everything stands in a window: beside the arena in a wide one, above and below it in a tall one."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.view import theme

Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""

_GAP, _FOOT = 20, 20
_RIM = 6  # of the arena's wall, which nothing may cover
_NARROWEST, _WIDEST = 260, 470  # of a panel beside the arena
_TALL_WIDTH, _TALL_HEIGHT = 720, 1080  # what a tall window's lengths are given for
_TALL_BAR, _TALL_HEAD, _TALL_WORDS, _TALL_GAP = 53, 122, 226, 8
TALL_TYPE = 1.22
"""How much larger words are in a tall picture, which is mostly seen on a phone."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One window's places, all in pixels; `heads` and `words` are the parts of the seats' panels, left first.

    `scale` is pixels per logical pixel. In a wide picture a seat's head stands on its words, in one panel.
    """

    size: tuple[int, int]
    scale: float
    tall: bool
    bar: Box
    arena: Box
    panels: tuple[Box, Box]
    heads: tuple[Box, Box] | None
    """The heads' own panels in a tall picture; None where they are part of `panels`."""

    @classmethod
    def of(cls, size: tuple[int, int], words: float = 1.0) -> Layout:
        """The layout of a window of this size, tall unless it is wider than high; `words` is how large those are."""
        return _wide(size) if size[0] > size[1] else _tall(size, words)

    @classmethod
    def fitted(cls, size: tuple[int, int]) -> Layout:
        """The wide layout of 1280 x 720 in the middle of the window, whatever its shape."""
        scale = _scale(size, theme.WIDTH, theme.HEIGHT)
        left, top = (size[0] / scale - theme.WIDTH) / 2, (size[1] / scale - theme.HEIGHT) / 2
        return _beside(size, scale, left, top, theme.WIDTH, theme.HEIGHT)


def _scale(size: tuple[int, int], width: float, height: float) -> float:
    return max(0.05, min(size[0] / width, size[1] / height))


def _wide(size: tuple[int, int]) -> Layout:
    scale = _scale(size, theme.WIDTH, theme.HEIGHT)
    return _beside(size, scale, 0.0, 0.0, size[0] / scale, size[1] / scale)


def _beside(size: tuple[int, int], scale: float, left: float, top: float, width: float, height: float) -> Layout:
    """Panels beside the arena in a region given in logical pixels; they take what the arena leaves."""
    room = height - theme.ARENA_TOP - _FOOT
    around = 2 * (theme.MARGIN + _GAP)
    side = min(room, width - around - 2 * _NARROWEST)
    panel = min(_WIDEST, (width - around - side) / 2)
    first = left + (width - side) / 2 - _GAP - panel
    second = left + (width + side) / 2 + _GAP
    floor = top + theme.ARENA_TOP
    return Layout(
        size, scale, False,
        bar=_box(scale, first, top, second + panel - first, theme.ARENA_TOP - _RIM),
        arena=_box(scale, left + (width - side) / 2, floor + (room - side) / 2, side, side),
        panels=(_box(scale, first, floor, panel, room), _box(scale, second, floor, panel, room)),
        heads=None,
    )  # fmt: skip


def _tall(size: tuple[int, int], type_scale: float) -> Layout:
    """Names and health, the arena, then what was thought and said, as one holds a phone."""
    scale = _scale(size, _TALL_WIDTH, _TALL_HEIGHT)
    width, height, gap = size[0] / scale, size[1] / scale, _TALL_GAP
    bar, head = _TALL_BAR * (0.5 + 0.5 * type_scale), _TALL_HEAD * (0.3 + 0.7 * type_scale)
    top = bar + head + gap
    side = min(width - 2 * gap, height - top - _FOOT - gap - _TALL_WORDS * type_scale)
    words = top + side + _FOOT + gap
    half, second = (width - 3 * gap) / 2, (width + gap) / 2
    return Layout(
        size, scale, True,
        bar=_box(scale, gap, 0, width - 2 * gap, bar),
        arena=_box(scale, (width - side) / 2, top, side, side),
        panels=(
            _box(scale, gap, words, half, height - words - gap),
            _box(scale, second, words, half, height - words - gap),
        ),
        heads=(_box(scale, gap, bar, half, head), _box(scale, second, bar, half, head)),
    )  # fmt: skip


def _box(scale: float, left: float, top: float, width: float, height: float) -> Box:
    first, second = round(left * scale), round(top * scale)
    return first, second, max(1, round((left + width) * scale) - first), max(1, round((top + height) * scale) - second)
