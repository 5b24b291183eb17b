"""The battery: what a play takes from a bot's charge and gives to it, and what an empty one refuses.

Only called where the rules have a battery.
"""

from __future__ import annotations

from math import hypot

from batllm_arcade.core.commands import Command, Fire, Shield
from batllm_arcade.core.events import (
    BotMoved,
    BulletFlew,
    Event,
    FireRefused,
    ShieldBroke,
    ShieldFaded,
    ShieldRefused,
    ShotBlocked,
)
from batllm_arcade.core.geometry import rounded
from batllm_arcade.core.model import Arena, BotState, Rules

Events = tuple[Event, ...]


def refusal(bot: BotState, actor: int, command: Command, rules: Rules) -> Event | None:
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
        case (BotMoved(back=False) as walk, *_) if _is_step(walk, rules):
            me = me.charged(min(rules.battery, me.charge + rules.step_charge))
        case _:
            me = me.charged(min(rules.battery, me.charge + rules.rest_charge))
    return (Arena(foe, me) if actor else Arena(me, foe)), events + more


def _drained(bot: BotState, charge: int, empty: Event) -> tuple[BotState, Events]:
    """The bot after its shield took `charge`; an empty battery drops the shield."""
    left = max(0, bot.charge - charge)
    drained = bot.charged(left)
    return (drained, ()) if left else (drained.shielded(False), (empty,))


def _is_step(walk: BotMoved, rules: Rules) -> bool:
    """Return whether a walk loads as a step does: at least half a step, rounded, so that any direction counts alike."""
    (x, y), (end_x, end_y) = walk.start, walk.end
    return rounded(hypot(end_x - x, end_y - y)) >= rules.step_length / 2
