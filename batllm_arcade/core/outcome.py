"""How a game ends: knock-out, points or a draw, and who won."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import Literal

from batllm_arcade.core.model import Arena, Rules

Reason = Literal["knockout", "points", "draw", "forfeit", "aborted"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended; `winner` is a bot's index or None."""

    winner: int | None
    reason: Reason


def knocked_out(arena: Arena) -> int | None:
    """The index of the bot without health, or None."""
    return 0 if arena.left.health <= 0 else 1 if arena.right.health <= 0 else None


def outcome(arena: Arena, rules: Rules) -> Result:
    """How a game that is over stands: knock-out, else the higher share of the starting health, else a draw."""
    loser = knocked_out(arena)
    if loser is not None:
        return Result(1 - loser, "knockout")
    left = arena.left.health * rules.initial_health[1]
    right = arena.right.health * rules.initial_health[0]
    if isclose(left, right, rel_tol=1e-12):
        return Result(None, "draw")
    return Result(0 if left > right else 1, "points")
