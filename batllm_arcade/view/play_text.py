"""Short texts about commands, outcomes and durations, for the panels."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.analysis.game import LEAST_TURN
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.events import (
    BotBumped,
    BotHit,
    BotMoved,
    BotTurned,
    FireRefused,
    ShieldFaded,
    ShieldRefused,
)  # fmt: skip
from batllm_arcade.core.flight import damage
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.story.moments import degrees_off
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import uncharged
from batllm_arcade.view.theme import Color

LOADING = "Walking loads your gun; shooting and blocking empty it."
BACK = "Never show your back."
BUMP = "Bump it and it spins: its side is yours."


def level_of(seat: SeatInfo) -> str:
    """Return the level at which a seat plays, such as `rookie`; "" for the usual one or none."""
    return str(seat.options.get("level") or "")


def describe(command: Command) -> str:
    """Return what the command does, such as `turns left 45°`."""
    return _words(command)[0]


def suggest(command: Command) -> str:
    """Return the command as advice, such as `turn left 45°`."""
    return _words(command)[1]


def _words(command: Command) -> tuple[str, str]:
    match command:
        case Rotate(degrees=degrees):
            way = f"{'right' if degrees >= 0 else 'left'} {abs(degrees):.0f}\u00b0"
            return "hardly turns" if abs(degrees) < LEAST_TURN else f"turns {way}", f"turn {way}"
        case Move(distance=None):
            return "steps", "step ahead"
        case Move(distance=distance):
            return f"moves {distance:g}", f"move {distance:g}"
        case StepBack():
            return "steps back", "step back"
        case Shield(up=None):
            return "toggles shield", "toggle the shield"
        case Shield(up=up):
            return f"shield {'up' if up else 'down'}", f"{'raise' if up else 'lower'} the shield"
        case Fire():
            return "fires", "fire"
        case Nothing():
            return "does nothing", "wait"


def did(play: Play) -> str:
    """Return what a play did, as `describe` says it: a turn as far as the rules let it go, a shield as it is then."""
    turned = next((event.degrees for event in play.events if isinstance(event, BotTurned)), None)
    before, after = (arena.bot(play.bot).shield for arena in (play.before, play.after))
    if isinstance(play.command, Shield) and before != after:
        return describe(Shield(after, play.command.token))
    return describe(play.command if turned is None else Rotate(turned, play.command.token))


def doing(play: Play) -> str:
    """Return what a play does as a sentence begins, such as `Turns left 45°`: who keeps its shield down waits."""
    before, after = (arena.bot(play.bot).shield for arena in (play.before, play.after))
    refused = any(isinstance(event, ShieldRefused) for event in play.events)
    match play.command:
        case Nothing():
            words = "speaks" if play.decision.say else "waits"
        case Shield() if refused:
            words = "tries the shield"
        case Shield(up=True) if before:  # it may run out of charge, which the outcome tells
            words = "shield stays up"
        case Shield() if before == after:
            words = "waits"
        case _:
            words = did(play)
    return words[:1].upper() + words[1:]


def outcome(play: Play, rules: Rules) -> tuple[str, Color]:
    """Return what the play led to in a few words (may be empty), and their colour."""
    names = {type(event).__name__ for event in play.events}
    for event in play.events:
        if isinstance(event, BotHit):
            return _hit_text(play, event, rules), theme.GOLD
    if "ShieldBroke" in names:
        return "breaks the shield!", theme.GOLD
    if "ShotBlocked" in names:
        return f"{'off a wall, ' if play.came_off_a_wall else ''}blocked by the shield", theme.SOFT
    if "ShotMissed" in names:
        return "missed", theme.SOFT
    for event in play.events:
        if isinstance(event, BotBumped):
            return ("the other bot spins" if event.turned else "shoves the other bot"), theme.GOLD
    for event in play.events:
        if isinstance(event, BotMoved) and event.stopped_by:
            obstacle = "the wall" if event.stopped_by == "wall" else "the other bot"
            return (f"blocked by {obstacle}" if event.start == event.end else f"stopped at {obstacle}"), theme.SOFT
    return _refusal(play, rules)


def advice(rules: Rules) -> tuple[str, ...]:
    """Return what a player has to know about the optional rules that are on, a sentence each."""
    said = {
        LOADING: rules.battery and rules.step_charge > rules.rest_charge,
        BACK: rules.back_damage > 1,
        _bounce(rules): rules.ricochet,
        turns_at_most(rules): rules.turn_limit,
        BUMP: rules.bump_turn and rules.has_armour,
    }
    return tuple(sentence for sentence, holds in said.items() if holds)


def turns_at_most(rules: Rules) -> str:
    """Return the sentence on the rules' `turn_limit`."""
    return f"You turn {'a quarter' if rules.turn_limit == 90 else f'{rules.turn_limit:g}°'} at most."


def _bounce(rules: Rules) -> str:
    left, right = rules.bullet_damage
    if rules.has_armour and rules.bounce_cap == 1 and left == right:
        return f"Off the wall a bullet takes {left:g}, front or not."
    return "A bullet comes off the wall, once."


def past_the_shield(play: Play) -> bool:
    """Return whether the play was a shot that hit a bot whose shield was up, from a side that it does not cover."""
    return any(isinstance(event, BotHit) and play.before.bot(event.bot).shield for event in play.events)


def _hit_text(play: Play, hit: BotHit, rules: Rules) -> str:
    bounced, past = play.came_off_a_wall, past_the_shield(play)
    if bounced and past:
        return "off a wall, past the shield!"
    if not rules.has_armour:
        behind = " from behind" if hit.part == "back" else ""
        return f"a hit{' off a wall' if bounced else ' past the shield' if past else behind}!"
    taken = damage(play.bot, hit.part, rules, bounced=bounced) / max(rules.bullet_damage[play.bot], 1e-9)
    if bounced and taken == 1 and hit.part != "front":
        return f"off a wall, in the {hit.part}: no bonus"
    times = f"\u00d7{taken:g} " if taken != 1 else ""
    where = f"in the {hit.part}{'' if hit.part == 'front' else '!'}"
    if bounced or past:
        return f"{'off a wall' if bounced else 'past the shield'}, {times}{where}"
    faces = abs(degrees_off(play.before, hit.bot)) <= rules.shield_degrees
    grazing = "grazing " if hit.part == "side" and faces else ""
    return f"a {times}{grazing}hit {where}"


def _refusal(play: Play, rules: Rules) -> tuple[str, Color]:
    if too_little := uncharged(play, rules):
        return too_little, theme.GOLD
    faded = any(isinstance(event, ShieldFaded) for event in play.events)
    if any(isinstance(event, FireRefused) for event in play.events):
        return f"its own shield is up{', and now empty' if faded else ': nothing happened'}", theme.GOLD
    return ("its shield ran out of charge", theme.GOLD) if faded else ("", theme.SOFT)


def duration(seconds: float) -> str:
    """Return a duration as text: milliseconds below one second."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def orders_played(seats: Sequence[SeatInfo], given: Sequence[str]) -> tuple[str, str]:
    """Return the orders that two seats were given, left first, "" where a script plays."""
    left, right = ("" if seat.is_script else orders for seat, orders in zip(seats, given, strict=True))
    return left, right
