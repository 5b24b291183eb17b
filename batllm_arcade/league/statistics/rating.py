"""Ratings from all pairs at once: Bradley-Terry with a draw as half a win, and a bootstrap over pairs; pure.

Ratings by game (Elo, Glicko, TrueSkill) depend on the order of the games; this does not. Plain Python on purpose:
a table is the same on every machine, and takes a fraction of a second.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist

from batllm_arcade.league.statistics.outcome import PENTANOMIAL

ELO = 400 / math.log(10)
"""Elo of one natural unit of strength: 400 Elo are odds of ten to one."""
PRIOR_GAMES = 1.0
"""Every player has drawn so many games with an average one, so that who wins all stays finite."""
RESAMPLES = 400
"""Bootstrap resamples of a table."""
UNSEEN = 0.15
"""Pairs shared out equally among the five classes where pairs are drawn again, as what is still to be seen.

Without them a pairing whose pairs all ended alike would be known exactly.
"""
_EXACT = 300
"""Pairs up to which each is drawn again; the sum of more is drawn from its normal distribution."""
_QUANTILE = 1.96
_CHORDS = 12
_NEAR = 1e-5

Pairing = tuple[int, int]
Counts = Mapping[Pairing, Sequence[int]]
"""Pairs in each of the five classes, worst first for the first player of the pairing."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in Elo (the mean of all is 0), and the 95% interval around it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of all players by index; `spread[i][j]` is the standard error of i's rating minus j's, in Elo."""

    players: list[Rating]
    spread: list[list[float]]

    def superiority(self, one: int, other: int) -> float:
        """Return how likely it is that one player is better than another, 0 to 1."""
        difference, spread = self.players[one].value - self.players[other].value, self.spread[one][other]
        return NormalDist().cdf(difference / spread) if spread > 0 else 0.5


def rate(players: int, counts: Counts, *, resamples: int = RESAMPLES, seed: int = 0) -> Ratings:
    """Return the ratings of so many players; `seed` is that of the bootstrap."""
    pairings = list(counts)
    observed = [_points(counts[pairing]) for pairing in pairings]
    model = _Model(players, pairings, [2.0 * sum(counts[pairing]) for pairing in pairings])
    point = model.fit(observed)
    stream = Random(seed)
    drawn = [_Resampler(counts[pairing], stream) for pairing in pairings]
    again = _Model(players, pairings, [2.0 * each.pairs for each in drawn])
    centre = again.fit([each.centre for each in drawn]) if any(each.pairs != each.seen for each in drawn) else point
    chord = again.inverse(centre)
    samples = [again.fit_near([each.draw() for each in drawn], centre, chord) for _ in range(resamples)]
    return _summed_up(point, samples)


def fit(players: int, results: Mapping[Pairing, tuple[float, float]]) -> list[float]:
    """Return the ratings in Elo, mean 0, for the points of the first player and the games of each pairing."""
    pairings = list(results)
    model = _Model(players, pairings, [results[pairing][1] for pairing in pairings])
    return [value * ELO for value in model.fit([results[pairing][0] for pairing in pairings])]


def _points(classes: Sequence[int]) -> float:
    """Return the points (two a pair) of the first player of a pairing."""
    return 2.0 * sum(score * count for score, count in zip(PENTANOMIAL, classes, strict=True))


def _summed_up(point: list[float], samples: list[list[float]]) -> Ratings:
    players = range(len(point))
    found = []
    for player in players:
        values = sorted(sample[player] for sample in samples)
        low, high = _share(values, 0.025), _share(values, 0.975)
        value = point[player]
        found.append(Rating(value * ELO, min(low, value) * ELO, max(high, value) * ELO))
    spread = [[_deviation([s[i] - s[j] for s in samples]) * ELO for j in players] for i in players]
    return Ratings(found, spread)


def _share(values: list[float], share: float) -> float:
    """Return the value below which this share of the sorted values lies."""
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


def _deviation(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1))


class _Resampler:
    """Draws the pairs of one pairing again, with replacement; a pairing without pairs counts as one unknown pair."""

    def __init__(self, classes: Sequence[int], stream: Random) -> None:
        self._stream = stream
        self.seen = sum(classes)
        self.pairs = max(1, self.seen)
        weights = [count + UNSEEN / len(PENTANOMIAL) for count in classes]
        total = sum(weights)
        mean = sum(score * weight for score, weight in zip(PENTANOMIAL, weights, strict=True)) / total
        square = sum((score - mean) ** 2 * weight for score, weight in zip(PENTANOMIAL, weights, strict=True)) / total
        self.centre = _points(classes) if self.seen else 1.0
        self._shift = self.centre - 2.0 * self.pairs * mean  # what is unseen widens the interval, it moves nothing
        rest = max(1, self.pairs - 1)
        # The spread of so few pairs is itself a guess: Student's t over the normal quantile, to first order.
        self._wider = math.sqrt(self.pairs / rest) * (1 + (_QUANTILE**2 + 1) / (4 * rest))
        self._sigma = 2.0 * math.sqrt(self.pairs * square)
        self._cumulated = [sum(weights[: index + 1]) for index in range(len(weights))]

    def draw(self) -> float:
        """Return the first player's points in as many pairs drawn again."""
        if self.pairs > _EXACT:
            points = self._stream.gauss(self.centre, self._sigma)
        else:
            scores = self._stream.choices(PENTANOMIAL, cum_weights=self._cumulated, k=self.pairs)
            points = 2.0 * sum(scores) + self._shift
        points = self.centre + (points - self.centre) * self._wider
        return min(2.0 * self.pairs, max(0.0, points))


class _Model:
    """The likelihood of strengths (natural units) given how many games each pairing has."""

    def __init__(self, players: int, pairings: Sequence[Pairing], games: Sequence[float]) -> None:
        self._players = players
        self._games = [(one, other, count) for (one, other), count in zip(pairings, games, strict=True)]

    def fit(self, points: Sequence[float], start: Sequence[float] | None = None) -> list[float]:
        """Return the strengths that explain these points best, their mean 0; Newton's method, step by safe step."""
        theta = list(start) if start is not None else [0.0] * self._players
        for _ in range(200):
            step = _solve(self._curvature(theta), self._gradient(theta, points))
            largest = max(map(abs, step))
            scale = min(1.0, 1.0 / largest) if largest else 1.0
            theta = [value + scale * change for value, change in zip(theta, step, strict=True)]
            if largest < 1e-10:
                break
        return _centred(theta)

    def inverse(self, theta: Sequence[float]) -> list[list[float]]:
        """Return the inverse of the curvature there, for `fit_near`."""
        curvature, size = self._curvature(theta), self._players
        # Column by column; it is symmetric.
        return [_solve(curvature, [float(row == column) for row in range(size)]) for column in range(size)]

    def fit_near(self, points: Sequence[float], near: Sequence[float], inverse: list[list[float]]) -> list[float]:
        """Return what `fit` does, by steps of one fixed curvature, which are cheap; else by `fit`."""
        theta = list(near)
        for _ in range(_CHORDS):
            gradient = self._gradient(theta, points)
            step = [sum(map(_product, row, gradient)) for row in inverse]
            theta = [value + change for value, change in zip(theta, step, strict=True)]
            largest = max(map(abs, step))
            if largest < _NEAR:
                return _centred(theta)
            if largest > 2.0:
                break
        return self.fit(points, near)

    def _gradient(self, theta: Sequence[float], points: Sequence[float]) -> list[float]:
        gradient = [PRIOR_GAMES * (0.5 - _expected(value)) for value in theta]
        for (one, other, games), scored in zip(self._games, points, strict=True):
            surplus = scored - games * _expected(theta[one] - theta[other])
            gradient[one] += surplus
            gradient[other] -= surplus
        return gradient

    def _curvature(self, theta: Sequence[float]) -> list[list[float]]:
        size = range(self._players)
        curvature = [[0.0] * self._players for _ in size]
        for player in size:
            expected = _expected(theta[player])
            curvature[player][player] = PRIOR_GAMES * max(expected * (1 - expected), 1e-9)
        for one, other, games in self._games:
            expected = _expected(theta[one] - theta[other])
            weight = games * expected * (1 - expected)
            curvature[one][one] += weight
            curvature[other][other] += weight
            curvature[one][other] -= weight
            curvature[other][one] -= weight
        return curvature


def _product(one: float, other: float) -> float:
    return one * other


def _expected(difference: float) -> float:
    """Return the share of points expected at this difference of strength."""
    if difference < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-difference))


def _centred(theta: Sequence[float]) -> list[float]:
    mean = sum(theta) / len(theta)
    return [value - mean for value in theta]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return x with matrix x = right, for a symmetric matrix that is positive definite (Gauss, without pivots)."""
    size = len(right)
    rows = [[*matrix[row], right[row]] for row in range(size)]
    for column in range(size):
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                top = rows[column]
                rows[row] = [value - factor * above for value, above in zip(rows[row], top, strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * found[column] for column in range(row + 1, size))
        found[row] = (rows[row][size] - known) / rows[row][row]
    return found
