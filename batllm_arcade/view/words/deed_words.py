"""What a bot that tells no thought does and why, in at most eight plain words, as seen from where both stand."""

from __future__ import annotations

import math

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.events import BotMoved, FireRefused, ShieldRefused
from batllm_arcade.core.flight import flight, strikes
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match.records import Play
from batllm_arcade.story.account import is_loaded
from batllm_arcade.story.turning import degrees_off
from batllm_arcade.view.telegraph.lines import threatened

_FACES = 20.0  # degrees to the other bot at which one that turned looks at it
_NEARER = 0.2  # of a step: a shorter walk is none, and one that changes the distance by less leads around
_OPEN = {"side": "Its side is open: fires", "back": "Its back is open: fires"}


def deed_heading(seat: SeatInfo) -> str:
    """Return what stands above these words: what a model had in mind nobody knows."""
    return "SEEN" if seat.model else "WHY"


def deed_words(play: Play, rules: Rules) -> str:
    """Return what a play does and why, "" for one that failed; nothing that is known only once a bullet lands."""
    if play.status != "ok":
        return ""
    match play.command:
        case Fire():
            return _fires(play, rules)
        case Shield():
            return _shields(play, rules)
        case Rotate():
            return _turns(play, rules)
        case StepBack():
            return "Steps back"
        case Move():
            return _walks(play, rules)
        case Nothing():
            return _waits(play, rules)


def _fires(play: Play, rules: Rules) -> str:
    for event in play.events:
        if isinstance(event, FireRefused):
            return "Fires behind its own shield" if event.reason == "shield" else "Not loaded: cannot fire"
    me, foe = play.before.bot(play.bot), play.before.bot(1 - play.bot)
    part = strikes(me, foe, rules)
    if part is None:
        return "Tries a shot"
    if flight(me, foe, rules).bounce is not None:
        return "Lined up off a wall: fires"
    return _OPEN.get(part, "Lined up: fires") if rules.has_armour or foe.shield else "Lined up: fires"


def _shields(play: Play, rules: Rules) -> str:
    before, after = (arena.bot(play.bot) for arena in (play.before, play.after))
    if any(isinstance(event, ShieldRefused) for event in play.events):
        return "No charge for the shield"
    if before.shield == after.shield:
        return f"Keeps the shield {'up' if after.shield else 'down'}"
    if after.shield:
        return f"{'Aimed at: raises' if threatened(play.before, play.bot, rules) else 'Raises'} the shield"
    if not is_loaded(play.before, play.bot, rules):
        return "Shield down to load"
    return "Lined up: shield down to fire" if _aims(play.before, play.bot, rules) else "Lowers the shield"


def _turns(play: Play, rules: Rules) -> str:
    before, after = (abs(degrees_off(arena, play.bot)) for arena in (play.before, play.after))
    if _aims(play.after, play.bot, rules):
        me, foe = play.after.bot(play.bot), play.after.bot(1 - play.bot)
        return "Turns to aim off a wall" if flight(me, foe, rules).bounce is not None else "Turns to aim"
    if after < before:
        return "Turns to face it" if after <= _FACES else "Turns towards it"
    if threatened(play.before, play.bot, rules):
        return "Aimed at: turns to step aside"
    return "Turns away" if is_loaded(play.before, play.bot, rules) else "Turns to walk and load"


def _walks(play: Play, rules: Rules) -> str:
    moved = next((event for event in play.events if isinstance(event, BotMoved)), None)
    if moved is None or math.dist(moved.start, moved.end) < _NEARER * rules.step_length:
        return "Walks, but the way is blocked"
    if threatened(play.before, play.bot, rules) and not threatened(play.after, play.bot, rules):
        return "Aimed at: steps aside"
    if (
        not is_loaded(play.before, play.bot, rules)
        and play.after.bot(play.bot).charge > play.before.bot(play.bot).charge
    ):
        return "Walks to load"
    nearer = play.before.apart - play.after.apart
    if abs(nearer) < _NEARER * rules.step_length:
        return "Walks around it"
    return "Walks closer" if nearer > 0 else "Walks away"


def _waits(play: Play, rules: Rules) -> str:
    me = play.before.bot(play.bot)
    if not is_loaded(play.before, play.bot, rules) and play.after.bot(play.bot).charge > me.charge:
        return "Rests to load"
    if me.shield:
        return "Waits behind its shield"
    return "Loaded: waits" if rules.battery and is_loaded(play.before, play.bot, rules) else "Waits"


def _aims(arena: Arena, bot: int, rules: Rules) -> bool:
    return strikes(arena.bot(bot), arena.bot(1 - bot), rules) is not None
