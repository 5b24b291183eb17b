"""The marks of what happened on a timeline: each kind has its shape as well as its colour; lengths are shares of 1."""

from __future__ import annotations

import math

from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import BotShape, Points, disc, line, polygon
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline_index import Kind

MARK_COLORS: dict[Kind, Color] = {
    "hit": theme.DANGER, "block": theme.GOOD, "break": theme.TEXT, "fumble": theme.GOLD,
    "knockout": theme.WHITE, "swap": theme.SOFT,
}  # fmt: skip
_SHIELD: Points = [(-0.85, -0.9), (0.85, -0.9), (0.85, 0.1), (0.0, 1.0), (-0.85, 0.1)]
_BROKEN: tuple[Points, ...] = (
    [(-1.1, -0.9), (-0.05, -0.9), (-0.35, -0.3), (0.0, 0.1), (-0.35, 0.95), (-1.1, 0.1)],
    [(1.1, -0.9), (0.35, -0.9), (0.05, -0.3), (0.4, 0.1), (0.05, 1.0), (1.1, 0.1)],
)
"""A heraldic shield in two halves."""


def mark(kind: Kind, bot: int) -> list[BotShape]:
    """Return what a mark is drawn of, around (0, 0)."""
    color = MARK_COLORS[kind]
    if kind == "hit":
        spokes = [(index * math.pi / 8, 1.15 if index % 2 == 0 else 0.52) for index in range(16)]
        return [polygon(color, [(far * math.sin(angle), -far * math.cos(angle)) for angle, far in spokes])]
    if kind == "block":
        return [line(color, [(0.95 * x, 0.95 * y) for x, y in (*_SHIELD, *_SHIELD[:2])], 0.3)]
    if kind == "break":
        return [polygon(color, half) for half in _BROKEN]
    if kind == "fumble":
        return _cross(color, 0.8, 0.33)
    if kind == "swap":
        return [line(color, [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)], 0.3)]
    return [disc(theme.SEAT_COLORS[bot], 1.0), *_cross(theme.NIGHT, 0.55, 0.22)]


def _cross(color: Color, arm: float, wide: float) -> list[BotShape]:
    return [line(color, [(-arm, -turn * arm), (arm, turn * arm)], wide) for turn in (1, -1)]
