"""How a game is played: `step` for one play, `start` for a new game; how it ends is in `core/outcome.py`."""

from __future__ import annotations

from math import hypot
from random import Random

from batllm_arcade.core import battery
from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    Event,
    FireRefused,
    ShieldLowered,
    ShieldRaised,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.geometry import (
    bearing,
    direction,
    part_until_contact,
    ray_meets_circle,
    ray_meets_walls,
    rounded,
    turn_between,
    wrapped,
)
from batllm_arcade.core.model import Arena, BotState, Part, Rules


def step(arena: Arena, actor: int, command: Command, rules: Rules) -> tuple[Arena, tuple[Event, ...]]:
    """Return the arena after bot `actor` has carried out `command`, and what happened on the way."""
    me = arena.right if actor else arena.left
    if not rules.battery:
        return _carried_out(arena, actor, me, command, rules)
    refused = battery.refusal(me, actor, command, rules)
    after, events = (arena, (refused,)) if refused else _carried_out(arena, actor, me, command, rules)
    return battery.settled(after, actor, events, rules)


def _carried_out(
    arena: Arena, actor: int, me: BotState, command: Command, rules: Rules
) -> tuple[Arena, tuple[Event, ...]]:
    """The play without what it does to the charges."""
    kind = type(command)
    if kind is Rotate:
        return _turn(arena, actor, me, command.degrees)  # type: ignore[union-attr]
    if kind is Move:
        return _move(arena, actor, me, command.distance, rules)  # type: ignore[union-attr]
    if kind is Fire:
        return _fire(arena, actor, me, rules)
    if kind is Shield:
        return _shield(arena, actor, me, command.up)  # type: ignore[union-attr]
    assert isinstance(command, Nothing)
    return arena, (CommandIgnored(actor, command.reason),)


def _turn(arena: Arena, actor: int, me: BotState, degrees: float) -> tuple[Arena, tuple[Event, ...]]:
    turned = me.turned(wrapped(me.rot + degrees))
    return arena.replaced(actor, turned), (BotTurned(actor, me.rot, degrees),)


def _shield(arena: Arena, actor: int, me: BotState, up: bool | None) -> tuple[Arena, tuple[Event, ...]]:
    up = not me.shield if up is None else up
    event = ShieldRaised(actor) if up else ShieldLowered(actor)
    return arena.replaced(actor, me.shielded(up)), (event,)


def _move(
    arena: Arena, actor: int, me: BotState, distance: float | None, rules: Rules
) -> tuple[Arena, tuple[Event, ...]]:
    length = rules.step_length if distance is None else distance
    ux, uy = direction(me.rot)
    radius = rules.bot_radius
    wanted_x, wanted_y = me.x + length * ux, me.y + length * uy
    x = min(max(wanted_x, radius), rules.arena_width - radius)
    y = min(max(wanted_y, radius), rules.arena_height - radius)
    stopped_by = "wall" if x != wanted_x or y != wanted_y else ""
    if rules.bots_collide:
        foe = arena.left if actor else arena.right
        vx, vy = x - me.x, y - me.y
        free = part_until_contact(me.x - foe.x, me.y - foe.y, vx, vy, 2 * radius)
        if free < 1.0:
            x, y, stopped_by = me.x + free * vx, me.y + free * vy, "bot"
    moved = me.moved(rounded(x), rounded(y))
    return arena.replaced(actor, moved), (BotMoved(actor, (me.x, me.y), (moved.x, moved.y), stopped_by),)


def lined_up(arena: Arena, bot: int, rules: Rules, rot: float | None = None) -> bool:
    """Return whether the line of fire of a bot meets the other one; `rot` (degrees) instead of its own direction."""
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    ux, uy = direction((me.rot if rot is None else rot) % 360)
    return ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, rules.bot_radius) is not None


def _fire(arena: Arena, actor: int, me: BotState, rules: Rules) -> tuple[Arena, tuple[Event, ...]]:
    if me.shield:
        return arena, (FireRefused(actor),)
    ux, uy = direction(me.rot)
    foe = arena.left if actor else arena.right
    hit = ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, rules.bot_radius)
    if hit is None:
        end = ray_meets_walls(me.x, me.y, ux, uy, rules.arena_width, rules.arena_height)
        return arena, (BulletFlew(actor, (me.x, me.y), end), ShotMissed(actor, end))
    flight = BulletFlew(actor, (me.x, me.y), hit)
    target = 1 - actor
    off = rounded(abs(turn_between(foe.rot, bearing(hit[0] - foe.x, hit[1] - foe.y))))
    if foe.shield and off <= rules.shield_degrees:
        return arena, (flight, ShotBlocked(target, hit, off))
    part = part_at(off, rules)
    health = max(0, rounded_health(foe.health - damage(actor, part, rules)))
    struck = BotHit(target, hit, rounded_health(foe.health - health), health, part)
    after = arena.replaced(target, foe.hurt(health))
    if health <= 0:
        return after, (flight, struck, BotKnockedOut(target))
    return after, (flight, struck)


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


def damage(actor: int, part: Part, rules: Rules) -> float:
    """Return what a bullet of bot `actor` takes from a target's health where it strikes that part."""
    if part == "front":
        return rules.bullet_damage[actor]
    return rounded_health(rules.bullet_damage[actor] * (rules.side_damage if part == "side" else rules.back_damage))


def rounded_health(value: float) -> float:
    """Health like any figure of a state; whole numbers stay whole."""
    return round(value, 9) if type(value) is float else value


def start(rng: Random, rules: Rules) -> Arena:
    """Where a game begins: drawn from the game's stream, inside the walls, centres at least 4 radii apart."""
    for _ in range(10_000):
        left, right = _placed(rng, rules, 0), _placed(rng, rules, 1)
        if hypot(left.x - right.x, left.y - right.y) >= 4 * rules.bot_radius:
            return Arena(left, right)
    # An arena with hardly any room: the far corners are the only places left.
    far_x, far_y = rules.arena_width - rules.bot_radius, rules.arena_height - rules.bot_radius
    return Arena(left.moved(rules.bot_radius, rules.bot_radius), right.moved(rounded(far_x), rounded(far_y)))


def _placed(rng: Random, rules: Rules, index: int) -> BotState:
    radius = rules.bot_radius
    x = radius + rng.random() * (rules.arena_width - 2 * radius)
    y = radius + rng.random() * (rules.arena_height - 2 * radius)
    rot = wrapped(rng.random() * 360.0)
    charge = rules.initial_charge if rules.battery else 0
    return BotState(rounded(x), rounded(y), rot, rules.initial_health[index], rules.initial_shield, charge)


def acting_order(rng: Random) -> tuple[int, int]:
    """Who acts first and second in a round, drawn from the game's stream."""
    return (0, 1) if rng.random() < 0.5 else (1, 0)
