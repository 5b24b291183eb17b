"""When only waiting is sensible: the gun is empty, the other bot is in line, and no step loads it faster."""

from __future__ import annotations

from batllm_arcade.core.commands import Move, Nothing
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.view.telegraph.lines import threatened


def loads_by_waiting(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether one press waits here until the gun is loaded: it is empty, waiting loads it, nothing threatens."""
    me = arena.bot(bot)
    if not rules.battery or rules.rest_charge <= 0 or me.shield or me.charge >= rules.shot_charge:
        return False
    return not threatened(arena, bot, rules)


def waits_until_loaded(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether waiting until the gun is loaded is sensible here: nothing threatens, and nothing loads faster.

    A turn away would give up the aim; a step ahead gives no more than standing still where something is in the way.
    """
    if not loads_by_waiting(arena, bot, rules) or not lined_up(arena, bot, rules):
        return False
    stepped, rested = (step(arena, bot, command, rules)[0].bot(bot).charge for command in (Move(None, "M"), Nothing()))
    return rested >= stepped


def waits_left(arena: Arena, bot: int, rules: Rules) -> int:
    """Return how many plays of waiting load the gun for a shot."""
    missing = rules.shot_charge - arena.bot(bot).charge
    return -(-missing // rules.rest_charge) if rules.rest_charge > 0 else 0
