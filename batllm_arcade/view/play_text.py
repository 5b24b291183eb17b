"""Plays in words, as panels say them; pure."""

from __future__ import annotations

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotMoved
from batllm_arcade.match.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color


def describe(command: Command) -> str:
    """A command in words."""
    match command:
        case Rotate(degrees=degrees):
            return f"turns {'right' if degrees >= 0 else 'left'} {abs(degrees):.0f}\u00b0"
        case Move(distance=distance):
            return "moves" if distance is None else f"moves {distance:g}"
        case Shield(up=up):
            return {True: "shield up", False: "shield down", None: "toggles shield"}[up]
        case Fire():
            return "fires"
        case Nothing():
            return "does nothing"


def outcome(play: Play) -> tuple[str, Color]:
    """What came of a play, in a few words, and how loud they are."""
    names = {type(event).__name__ for event in play.events}
    if "BotHit" in names:
        return "a hit!", theme.GOLD
    if "ShotBlocked" in names:
        return "blocked by the shield", theme.SOFT
    if "ShotMissed" in names:
        return "missed", theme.SOFT
    for event in play.events:
        if isinstance(event, BotMoved) and event.stopped_by:
            where = "the wall" if event.stopped_by == "wall" else "the other bot"
            return (f"blocked by {where}" if event.start == event.end else f"stopped at {where}"), theme.SOFT
    if "FireRefused" in names:
        return "its own shield is up: nothing happened", theme.GOLD
    return "", theme.SOFT


def seconds(value: float) -> str:
    """How long something took."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
