"""The pairs of two players alone: how likely they are at any mean score; pure.

The five classes are a distribution that is the same for both players where they are equal, and is tilted where one is
better: pi(c) ~ b(|c|) exp(tau c) for c = -2..2. Nothing is assumed of draws, nor of how much a start decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

from batllm_arcade.league.statistics.student import probability, quantile

RARE = 1e-3
"""Pairs that a class without any counts as."""
_GOLDEN = (math.sqrt(5) - 1) / 2
_STEEPEST = 8.0


class Duel:
    """Pairs in the five classes, worst first for the first player."""

    def __init__(self, classes: Sequence[int]) -> None:
        self.classes = classes

    @property
    def pairs(self) -> int:
        """Return how many there are."""
        return sum(self.classes)

    @property
    def mean(self) -> float:
        """Return the first player's mean score, 0 to 1; a half without pairs."""
        points = sum(place * count for place, count in enumerate(self.classes))
        return points / 4 / self.pairs if self.pairs else 0.5

    def drop(self, mean: float) -> float:
        """Return twice by how much the log-likelihood is below its highest at this mean score; 0 without pairs."""
        return max(0.0, 2 * (self._free - self._at(4 * mean - 2))) if self.pairs else 0.0

    def interval(self, share: float = 0.95) -> tuple[float | None, float | None]:
        """Return the mean scores between which this share lies; None where nothing bounds it."""
        if not self.pairs:
            return None, None
        freedom = max(1, self.pairs - 1)
        reach = quantile(0.5 + share / 2, freedom)
        most = self.pairs * math.log1p(reach * reach / freedom)
        return (
            None if self.mean == 0.0 else self._bound(most, -12.0),
            None if self.mean == 1.0 else self._bound(most, 12.0),
        )

    def chance(self) -> float:
        """Return how likely it is that the first player is the better one."""
        freedom = max(1, self.pairs - 1)
        size = math.sqrt(freedom * math.expm1(self.drop(0.5) / self.pairs)) if self.pairs else 0.0
        return probability(math.copysign(size, self.mean - 0.5), freedom)

    def _bound(self, most: float, end: float) -> float:
        """Return the mean score between the seen one and an end (a logit) where the drop is `most`.

        The root of the drop is nearly straight in the logit: found by false position (Illinois).
        """
        near = math.log(max(self.mean, 1e-6) / max(1 - self.mean, 1e-6))
        low, high, at_low, at_high = near, end, -math.sqrt(most), self._over(end, most)
        if at_high <= 0:
            return _share(end)
        for _ in range(60):
            middle = (low * at_high - high * at_low) / (at_high - at_low)
            over = self._over(middle, most)
            if abs(over) < 1e-5 or abs(high - low) < 1e-9:
                break
            if over > 0:
                high, at_high, at_low = middle, over, at_low / 2
            else:
                low, at_low, at_high = middle, over, at_high / 2
        return _share(middle)

    def _over(self, logit: float, most: float) -> float:
        return math.sqrt(self.drop(_share(logit))) - math.sqrt(most)

    def _groups(self) -> tuple[list[int], int]:
        """Return the pairs by |c|, and the sum of c."""
        worst, bad, even, good, best = self.classes
        return [even, bad + good, worst + best], good - bad + 2 * (best - worst)

    @cached_property
    def _free(self) -> float:
        """Return the highest log-likelihood of all."""
        groups, _ = self._groups()
        shape = sum(count * math.log(count / self.pairs) for count in groups if count)
        tilt = _highest(self._tilted, -_STEEPEST, _STEEPEST)
        return shape + self._tilted(tilt)

    def _tilted(self, tau: float) -> float:
        """Return the log-likelihood of which of two mirrored classes a pair is in."""
        (_, ones, twos), total = self._groups()
        return tau * total - ones * _log_two_cosh(tau) - twos * _log_two_cosh(2 * tau)

    def _at(self, mean: float) -> float:
        """Return the highest log-likelihood with this mean of c, -2 to 2."""
        if abs(mean) < 1e-9:
            groups, _ = self._groups()
            return sum(count * math.log(count / self.pairs) for count in groups if count) + self._tilted(0.0)
        least = math.atanh(min(abs(mean) / 2, 1 - 1e-12)) / 2 * (1 + 1e-9) + 1e-12
        side = math.copysign(1.0, mean)

        def value(size: float) -> float:
            return self._shaped(side * size, mean) + self._tilted(side * size)

        return value(_highest(value, least, max(_STEEPEST, 2 * least)))

    def _shaped(self, tau: float, mean: float) -> float:
        """Return the highest log-likelihood of the groups at this tilt, their mean given: their shares are tilted, too.

        A share is w / (1 + t d), d its distance to the mean, with t such that the shares sum up to one: of three
        groups that is a root of a quadratic.
        """
        groups, _ = self._groups()
        weights = [count or RARE for count in groups]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        distances = [-mean, math.tanh(tau) - mean, 2 * math.tanh(2 * tau) - mean]
        t = _root(shares, distances)
        if t is None:
            return -math.inf
        return sum(
            count * math.log(share / (1 + t * distance))
            for count, share, distance in zip(groups, shares, distances, strict=True)
            if count
        )


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _root(shares: Sequence[float], distances: Sequence[float]) -> float | None:
    """Return the t for which sum of share * d / (1 + t d) is 0 and every 1 + t d above 0, None if there is none."""
    one, two, three = distances
    first = one * two * three
    second = sum(share * own * (sum(distances) - own) for share, own in zip(shares, distances, strict=True))
    third = sum(share * own for share, own in zip(shares, distances, strict=True))
    under = second * second - 4 * first * third
    if under < 0:
        return None
    big = -(second + math.copysign(math.sqrt(under), second)) / 2
    found = [big / first] if first else []
    found += [third / big] if big else []
    good = [t for t in found if all(1 + t * distance > 0 for distance in distances)]
    return min(good, key=abs) if good else None


def _log_two_cosh(value: float) -> float:
    size = abs(value)
    return size + math.log1p(math.exp(-2 * size))


def _highest(function: object, low: float, high: float) -> float:
    """Return where a function with one peak is highest between two values (golden section)."""
    assert callable(function)
    one, other = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_one, at_other = function(one), function(other)
    for _ in range(26):
        if at_one >= at_other:
            high, other, at_other = other, one, at_one
            one = high - _GOLDEN * (high - low)
            at_one = function(one)
        else:
            low, one, at_one = one, other, at_other
            other = low + _GOLDEN * (high - low)
            at_other = function(other)
    return (low + high) / 2
