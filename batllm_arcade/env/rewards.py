"""What an agent is given for a play: by the game's result alone, by the health it takes too, or by a function."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.errors import UsageError, quoted

Reward = Callable[[int, Arena, Arena, Rules, "Result | None"], float]
"""Called after every play for each seat: (seat, before, after, rules, result); None while the game goes on."""


def by_result(seat: int, _before: Arena, _after: Arena, _rules: Rules, result: Result | None) -> float:
    """Return 1 for a game won, -1 for one lost, else 0."""
    if result is None or result.winner is None:
        return 0.0
    return 1.0 if result.winner == seat else -1.0


def by_damage(seat: int, before: Arena, after: Arena, rules: Rules, result: Result | None) -> float:
    """Return the same, and the share of the opponent's starting health that the play took, less the share it lost."""
    taken = (before.bot(1 - seat).health - after.bot(1 - seat).health) / rules.initial_health[1 - seat]
    lost = (before.bot(seat).health - after.bot(seat).health) / rules.initial_health[seat]
    return by_result(seat, before, after, rules, result) + taken - lost


REWARDS: dict[str, Reward] = {"result": by_result, "damage": by_damage}


def reward_of(given: str | Reward) -> Reward:
    """Return the function that rewards; raise UsageError if there is none of this name."""
    if isinstance(given, str) and given in REWARDS:
        return REWARDS[given]
    if isinstance(given, str) or not callable(given):
        raise UsageError(f"rewards must be {' or '.join(map(repr, REWARDS))} or a function, not {quoted(given)}")
    return given
