"""The outcome of a pair of games, seen from either player; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from batllm_arcade.league.statistics.pair_line import GameLine

OUTCOMES = ("LL", "LD", "DD", "WL", "WD", "WW")
"""A pair's outcomes for one player, worst first."""
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair's five classes: LL, LD, DD and WL, WD, WW."""
_CLASS = {"LL": 0, "LD": 1, "DD": 2, "WL": 2, "WD": 3, "WW": 4}
_MIRROR = {"LL": "WW", "LD": "WD", "DD": "DD", "WL": "WL", "WD": "LD", "WW": "LL"}
FAULTS = ("crashed", "silent", "garbage", "timeout", "error", "invalid")
"""What is counted apart when a play has no good answer; the first three are the first word of its reason."""


def outcome_of(winners: Sequence[str | None], name: str) -> str:
    """Return the outcome for this player of a pair's games, given who won each (None: nobody)."""
    letters = ["D" if winner is None else "W" if winner == name else "L" for winner in winners]
    return "".join(sorted(letters, key="WDL".index)) if "W" in letters else "".join(sorted(letters, reverse=True))


def mirrored(outcome: str) -> str:
    """Return the outcome for the other player."""
    return _MIRROR[outcome]


def pentanomial(counts: Mapping[str, int]) -> list[int]:
    """Return how many pairs are in each class, [LL, LD, DD+WL, WD, WW], given the number of each outcome."""
    found = [0] * len(PENTANOMIAL)
    for outcome, count in counts.items():
        found[_CLASS[outcome]] += count
    return found


def fault_of(status: str, reason: str) -> str:
    """Return which of FAULTS a play is, "" for none; a forfeit is counted as what its last failure was."""
    if status in ("timeout", "invalid"):
        return status
    if status not in ("error", "forfeit"):
        return ""
    first = reason.partition(" ")[0].strip(":;,.").lower()
    if first in FAULTS[:3]:
        return first
    return "timeout" if reason.startswith("no answer within") else "error"


def no_faults() -> dict[str, int]:
    """Return a count of none."""
    return dict.fromkeys(FAULTS, 0)


def is_decisive(game: GameLine) -> bool:
    """Return whether somebody has won this game of a pair's line."""
    return game["winner"] is not None
