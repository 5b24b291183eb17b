"""Paints both sides' chances on a replay's timeline: a curve, the side that is ahead in its colour, and marks on it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pygame

from batllm_arcade.app.replay.chances import Chances, MarkedPlay
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

MARK_COLORS: dict[str, Color] = {
    "??": theme.DANGER, "?": mixed(theme.DANGER, theme.GOLD, 0.6), "?!": theme.GOLD, "!": theme.GOOD,
}  # fmt: skip
_GLYPH = 11.0  # logical pixels
_FILLED = 0.42
"""How much of a side's colour there is below the curve where it is ahead."""


def paint_curves(surface: pygame.Surface, track: pygame.Rect, chances: Chances, x: Callable[[float], float]) -> None:
    """Paint the curve of each game: up is left's chance, the middle an even game."""
    for curve in chances.curves:
        points = [(x(t), track.top + (1 - chance) * (track.height - 1)) for t, chance in curve]
        for (x0, y0), (x1, y1) in pairwise(points):
            for column in range(round(x0), round(x1)):
                y = y0 + (y1 - y0) * (column - x0) / max(1e-9, x1 - x0)
                _fill(surface, column, track.centery, y)
        if len(points) > 1:
            pygame.draw.aalines(surface, theme.TEXT, False, points)


def _fill(surface: pygame.Surface, x: int, middle: int, y: float) -> None:
    color = mixed(theme.SUNKEN, theme.SEAT_COLORS[int(y > middle)], _FILLED)
    pygame.draw.line(surface, color, (x, middle), (x, round(y)))


def paint_marks(
    surface: pygame.Surface, track: pygame.Rect, chances: Chances, x: Callable[[float], float], text: TextRenderer,
    reach: float,
) -> None:  # fmt: skip
    """Paint the marks on the curve, the graver ones on top; `reach` is half a mark in pixels."""
    for mark in sorted(chances.marks, key=lambda mark: mark.found.loss):
        at = mark_place(track, mark, x, reach)
        pygame.draw.circle(surface, theme.NIGHT, at, reach + max(1.0, reach / 6))
        pygame.draw.circle(surface, MARK_COLORS[mark.found.mark], at, reach)
        glyph = text.line(mark.found.mark, "bold", _GLYPH, theme.NIGHT)
        surface.blit(glyph, glyph.get_rect(center=(round(at[0]), round(at[1]))))


def mark_place(track: pygame.Rect, mark: MarkedPlay, x: Callable[[float], float], reach: float) -> tuple[float, float]:
    """Return where a mark is on the track: at its play's start, on the curve as that play leaves it."""
    y = track.top + (1 - mark.found.chance) * (track.height - 1)
    return x(mark.t), max(track.top + reach, min(track.bottom - reach, y))
