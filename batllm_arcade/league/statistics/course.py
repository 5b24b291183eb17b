"""How the ratings of a league, or its sequential test, have come about over its pairs; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL, pentanomial
from batllm_arcade.league.statistics.pair_line import PairLine
from batllm_arcade.league.statistics.rating import fit
from batllm_arcade.league.statistics.sprt import sprt

POINTS = 40
"""Moments at which the ratings are looked at."""


@dataclass(slots=True)
class Course:
    """Pairs played so far, and then every player's rating, in the order of the plan, and the test's ratio, if any."""

    pairs: list[int] = field(default_factory=list)
    ratings: list[list[float]] = field(default_factory=list)
    llr: list[float] = field(default_factory=list)


def course(plan: LeaguePlan, lines: Iterable[PairLine], total: int) -> Course:
    """Return how a league of so many pairs that were played has come to where it is."""
    index = {player.name: number for number, player in enumerate(plan.players)}
    counts = {pairing: [0] * len(PENTANOMIAL) for pairing in plan.pairings}
    found, step = Course(), max(1, total // POINTS)
    for number, line in enumerate(lines, 1):
        one, other = (index[name] for name in line["players"])
        for place, count in enumerate(pentanomial({line["outcome"]: 1})):
            counts[one, other][place] += count
        if number % step == 0 or number == total:
            _look(plan, counts, found, number)
    return found


def _look(plan: LeaguePlan, counts: dict[tuple[int, int], list[int]], found: Course, number: int) -> None:
    points = {
        pairing: (2.0 * sum(score * n for score, n in zip(PENTANOMIAL, seen, strict=True)), 2.0 * sum(seen))
        for pairing, seen in counts.items()
    }
    found.pairs.append(number)
    found.ratings.append(fit(len(plan.players), points))
    if plan.sprt is not None:
        found.llr.append(sprt(next(iter(counts.values())), plan.sprt).llr)
