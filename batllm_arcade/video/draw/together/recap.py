"""Draws a reel's last card: its moments again, the best first."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, height_of
from batllm_arcade.video.edit.cards import HOW_TO_PLAY
from batllm_arcade.view import theme

_EDGE, _GAP, _APART = 24, 16, 26  # pixels of a film whose shorter side has 720
_PITCH = 0.88  # of a row's height, after which the next one begins


def recap_picture(painter: CardPainter, title: str, moments: Sequence[tuple[str, int | None]]) -> pygame.Surface:
    """Return the whole card: as many of the moments as there is room for, each with the colour of its bot.

    `moments` have what happened and whose doing that was, the best first.
    """
    surface, gap = painter.background(), painter.px(_GAP)
    inner = painter.area.inflate(-2 * painter.px(_EDGE), -2 * painter.px(_EDGE))
    heading = painter.rows(title, "title", theme.TEXT, inner.width, 2, SIZES[1:], even=True)
    top = painter.stack(surface, heading, inner.top, -1, inner.centerx) + gap
    how = painter.rows(f"Play it: {HOW_TO_PLAY}", "label", theme.GOLD, inner.width, 2, (LEAST,), even=True)
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

    They have fewer rows, and are cut, where all of them would not fit.
    """
    for lines in (3, 2) if painter.tall else (2, 1) if painter.wide else (2,):
        shown, left = list[list[pygame.Surface]](), room
        for number, moment in enumerate(moments, 1):
            entry = _entry(painter, number, *moment, width, lines)
            if (high := round(_PITCH * height_of(entry))) > left:
                break
            shown.append(entry)
            left -= high
        if len(shown) == len(moments):
            break
    return shown, left


def _entry(
    painter: CardPainter, number: int, text: str, bot: int | None, width: int, lines: int
) -> list[pygame.Surface]:
    """Return a moment in so many rows at most, its number in the colour of its bot."""
    begin, color = f"{number}.", theme.GOLD if bot is None else theme.SEAT_COLORS[bot]
    rows = painter.cut_rows(f"{begin} {text}", width, lines)
    if len(alike := painter.text.even(f"{begin} {text}", "label", LEAST, width)) == len(rows):
        rows = alike
    return painter.begun_rows(rows, LEAST, len(begin), color, theme.TEXT)
