"""Ratings from all pairs at once: Bradley-Terry with a draw as half a win, profile likelihoods for intervals; pure.

Ratings by game (Elo, Glicko, TrueSkill) depend on the order of the games; this does not. The points of a pair vary less
or more than those of two games on their own would: how much is taken from the pairs themselves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Protocol

from batllm_arcade.league.statistics.dispersion import Dispersion
from batllm_arcade.league.statistics.duel import Duel
from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.reach import Reach
from batllm_arcade.league.statistics.strengths import Pairing, Strengths, Vector
from batllm_arcade.league.statistics.student import probability, quantile

ELO = 400 / math.log(10)
"""Elo of one natural unit of strength: 400 Elo are odds of ten to one."""
SHARE = 0.95
LEAST_SHARE = 0.25
"""The least share of Firth's correction: where hardly any pair varies, who lost all shall not be endlessly far."""
MANY_PLAYERS = 12
"""Players up to which plain Python takes a tenth of a second; thirty take it six."""
PLAIN_PLAYERS = 6
"""Players up to which plain Python is as fast as numpy and its import."""

Counts = Mapping[Pairing, Sequence[int]]
"""Pairs in each of the five classes, worst first for the first player of the pairing."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo (the mean of all is 0), and the 95% interval around it: None where nothing bounds it."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class RatingGap:
    """One player's rating minus another's, its 95% interval (None: open), and how likely the first is better."""

    value: float
    low: float | None
    high: float | None
    chance: float

    def mirrored(self) -> RatingGap:
        """Return the difference seen by the other player."""
        low, high = (None if end is None else -end for end in (self.high, self.low))
        return RatingGap(-self.value, low, high, 1 - self.chance)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all players by index, and the differences of each two of them, the lower index first."""

    players: list[Rating]
    differences: Mapping[Pairing, RatingGap]

    def difference(self, one: int, other: int) -> RatingGap:
        """Return the difference of two players, seen by the first."""
        if one < other:
            return self.differences[one, other]
        return self.differences[other, one].mirrored()

    def superiority(self, one: int, other: int) -> float:
        """Return how likely it is that one player is better than another, 0 to 1."""
        return self.difference(one, other).chance


class _Likelihood(Protocol):
    """What `Strengths` and `NumpyStrengths` compute."""

    @property
    def theta(self) -> list[float]: ...
    @property
    def added(self) -> list[float]: ...
    def influence(self, contrasts: Sequence[Vector], weights: Vector, power: int) -> list[float]: ...
    def ends(self, contrasts: Sequence[Vector], drops: Vector, side: int) -> list[float]: ...
    def drops(self, contrasts: Sequence[Vector]) -> list[float]: ...


def rate(players: int, counts: Counts) -> Ratings:
    """Return the ratings of so many players."""
    model = _model(players, _results(counts))
    varied = Dispersion(counts, model.theta, model.added).all
    model = _model(players, _results(counts), max(LEAST_SHARE, varied))
    return _duel(model, counts) if players == 2 else _Field(players, counts, model).ratings()


def slow_without_numpy(players: int) -> bool:
    """Return whether a table of so many players takes seconds here, because numpy is not there."""
    from importlib.util import find_spec

    return players > MANY_PLAYERS and find_spec("numpy") is None


def fit(players: int, results: Mapping[Pairing, tuple[float, float]]) -> list[float]:
    """Return the ratings in Elo, mean 0, for the points of the first player and the games of each pairing."""
    return [value * ELO for value in _model(players, results).theta]


def _results(counts: Counts) -> dict[Pairing, tuple[float, float]]:
    """Return the points of the first player of each pairing, two a pair, and the games."""
    score = {pairing: zip(PENTANOMIAL, classes, strict=True) for pairing, classes in counts.items()}
    points = {pairing: 2.0 * sum(each * count for each, count in seen) for pairing, seen in score.items()}
    return {pairing: (points[pairing], 2.0 * sum(classes)) for pairing, classes in counts.items()}


def _model(players: int, results: Mapping[Pairing, tuple[float, float]], share: float = 1.0) -> _Likelihood:
    pairings = list(results)
    points, games = ([results[pairing][which] for pairing in pairings] for which in (0, 1))
    if players > PLAIN_PLAYERS:
        try:
            from batllm_arcade.league.statistics.strengths_numpy import NumpyStrengths
        except ImportError:  # it belongs to an extra; without it a table of many players takes longer
            pass
        else:
            return NumpyStrengths(players, pairings, points, games, share)
    return Strengths(players, pairings, points, games, share)


def _duel(model: _Likelihood, counts: Counts) -> Ratings:
    """Return the ratings of two players, whose interval needs no model of draws."""
    (first, classes), *_ = counts.items()
    duel = Duel(classes)
    value = (model.theta[0] - model.theta[1]) * ELO
    low, high = (None if mean is None else math.log(mean / (1 - mean)) * ELO for mean in duel.interval())
    seen = RatingGap(value, low, high, duel.chance())
    seen = seen if first == (0, 1) else seen.mirrored()
    found = RatingGap(value, _below(seen.low, value), _above(seen.high, value), seen.chance)
    ratings = [
        Rating(side.value / 2, *(None if end is None else end / 2 for end in (side.low, side.high)))
        for side in (found, found.mirrored())
    ]
    return Ratings(ratings, {(0, 1): found})


def _below(end: float | None, value: float) -> float | None:
    return None if end is None else min(end, value)


def _above(end: float | None, value: float) -> float | None:
    return None if end is None else max(end, value)


class _Field:
    """Three players or more."""

    def __init__(self, players: int, counts: Counts, model: _Likelihood) -> None:
        self._players, self._model = players, model
        self._dispersion = Dispersion(counts, model.theta, model.added)
        self._reach = Reach(players, _results(counts))

    def ratings(self) -> Ratings:
        """Return the ratings with what is known of each."""
        size, theta = range(self._players), self._model.theta
        own = [[(player == other) - 1 / self._players for other in size] for player in size]
        pairs = list(combinations(size, 2))
        between = [[float(player == one) - (player == other) for player in size] for one, other in pairs]
        scales = self._dispersion.scales(partial(self._model.influence, [*own, *between]))
        reaches = [scale * quantile(0.5 + SHARE / 2, freedom) ** 2 for scale, freedom in scales]
        low, high = (self._model.ends([*own, *between], reaches, side) for side in (-1, 1))
        ratings = [Rating(theta[player] * ELO, *self._open(player, low[player], high[player])) for player in size]
        differences = {}
        for number, drop in enumerate(self._model.drops(between)):
            (one, other), (scale, freedom) = pairs[number], scales[self._players + number]
            value, at = theta[one] - theta[other], self._players + number
            differences[one, other] = RatingGap(
                value * ELO,
                low[at] * ELO if self._reach.bounded(one, other) else None,
                high[at] * ELO if self._reach.bounded(other, one) else None,
                probability(math.copysign(math.sqrt(drop / scale), value), freedom),
            )
        return Ratings(ratings, differences)

    def _open(self, player: int, low: float, high: float) -> tuple[float | None, float | None]:
        """Return the ends in Elo: None above who has won all, below who has lost all, and where not all have met."""
        reach = self._reach
        if not reach.connected:
            return None, None
        return low * ELO if reach.scored(player) else None, high * ELO if reach.lost(player) else None
