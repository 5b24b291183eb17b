"""Draws a reel's last card: its moments again, the best first."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, height_of, side_by_side
from batllm_arcade.video.edit.cards import HOW_TO_PLAY
from batllm_arcade.view import theme

_EDGE, _GAP, _APART = 24, 16, 26  # pixels of a film whose shorter side has 720
_PITCH = 0.88  # of a row's height, after which the next one begins

_WIDE, _NARROW = ((60, 2), (54, 2), (LEAST, 2), (LEAST, 1)), ((LEAST, 3),)
"""Sizes of type and rows of each moment, the better first."""


def recap_picture(painter: CardPainter, title: str, moments: Sequence[tuple[str, int | None]]) -> pygame.Surface:
    """Return the whole card: as many of the moments as there is room for, each with the colour of its bot.

    `moments` have what happened and whose doing that was, the best first.
    """
    surface, gap = painter.background(), painter.px(_GAP)
    inner = painter.area.inflate(-2 * painter.px(_EDGE), -2 * painter.px(_EDGE))
    heading = painter.rows(title, "title", theme.TEXT, inner.width, 2, SIZES[1:], even=True)
    top = painter.stack(surface, heading, inner.top, -1, inner.centerx) + gap
    how = painter.rows(f"$ {HOW_TO_PLAY}", "label", theme.GOLD, inner.width, 2, (LEAST,), even=True)
    bottom = inner.bottom - height_of(how)
    painter.stack(surface, how, bottom, -1, inner.centerx)
    shown, room = _shown(painter, moments, inner.width, bottom - gap - top)
    free = min(painter.px(_APART), room // (len(shown) + 1))
    top += (room - free * (len(shown) + 1)) // 2
    for entry in shown:
        top = painter.stack(surface, entry, top + free, inner.left, 0, _PITCH)
    return surface


def _shown(
    painter: CardPainter, moments: Sequence[tuple[str, int | None]], width: int, room: int
) -> tuple[list[list[pygame.Surface]], int]:
    """Return the moments for which there is room, each in rows, and what is left of the room.

    Where all of them would not fit into a wide film, they have smaller type, then fewer rows, and are cut.
    """
    for size, lines in _WIDE if painter.wide else _NARROW:
        shown, left = list[list[pygame.Surface]](), room
        numbers = [
            painter.text.line(f"{number}. ", "label", size, theme.GOLD if bot is None else theme.SEAT_COLORS[bot])
            for number, (_, bot) in enumerate(moments, 1)
        ]
        indent = max(number.get_width() for number in numbers)
        for number, (text, _) in zip(numbers, moments, strict=True):
            rows = _rows(painter, text, width - indent, size, lines)
            entry = [_row(painter, row, size, indent, None if at else number) for at, row in enumerate(rows)]
            if (high := round(_PITCH * height_of(entry))) > left:
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
