"""Draws a reel's last card: its moments again, the best first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, height_of, side_by_side
from batllm_arcade.video.draw.fight_picture import paint_fight
from batllm_arcade.video.edit.cards import HOW_TO_PLAY
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color

_EDGE, _GAP, _APART = 24, 16, 26  # pixels of a film whose shorter side has 720
_PITCH, _SNUG = 0.88, 0.74  # of a row's height, after which the next one begins, and that beside pictures

_WIDE, _NARROW = ((60, 2), (54, 2), (LEAST, 2), (LEAST, 1)), ((LEAST, 3),)
"""Sizes of type and rows of each moment, the better first."""
_SEEN_HIGH, _SEEN_SHAPES = 80, (2.0, 1.6)
"""The least height of a moment's picture, and how much wider than high it is: the first that leaves room for words."""
_FEW = 3
"""How many of the best moments have a picture at least, where there is no room for those of all."""

Moment = tuple[str, int | None, Scene | None]
"""What happened in a moment, whose doing that was, and the scene in which it is seen."""


def recap_picture(painter: CardPainter, title: str, moments: Sequence[Moment]) -> pygame.Surface:
    """Return the whole card: as many of the moments as there is room for, the best first, in the colours of their bots.

    In a wide film each has a picture, and of many those of the best `_FEW` at least are told in full.
    """
    surface, gap = painter.background(), painter.px(_GAP)
    inner = painter.area.inflate(-2 * painter.px(_EDGE), -2 * painter.px(_EDGE))
    lines = 1 if painter.text.measure(title, "title", SIZES[-1]) <= inner.width else 2
    heading = painter.rows(title, "title", theme.TEXT, inner.width, lines, SIZES[1:], even=True)
    top = painter.stack(surface, heading, inner.top, -1, inner.centerx) + gap
    how = painter.rows(HOW_TO_PLAY, "label", theme.GOLD, inner.width, 2, (LEAST,), even=True)
    bottom = inner.bottom - height_of(how)
    painter.stack(surface, how, bottom, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - gap - top)
    fewer = range(len(moments), min(len(moments), _FEW) - 1, -1) if painter.wide else ()
    if not any(_with_pictures(painter, surface, area, moments[:count]) for count in fewer):
        _in_words(painter, surface, area, moments)
    return surface


def _in_words(painter: CardPainter, target: pygame.Surface, area: pygame.Rect, moments: Sequence[Moment]) -> None:
    """Paint the moments without pictures, as many of them as there is room for."""
    shown, room = _shown(painter, moments, area.width, area.height)
    free = min(painter.px(_APART), room // (len(shown) + 1))
    top = area.top + (room - free * (len(shown) + 1)) // 2
    for entry in shown:
        top = painter.stack(target, entry, top + free, area.left, 0, _PITCH)


def _with_pictures(painter: CardPainter, target: pygame.Surface, area: pygame.Rect, moments: Sequence[Moment]) -> bool:
    """Paint all moments with their pictures; return whether there is room for these and all of the words."""
    gap, slot = painter.px(_GAP), area.height // len(moments)
    high = slot - gap
    if high < painter.px(_SEEN_HIGH) or any(scene is None for _, _, scene in moments):
        return False
    for shape in _SEEN_SHAPES:
        wide = round(shape * high)
        beside = pygame.Rect(area.left + wide + gap, area.top, area.width - wide - gap, area.height)
        entries, _ = _shown(painter, moments, beside.width, area.height, slot - gap // 4, _SNUG)
        if len(entries) == len(moments):
            break
    else:
        return False
    for number, (entry, (_, bot, scene)) in enumerate(zip(entries, moments, strict=True)):
        place = pygame.Rect(area.left, area.top + number * slot + gap // 2, wide, high)
        assert scene is not None
        paint_fight(painter, target, place, scene)
        pygame.draw.rect(target, _color(bot), place, painter.px(3), border_radius=painter.px(4))
        top = place.centery - round(_SNUG * height_of(entry)) // 2
        painter.stack(target, entry, top, beside.left, 0, _SNUG)
    return True


def _color(bot: int | None) -> Color:
    return theme.GOLD if bot is None else theme.SEAT_COLORS[bot]


def _shown(
    painter: CardPainter,
    moments: Sequence[Moment],
    width: int,
    room: int,
    highest: float = math.inf,
    pitch: float = _PITCH,
) -> tuple[list[list[pygame.Surface]], int]:
    """Return the moments for which there is room, each in rows of that height at most, and what is left of the room.

    Where all of them would not fit into a wide film, they have smaller type, then fewer rows, and are cut.
    """
    for size, lines in _WIDE if painter.wide else _NARROW:
        shown, left = list[list[pygame.Surface]](), room
        numbers = [
            painter.text.line(f"{number}. ", "label", size, _color(bot))
            for number, (_, bot, _) in enumerate(moments, 1)
        ]
        indent = max(number.get_width() for number in numbers)
        for number, (text, *_) in zip(numbers, moments, strict=True):
            rows = _rows(painter, text, width - indent, size, lines)
            entry = [_row(painter, row, size, indent, None if at else number) for at, row in enumerate(rows)]
            if (high := round(pitch * height_of(entry))) > min(left, highest):
                break
            shown.append(entry)
            left -= high
        if len(shown) == len(moments):
            break
    return shown, left


def _row(painter: CardPainter, text: str, size: int, indent: int, number: pygame.Surface | None) -> pygame.Surface:
    """Return a row of a moment, `indent` pixels from the left; the first one with the `number` there."""
    beside = pygame.Surface((indent, painter.text.height("label", size)), pygame.SRCALPHA)
    if number is not None:
        beside.blit(number, (0, 0))
    return side_by_side([beside, painter.text.line(text, "label", size, theme.TEXT)])


def _rows(painter: CardPainter, text: str, width: int, size: int, lines: int) -> list[str]:
    """Return a text in so many rows at most, of like lengths; orders that it begins with have the first one alone."""
    rows = painter.text.rows(text, "label", size, width, lines)
    told, closes, rest = text.partition("\u201d ")
    below = painter.text.even(rest, "label", size, width)
    fits = painter.text.measure(f"{told}\u201d", "label", size) <= width
    if closes and fits and 1 < len(rows) == len(below) + 1:
        return [f"{told}\u201d", *below]
    return painter.even_rows(text, size, width, lines)
