"""Bots' states and results in a session file."""

from __future__ import annotations

from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.outcome import Result
from batllm_arcade.history.node import Node, is_number

_KEYS = ("x", "y", "rot", "health", "shield")
_MOST_CHARGE = 1_000_000


def state_of(node: Node) -> BotState:
    """Return the bot's state at this place of a file; raise HistoryError if it is none."""
    value = node.value
    if type(value) is dict and 5 <= len(value) <= 6:  # what nearly all states are, three to a play
        x, y, rot, health, up = map(value.get, _KEYS)
        charge = value.get("charge", 0)
        good = type(up) is int and 0 <= up <= 1 and type(charge) is int and 0 <= charge <= _MOST_CHARGE
        if good and is_number(x) and is_number(y) and is_number(rot) and is_number(health):
            return BotState(x, y, rot, health, up == 1, charge)  # type: ignore[arg-type]
    return _checked_state(node)


def _checked_state(node: Node) -> BotState:
    """Return a state key by key; raise HistoryError at the first that is wrong."""
    shield = node["shield"].one_of((0, 1))
    x, y, rot, health = (node[key].number() for key in ("x", "y", "rot", "health"))
    charge = node.get("charge", 0)
    if not 0 <= charge.whole() <= _MOST_CHARGE:
        raise charge.refuse(f"must be from 0 to {_MOST_CHARGE}, not {charge.value}")
    return BotState(x, y, rot, health, bool(shield), charge.whole())


def arena_of(node: Node) -> Arena:
    """Return both bots' states, a list with the left one first; raise HistoryError if it is none."""
    left, right = node.pair(state_of)
    return Arena(left, right)


def result_of(node: Node) -> Result:
    """Return how a game ended; raise HistoryError if this is no result."""
    reason = node["reason"].one_of(("knockout", "points", "draw", "forfeit", "aborted"))
    return Result(node["winner"].one_of((0, 1, None)), reason)
