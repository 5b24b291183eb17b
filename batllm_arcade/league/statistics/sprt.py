"""A sequential probability ratio test over pairs, as engine testers run it: generalized, by pentanomial counts; pure.

The ratio compares the most likely distributions of the five classes with a mean score of either hypothesis
(Kullback-Leibler projections of what was seen), so it needs no model of draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.league.plan import SprtModel, SprtPlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL

NORMALIZED = 800 / math.log(10) / math.sqrt(2)
"""Normalized Elo of a mean score that lies one spread of pairs from even; one of single games is sqrt(2) times that."""
_SCALINGS, _STAYS = 30, 1e-9
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
    llr = log_likelihood_ratio(classes, plan.elo0, plan.elo1, plan.model)
    return SprtState(llr, lower, upper, "H1" if llr >= upper else "H0" if llr <= lower else None)


def expected_score(elo: float) -> float:
    """Return the mean score of who is better by so many Elo."""
    return 1.0 / (1.0 + 10 ** (-elo / 400))


def log_likelihood_ratio(classes: Sequence[int], elo0: float, elo1: float, model: SprtModel = "logistic") -> float:
    """Return the logarithm of how much likelier these pairs are at `elo1` than at `elo0`; 0 without pairs.

    With the `normalized` model both are normalized Elo: how far the mean score is from even, in units of the spread of
    scores. So a test takes about as many pairs whatever the share of draws.
    """
    if not sum(classes):
        return 0.0
    counts = [count or RARE for count in classes]
    total = sum(counts)
    shares = [count / total for count in counts]
    if model == "normalized":
        worse, better = (_scaled(shares, elo / NORMALIZED) for elo in (elo0, elo1))
    else:
        worse, better = (
            _tilted(shares, [score - expected_score(elo) for score in PENTANOMIAL]) for elo in (elo0, elo1)
        )
    return sum(count * math.log(one / zero) for count, one, zero in zip(counts, better, worse, strict=True))


def _scaled(shares: Sequence[float], target: float) -> list[float]:
    """Return the distribution that makes these shares likeliest among those whose mean lies `target` spreads from even.

    The spread depends on the distribution sought: the condition is linear close to the last one found, until it stays.
    """
    found = [1 / len(shares)] * len(shares)
    for _ in range(_SCALINGS):
        mean = sum(score * share for score, share in zip(PENTANOMIAL, found, strict=True))
        spread = math.sqrt(sum((score - mean) ** 2 * share for score, share in zip(PENTANOMIAL, found, strict=True)))
        slope = [score - 0.5 - target * spread * (1 + ((score - mean) / spread) ** 2) / 2 for score in PENTANOMIAL]
        before, found = found, _tilted(shares, slope)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < _STAYS:
            break
    return found


def _tilted(shares: Sequence[float], distances: Sequence[float]) -> list[float]:
    """Return the distribution that makes these shares likeliest among those with a mean distance of 0.

    It is share / (1 + t distance), with t such that it sums up to one.
    """
    low, high = -1.0 / max(distances), -1.0 / min(distances)  # between them every share stays above zero
    for _ in range(80):
        t = (low + high) / 2
        if sum(share * distance / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)) > 0:
            low = t
        else:
            high = t
    t = (low + high) / 2
    return [share / (1 + t * distance) for share, distance in zip(shares, distances, strict=True)]
