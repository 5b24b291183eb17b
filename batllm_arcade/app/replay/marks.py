"""The marks of what happened on a replay's timeline: each kind has its shape as well as its colour."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline_index import Kind

_MARK_COLORS: dict[Kind, Color] = {
    "hit": theme.DANGER, "block": theme.GOOD, "break": theme.TEXT, "fumble": theme.GOLD,
    "knockout": theme.WHITE, "swap": theme.SOFT,
}  # fmt: skip
_BROKEN: tuple[tuple[tuple[float, float], ...], ...] = (
    ((-1.1, -0.9), (-0.05, -0.9), (-0.35, -0.3), (0.0, 0.1), (-0.35, 0.95), (-1.1, 0.1)),
    ((1.1, -0.9), (0.35, -0.9), (0.05, -0.3), (0.4, 0.1), (0.05, 1.0), (1.1, 0.1)),
)
"""A heraldic shield in two halves."""


def paint_mark(surface: pygame.Surface, at: tuple[float, float], reach: float, kind: Kind, bot: int) -> None:
    """A mark around a pixel: each kind has its shape as well as its colour."""
    (x, y), color = at, _MARK_COLORS[kind]
    if kind == "hit":
        pygame.draw.polygon(surface, color, _star(x, y, reach * 1.15))
    elif kind == "block":
        pygame.draw.polygon(surface, color, _shield(x, y, reach * 0.95), max(2, round(reach * 0.3)))
    elif kind == "break":
        for half in _BROKEN:
            pygame.draw.polygon(surface, color, [(x + dx * reach, y + dy * reach) for dx, dy in half])
    elif kind == "fumble":
        _paint_cross(surface, color, at, reach * 0.8, reach * 0.33)
    elif kind == "swap":
        pygame.draw.polygon(surface, color, [(x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)], 2)
    else:
        pygame.draw.circle(surface, theme.SEAT_COLORS[bot], at, reach)
        _paint_cross(surface, theme.NIGHT, at, reach * 0.55, reach * 0.22)


def _paint_cross(surface: pygame.Surface, color: Color, at: tuple[float, float], arm: float, wide: float) -> None:
    for turn in (1, -1):
        ends = ((at[0] - arm, at[1] - turn * arm), (at[0] + arm, at[1] + turn * arm))
        pygame.draw.line(surface, color, *ends, max(2, round(wide)))


def _star(x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """A burst of eight points."""
    spokes = [(index * math.pi / 8, reach if index % 2 == 0 else reach * 0.45) for index in range(16)]
    return [(x + far * math.sin(angle), y - far * math.cos(angle)) for angle, far in spokes]


def _shield(x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """A heraldic shield."""
    shape = ((-0.85, -0.9), (0.85, -0.9), (0.85, 0.1), (0.0, 1.0), (-0.85, 0.1))
    return [(x + dx * reach, y + dy * reach) for dx, dy in shape]
