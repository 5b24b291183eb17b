"""What an agent sees of a moment of the game: 34 numbers from -1 to 1, its own bot first, the same for both seats."""

from __future__ import annotations

from math import hypot

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.core.flight import damage, part_struck, struck
from batllm_arcade.core.geometry import direction
from batllm_arcade.core.model import Arena, BotState, Rules

_BOT = ("x", "y", "cos_rot", "sin_rot", "health", "shield", "charge", "loaded")
FEATURES = (
    *(f"my_{name}" for name in _BOT), *(f"foe_{name}" for name in _BOT),
    "cos_to_foe", "sin_to_foe", "cos_to_me", "sin_to_me", "distance",
    "i_aim", "my_harm", "foe_aims", "foe_harm",
    "room_ahead", "room_behind", "foe_room_ahead", "foe_room_behind",
    "round", "turn", "i_act_first", "has_battery", "has_bounce",
)  # fmt: skip
"""The names of an observation's numbers, in order."""
LOWEST = tuple(
    -1.0 if name.startswith(("cos_", "sin_")) or "_cos" in name or "_sin" in name else 0.0 for name in FEATURES
)
"""The least value of each; the largest is 1."""

Observation = NDArray[np.float32]


def observe(arena: Arena, seat: int, rules: Rules, rounds: int, turns: int, first: int) -> Observation:
    """Return what the bot at `seat` sees: float32 of shape (34,), as `FEATURES` names it.

    `rounds` and `turns` are how many are over, `first` who acts first in this round.
    """
    me, foe = (arena.right, arena.left) if seat else (arena.left, arena.right)
    ux, uy = direction(me.rot)
    vx, vy = direction(foe.rot)
    dx, dy = foe.x - me.x, foe.y - me.y
    away = hypot(dx, dy)
    ex, ey = (dx / away, dy / away) if away else (ux, uy)
    width, height, full = rules.arena_width, rules.arena_height, rules.battery
    diagonal = hypot(width, height)
    i_aim, my_harm = _shot(me, foe, (ux, uy), seat, rules)
    foe_aims, foe_harm = _shot(foe, me, (vx, vy), 1 - seat, rules)
    ahead, behind = _rooms(me, ux, uy, rules)
    foe_ahead, foe_behind = _rooms(foe, vx, vy, rules)
    values = (
        me.x / width, me.y / height, ux, uy, me.health / rules.initial_health[seat], me.shield,
        me.charge / full if full else 1.0, not full or me.charge >= rules.shot_charge,
        foe.x / width, foe.y / height, vx, vy, foe.health / rules.initial_health[1 - seat], foe.shield,
        foe.charge / full if full else 1.0, not full or foe.charge >= rules.shot_charge,
        ex * ux + ey * uy, ux * ey - uy * ex, -ex * vx - ey * vy, vy * ex - vx * ey, away / diagonal,
        i_aim, my_harm, foe_aims, foe_harm,
        ahead / diagonal, behind / diagonal, foe_ahead / diagonal, foe_behind / diagonal,
        rounds / rules.total_rounds, turns / rules.turns_per_round, first == seat, full > 0, rules.ricochet,
    )  # fmt: skip
    return np.array(values, np.float32)


def _shot(me: BotState, foe: BotState, along: tuple[float, float], seat: int, rules: Rules) -> tuple[bool, float]:
    """Return whether a bullet fired now would touch the other bot, and what share of its starting health it would take.

    Whether the shooter's own shield or its charge would let it fire is not asked.
    """
    hit = struck(me, foe, along, rules)
    if hit is None:
        return False, 0.0
    (x, y), bounce = hit
    part = part_struck(foe.rot, x - foe.x, y - foe.y, rules)
    if foe.shield and part == "front":
        return True, 0.0
    return True, min(1.0, damage(seat, part, rules, bounced=bounce is not None) / rules.initial_health[1 - seat])


def _rooms(bot: BotState, ux: float, uy: float, rules: Rules) -> tuple[float, float]:
    """Return how far a bot's edge is from the walls along a unit vector and against it."""
    radius = rules.bot_radius
    right, left = rules.arena_width - radius - bot.x, bot.x - radius
    down, up = rules.arena_height - radius - bot.y, bot.y - radius
    x = (right / ux, left / ux) if ux > 0 else (left / -ux, right / -ux) if ux else (_FAR, _FAR)
    y = (down / uy, up / uy) if uy > 0 else (up / -uy, down / -uy) if uy else (_FAR, _FAR)
    return max(0.0, min(x[0], y[0])), max(0.0, min(x[1], y[1]))


_FAR = 1e12
"""Farther than any wall."""
