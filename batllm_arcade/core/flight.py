"""The flight of a bullet: what it meets, straight on or off a wall.

`flight` is the only place that knows: shots, lines of fire and whatever asks who aims at whom go through it.
"""

from __future__ import annotations

from typing import NamedTuple

from batllm_arcade.core.armour import damage, part_struck
from batllm_arcade.core.geometry import (
    bearing,
    bounced,
    direction,
    ray_meets_circle,
    ray_meets_walls,
    rounded,
    turn_between,
    wrapped,
)
from batllm_arcade.core.model import Arena, BotState, Part, Rules

Point = tuple[float, float]


class Flight(NamedTuple):
    """A bullet's way from its shooter's centre: by way of `bounce`, a point on a wall, or straight on, to `end`.

    `hits`: whether `end` is a point of the other bot; else it is one on a wall, by the rule `ricochet` on the second.
    """

    end: Point
    hits: bool
    bounce: Point | None = None


def flight(me: BotState, foe: BotState, rules: Rules, rot: float | None = None) -> Flight:
    """Return the way of a bullet that `me` fires at once, whatever its shield and charge; `rot` instead of its own."""
    return Flight(*fly(me, foe, me.rot if rot is None else rot, rules))


def fly(me: BotState, foe: BotState, rot: float, rules: Rules) -> tuple[Point, bool, Point | None]:
    """Return the values of a `Flight`, which takes longer to make than a bullet to fly: for the rules' own shots."""
    x, y, radius = me.x, me.y, rules.bot_radius
    ux, uy = direction(rot)
    hit = ray_meets_circle(x, y, ux, uy, foe.x, foe.y, radius)
    if hit is not None:
        return hit, True, None
    if not rules.ricochet:
        return ray_meets_walls(x, y, ux, uy, rules.arena_width, rules.arena_height), False, None
    x, y, ux, uy = bounced(x, y, ux, uy, rules.arena_width, rules.arena_height)
    hit = ray_meets_circle(x, y, ux, uy, foe.x, foe.y, radius)  # its shooter it passes
    if hit is not None:
        return hit, True, (x, y)
    return ray_meets_walls(x, y, ux, uy, rules.arena_width, rules.arena_height), False, (x, y)


def strikes(me: BotState, foe: BotState, rules: Rules, rot: float | None = None) -> Part | None:
    """Return the part of `foe` that a bullet of `me` would touch first, None where it would miss."""
    end, hits, _ = fly(me, foe, me.rot if rot is None else rot, rules)
    return part_struck(foe.rot, end[0] - foe.x, end[1] - foe.y, rules) if hits else None


def lined_up(arena: Arena, bot: int, rules: Rules, rot: float | None = None) -> bool:
    """Return whether a bullet of a bot would touch the other one; `rot` (degrees) instead of its own direction."""
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    return fly(me, foe, me.rot if rot is None else rot % 360, rules)[1]


class BankShot(NamedTuple):
    """An aim off a wall that strikes: `turn` to it (degrees, positive clockwise), to the direction `rot`.

    `part` is the part it strikes, `damage` what it takes there, 0 where the other's shield stops it.
    """

    turn: float
    rot: float
    bounce: Point
    part: Part
    damage: float


def bank_shots(arena: Arena, actor: int, rules: Rules) -> tuple[BankShot, ...]:
    """Return the aims of a bot off a wall that strike the other one, best first; none without the rule `ricochet`.

    They are its own direction and those to the middle of the other's mirror image in each wall, where a bullet would
    bounce and strike. The best takes the most health, and among equals needs the smallest turn.
    """
    if not rules.ricochet:
        return ()
    me, foe = arena.bot(actor), arena.bot(1 - actor)
    across, down = 2 * rules.arena_width - foe.x, 2 * rules.arena_height - foe.y
    mirrored = ((-foe.x, foe.y), (across, foe.y), (foe.x, -foe.y), (foe.x, down))
    rots = (me.rot, *(wrapped(bearing(x - me.x, y - me.y)) for x, y in mirrored))
    found = [shot for shot in (_bank_shot(me, foe, actor, rules, rot) for rot in rots) if shot]
    return tuple(sorted(found, key=lambda shot: (-shot.damage, abs(shot.turn))))


def _bank_shot(me: BotState, foe: BotState, actor: int, rules: Rules, rot: float) -> BankShot | None:
    end, hits, bounce = fly(me, foe, rot, rules)
    if not hits or bounce is None:
        return None
    part = part_struck(foe.rot, end[0] - foe.x, end[1] - foe.y, rules)
    taken = 0 if foe.shield and part == "front" else damage(actor, part, rules, bounced=True)
    return BankShot(rounded(turn_between(me.rot, rot)), rot, bounce, part, taken)
