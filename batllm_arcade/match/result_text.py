"""How a game's result reads: who won and why, for the console, the sessions, the picture and the results."""

from __future__ import annotations

from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.core.outcome import Result

_SHORT = {
    "knockout": "by knock-out",
    "points": "on points",
    "forfeit": "by forfeit",
    "draw": "draw",
    "aborted": "abandoned",
}
_EXPLAINED = {
    **_SHORT,
    "draw": "a draw: both kept the same share of health",
    "forfeit": "the other side failed to answer too often",
    "aborted": "the game was abandoned",
}


def describe_result(result: Result, names: tuple[str, str]) -> str:
    """Return a result on one line: `Ann wins by knock-out`, `draw`, `abandoned`; names are left first."""
    reason = _SHORT[result.reason]
    return reason if result.winner is None else f"{winner_text(result, names)} {reason}"


def winner_text(result: Result, names: tuple[str, str]) -> str:
    """Return who won: `Ann wins`, `Nobody wins`."""
    return "Nobody wins" if result.winner is None else f"{distinct(names)[result.winner]} wins"


def reason_text(result: Result) -> str:
    """Return why the game ended as it did, to stand below who won: `by knock-out`, `the game was abandoned`."""
    return _EXPLAINED[result.reason]


def distinct(names: tuple[str, str]) -> tuple[str, str]:
    """Return the names, or `NAME (SEAT)` for both if they are equal but for large and small letters."""
    left, right = names
    return names if left.casefold() != right.casefold() else (f"{left} ({SEATS[0]})", f"{right} ({SEATS[1]})")


def explain_result(
    result: Result, names: tuple[str, str], health: tuple[float, float], rules: Rules, rounds: int, turns: int
) -> str:
    """Return why the game ended, with figures; `health` is a share of the starting health, 0 to 1, left first."""
    left, right = (f"{share * full:g} of {full:g}" for share, full in zip(health, rules.initial_health, strict=True))
    if result.reason == "knockout" and result.winner is not None:
        loser = distinct(names)[1 - result.winner]
        return f"Knock-out: {loser} has no health left, in round {rounds} after {turns_text(turns)}"
    if result.reason == "points":
        return f"On points after the last round: {left} health to {right}"
    if result.reason == "forfeit" and result.winner is not None:
        return f"By forfeit: {SEATS[1 - result.winner]} and its stand-in failed to answer too often"
    if result.reason == "draw":
        return f"A draw: {left} health each" if left == right else f"A draw: {left} health and {right}, the same share"
    return "The game was left before its end"


def turns_text(turns: int) -> str:
    """Return a number of turns in words: `one turn`, `12 turns`."""
    return "one turn" if turns == 1 else f"{turns} turns"
