"""How much the points of pairs vary, against what two games on their own would; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.strengths import Pairing, Vector, expected

PRIOR_PAIRS = 5.0
"""Even pairs that vary as two games on their own would, beside all those seen."""
SHARED_PAIRS = 10.0
"""Even pairs of all pairings together that each pairing is given beside its own."""
_EVEN = 0.125
"""The variance of the score of a pair of two even games without draws."""
Influence = Callable[[Vector, int], Sequence[float]]
"""Sums up how much each pairing moves some values, to a power, with a weight for each pairing."""


class Dispersion:
    """The variances of the pairs around the fitted strengths, in multiples of that of two games on their own."""

    def __init__(self, counts: Mapping[Pairing, Sequence[int]], theta: Vector, leverages: Vector) -> None:
        seen, even, self._information = [], [], []
        for ((one, other), classes), leverage in zip(counts.items(), leverages, strict=True):
            score, pairs = expected(theta[one] - theta[other]), sum(classes)
            spread = score * (1 - score)
            seen.append(sum(n * (each - score) ** 2 for n, each in zip(classes, PENTANOMIAL, strict=True)))
            even.append(max(0.0, pairs - leverage) * spread / 2 / _EVEN)  # in even pairs
            self._information.append((2 * pairs + leverage) * spread)
        self.freedom = sum(even) + PRIOR_PAIRS
        self.all = (sum(seen) / _EVEN + PRIOR_PAIRS) / self.freedom
        self._own = [
            (varied / _EVEN + SHARED_PAIRS * self.all) / (weight + SHARED_PAIRS)
            for varied, weight in zip(seen, even, strict=True)
        ]
        self._freedoms = [weight + SHARED_PAIRS for weight in even]

    def scales(self, influence: Influence) -> list[tuple[float, float]]:
        """Return the dispersion and the degrees of freedom of some values, each of which rests on some pairings more.

        `influence` tells how much each pairing moves each of them (Satterthwaite's approximation).
        """
        varied = [info * own for info, own in zip(self._information, self._own, strict=True)]
        squares = [each * each / freedom for each, freedom in zip(varied, self._freedoms, strict=True)]
        sums = (influence(self._information, 2), influence(varied, 2), influence(squares, 4))
        return [self._scale(*three) for three in zip(*sums, strict=True)]

    def _scale(self, all_of_it: float, varied: float, squares: float) -> tuple[float, float]:
        if not (all_of_it and squares):
            return self.all, self.freedom
        return varied / all_of_it, max(1.0, min(self.freedom, varied**2 / squares))
