"""Short texts about commands, outcomes and durations, for the panels."""

from __future__ import annotations

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotMoved, FireRefused, ShieldRefused
from batllm_arcade.match.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color


def describe(command: Command) -> str:
    """Return what the command does, such as `turns left 45°`."""
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
    """Return what the play led to in a few words (may be empty), and their colour."""
    names = {type(event).__name__ for event in play.events}
    if "BotHit" in names:
        return "a hit!", theme.GOLD
    if "ShotBlocked" in names:
        return "blocked by the shield", theme.SOFT
    if "ShotMissed" in names:
        return "missed", theme.SOFT
    for event in play.events:
        if isinstance(event, BotMoved) and event.stopped_by:
            obstacle = "the wall" if event.stopped_by == "wall" else "the other bot"
            return (f"blocked by {obstacle}" if event.start == event.end else f"stopped at {obstacle}"), theme.SOFT
    for event in play.events:
        if isinstance(event, FireRefused):
            why = "its own shield is up" if event.reason == "shield" else "too little charge"
            return f"{why}: nothing happened", theme.GOLD
        if isinstance(event, ShieldRefused):
            return "too little charge: nothing happened", theme.GOLD
    return "", theme.SOFT


def duration(seconds: float) -> str:
    """Return a duration as text: milliseconds below one second."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
