"""The likelihood of strengths, Bradley-Terry with a draw as half a win: all contrasts of a league at once.

Without products of large matrices, for which numpy's library wakes all processors, to wait for each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from batllm_arcade.league.statistics.tally import Pairing, Vector

Array = Any
"""An array of floats."""
RIDGE = 0.001
"""Curvature of every strength by itself, so weak (a deviation of 5,500 Elo) that it only holds what never played."""
STEPS = 100
NEAR = 1e-9
END_NEAR = 3e-3
"""The step after which an end is as exact as a hundredth of one Elo: steps get shorter by squares."""
LONGEST = 1.5
"""The longest step, in natural units: the likelihood is flat far away from its peak."""
TOGETHER = 64
"""Contrasts that are computed at once: so many fit into a processor's cache."""
CERTAIN = 150.0
"""A drop from which on it does not matter how large it is."""


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
        self._one, self._other = np.array(self.pairings, dtype=int).reshape(-1, 2).T
        self._where: Array = np.full((players, players), len(self.pairings))
        self._where[self._one, self._other] = self._where[self._other, self._one] = np.arange(len(self.pairings))
        self._sign: Array = np.zeros((players, players))
        self._sign[self._one, self._other], self._sign[self._other, self._one] = 1.0, -1.0
        self._seen_points: Array = np.asarray(points, float)
        self._seen_games: Array = np.asarray(games, float)
        self._points, self._games = self._seen_points, self._seen_games
        self._peak_at: Array = np.zeros(players)
        self._fit(share)
        values, _, curvatures = self._likelihood_at(self._peak_at[None])
        self._peak, self._inverse = float(values[0]), np.linalg.inv(curvatures[0])

    @property
    def theta(self) -> list[float]:
        """Return the strengths, in natural units, their mean 0."""
        return [float(value) for value in self._peak_at]

    @property
    def added(self) -> list[float]:
        """Return the games added to each pairing."""
        return [float(value) for value in self._games - self._seen_games]

    def _fit(self, share: float) -> None:
        for _ in range(STEPS):
            scores = _expected(self._peak_at[self._one] - self._peak_at[self._other])
            weights = self._seen_games * scores * (1 - scores)
            inverse = np.linalg.inv(self._curvatures(weights[None])[0])
            own = np.diag(inverse)
            leverages = share * weights * (own[self._one] + own[self._other] - 2 * inverse[self._one, self._other])
            self._games = self._seen_games + leverages
            self._points = self._seen_points + leverages / 2
            _, gradients, curvatures = self._likelihood_at(self._peak_at[None])
            step = np.linalg.solve(curvatures[0], gradients[0])
            largest = float(np.max(np.abs(step)))
            self._peak_at = self._peak_at + step * (min(1.0, LONGEST / largest) if largest else 1.0)
            self._peak_at = self._peak_at - self._peak_at.mean()
            if largest < NEAR:
                return

    def influence(self, contrasts: Sequence[Vector], weights: Vector, power: int) -> list[float]:
        """Return the sum of how much a point of each pairing moves each contrast, to a power (2, 4), times a weight."""
        by_player = np.asarray(contrasts, float) @ self._inverse
        square = (by_player[:, self._one] - by_player[:, self._other]) ** 2
        sums: list[float] = np.sum(np.asarray(weights) * (square if power == 2 else square * square), axis=1).tolist()
        return sums

    def ends(self, contrasts: Sequence[Vector], drops: Vector, side: int) -> list[float]:
        """Return how far up (`side` 1) or down (-1) each contrast goes where the likelihood falls by half its drop."""
        wanted, targets = np.asarray(contrasts, float), self._peak - np.asarray(drops, float) / 2

        def step(at: Array, theta: Array, values: Array, slope: tuple[Array, Array, Array]) -> Array:
            gradients, straight, aside = slope
            square = 2 * (values - targets[at]) + np.sum(gradients * straight, axis=1)
            pull = side * np.sqrt(np.maximum(0.0, square / np.sum(wanted[at] * aside, axis=1)))
            return straight + pull[:, None] * aside

        ends = self._walked(wanted, step, np.arange(len(wanted)))
        found: list[float] = np.sum(wanted * ends, axis=1).tolist()
        return found

    def drops(self, contrasts: Sequence[Vector]) -> list[float]:
        """Return twice by how much the likelihood falls, at least, where each contrast is zero."""
        wanted = np.asarray(contrasts, float)

        def step(at: Array, theta: Array, values: Array, slope: tuple[Array, Array, Array]) -> Array:
            _, straight, aside = slope
            short = np.sum(wanted[at] * (theta + straight), axis=1)
            return straight - (short / np.sum(wanted[at] * aside, axis=1))[:, None] * aside

        # By its curvature at the peak alone: far away nobody needs to know better.
        straight = np.sum(wanted * self._peak_at, axis=1) ** 2 / np.sum(wanted @ self._inverse * wanted, axis=1)
        near = np.flatnonzero(straight < CERTAIN)
        values, _, _ = self._likelihood_at(self._walked(wanted, step, near)[near])
        straight[near] = np.maximum(0.0, 2 * (self._peak - values))
        falls: list[float] = straight.tolist()
        return falls

    def _walked(self, wanted: Array, step: Any, chosen: Array) -> Array:
        """Return where the walks of the chosen contrasts end, one a contrast; all others stay at the peak."""
        theta = np.repeat(self._peak_at[None], len(wanted), axis=0)
        for first in range(0, len(chosen), TOGETHER):
            self._walk(theta, wanted, step, chosen[first : first + TOGETHER])
        return theta

    def _walk(self, theta: Array, wanted: Array, step: Any, at: Array) -> None:
        """Take some contrasts to their ends; those that have arrived are not asked again."""
        nothing = np.zeros((len(at), self.players))  # at the peak there is no slope, and one curvature for all
        slope = (nothing, nothing, wanted[at] @ self._inverse)
        values = np.full(len(at), self._peak)
        for _ in range(STEPS):
            steps = step(at, theta[at], values, slope)
            largest = np.max(np.abs(steps), axis=1)
            theta[at] += steps * np.minimum(1.0, LONGEST / np.maximum(largest, 1e-300))[:, None]
            at = at[largest >= END_NEAR]
            if not len(at):
                break
            values, gradients, curvatures = self._likelihood_at(theta[at])
            both = np.linalg.solve(curvatures, np.stack([gradients, wanted[at]], axis=2))
            slope = (gradients, both[:, :, 0], both[:, :, 1])

    def _likelihood_at(self, theta: Array) -> tuple[Array, Array, Array]:
        """Return the likelihood's values, gradients and curvatures at these strengths, a row each."""
        differences = theta[:, self._one] - theta[:, self._other]
        lost = _expected(-differences)
        fit = np.sum(differences * self._points + np.log(lost) * self._games, axis=1)
        surplus = self._spread(self._points - self._games * (1 - lost)) * self._sign
        gradients = np.sum(surplus, axis=2) - RIDGE * theta
        values = fit - RIDGE / 2 * np.sum(theta * theta, axis=1)
        return values, gradients, self._curvatures(self._games * lost * (1 - lost))

    def _curvatures(self, weights: Array) -> Array:
        squares = self._spread(-weights)
        place = np.arange(self.players)
        squares[:, place, place] = RIDGE - np.sum(squares, axis=2)
        return squares

    def _spread(self, values: Array) -> Array:
        """Return, for each row of figures by pairing, a square by player and opponent."""
        extended: Array = np.concatenate([values, np.zeros((len(values), 1))], axis=1)
        return extended[:, self._where]


class Reach:
    """Who has scored against whom, also over others, which decides what bounds a rating.

    `results` are points of the first player of each pairing, and its games; `connected` is whether the games played so
    far bind all players together.
    """

    def __init__(self, players: int, results: Mapping[Pairing, tuple[float, float]]) -> None:
        self._beaten, met = np.zeros((players, players), bool), np.zeros((players, players), bool)
        for (one, other), (points, games) in results.items():
            self._beaten[one, other], self._beaten[other, one] = points > 0, points < games
            met[one, other] = met[other, one] = games > 0
        self._reached = _closure(self._beaten)
        self.connected = bool(_closure(met)[0].all())

    def scored(self, player: int) -> bool:
        """Return whether a player has any point."""
        return bool(self._beaten[player].any())

    def lost(self, player: int) -> bool:
        """Return whether anybody has a point against a player."""
        return bool(self._beaten[:, player].any())

    def bounded(self, one: int, other: int) -> bool:
        """Return whether anything says that `one` is not below `other` by any amount: points, also over others."""
        return bool(self._reached[one, other])


def _closure(steps: Array) -> Array:
    reached = steps | np.eye(len(steps), dtype=bool)
    for _ in range(len(steps).bit_length()):
        reached = reached @ reached
    return reached


def _expected(differences: Array) -> Array:
    return 1 / (1 + np.exp(np.clip(-differences, -500, 500)))
