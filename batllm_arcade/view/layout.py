"""Where things are: panels, columns, the arena."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from batllm_arcade.view import theme
from batllm_arcade.view.camera import MIDDLE

Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
Area = tuple[float, float, float, float]
"""The same in any unit."""
Length = float | None
"""None for an equal share of what the others leave."""
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
TALL_TYPE = 1.22
"""How much larger text is in a tall window: such pictures are mostly watched on phones."""
_WIDE = 1.2  # how much wider than high a picture is that has its words, or its second match, beside the arena
_SEAM, _EDGE, _COLUMN_GAP = 6, 14, 10  # between two matches, to the picture's edge, between the parts of one
_ACROSS, _HIGH = 1080, 600  # what their lengths are given for: the width of a column, the height of a row
_BAR, _HEAD, _TOLD, _WORDS = 56, 50, 76, 78
_APART = 36  # between both players' health
_ROW_BAR, _ROW_HEAD, _ROW_TOLD, _ROW_OTHER, _ROW_GAP = 50, 92, 118, 62, 8
_SUBJECT = 0.64  # of a column's width: for the orders that are compared
_ARENA = 0.68  # of a row's width, at most


def rows(area: Area, heights: Sequence[Length], gap: float = 0.0) -> list[Area]:
    """Return the rows of an area, from its top on."""
    left, top, width, height = area
    return [(left, top + start, width, high) for start, high in _stretches(height, heights, gap)]


def columns(area: Area, widths: Sequence[Length], gap: float = 0.0) -> list[Area]:
    """Return the columns of an area, from its left on."""
    left, top, width, height = area
    return [(left + start, top, wide, height) for start, wide in _stretches(width, widths, gap)]


def _stretches(whole: float, lengths: Sequence[Length], gap: float) -> Iterator[tuple[float, float]]:
    rest = whole - sum(length for length in lengths if length is not None) - gap * (len(lengths) - 1)
    share, start = rest / max(1, lengths.count(None)), 0.0
    for length in lengths:
        yield start, share if length is None else length
        start += (share if length is None else length) + gap


def _inset(area: Area, across: float, down: float) -> Area:
    left, top, width, height = area
    return left + across, top + down, width - 2 * across, height - 2 * down


def _square(area: Area) -> Area:
    """Return the largest square, in the area's middle."""
    side = min(area[2:])
    return _inset(area, (area[2] - side) / 2, (area[3] - side) / 2)


def box(scale: float, left: float, top: float, width: float, height: float) -> Box:
    """Return a rectangle in whole pixels, `scale` of which are one of the lengths."""
    first, second = round(left * scale), round(top * scale)
    return first, second, max(1, round((left + width) * scale) - first), max(1, round((top + height) * scale) - second)


def _both(areas: Sequence[Area], scale: float = 1) -> tuple[Box, Box]:
    """Return the boxes of both seats, of no size for an area without any width or height."""
    left, right = (box(scale, *area) if min(area[2:]) > 0 else (0, 0, 0, 0) for area in areas)
    return left, right


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
        corner = live or corner
        if size[0] <= size[1]:
            return _tall(size, text_scale, live=live, corner=corner)
        scale = _scale(size, theme.WIDTH, theme.HEIGHT)
        window = 0.0, 0.0, size[0] / scale, size[1] / scale
        layout = _wide(size, scale, window, live=live)
        if not corner:
            return layout
        left, top, width, height = layout.bar
        moved = max(0, round(_CORNER * text_scale * scale) - left)
        return replace(layout, bar=(left + moved, top, width - moved, height))

    @classmethod
    def upright(cls, size: tuple[int, int], *, covered: bool) -> Layout:
        """Return the layout of a film that is not wide: who was told what above the arena, what is done below.

        Where telephones cover its edges, all words are where no application lays its own, and the arena is above them.
        """
        if covered:
            return _telephone(size)
        scale = min(size) / _TELEPHONE[0]
        edge, gap = round(_UPRIGHT_EDGE * scale), scale * _UPRIGHT_GAP
        heights = [scale * high for high in (_UPRIGHT_BAR, _UPRIGHT_HEAD, _UPRIGHT_TOLD)]
        bar, heads, told, arena, words = rows(
            _inset((0, 0, *size), edge, edge), (*heights, None, scale * _UPRIGHT_WORDS)
        )
        halves = (None, None)
        return _with_words(
            size, scale, bar, _square(_inset(arena, 0, gap)), columns(heads, halves, 2 * gap),
            columns(told, halves, 2 * gap), words,
        )  # fmt: skip

    @classmethod
    def fitted(cls, size: tuple[int, int]) -> Layout:
        """Return the wide layout of 1280 x 720, scaled into the middle of a window of any shape."""
        scale = _scale(size, theme.WIDTH, theme.HEIGHT)
        left, top = (size[0] / scale - theme.WIDTH) / 2, (size[1] / scale - theme.HEIGHT) / 2
        return _wide(size, scale, (left, top, theme.WIDTH, theme.HEIGHT))


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


def film_layout(size: tuple[int, int], film: FilmKind) -> Layout | None:
    """Return the layout of a film whose words are large, None where it is that of a window.

    One that is not wide has them above and below the arena, one that is seen small in one column beside it.
    """
    covered, wide = film == "covered", size[0] > _WIDE * size[1]
    if covered or (film and not wide):
        return Layout.upright(size, covered=covered)
    return _small(size) if film == "small" else None


def _with_words(
    size: tuple[int, int], scale: float, bar: Area, arena: Area, heads: Sequence[Area], told: Sequence[Area],
    words: Area, free: Area | None = None,
) -> Layout:  # fmt: skip
    """Return the layout of a film whose words are large: a type of `scale`, what both seats were `told`."""
    return Layout(
        size,
        UPRIGHT_TYPE * arena[2],
        True,
        bar=box(1, *bar),
        arena=box(1, *arena),
        panels=_both(told),
        heads=_both(heads),
        words=box(1, *words),
        free=box(1, *free) if free else None,
        words_scale=scale,
    )


def _telephone(size: tuple[int, int]) -> Layout:
    """Return the layout of a film of which telephones cover the edges: the arena as wide as the picture nearly, from
    its top on, and all words below it, above those of applications."""
    scale = min(size[0] / _TELEPHONE[0], size[1] / _TELEPHONE[1])
    start, top, wide, height = safe_box(size)
    heights = [scale * high for high in (_UPRIGHT_BAR, _UPRIGHT_HEAD, _LARGER_TOLD, _UPRIGHT_GAP, _UPRIGHT_WORDS)]
    gap, rim = scale * _UPRIGHT_GAP, scale * _UPRIGHT_RIM
    first = top + height - sum(heights)
    side = min(size[0] - 2 * rim, first - gap - rim)
    left = (size[0] - side) / 2  # nothing is covered there
    width, halves = start + wide - left, (None, None)
    bar, heads, told, _, words = rows((left, first, width, sum(heights)), heights)
    arena, free = (left, first - gap - side, side, side), (0, top + gap, left + width - gap, height - gap)
    return _with_words(
        size, scale, bar, arena, columns(heads, halves, 2 * gap), columns(told, halves, 2 * gap), words, free
    )


def _small(size: tuple[int, int]) -> Layout:
    """Return the layout of a wide film that is seen small: the arena as high as the picture, beside it all words."""
    edge = max(4, size[1] // 50)
    side = min(size[1] - 2 * edge, _SMALL_ARENA * size[0])
    left = side + 3 * edge
    area = left, edge, size[0] - left - edge, size[1] - 2 * edge
    scale = min(area[2] / _SMALL_WIDE, area[3] / _SMALL_HIGH)
    head, gap, words = (scale * high for high in (_UPRIGHT_HEAD, _UPRIGHT_GAP, _SMALL_WORDS))
    bar, _, beside = rows(area, (scale * _UPRIGHT_BAR, gap / 2, None))
    return _words_beside(
        size, scale, bar, (edge, (size[1] - side) / 2, side, side), beside,
        (head, None, 1.5 * gap, head, None, 2 * gap, words),
    )  # fmt: skip


def _words_beside(
    size: tuple[int, int], scale: float, bar: Area, arena: Area, beside: Area, heights: Sequence[Length]
) -> Layout:
    """Return a layout with its words `beside` the arena: both heads, each above its orders, below what is played."""
    left, told_left, _, right, told_right, _, words = rows(beside, heights)
    return _with_words(size, scale, bar, arena, (left, right), (told_left, told_right), words)


def _scale(size: tuple[int, int], width: float, height: float) -> float:
    return max(0.05, min(size[0] / width, size[1] / height))


def _wide(size: tuple[int, int], scale: float, region: Area, *, live: bool = False) -> Layout:
    """Lay out a region in logical pixels: panels as wide as the arena leaves room for; buttons below, if it is `live`:
    actions below the arena, tools below the panels."""
    foot = _LIVE_FOOT if live else _FOOT
    bar, middle, below = rows(region, (theme.ARENA_TOP, None, foot))
    side = min(middle[3], region[2] - 2 * (theme.MARGIN + _GAP) - 2 * _NARROWEST)
    panel = min(_WIDEST, (region[2] - 2 * (theme.MARGIN + _GAP) - side) / 2)
    widths = None, panel, side, panel, None
    _, left, arena, right, _ = columns(middle, widths, _GAP)
    over = left[0], bar[1], right[0] + panel - left[0], theme.ARENA_TOP - _RIM
    layout = Layout(
        size, scale, False, box(scale, *over), box(scale, *_square(arena)), _both((left, right), scale), None
    )
    if not live:
        return layout
    top, high = below[1] + _LIVE_GAP, _LIVE_FOOT - 2 * _LIVE_GAP
    tools, actions, others = (
        box(scale, place[0] / scale, top, place[2] / scale, high)
        for place in (layout.panels[0], layout.arena, layout.panels[1])
    )
    return replace(layout, actions=actions, tools=(tools, others))


def _tall(size: tuple[int, int], text_scale: float, *, live: bool, corner: bool) -> Layout:
    """Lay out names and health above the arena, thoughts and replies below it; between and below them the buttons."""
    scale = _scale(size, _TALL_WIDTH, _TALL_HEIGHT)
    width, height, gap = size[0] / scale, size[1] / scale, _TALL_GAP
    inset = _TALL_CORNER * text_scale / TALL_TYPE if corner else 0.0
    bar, head = max(_TALL_BAR * (0.5 + 0.5 * text_scale), inset - 14), _TALL_HEAD * (0.3 + 0.7 * text_scale)
    actions, tools = ((_TALL_ACTIONS, gap), (gap, _TALL_TOOLS)) if live else ((0.0, 0.0), (0.0, 0.0))
    least = (_TALL_LIVE_BODY if live else _TALL_BODY) * text_scale
    side = min(width - 2 * gap, height - bar - head - _FOOT - 2 * gap - least - sum(actions) - sum(tools))
    over, heads, _, arena, _, acts, _, body, _, does = rows(
        (gap, 0.0, width - 2 * gap, height - gap),
        (bar, head, gap, side, _FOOT, actions[0], gap + actions[1], None, *tools),
    )
    over = over[0] + inset, 0.0, over[2] - inset, bar
    halves = (None, None)
    return Layout(
        size,
        scale,
        True,
        bar=box(scale, *over),
        arena=box(scale, *_square(arena)),
        panels=_both(columns(body, halves, gap), scale),
        heads=_both(columns(heads, halves, gap), scale),
        actions=box(scale, *acts) if live else None,
        tools=(box(scale, *does),) if live else (),
    )


# Two matches in one picture


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


def match_columns(
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
    if width > _WIDE * height:
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
    return (_row if size[0] > _WIDE * size[1] else _column)(size, subject, against=against)


def _column(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    scale = min(size) / _ACROSS
    edge, gap = round(_EDGE * scale), _COLUMN_GAP * scale
    area = edge, edge // 2, size[0] - 2 * edge, size[1] - edge - edge // 2
    heights = [scale * high for high in (_BAR, _HEAD, _TOLD)]
    bar, heads, told, arena, words = rows(area, (*heights, None, scale * _WORDS))
    mine = (area[2] - gap) * _SUBJECT if against else area[2]
    widths = (mine, None) if subject == 0 else (None, mine)
    return _with_words(
        size, scale, bar, _square(_inset(arena, 0, gap)), columns(heads, (None, None), _APART * scale),
        columns(told, widths, gap * against), words,
    )  # fmt: skip


def _row(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    scale = size[1] / _HIGH
    gap, head = _ROW_GAP * scale, _ROW_HEAD * scale
    bar, below = rows((0, 0, *size), (_ROW_BAR * scale, None))
    side = min(below[3] - gap, _ARENA * size[0])
    tolds = [(_ROW_TOLD if seat == subject else _ROW_OTHER * against) * scale for seat in (0, 1)]
    arena = 0, below[1] + (below[3] - side) / 2, side, side
    beside = side + gap, below[1], size[0] - side - 2 * gap, below[3] - gap / 2
    return _words_beside(size, scale, bar, arena, beside, (head, tolds[0], gap, head, tolds[1], gap, None))
