"""Where things are: panels, columns, the arena."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from batllm_arcade.view import theme
from batllm_arcade.view.camera import MIDDLE

Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
FilmKind = Literal["", "plain", "small", "covered"]
"""What a picture is part of: no film, one that is seen whole, one that is seen small, or one that telephones cover in
part."""

_GAP, _FOOT = 20, 20
_RIM = 6  # of the arena's wall, which nothing may cover
_NARROWEST, _WIDEST = 260, 470  # of a panel beside the arena
_LIVE_FOOT, _LIVE_GAP = 66, 8  # below the arena of a live match, where its buttons are
_TALL_ACTIONS, _TALL_TOOLS, _TALL_LIVE_BODY = 62, 54, 212
_CORNER, _TALL_CORNER = 68, 92  # for the button at the top left
_TALL_WIDTH, _TALL_HEIGHT = 720, 1080  # what a tall window's lengths are given for
_TALL_BAR, _TALL_HEAD, _TALL_BODY, _TALL_GAP = 53, 122, 226, 8
_TELEPHONE = (1080, 1920)  # what a telephone's lengths are given for
_COVERED = (250, 450, 120)  # of it: where applications lay their own words, at the top, the bottom and the right
_LEFT = 48  # of it: the edge at the left, where they lay none
_UPRIGHT_BAR, _UPRIGHT_HEAD, _UPRIGHT_WORDS, _UPRIGHT_GAP, _UPRIGHT_EDGE = 42, 98, 150, 12, 20
_UPRIGHT_RIM = 30  # from a telephone's arena to the picture's edge
_UPRIGHT_TOLD, _LARGER_TOLD = 136, 156  # for orders above the arena, and below it
_SMALL_WIDE, _SMALL_HIGH = 520, 660  # of the words beside the arena of a small film, what their lengths are given for
_SMALL_WORDS, _SMALL_ARENA = 164, 0.6  # and the most of its width that the arena takes
UPRIGHT_TYPE = 1.5 / 742
"""The scale of what is in the arena of a picture that is not wide, for each pixel of the arena's side."""
_WIDE = 1.2  # how much wider than high films are that have their words beside the arena
TALL_TYPE = 1.22
"""How much larger text is in a tall window: such pictures are mostly watched on phones."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The rectangles of one window in pixels, those of the seats left first.

    `scale` is pixels per logical pixel (1280 x 720). In a wide window one panel holds a seat's head and body.
    """

    size: tuple[int, int]
    scale: float
    tall: bool
    bar: Box
    arena: Box
    panels: tuple[Box, Box]
    heads: tuple[Box, Box] | None
    """The separate panels of the heads in a tall window; None if they are part of `panels`."""
    actions: Box | None = None
    """Where a live match has the buttons of what a person's bot can do, under the arena; None in films and replays."""
    tools: tuple[Box, ...] = ()
    """Where it has those of what can be done with the match."""
    words: Box | None = None
    """In an upright film: where it says what the bot does that acts; the `panels` have the orders there."""
    free: Box | None = None
    """Where words may be in the picture, None if telephones cover nothing of it."""
    words_scale: float = 1.0
    """How many pixels a pixel of an upright film 1080 wide has, for all words around the arena."""

    @classmethod
    def of(cls, size: tuple[int, int], text_scale: float = 1.0, *, live: bool = False, corner: bool = False) -> Layout:
        """Return the layout for a window size in pixels: wide if it is wider than high, else tall.

        `text_scale` enlarges text; only a tall window makes room for it. A `live` match has buttons; a `corner`
        alone leaves room at the top left for the one that leads back.
        """
        if size[0] > size[1]:
            layout = _live_wide(size) if live else _wide(size)
            return _with_corner(layout, text_scale) if live or corner else layout
        return _tall(size, text_scale, live=live, corner=live or corner)

    @classmethod
    def upright(cls, size: tuple[int, int], *, covered: bool) -> Layout:
        """Return the layout of a film that is not wide: who was told what above the arena, what is done below.

        Where telephones cover its edges, all words are where no application lays its own, and the arena is above them.
        """
        if covered:
            return _telephone(size)
        scale = min(size) / _TELEPHONE[0]
        left, top, width, height = _edged(size, round(_UPRIGHT_EDGE * scale))
        bar, head, words, gap, told = (
            scale * each for each in (_UPRIGHT_BAR, _UPRIGHT_HEAD, _UPRIGHT_WORDS, _UPRIGHT_GAP, _UPRIGHT_TOLD)
        )
        half, second = width / 2 - gap, left + width / 2 + gap
        below = top + bar + head + told
        room = height - bar - head - told - words - 2 * gap
        side = min(width, room)
        floor = below + gap + (room - side) / 2
        panels = [box(1, x, top + bar + head, half, told) for x in (left, second)]
        return cls(
            size,
            UPRIGHT_TYPE * side,
            True,
            bar=box(1, left, top, width, bar),
            arena=box(1, left + (width - side) / 2, floor, side, side),
            panels=(panels[0], panels[1]),
            heads=(box(1, left, top + bar, half, head), box(1, second, top + bar, half, head)),
            words=box(1, left, top + height - words, width, words),
            words_scale=scale,
        )

    @classmethod
    def fitted(cls, size: tuple[int, int]) -> Layout:
        """Return the wide layout of 1280 x 720, scaled into the middle of a window of any shape."""
        scale = _scale(size, theme.WIDTH, theme.HEIGHT)
        left, top = (size[0] / scale - theme.WIDTH) / 2, (size[1] / scale - theme.HEIGHT) / 2
        return _beside(size, scale, left, top, theme.WIDTH, theme.HEIGHT)


def safe_box(size: tuple[int, int]) -> Box:
    """Return the part of a telephone's picture in which words may be."""
    across, down = size[0] / _TELEPHONE[0], size[1] / _TELEPHONE[1]
    top, bottom, right, left = _COVERED[0] * down, _COVERED[1] * down, _COVERED[2] * across, _LEFT * across
    return box(1, left, top, size[0] - left - right, size[1] - top - bottom)


def anchor(size: tuple[int, int], film: FilmKind) -> tuple[float, float]:
    """Return the middle of what nothing covers of a film's arena, as shares of its width and height."""
    layout = film_layout(size, film)
    if layout is None or layout.free is None:
        return MIDDLE
    (left, top, wide, high), (x, y, *side) = layout.free, layout.arena
    right, bottom = min(left + wide, x + side[0]), min(top + high, y + side[1])
    return ((max(left, x) + right) / 2 - x) / side[0], ((max(top, y) + bottom) / 2 - y) / side[1]


def _telephone(size: tuple[int, int]) -> Layout:
    scale = min(size[0] / _TELEPHONE[0], size[1] / _TELEPHONE[1])
    start, top, wide, height = safe_box(size)
    bar, head, told, words, gap, rim = (
        scale * each for each in (_UPRIGHT_BAR, _UPRIGHT_HEAD, _LARGER_TOLD, _UPRIGHT_WORDS, _UPRIGHT_GAP, _UPRIGHT_RIM)
    )
    first = top + height - bar - head - told - words - gap
    side = min(size[0] - 2 * rim, first - gap - rim)
    left = (size[0] - side) / 2  # nothing is covered there
    width = start + wide - left
    half, second = width / 2 - gap, left + width / 2 + gap
    return Layout(
        size,
        UPRIGHT_TYPE * side,
        True,
        bar=box(1, left, first, width, bar),
        arena=box(1, (size[0] - side) / 2, first - gap - side, side, side),
        panels=(
            box(1, left, first + bar + head, half, told),
            box(1, second, first + bar + head, half, told),
        ),
        heads=(box(1, left, first + bar, half, head), box(1, second, first + bar, half, head)),
        words=box(1, left, top + height - words, width, words),
        free=box(1, 0, top + gap, left + width - gap, height - gap),
        words_scale=scale,
    )


def film_layout(size: tuple[int, int], film: FilmKind) -> Layout | None:
    """Return the layout of a film whose words are large, None where it is that of a window.

    One that is not wide has them above and below the arena, one that is seen small in one column beside it.
    """
    covered, wide = film == "covered", size[0] > _WIDE * size[1]
    if covered or (film and not wide):
        return Layout.upright(size, covered=covered)
    return _small(size) if film == "small" else None


def _small(size: tuple[int, int]) -> Layout:
    edge = max(4, size[1] // 50)
    side = min(size[1] - 2 * edge, _SMALL_ARENA * size[0])
    left = side + 3 * edge
    width, height = size[0] - left - edge, size[1] - 2 * edge
    scale = min(width / _SMALL_WIDE, height / _SMALL_HIGH)
    bar, head, words, gap = (scale * each for each in (_UPRIGHT_BAR, _UPRIGHT_HEAD, _SMALL_WORDS, _UPRIGHT_GAP))
    told = (height - bar - 2 * head - words - 4 * gap) / 2
    tops = [edge + bar + gap / 2, edge + bar + head + told + 2 * gap]
    return Layout(
        size,
        UPRIGHT_TYPE * side,
        True,
        bar=box(1, left, edge, width, bar),
        arena=box(1, edge, (size[1] - side) / 2, side, side),
        panels=(box(1, left, tops[0] + head, width, told), box(1, left, tops[1] + head, width, told)),
        heads=(box(1, left, tops[0], width, head), box(1, left, tops[1], width, head)),
        words=box(1, left, edge + height - words, width, words),
        words_scale=scale,
    )


def _edged(size: tuple[int, int], edge: int) -> Box:
    return edge, edge, size[0] - 2 * edge, size[1] - 2 * edge


def _scale(size: tuple[int, int], width: float, height: float) -> float:
    return max(0.05, min(size[0] / width, size[1] / height))


def _wide(size: tuple[int, int]) -> Layout:
    scale = _scale(size, theme.WIDTH, theme.HEIGHT)
    return _beside(size, scale, 0.0, 0.0, size[0] / scale, size[1] / scale)


def _live_wide(size: tuple[int, int]) -> Layout:
    scale = _scale(size, theme.WIDTH, theme.HEIGHT)
    height = size[1] / scale
    layout = _beside(size, scale, 0.0, 0.0, size[0] / scale, height, foot=_LIVE_FOOT)
    top, high = height - _LIVE_FOOT + _LIVE_GAP, _LIVE_FOOT - 2 * _LIVE_GAP

    def below(place: Box) -> Box:
        return box(scale, place[0] / scale, top, place[2] / scale, high)

    tools = below(layout.panels[0]), below(layout.panels[1])
    return replace(layout, actions=below(layout.arena), tools=tools)


def _with_corner(layout: Layout, text_scale: float) -> Layout:
    bar = layout.bar
    moved = max(0, round(_CORNER * text_scale * layout.scale) - bar[0])
    return replace(layout, bar=(bar[0] + moved, bar[1], bar[2] - moved, bar[3]))


def _beside(
    size: tuple[int, int], scale: float, left: float, top: float, width: float, height: float, foot: float = _FOOT
) -> Layout:
    room = height - theme.ARENA_TOP - foot
    around = 2 * (theme.MARGIN + _GAP)
    side = min(room, width - around - 2 * _NARROWEST)
    panel = min(_WIDEST, (width - around - side) / 2)
    first = left + (width - side) / 2 - _GAP - panel
    second = left + (width + side) / 2 + _GAP
    floor = top + theme.ARENA_TOP
    return Layout(
        size,
        scale,
        False,
        bar=box(scale, first, top, second + panel - first, theme.ARENA_TOP - _RIM),
        arena=box(scale, left + (width - side) / 2, floor + (room - side) / 2, side, side),
        panels=(box(scale, first, floor, panel, room), box(scale, second, floor, panel, room)),
        heads=None,
    )


def _tall(size: tuple[int, int], text_scale: float, *, live: bool = False, corner: bool = False) -> Layout:
    scale = _scale(size, _TALL_WIDTH, _TALL_HEIGHT)
    width, height, gap = size[0] / scale, size[1] / scale, _TALL_GAP
    bar, head = _TALL_BAR * (0.5 + 0.5 * text_scale), _TALL_HEAD * (0.3 + 0.7 * text_scale)
    inset = _TALL_CORNER * text_scale / TALL_TYPE if corner else 0.0
    bar, left = max(bar, inset - 14), gap + inset
    top = bar + head + gap
    actions, tools = (_TALL_ACTIONS + gap, _TALL_TOOLS + gap) if live else (0.0, 0.0)
    least = (_TALL_LIVE_BODY if live else _TALL_BODY) * text_scale
    side = min(width - 2 * gap, height - top - _FOOT - gap - least - actions - tools)
    body_top = top + side + _FOOT + gap + actions
    half, second = (width - 3 * gap) / 2, (width + gap) / 2
    body = height - body_top - gap - tools
    buttons: dict[str, Any] = {}
    if live:
        buttons["actions"] = box(scale, gap, top + side + _FOOT, width - 2 * gap, _TALL_ACTIONS)
        buttons["tools"] = (box(scale, gap, height - gap - _TALL_TOOLS, width - 2 * gap, _TALL_TOOLS),)
    return Layout(
        size,
        scale,
        True,
        bar=box(scale, left, 0, width - gap - left, bar),
        arena=box(scale, (width - side) / 2, top, side, side),
        panels=(
            box(scale, gap, body_top, half, body),
            box(scale, second, body_top, half, body),
        ),
        heads=(box(scale, gap, bar, half, head), box(scale, second, bar, half, head)),
        **buttons,
    )


def box(scale: float, left: float, top: float, width: float, height: float) -> Box:
    """Return a rectangle in whole pixels, `scale` of which are one of the lengths."""
    first, second = round(left * scale), round(top * scale)
    return first, second, max(1, round((left + width) * scale) - first), max(1, round((top + height) * scale) - second)


# Where two matches are in one picture

_COLUMN_WIDTH = (
    1.2  # how much wider than high a picture is that has its matches beside each other, or a match its words
)
_SEAM, _EDGE, _COLUMN_GAP = 6, 14, 10  # between the matches, to the picture's edge, between the parts of one
_ACROSS, _HIGH = 1080, 600  # what lengths are given for: the width of a column, the height of a row
_BAR, _HEAD, _TOLD, _WORDS = 56, 50, 76, 78
_APART = 36  # between both players' health
_ROW_BAR, _ROW_HEAD, _ROW_TOLD, _ROW_OTHER, _ROW_GAP = 50, 92, 118, 62, 8
_SUBJECT = 0.64  # of a column's width: for the orders that are compared
_ARENA = 0.68  # of a row's width, at most


@dataclass(frozen=True, slots=True)
class MatchColumn:
    """One of two matches in a picture: its `place` there, its `label`, and the seat that is compared (`subject`).

    `orders` are those of that seat in both matches.
    """

    place: Box
    layout: Layout
    label: str
    subject: int
    orders: tuple[str, ...] = ()


def columns(
    size: tuple[int, int],
    labels: tuple[str, str],
    subject: int,
    orders: tuple[str, ...] = (),
    *,
    against: bool = True,
    covered: bool,
) -> tuple[MatchColumn, MatchColumn]:
    """Return both matches of a picture; where telephones cover its edges they are where nothing is laid over them.

    Unless the side that is compared plays `against` one with orders, that one has no plate for these.
    """
    left, top, width, height = safe_box(size) if covered else (0, 0, *size)
    seam = max(2, round(_SEAM * min(size) / 720)) // 2 * 2
    if width > _COLUMN_WIDTH * height:
        half = (width - seam) // 2
        places = (left, top, half, height), (left + width - half, top, half, height)
    else:
        half = (height - seam) // 2
        places = (left, top, width, half), (left, top + height - half, width, half)
    first, second = (
        MatchColumn(place, column_layout(place[2:], subject, against=against), label, subject, orders)
        for place, label in zip(places, labels, strict=True)
    )
    return first, second


def column_layout(size: tuple[int, int], subject: int, *, against: bool = True) -> Layout:
    """Return the layout of one of two matches: its words above and below the arena, or beside it in a row.

    The panel of the opponent's orders is empty unless that is told any.
    """
    return (_row if size[0] > _COLUMN_WIDTH * size[1] else _column)(size, subject, against=against)


def _column(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    scale = min(size) / _ACROSS
    edge, gap = round(_EDGE * scale), _COLUMN_GAP * scale
    left, top, width, height = edge, edge // 2, size[0] - 2 * edge, size[1] - edge - edge // 2
    bar, head, told, words = (scale * each for each in (_BAR, _HEAD, _TOLD, _WORDS))
    apart = _APART * scale
    half, second = (width - apart) / 2, left + (width + apart) / 2
    side = min(width, height - bar - head - told - words - 2 * gap)
    floor = top + bar + head + told + gap + (height - bar - head - told - words - 2 * gap - side) / 2
    both = width - gap * against
    first = both * (_SUBJECT if subject == 0 else 1 - _SUBJECT) if against else both * (subject == 0)
    beside = left + width - (both - first)
    return Layout(
        size,
        UPRIGHT_TYPE * side,
        True,
        bar=box(1, left, top, width, bar),
        arena=box(1, left + (width - side) / 2, floor, side, side),
        panels=(
            _panel(left, top + bar + head, first, told),
            _panel(beside, top + bar + head, both - first, told),
        ),
        heads=(box(1, left, top + bar, half, head), box(1, second, top + bar, half, head)),
        words=box(1, left, top + height - words, width, words),
        words_scale=scale,
    )


def _panel(left: float, top: float, width: float, height: float) -> Box:
    """Return where orders are, of no size without any width or height."""
    return box(1, left, top, width, height) if min(width, height) > 0 else (0, 0, 0, 0)


def _row(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    scale = size[1] / _HIGH
    gap, bar, head = _ROW_GAP * scale, _ROW_BAR * scale, _ROW_HEAD * scale
    side = min(size[1] - bar - gap, _ARENA * size[0])
    left = side + gap
    width = size[0] - left - gap
    tolds = [(_ROW_TOLD if seat == subject else _ROW_OTHER * against) * scale for seat in (0, 1)]
    beside = left, width, bar, size[1] - gap / 2
    arena = 0, bar + (size[1] - bar - side) / 2, side
    return _columns_beside(size, arena, beside, head, (tolds[0], tolds[1]), gap, scale)


def _columns_beside(
    size: tuple[int, int], arena: tuple[float, float, float], beside: tuple[float, float, float, float], head: float,
    tolds: tuple[float, float], gap: float, scale: float,
) -> Layout:  # fmt: skip
    left, width, bar, bottom = beside
    tops = [bar, bar + head + tolds[0] + gap]
    below = tops[1] + head + tolds[1] + gap
    heads = [box(1, left, top, width, head) for top in tops]
    panels = [_panel(left, top + head, width, told) for top, told in zip(tops, tolds, strict=True)]
    return Layout(
        size,
        UPRIGHT_TYPE * arena[2],
        True,
        bar=box(1, 0, 0, size[0], bar),
        arena=box(1, *arena, arena[2]),
        panels=(panels[0], panels[1]),
        heads=(heads[0], heads[1]),
        words=box(1, left, below, width, bottom - below),
        words_scale=scale,
    )
