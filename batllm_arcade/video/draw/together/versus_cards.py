"""Draws the cards of a film of two matches: what is compared, and which went better by how much."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pygame

from batllm_arcade.video.draw.card_painter import SIZES, CardPainter, height_of
from batllm_arcade.video.edit.together.comparison import LETTERS, Contest, Outcome
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_EDGE, _GAP, _PAD = 24, 14, 22  # pixels of a film whose shorter side has 720
_SNUG = (60, 54, 48, 44, 40, 36)  # where there is little width
_SMALL, _FOOT = (44, 40, 36, 32, 29), (36, 32, 29, 26)
_HEADS, _DEEDS = (48, 44, 40, 36, 32, 29, 26), (36, 32, 29, 27, 25, 23)
_TOLD_ENDED, _MOST_TOLD = (40, 36, 32, 29, 26, 24), 4
"""Sizes of orders beside a result, and how many lines of them there are at most."""
_LARGE = 36  # the smallest type for which a line is not broken in two
_HIGH = 0.9  # of the arena, which a result in it covers at most
_TOLD, _MOST_ROWS = (92, *SIZES, *_SMALL), 7
_SEEN_ENDED = 0.46  # of a plate's height, for the arena of a match that has ended


def versus_opening(painter: CardPainter, contest: Contest) -> pygame.Surface:
    """Return the first picture: the claim, and on a plate for each match what it was told."""
    surface, inner, gap = _ground(painter)
    sizes = SIZES if painter.wide else _SNUG
    claim = painter.rows(contest.claim, "title", theme.TEXT, inner.width, 2, sizes, even=True)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    lines = 2 if painter.wide else 3
    foot = painter.rows(contest.against, "label", theme.SOFT, inner.width, lines, _FOOT, even=True)
    bottom = inner.bottom - height_of(foot) - gap // 2
    painter.stack(surface, foot, bottom + gap // 2, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - top)
    plates = list(zip(_places(painter, area), contest.labels, contest.told, strict=True))
    size = min(_told_size(painter, *plate) for plate in plates)  # of both, so that they look alike
    for plate in plates:
        _paint_plate(painter, surface, *plate, contest.subject, size)
    versus = painter.text.line("VS", "title", 54, theme.GOLD)
    surface.blit(versus, versus.get_rect(center=area.center))
    return surface


def versus_closing(painter: CardPainter, contest: Contest, outcome: Outcome, sign: str) -> pygame.Surface:
    """Return the last picture: the headline, by how much, how each match ended, and the sign."""
    surface, inner, gap = _ground(painter)
    lines, sizes = (1, SIZES) if painter.wide else (2, _SNUG)
    headline = _title(painter, contest, outcome, inner.width)
    title = painter.rows(headline, "title", theme.GOLD, inner.width, lines, sizes, even=True)
    below = painter.rows(outcome.margin, "title", theme.TEXT, inner.width, 1, _SMALL) if outcome.margin else []
    top = painter.stack(surface, [*title, *below], inner.top, -1, inner.centerx) + gap // 2
    foot = painter.rows(sign, "label", theme.GOLD, inner.width, 1, _FOOT)
    bottom = inner.bottom - height_of(foot)
    painter.stack(surface, foot, bottom, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - gap // 2 - top)
    places = _places(painter, area, 0.5 * gap)
    plates = list(zip(places, contest.labels, contest.told, outcome.plates, strict=True))
    size = min(_result_size(painter, *plate) for plate in plates)  # of both, so that they look alike
    told_size = min(_orders_size(painter, *plate, size) for plate in plates)
    entries = list[list[pygame.Surface]]()
    for number, (place, label, told, said) in enumerate(plates):
        _, width, top, lowest = _inside(painter, place)
        color = theme.SOFT if outcome.better == 1 - number else theme.GOLD
        entry = _result_rows(painter, width, lowest - top, label, told, said, (size,), (told_size,), color)
        entries.append([row for rows in entry for row in rows])
    for number, (place, rows) in enumerate(zip(places, entries, strict=True)):
        painter.panel(surface, place, contest.subject)
        left, _, top, lowest = _inside(painter, place)
        high = max(map(height_of, entries)) if painter.wide else height_of(rows)  # beside each other both begin as high
        painter.stack(surface, rows, top + (lowest - top - high) // 2, left, 0)
        if outcome.better == number:
            pygame.draw.rect(surface, theme.GOLD, place, painter.px(8), border_radius=painter.px(4))
    return surface


def _title(painter: CardPainter, contest: Contest, outcome: Outcome, width: int) -> str:
    """Return the headline: where one game was won and the other lost, what the better side was told, if that fits."""
    if outcome.better is None or not outcome.title.startswith(f"{LETTERS[outcome.better]} wins, "):
        return outcome.title
    named = f"{contest.told[outcome.better]} wins"
    fits = painter.wide and painter.text.measure(named, "title", SIZES[-1]) <= width
    return named if fits and named.startswith("\u201c") else outcome.title


def result_plate(painter: CardPainter, width: int, subject: int, label: str, said: Sequence[str]) -> pygame.Surface:
    """Return what lies over the arena of a match that has ended: how, and what its side did in it."""
    pad = painter.px(_PAD)
    head, _, deeds = _result_rows(painter, width - 2 * pad, _HIGH * width, label, "", said, _DEEDS)
    plate = pygame.Surface((width, height_of(head) + height_of(deeds) + pad), 0, 32)
    plate.fill(theme.NIGHT)
    painter.panel(plate, plate.get_rect(), subject)
    painter.stack(plate, [*head, *deeds], pad // 2, pad, 0)
    return plate


def ended_plate(
    painter: CardPainter, size: tuple[int, int], subject: int, label: str, told: str, said: Sequence[str],
    arena: pygame.Surface,
) -> pygame.Surface:  # fmt: skip
    """Return what stands beside a match that goes on: how this one ended, its orders, its arena then, what was done."""
    plate, pad = pygame.Surface(size, 0, 32), painter.px(_PAD)
    plate.fill(theme.NIGHT)
    painter.panel(plate, plate.get_rect(), subject)
    width = size[0] - 2 * pad
    side = min(width, round(_SEEN_ENDED * size[1]))
    head, orders, deeds = _result_rows(painter, width, size[1] - side - 3 * pad, label, told, said, _DEEDS[2:])
    top = painter.stack(plate, [*head, *orders], pad // 2, pad, 0) + pad // 2
    place = plate.blit(pygame.transform.smoothscale(arena, (side, side)), ((size[0] - side) // 2, top))
    pygame.draw.rect(plate, theme.PANEL_EDGE, place, max(1, painter.px(3)))
    painter.stack(plate, deeds, top + side + pad // 2, pad, 0)
    return plate


def _ground(painter: CardPainter) -> tuple[pygame.Surface, pygame.Rect, int]:
    edge = painter.px(_EDGE)
    return painter.background(), painter.area.inflate(-2 * edge, -2 * edge), painter.px(_GAP)


def _places(painter: CardPainter, area: pygame.Rect, seam: float | None = None) -> list[pygame.Rect]:
    """Return both plates: beside each other in a wide film, below each other in others."""
    apart = round(painter.px(90 if painter.wide else 56) if seam is None else 2 * seam)
    if painter.wide:
        half = (area.width - apart) // 2
        return [pygame.Rect(left, area.top, half, area.height) for left in (area.left, area.right - half)]
    half = (area.height - apart) // 2
    return [pygame.Rect(area.left, top, area.width, half) for top in (area.top, area.bottom - half)]


def _label(painter: CardPainter, label: str, width: int) -> pygame.Surface:
    (row,) = painter.rows(label, "title", theme.GOLD, width, 1, _SNUG if painter.wide else _SNUG[3:])
    return row


def _told_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str) -> int:
    """Return the size of type in which what a match was told fits on its plate, below its label."""
    _, width, top, lowest = _inside(painter, rect)
    room = lowest - top - _label(painter, label, width).get_height()
    return painter.size_of(told, "label", width, _MOST_ROWS, _TOLD, room)


def _paint_plate(
    painter: CardPainter, target: pygame.Surface, rect: pygame.Rect, label: str, told: str, subject: int, size: int
) -> None:
    """Paint a match's label and what it was told, in that size of type."""
    painter.panel(target, rect, subject)
    left, width, top, lowest = _inside(painter, rect)
    top = target.blit(_label(painter, label, width), (left, top)).bottom
    rows = painter.rows(told, "label", theme.TEXT, width, _MOST_ROWS, (size,), lowest - top)
    painter.stack(target, rows, top + (lowest - top - height_of(rows)) // 2, left, 0)


def _result_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str, said: Sequence[str]) -> int:
    """Return the size of type at which what a side did fits on its plate."""
    _, width, top, lowest = _inside(painter, rect)
    head = _result_head(painter, width, label, said)
    sizes = _SMALL if painter.wide else _DEEDS
    return _fitting(painter, width, lowest - top - height_of(head), told, said[1:], sizes)[1]


def _orders_size(painter: CardPainter, rect: pygame.Rect, label: str, told: str, said: Sequence[str], size: int) -> int:
    """Return the size of type in which its orders fit on a plate where what its side did has type of size `size`."""
    _, width, top, lowest = _inside(painter, rect)
    room = lowest - top - height_of(_result_head(painter, width, label, said))
    lines, _ = _fitting(painter, width, room, told, said[1:], (size,))
    sizes, left = _told_sizes(size), room - height_of(_deeds(painter, width, said[1:], size))
    return painter.size_of(told, "label", width, _MOST_TOLD, sizes, left) if lines else sizes[0]


def _told_sizes(size: int) -> Sequence[int]:
    """Return sizes of orders: no larger than that of what was done."""
    return [each for each in _TOLD_ENDED if each <= size] or [size]


def _result_head(
    painter: CardPainter, width: int, label: str, said: Sequence[str], color: Color = theme.GOLD
) -> list[pygame.Surface]:
    """Return how a match ended."""
    words, sizes = f"{label} {said[0]}", _HEADS if painter.wide else _HEADS[2:]
    lines = 1 if painter.text.measure(words, "title", sizes[-1]) <= width else 2
    return painter.rows(words, "title", color, width, lines, sizes)


def _result_rows(
    painter: CardPainter, width: int, high: float, label: str, told: str, said: Sequence[str], sizes: Sequence[int],
    told_sizes: Sequence[int] = _TOLD_ENDED, color: Color = theme.GOLD,
) -> tuple[list[pygame.Surface], list[pygame.Surface], list[pygame.Surface]]:  # fmt: skip
    """Return how a match ended, its orders, and what its side did, which comes before the end of long orders."""
    head = _result_head(painter, width, label, said, color)
    room = high - height_of(head)
    lines, size = _fitting(painter, width, room, told, said[1:], sizes)
    deeds = _deeds(painter, width, said[1:], size)
    left = room - height_of(deeds)
    orders = painter.rows(told, "label", theme.TEXT, width, _MOST_TOLD, told_sizes, left, even=True) if lines else []
    return head, orders, deeds


def _fitting(
    painter: CardPainter, width: int, room: float, told: str, did: Sequence[str], sizes: Sequence[int]
) -> tuple[int, int]:
    """Return how many lines of its orders a plate has, and the size of type of what its side did."""
    line = painter.text.height("label", _TOLD_ENDED[-1])
    whole = len(painter.text.wrapped(told, "label", _TOLD_ENDED[-1], width)) if told else 0
    told_lines = (min(whole, _MOST_TOLD), min(whole, 2), min(whole, 1), 0)
    for lines, unbroken, size in product(told_lines, (True, False), sizes):
        deeds = _deeds(painter, width, did, size)
        large = size >= _LARGE and len(deeds) == len(did)
        if (large or not unbroken) and height_of(deeds) + lines * line <= room:
            break
    return lines, size


def _deeds(painter: CardPainter, width: int, did: Sequence[str], size: int) -> list[pygame.Surface]:
    """Return how a match stood in the end, in stronger type, and what its side did."""
    rows = list[pygame.Surface]()
    for number, words in enumerate(did):
        color = theme.SOFT if number else theme.TEXT
        rows += painter.rows(words, "label" if number else "title", color, width, 3, (size,), even=True)
    return rows


def _inside(painter: CardPainter, rect: pygame.Rect) -> tuple[int, int, int, int]:
    """Return where words may be on a plate: from the left, how wide, from the top, and to the bottom."""
    pad = painter.px(_PAD)
    return rect.left + pad, rect.width - 2 * pad, rect.top + pad // 2, rect.bottom - pad // 2
