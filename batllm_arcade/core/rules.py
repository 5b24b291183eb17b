"""The rules: what a command does to the arena, what the battery pays, what is refused and how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, isclose
from random import Random
from typing import Literal

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield, StepBack, parse
from batllm_arcade.core.events import (
    BotBumped,
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    Event,
    FireRefused,
    ShieldBroke,
    ShieldFaded,
    ShieldLowered,
    ShieldRaised,
    ShieldRefused,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.flight import damage, missed, part_at, rounded_health, struck
from batllm_arcade.core.geometry import bearing, direction, part_until_contact, rounded, turn_between, wrapped
from batllm_arcade.core.model import Arena, BotState, Rules

Events = tuple[Event, ...]


def unaffordable(bot: BotState, actor: int, command: Command, rules: Rules) -> Event | None:
    """Return what becomes of a command that the bot has too little charge for, None if it has enough.

    Firing behind the own shield is refused by the rules themselves, whatever the charge.
    """
    if type(command) is Fire:
        return FireRefused(actor, "charge") if not bot.shield and bot.charge < rules.shot_charge else None
    if type(command) is Shield and command.up is not False and not bot.shield and bot.charge <= rules.shield_charge:
        return ShieldRefused(actor)
    return None


def settled(arena: Arena, actor: int, events: Events, rules: Rules) -> tuple[Arena, Events]:
    """Return the arena with the charges after the play, and its events with the shield event they caused, if any."""
    me, foe = (arena.right, arena.left) if actor else (arena.left, arena.right)
    more: Events = ()
    match events:
        case (BulletFlew(), end, *_):
            me = me.charged(me.charge - rules.shot_charge)
            if type(end) is ShotBlocked:
                foe, more = _drained(foe, rules.block_charge, ShieldBroke(1 - actor))
        case _ if me.shield:
            me, more = _drained(me, rules.shield_charge, ShieldFaded(actor))
        case (BotMoved(), BotBumped()):
            me = me.charged(min(rules.battery, me.charge + rules.rest_charge))
        case (BotMoved(back=False) as walk, *_) if _is_step(walk, rules):
            me = me.charged(min(rules.battery, me.charge + rules.step_charge))
        case _:
            me = me.charged(min(rules.battery, me.charge + rules.rest_charge))
    return (Arena(foe, me) if actor else Arena(me, foe)), events + more


def _drained(bot: BotState, charge: int, empty: Event) -> tuple[BotState, Events]:
    left = max(0, bot.charge - charge)
    drained = bot.charged(left)
    return (drained, ()) if left else (drained.shielded(False), (empty,))


def _is_step(walk: BotMoved, rules: Rules) -> bool:
    """Return whether a walk loads as a step does: at least half a step, rounded, so that any direction counts alike."""
    (x, y), (end_x, end_y) = walk.start, walk.end
    return rounded(hypot(end_x - x, end_y - y)) >= rules.step_length / 2


# -- How a game is played


def step(arena: Arena, actor: int, command: Command, rules: Rules) -> tuple[Arena, tuple[Event, ...]]:
    """Return the arena after bot `actor` has carried out `command`, and what happened on the way."""
    me = arena.right if actor else arena.left
    if not rules.battery:
        return _carried_out(arena, actor, me, command, rules)
    refused = unaffordable(me, actor, command, rules)
    after, events = (arena, (refused,)) if refused else _carried_out(arena, actor, me, command, rules)
    return settled(after, actor, events, rules)


def read_command(text: str | None, rules: Rules) -> Command:
    """Return the command that `text` spells under these rules; never raise."""
    return parse(text, rules.free_move, rules.back_step)


def _carried_out(
    arena: Arena, actor: int, me: BotState, command: Command, rules: Rules
) -> tuple[Arena, tuple[Event, ...]]:
    kind = type(command)
    if kind is Rotate:
        return _turn(arena, actor, me, command.degrees, rules)  # type: ignore[union-attr]
    if kind is Move or kind is StepBack:
        return _move(arena, actor, me, *_length(command, rules), rules)
    if kind is Fire:
        return _fire(arena, actor, me, rules)
    if kind is Shield:
        return _shield(arena, actor, me, command.up)  # type: ignore[union-attr]
    assert isinstance(command, Nothing)
    return arena, (CommandIgnored(actor, command.reason),)


def _turn(arena: Arena, actor: int, me: BotState, degrees: float, rules: Rules) -> tuple[Arena, tuple[Event, ...]]:
    if rules.turn_limit:
        degrees = limited(degrees, rules.turn_limit)
    turned = me.turned(wrapped(me.rot + degrees))
    return arena.replaced(actor, turned), (BotTurned(actor, me.rot, degrees),)


def limited(degrees: float, limit: float) -> float:
    """Return the turn that a play makes: the shorter way round, and no farther than the limit."""
    return min(max(turn_between(0.0, degrees), -limit), limit)


def _shield(arena: Arena, actor: int, me: BotState, up: bool | None) -> tuple[Arena, tuple[Event, ...]]:
    up = not me.shield if up is None else up
    event = ShieldRaised(actor) if up else ShieldLowered(actor)
    return arena.replaced(actor, me.shielded(up)), (event,)


def _length(command: Command, rules: Rules) -> tuple[float, bool]:
    """Return how far a step goes, below 0 for backwards, and whether it is a step back."""
    if type(command) is StepBack:
        return -rules.back_step, True
    distance: float | None = command.distance  # type: ignore[union-attr]
    return rules.step_length if distance is None else distance, False


def _shoves(stopped_by: str, back: bool, rules: Rules) -> bool:
    return stopped_by == "bot" and not back and rules.bumps


def _move(
    arena: Arena, actor: int, me: BotState, length: float, back: bool, rules: Rules
) -> tuple[Arena, tuple[Event, ...]]:
    ux, uy = direction(me.rot)
    foe = arena.left if actor else arena.right
    x, y, stopped_by = _reached(me, foe, length * ux, length * uy, rules)
    moved = me.moved(rounded(x), rounded(y))
    arena, walk = arena.replaced(actor, moved), BotMoved(actor, (me.x, me.y), (moved.x, moved.y), stopped_by, back)
    if not _shoves(stopped_by, back, rules):
        return arena, (walk,)
    shoved = _bumped(foe, moved, (ux, uy), rules)
    bump = BotBumped(1 - actor, (foe.x, foe.y), (shoved.x, shoved.y), rules.bump_turn)
    return arena.replaced(1 - actor, shoved), (walk, bump)


def _reached(bot: BotState, other: BotState, dx: float, dy: float, rules: Rules) -> tuple[float, float, str]:
    """Return where a bot gets that goes by (dx, dy), and what stops it: `wall`, `bot` where bots collide, or ""."""
    radius = rules.bot_radius
    wanted_x, wanted_y = bot.x + dx, bot.y + dy
    x = min(max(wanted_x, radius), rules.arena_width - radius)
    y = min(max(wanted_y, radius), rules.arena_height - radius)
    stopped_by = "wall" if x != wanted_x or y != wanted_y else ""
    if rules.bots_collide:
        vx, vy = x - bot.x, y - bot.y
        free = part_until_contact(bot.x - other.x, bot.y - other.y, vx, vy, 2 * radius)
        if free < 1.0:
            return bot.x + free * vx, bot.y + free * vy, "bot"
    return x, y, stopped_by


def _bumped(foe: BotState, me: BotState, along: tuple[float, float], rules: Rules) -> BotState:
    """Return the bot that `me` ran into: shoved along the step and turned; walls stop it, and `me` in a corner."""
    x, y, _ = _reached(foe, me, rules.bump_push * along[0], rules.bump_push * along[1], rules)
    return foe.turned(wrapped(foe.rot + rules.bump_turn)).moved(rounded(x), rounded(y))


def runs_into(arena: Arena, actor: int, command: Command, rules: Rules) -> bool:
    """Return whether this command of bot `actor` would shove or turn the other bot now."""
    return rules.bumps and _bumps(step(arena, actor, command, rules)[1])


def _bumps(events: Events) -> bool:
    return any(type(event) is BotBumped for event in events)


def _fire(arena: Arena, actor: int, me: BotState, rules: Rules) -> tuple[Arena, tuple[Event, ...]]:
    if me.shield:
        return arena, (FireRefused(actor),)
    foe = arena.left if actor else arena.right
    along = direction(me.rot)
    found = struck(me, foe, along, rules)
    if found is None:
        end, bounce = missed(me, along, rules)
        return arena, (BulletFlew(actor, (me.x, me.y), end, bounce), ShotMissed(actor, end))
    hit, bounce = found
    flew = BulletFlew(actor, (me.x, me.y), hit, bounce)
    target = 1 - actor
    off = rounded(abs(turn_between(foe.rot, bearing(hit[0] - foe.x, hit[1] - foe.y))))
    if foe.shield and off <= rules.shield_degrees:
        return arena, (flew, ShotBlocked(target, hit, off))
    part = part_at(off, rules)
    health = max(0, rounded_health(foe.health - damage(actor, part, rules, bounced=bounce is not None)))
    harm = BotHit(target, hit, rounded_health(foe.health - health), health, part)
    after = arena.replaced(target, foe.hurt(health))
    if health <= 0:
        return after, (flew, harm, BotKnockedOut(target))
    return after, (flew, harm)


def start(rng: Random, rules: Rules) -> Arena:
    """Where a game begins: drawn from the game's stream, inside the walls, centres at least 4 radii apart."""
    for _ in range(10_000):
        (left, left_look), (right, right_look) = _placed(rng, rules, 0), _placed(rng, rules, 1)
        if hypot(left.x - right.x, left.y - right.y) >= 4 * rules.bot_radius:
            break
    else:  # an arena with hardly any room: the far corners are the only places left
        far_x, far_y = rules.arena_width - rules.bot_radius, rules.arena_height - rules.bot_radius
        left, right = left.moved(rules.bot_radius, rules.bot_radius), right.moved(rounded(far_x), rounded(far_y))
    if not rules.start_spread:
        return Arena(left, right)
    ahead, spread = bearing(right.x - left.x, right.y - left.y), rules.start_spread
    return Arena(
        left.turned(wrapped(ahead + (2 * left_look - 1) * spread)),
        right.turned(wrapped(ahead + 180 + (2 * right_look - 1) * spread)),
    )


def _placed(rng: Random, rules: Rules, index: int) -> tuple[BotState, float]:
    """Return a bot at a place that was drawn, and the draw from 0 to 1 that says where it looks."""
    radius = rules.bot_radius
    x = radius + rng.random() * (rules.arena_width - 2 * radius)
    y = radius + rng.random() * (rules.arena_height - 2 * radius)
    look = rng.random()
    charge = rules.initial_charge if rules.battery else 0
    health, shield = rules.initial_health[index], rules.initial_shield
    return BotState(rounded(x), rounded(y), wrapped(look * 360.0), health, shield, charge), look


def with_second_charge(arena: Arena, order: tuple[int, int], rules: Rules) -> Arena:
    """Return the arena at the start of round 1: who acts second has the rules' `second_charge` more."""
    if not rules.second_charge:
        return arena
    second = arena.bot(order[1])
    return arena.replaced(order[1], second.charged(min(rules.battery, second.charge + rules.second_charge)))


def acting_order(rng: Random) -> tuple[int, int]:
    """Who acts first and second in a round, drawn from the game's stream."""
    return (0, 1) if rng.random() < 0.5 else (1, 0)


# -- Which commands would do nothing but cost a play

Refusal = Literal["shield", "empty", "weak", "wall", "bot"]
"""Fire behind the own shield (`shield`) or with too little charge (`empty`), a shield that there is too little charge
for (`weak`), a step that ends where it began, at a wall or at the other bot."""

NO_STEP = 1e-6
"""A step shorter than this share of a step's length ends where it began: contact is exact to 1e-9 only."""


def refusal(arena: Arena, actor: int, command: Command, rules: Rules) -> Refusal | None:
    """Return why the rules would refuse bot `actor` this command now, None if it would do something.

    It is found by the very rules that carry the command out. A turn and a deliberate nothing are never refused.
    """
    me = arena.right if actor else arena.left
    kind = type(command)
    if kind is Move or kind is StepBack:
        return _blocked(me, arena.left if actor else arena.right, command, rules)
    if rules.battery and (event := unaffordable(me, actor, command, rules)) is not None:
        return "weak" if type(event) is ShieldRefused else "empty"
    return "shield" if kind is Fire and me.shield else None


def _blocked(me: BotState, foe: BotState, command: Command, rules: Rules) -> Literal["wall", "bot"] | None:
    length, back = _length(command, rules)
    ux, uy = direction(me.rot)
    x, y, stopped_by = _reached(me, foe, length * ux, length * uy, rules)
    if not stopped_by or _shoves(stopped_by, back, rules) or hypot(x - me.x, y - me.y) > NO_STEP * abs(length):
        return None
    return "wall" if stopped_by == "wall" else "bot"


# -- How a game ends

Reason = Literal["knockout", "points", "draw", "forfeit", "aborted"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; `winner` is a bot's index or None."""

    winner: int | None
    reason: Reason


def knocked_out(arena: Arena) -> int | None:
    """The index of the bot without health, or None."""
    return 0 if arena.left.health <= 0 else 1 if arena.right.health <= 0 else None


def outcome(arena: Arena, rules: Rules) -> Result:
    """How a game that is over stands: knock-out, else the higher share of the starting health, else a draw."""
    loser = knocked_out(arena)
    if loser is not None:
        return Result(1 - loser, "knockout")
    left = arena.left.health * rules.initial_health[1]
    right = arena.right.health * rules.initial_health[0]
    if isclose(left, right, rel_tol=1e-12):
        return Result(None, "draw")
    return Result(0 if left > right else 1, "points")
