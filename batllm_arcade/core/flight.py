"""The flight of a bullet, and the armour that it meets."""

from __future__ import annotations

from typing import NamedTuple, Protocol

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


def part_at(off: float, rules: Rules) -> Part:
    """Return the part of a bot that is `off` degrees, 0 to 180, from its direction: its front as far as its shield."""
    if off <= rules.shield_degrees:
        return "front"
    return "back" if off >= 180 - rules.shield_degrees else "side"


def part_struck(rot: float, dx: float, dy: float, rules: Rules) -> Part:
    """Return the part that the vector (dx, dy) from the centre of a bot with direction `rot` leads to."""
    return part_at(rounded(abs(turn_between(rot, bearing(dx, dy)))), rules)


def part_towards(bot: BotState, other: BotState, rules: Rules) -> Part:
    """Return the part of `bot` that is towards the other's centre; the front where both stand on one spot."""
    dx, dy = other.x - bot.x, other.y - bot.y
    return part_struck(bot.rot, dx, dy, rules) if dx or dy else "front"


def damage(actor: int, part: Part, rules: Rules, *, bounced: bool = False) -> float:
    """Return what a bullet of bot `actor` takes from a target's health where it strikes that part.

    Where it has `bounced` off a wall before, the part counts `bounce_cap` times the front at most.
    """
    times = 1 if part == "front" else rules.side_damage if part == "side" else rules.back_damage
    if bounced and 0 < rules.bounce_cap < times:
        times = rules.bounce_cap
    full = rules.bullet_damage[actor]
    return full if times == 1 else rounded_health(full * times)


def rounded_health(value: float) -> float:
    """Health like any figure of a state; whole numbers stay whole."""
    return round(value, 9) if type(value) is float else value


Point = tuple[float, float]


class Standing(Protocol):
    """What a bullet needs to know of a bot: where it is and looks."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def rot(self) -> float: ...


def struck(me: Standing, foe: Standing, along: Point, rules: Rules) -> tuple[Point, Point | None] | None:
    """Return where a bullet of `me` strikes `foe` and off which point of a wall it comes, if any; None where it misses.

    It is fired along a unit vector, the `direction` of a bot.
    """
    x, y, radius = me.x, me.y, rules.bot_radius
    ux, uy = along
    hit = ray_meets_circle(x, y, ux, uy, foe.x, foe.y, radius)
    if hit is not None:
        return hit, None
    if not rules.ricochet:
        return None
    x, y, ux, uy = bounced(x, y, ux, uy, rules.arena_width, rules.arena_height)
    hit = ray_meets_circle(x, y, ux, uy, foe.x, foe.y, radius)  # its shooter it passes
    return None if hit is None else (hit, (x, y))


def missed(me: Standing, along: Point, rules: Rules) -> tuple[Point, Point | None]:
    """Return on which wall a bullet of `me` ends that strikes nobody, and off which point of a wall it came before."""
    x, y, width, height = me.x, me.y, rules.arena_width, rules.arena_height
    ux, uy = along
    if not rules.ricochet:
        return ray_meets_walls(x, y, ux, uy, width, height), None
    x, y, ux, uy = bounced(x, y, ux, uy, width, height)
    return ray_meets_walls(x, y, ux, uy, width, height), (x, y)


class Flight(NamedTuple):
    """A bullet's way from its shooter's centre: by way of `bounce`, a point on a wall, or straight on, to `end`.

    `hits`: whether `end` is a point of the other bot; else it is one on a wall, by the rule `ricochet` on the second.
    """

    end: Point
    hits: bool
    bounce: Point | None = None


def flight(me: Standing, foe: Standing, rules: Rules, rot: float | None = None) -> Flight:
    """Return the way of a bullet that `me` fires at once, whatever its shield and charge; `rot` instead of its own."""
    along = direction(me.rot if rot is None else rot)
    hit = struck(me, foe, along, rules)
    end, bounce = hit or missed(me, along, rules)
    return Flight(end, hit is not None, bounce)


def strikes(me: Standing, foe: Standing, rules: Rules, rot: float | None = None) -> Part | None:
    """Return the part of `foe` that a bullet of `me` would touch first, None where it would miss."""
    hit = struck(me, foe, direction(me.rot if rot is None else rot), rules)
    return hit and part_struck(foe.rot, hit[0][0] - foe.x, hit[0][1] - foe.y, rules)


def lined_up(arena: Arena, bot: int, rules: Rules, rot: float | None = None) -> bool:
    """Return whether a bullet of a bot would touch the other one; `rot` (degrees) instead of its own direction."""
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    return struck(me, foe, direction(me.rot if rot is None else rot % 360), rules) is not None


class BankShot(NamedTuple):
    """An aim off a wall that strikes: `turn` to it (degrees, positive clockwise), to the direction `rot`.

    `bounce` is the point on the wall, `part` the part it strikes, `damage` what it takes there, 0 where the other's
    shield stops it.
    """

    turn: float
    rot: float
    bounce: Point
    part: Part
    damage: float


def bank_shots(arena: Arena, actor: int, rules: Rules) -> tuple[BankShot, ...]:
    """Return the aims of a bot off a wall that strike the other one, best first; none without the rule `ricochet`.

    They are its own direction and those to the middle of the other's mirror image in each wall, where a bullet would
    bounce and strike; with a `turn_limit` those that one play turns to. The best takes the most health, and among
    equals needs the smallest turn.
    """
    if not rules.ricochet:
        return ()
    me, foe = arena.bot(actor), arena.bot(1 - actor)
    across, down = 2 * rules.arena_width - foe.x, 2 * rules.arena_height - foe.y
    mirrored = ((-foe.x, foe.y), (across, foe.y), (foe.x, -foe.y), (foe.x, down))
    rots = (me.rot, *(wrapped(bearing(x - me.x, y - me.y)) for x, y in mirrored))
    if rules.turn_limit:
        rots = tuple(rot for rot in rots if abs(turn_between(me.rot, rot)) <= rules.turn_limit)
    found = [shot for shot in (_bank_shot(me, foe, actor, rules, rot) for rot in rots) if shot]
    return tuple(sorted(found, key=lambda shot: (-shot.damage, abs(shot.turn))))


def bounce_points(arena: Arena, actor: int, rules: Rules) -> tuple[Point, ...]:
    """Return the points on the walls off which a shot of a bot would take health, best first."""
    return tuple(shot.bounce for shot in bank_shots(arena, actor, rules) if shot.damage)


def _bank_shot(me: BotState, foe: BotState, actor: int, rules: Rules, rot: float) -> BankShot | None:
    hit, bounce = struck(me, foe, direction(rot), rules) or (None, None)
    if hit is None or bounce is None:
        return None
    part = part_struck(foe.rot, hit[0] - foe.x, hit[1] - foe.y, rules)
    taken = 0 if foe.shield and part == "front" else damage(actor, part, rules, bounced=True)
    return BankShot(rounded(turn_between(me.rot, rot)), rot, bounce, part, taken)
