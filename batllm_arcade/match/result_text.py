"""How a game's result reads: who won and why, for the console, the sessions, the picture and the results."""

from __future__ import annotations

from batllm_arcade.core.outcome import Result

MARKS = " (blue)", " (orange)"
"""What tells two players of one name apart, left first: the colours of their bots."""
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
    """Return the names, or `NAME (blue)` and `NAME (orange)` if they are equal but for large and small letters.

    A bot may stand anywhere in the arena, so that "left" and "right" would often be untrue of a picture.
    """
    left, right = names
    return names if left.casefold() != right.casefold() else (f"{left}{MARKS[0]}", f"{right}{MARKS[1]}")


def turns_text(turns: int) -> str:
    """Return a number of turns in words: `one turn`, `12 turns`."""
    return "one turn" if turns == 1 else f"{turns} turns"
