"""Where two matches are in one picture, and what is where in each: beside each other in a wide one, else stacked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from batllm_arcade.view.layout import UPRIGHT_TYPE, Box, Layout, box, safe_box

_WIDE = 1.2  # how much wider than high a picture is that has its matches beside each other, or a match its words
_SEAM, _EDGE, _GAP = 6, 14, 10  # between the matches, to the picture's edge, between the parts of one
_ACROSS, _HIGH = 1080, 600  # what lengths are given for: the width of a column, the height of a row
_BAR, _HEAD, _TOLD, _WORDS = 56, 50, 76, 78
_APART = 36  # between both players' health
_ROW_BAR, _ROW_HEAD, _ROW_TOLD, _ROW_OTHER, _ROW_GAP = 50, 92, 118, 62, 8
_SUBJECT = 0.64  # of a column's width: for the orders that are compared
_ARENA = 0.68  # of a row's width, at most
_ALONE, _TYPE = 0.69, 0.66  # of the picture's width, for the match that goes on; times a column's type
_ALONE_BAR = 64
_ALONE_TOLD = 0.62  # of the height that is beside its arena for words


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


def beside_ended(size: tuple[int, int], column: MatchColumn, *, against: bool = True) -> tuple[MatchColumn, Box] | None:
    """Return a wide picture's places for a match that goes on and for one that has ended; None in other pictures.

    That which goes on is where its `column` was, left or right, and larger.
    """
    width, height = size
    if width <= _WIDE * height or column.place[2] >= width:
        return None
    seam = width - 2 * column.place[2]
    wide = round(_ALONE * width)
    left = 0 if column.place[0] == 0 else width - wide
    place = left, 0, wide, height
    ended = (wide + seam if left == 0 else 0), 0, width - wide - seam, height
    return replace(column, place=place, layout=_alone(place[2:], column.subject, against=against)), ended


def column_layout(size: tuple[int, int], subject: int, *, against: bool = True) -> Layout:
    """Return the layout of one of two matches: its words above and below the arena, or beside it in a row.

    The panel of the opponent's orders is empty unless that is told any.
    """
    return (_row if size[0] > _WIDE * size[1] else _column)(size, subject, against=against)


def _column(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    scale = min(size) / _ACROSS
    edge, gap = round(_EDGE * scale), _GAP * scale
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


def _alone(size: tuple[int, int], subject: int, *, against: bool) -> Layout:
    """Return the layout of a match that goes on: its words beside the arena, below them what is played."""
    scale = _TYPE * size[1] / 720
    gap, bar, head = _GAP * scale, _ALONE_BAR * scale, _ROW_HEAD * scale
    side = min(size[1] - bar - 2 * gap, _ARENA * size[0])
    left = side + 3 * gap
    width = size[0] - left - gap
    room = size[1] - bar - 2 * head - 3 * gap
    tolds = [(_SUBJECT if against else 1.0) * _ALONE_TOLD * room] * 2
    tolds[1 - subject] = (1 - _SUBJECT) * _ALONE_TOLD * room * against
    floor = bar + (size[1] - bar - side) / 2
    beside = left, width, bar, floor + side
    return _beside(size, (gap, floor, side), beside, head, (tolds[0], tolds[1]), gap, scale)


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
    return _beside(size, arena, beside, head, (tolds[0], tolds[1]), gap, scale)


def _beside(
    size: tuple[int, int], arena: tuple[float, float, float], beside: tuple[float, float, float, float], head: float,
    tolds: tuple[float, float], gap: float, scale: float,
) -> Layout:  # fmt: skip
    """Return a layout with its words beside the arena: both heads, each above its orders, and below what is played.

    `arena` is its left, top and side; the words are `beside` it from the left, so wide, from the top, to the bottom.
    """
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
