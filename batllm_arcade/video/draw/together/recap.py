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
    entries = [_entry(painter, number, *moment, inner.width) for number, moment in enumerate(moments, 1)]
    shown, room = list[list[pygame.Surface]](), bottom - gap - top
    for entry in entries:
        high = round(_PITCH * height_of(entry))
        if high > room:
            break
        room -= high
        shown.append(entry)
    free = min(painter.px(_APART), room // (len(shown) + 1))
    top += (room - free * (len(shown) + 1)) // 2
    for entry in shown:
        top = painter.stack(surface, entry, top + free, inner.left, 0, _PITCH)
    return surface


def _entry(painter: CardPainter, number: int, text: str, bot: int | None, width: int) -> list[pygame.Surface]:
    """Return a moment in rows, its number in the colour of its bot."""
    begin, color = f"{number}.", theme.GOLD if bot is None else theme.SEAT_COLORS[bot]
    rows = painter.cut_rows(f"{begin} {text}", width, 3 if painter.tall else 1 if painter.wide else 2)
    return painter.begun_rows(rows, LEAST, len(begin), color, theme.TEXT)
