"""What a player without orders does, in a few words: a script by its character, others by what they are."""

from __future__ import annotations

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.view.play_text import level_of

SCRIPTED = "scripted:"
_CHARACTERS = {
    "sharpshooter": "walks up, fires, tries to step aside",
    "turtle": "raises its shield when threatened, creeps up, fires",
    "dancer": "sidesteps to load, shoots ahead of its foe",
    "random": "does anything at all",
    "strategist": "looks {} ahead",
}
_DEPTH, _DEEPEST, _STEPS = "2", 4, {"rookie": -1, "merciless": 1}
"""How many moves the strategist looks ahead: unless told otherwise, at most, and how many more at a level."""


def player_words(seat: SeatInfo) -> str:
    """Return what is told of a player without orders: `Script: looks 2 moves ahead`, `a person`, `no orders`."""
    if seat.human:
        return "a person"
    does = script_words(seat)
    return f"Script: {does}" if does else "no orders"


def kind_words(seat: SeatInfo) -> str:
    """Return what plays at a seat where its name does not say that: its model, or `Script`."""
    words = "Script" if seat.brain.startswith(SCRIPTED) else seat.model
    return "" if words.casefold() in seat.name.casefold() else words


def script_words(seat: SeatInfo) -> str:
    """Return what the script at a seat does, "" where there is none or it is not known."""
    does = _CHARACTERS.get(seat.brain.removeprefix(SCRIPTED)) if seat.brain.startswith(SCRIPTED) else None
    return does.format(_moves(seat)) if does else ""


def _moves(seat: SeatInfo) -> str:
    """Return how far the strategist at a seat looks ahead."""
    asked = str(seat.options.get("depth") or _DEPTH)
    moves = int(asked) if asked in ("1", "2", "3", "4") else int(_DEPTH)
    moves = min(max(moves + _STEPS.get(level_of(seat), 0), 1), _DEEPEST)
    return f"{moves} move{'s' if moves > 1 else ''}"
