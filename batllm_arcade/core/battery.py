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
    if type(events[0]) is BulletFlew:
        me = _charged(me, me.charge - rules.shot_charge)
        if type(events[1]) is ShotBlocked:
            foe, more = _drained(foe, rules.block_charge, ShieldBroke(1 - actor))
    elif me.shield:
        me, more = _drained(me, rules.shield_charge, ShieldFaded(actor))
    else:
        me = _charged(me, min(rules.battery, me.charge + _gain(events[0], rules)))
    return (Arena(foe, me) if actor else Arena(me, foe)), events + more


def _drained(bot: BotState, charge: int, empty: Event) -> tuple[BotState, Events]:
    """The bot after its shield took `charge`; an empty battery drops the shield."""
    left = max(0, bot.charge - charge)
    drained = BotState(bot.x, bot.y, bot.rot, bot.health, left > 0, left)
    return drained, () if left else (empty,)


def _charged(bot: BotState, charge: int) -> BotState:
    return BotState(bot.x, bot.y, bot.rot, bot.health, bot.shield, charge)


def _gain(event: Event, rules: Rules) -> int:
    if type(event) is BotMoved:
        (x, y), (end_x, end_y) = event.start, event.end
        # Rounded, so that half a step that ends at a wall or at the other bot counts in any direction.
        if rounded(hypot(end_x - x, end_y - y)) >= rules.step_length / 2:
            return rules.step_charge
    return rules.rest_charge
