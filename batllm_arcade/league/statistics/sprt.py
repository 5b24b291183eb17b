"""A sequential probability ratio test over pairs, as engine testers run it: generalized, by pentanomial counts; pure.

The ratio compares the most likely distributions of the five classes with a mean score of either hypothesis
(Kullback-Leibler projections of what was seen), so it needs no model of draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL

RARE = 1e-3
"""Pairs that a class without any counts as: where all pairs end alike the ratio is still a number."""


@dataclass(frozen=True, slots=True)
class SprtState:
    """The log-likelihood ratio, the bounds at which it decides, and the hypothesis that it has accepted, if any."""

    llr: float
    lower: float
    upper: float
    decision: Literal["H0", "H1"] | None


def sprt(classes: Sequence[int], plan: SprtPlan) -> SprtState:
    """Return how the test stands after pairs of these classes, worst first for the first player."""
    lower, upper = math.log(plan.beta / (1 - plan.alpha)), math.log((1 - plan.beta) / plan.alpha)
    llr = log_likelihood_ratio(classes, plan.elo0, plan.elo1)
    return SprtState(llr, lower, upper, "H1" if llr >= upper else "H0" if llr <= lower else None)


def expected_score(elo: float) -> float:
    """Return the mean score of who is better by so many Elo."""
    return 1.0 / (1.0 + 10 ** (-elo / 400))


def log_likelihood_ratio(classes: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the logarithm of how much likelier these pairs are at `elo1` than at `elo0`; 0 without pairs."""
    if not sum(classes):
        return 0.0
    counts = [count or RARE for count in classes]
    total = sum(counts)
    shares = [count / total for count in counts]
    worse, better = _tilted(shares, expected_score(elo0)), _tilted(shares, expected_score(elo1))
    return sum(count * math.log(one / zero) for count, one, zero in zip(counts, better, worse, strict=True))


def _tilted(shares: Sequence[float], mean: float) -> list[float]:
    """Return the distribution that makes these shares likeliest among those with this mean score.

    It is share / (1 + t (score - mean)), with t such that it sums up to one.
    """
    distances = [score - mean for score in PENTANOMIAL]
    low, high = -1.0 / distances[-1], -1.0 / distances[0]  # between them every share stays above zero
    for _ in range(80):
        t = (low + high) / 2
        if sum(share * distance / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [share / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)]
