"""The likelihood of strengths, Bradley-Terry with a draw as half a win, in plain Python; pure.

`strengths_numpy.py` computes the same with numpy, many contrasts at a time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Pairing = tuple[int, int]
Vector = Sequence[float]

RIDGE = 0.001
"""Curvature of every strength by itself, so weak (a deviation of 5,500 Elo) that it only holds what never played."""
STEPS = 100
NEAR = 1e-9
END_NEAR = 3e-3
"""The step after which an end is as exact as a hundredth of one Elo: steps get shorter by squares."""
LONGEST = 1.5
"""The longest step, in natural units: the likelihood is flat far away from its peak."""


class Strengths:
    """Points of the first player of each pairing in so many games, and the strengths (natural units) behind them.

    The fit is Firth's: each pairing is given so many half wins and half losses as it has leverage, which removes the
    first-order bias, and keeps finite who won all. `added` are those games, by pairing; with `share` so many
    times as many, as is right for points that vary so many times as much as those of games on their own.
    """

    def __init__(
        self, players: int, pairings: Sequence[Pairing], points: Vector, games: Vector, share: float = 1.0
    ) -> None:
        self.players, self.pairings = players, list(pairings)
        self._seen_points, self._seen_games = list(points), list(games)
        self._points, self._games = list(points), list(games)
        self.added = [0.0] * len(self.pairings)
        self.theta = [0.0] * players
        self._fit(share)
        self._peak = self._value(self.theta)

    def _fit(self, share: float) -> None:
        def step(theta: Vector) -> Vector:
            inverse = self._inverse(theta, self._seen_games)
            self._add([
                share * games * self._weight(theta, pairing) * self._square(inverse, pairing)
                for pairing, games in zip(self.pairings, self._seen_games, strict=True)
            ])  # fmt: skip
            (straight,) = _solved(self._curvature(theta, self._games), (self._gradient(theta),))
            return straight

        self.theta = _centred(self._walked(step, NEAR))

    def _walked(self, step: Callable[[Vector], Vector], near: float) -> list[float]:
        """Return where Newton's steps lead from where the strengths are, until one is shorter than `near`."""
        theta = list(self.theta)
        for _ in range(STEPS):
            taken = step(theta)
            largest = max(map(abs, taken))
            scale = min(1.0, LONGEST / largest) if largest else 1.0
            theta = [value + scale * change for value, change in zip(theta, taken, strict=True)]
            if largest < near:
                break
        return theta

    def _add(self, leverages: list[float]) -> None:
        self.added = leverages
        self._games = [seen + more for seen, more in zip(self._seen_games, leverages, strict=True)]
        self._points = [seen + more / 2 for seen, more in zip(self._seen_points, leverages, strict=True)]

    @staticmethod
    def _square(inverse: Sequence[Vector], pairing: Pairing) -> float:
        one, other = pairing
        return inverse[one][one] + inverse[other][other] - 2 * inverse[one][other]

    def influence(self, contrasts: Sequence[Vector], weights: Vector, power: int) -> list[float]:
        """Return the sum of how much a point of each pairing moves each contrast, to a power (2, 4), times a weight."""
        inverse = self._inverse(self.theta, self._games)
        found = []
        for contrast in contrasts:
            moved = _times(inverse, contrast)
            by_pairing = ((moved[one] - moved[other]) ** power for one, other in self.pairings)
            found.append(_dot(weights, list(by_pairing)))
        return found

    def ends(self, contrasts: Sequence[Vector], drops: Vector, side: int) -> list[float]:
        """Return how far up (`side` 1) or down (-1) each contrast goes where the likelihood falls by half its drop."""
        return [self._end(contrast, drop, side) for contrast, drop in zip(contrasts, drops, strict=True)]

    def _end(self, contrast: Vector, drop: float, side: int) -> float:
        target = self._peak - drop / 2

        def step(theta: Vector) -> Vector:
            gradient = self._gradient(theta)
            straight, aside = _solved(self._curvature(theta, self._games), (gradient, contrast))
            square = (2 * (self._value(theta) - target) + _dot(gradient, straight)) / _dot(contrast, aside)
            return _sum(straight, aside, side * math.sqrt(max(0.0, square)))

        return _dot(contrast, self._walked(step, END_NEAR))

    def drops(self, contrasts: Sequence[Vector]) -> list[float]:
        """Return twice by how much the likelihood falls, at least, where each contrast is zero."""
        return [self._drop(contrast) for contrast in contrasts]

    def _drop(self, contrast: Vector) -> float:
        def step(theta: Vector) -> Vector:
            straight, aside = _solved(self._curvature(theta, self._games), (self._gradient(theta), contrast))
            return _sum(straight, aside, -(_dot(contrast, theta) + _dot(contrast, straight)) / _dot(contrast, aside))

        return max(0.0, 2 * (self._peak - self._value(self._walked(step, END_NEAR))))

    def _value(self, theta: Vector) -> float:
        found = -RIDGE / 2 * _dot(theta, theta)
        for (one, other), points, games in zip(self.pairings, self._points, self._games, strict=True):
            difference = theta[one] - theta[other]
            found += points * difference - games * _softplus(difference)
        return found

    def _gradient(self, theta: Vector) -> list[float]:
        found = [-RIDGE * value for value in theta]
        for (one, other), points, games in zip(self.pairings, self._points, self._games, strict=True):
            surplus = points - games * expected(theta[one] - theta[other])
            found[one] += surplus
            found[other] -= surplus
        return found

    @staticmethod
    def _weight(theta: Vector, pairing: Pairing) -> float:
        share = expected(theta[pairing[0]] - theta[pairing[1]])
        return share * (1 - share)

    def _inverse(self, theta: Vector, games: Vector) -> list[list[float]]:
        size = range(self.players)
        return _solved(self._curvature(theta, games), [[float(row == column) for row in size] for column in size])

    def _curvature(self, theta: Vector, games: Vector) -> list[list[float]]:
        size = range(self.players)
        rows = [[RIDGE if row == column else 0.0 for column in size] for row in size]
        for pairing, played in zip(self.pairings, games, strict=True):
            one, other = pairing
            weight = played * self._weight(theta, pairing)
            rows[one][one] += weight
            rows[other][other] += weight
            rows[one][other] -= weight
            rows[other][one] -= weight
        return rows


def expected(difference: float) -> float:
    """Return the share of points expected at this difference of strength."""
    if difference < -700:
        return 0.0
    return 1.0 / (1.0 + math.exp(-difference))


def _softplus(value: float) -> float:
    return max(value, 0.0) + math.log1p(math.exp(-abs(value)))


def _centred(theta: Vector) -> list[float]:
    mean = sum(theta) / len(theta)
    return [value - mean for value in theta]


def _sum(one: Vector, other: Vector, times: float) -> list[float]:
    """Return one vector and so many times another."""
    return [value + times * more for value, more in zip(one, other, strict=True)]


def _dot(one: Vector, other: Vector) -> float:
    return sum(map(_product, one, other))


def _product(one: float, other: float) -> float:
    return one * other


def _times(matrix: Sequence[Vector], vector: Vector) -> list[float]:
    return [_dot(row, vector) for row in matrix]


def _solved(matrix: Sequence[Vector], rights: Sequence[Vector]) -> list[list[float]]:
    """Return x with matrix x = right for each right side; the matrix is symmetric and positive definite (Gauss)."""
    size = len(matrix)
    rows = [[*row, *(right[place] for right in rights)] for place, row in enumerate(matrix)]
    for column in range(size):
        top = rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / top[column]
            if factor:
                rows[row] = [value - factor * above for value, above in zip(rows[row], top, strict=True)]
    return [_back(rows, size, size + number) for number in range(len(rights))]


def _back(rows: Sequence[Vector], size: int, right: int) -> list[float]:
    found = [0.0] * size
    for row in reversed(range(size)):
        known = _dot(rows[row][row + 1 : size], found[row + 1 :])
        found[row] = (rows[row][right] - known) / rows[row][row]
    return found
