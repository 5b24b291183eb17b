"""Student's t distribution, as far as intervals and tests need it; pure."""

from __future__ import annotations

import math
from statistics import NormalDist

_NORMAL = NormalDist()


def quantile(share: float, freedom: float) -> float:
    """Return the value below which this share of Student's distribution lies, for 1 degree of freedom or more."""
    if freedom < 1.5:
        return math.tan(math.pi * (share - 0.5))
    if freedom < 2.5:
        return (2 * share - 1) * math.sqrt(2 / (4 * share * (1 - share)))
    size = _NORMAL.inv_cdf(share) * (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1(size * size / freedom)), size)


def probability(value: float, freedom: float) -> float:
    """Return how much of Student's distribution lies below a value (Wallace's normal approximation above 2 degrees)."""
    if freedom < 1.5:
        return 0.5 + math.atan(value) / math.pi
    if freedom < 2.5:
        return 0.5 + value / (2 * math.sqrt(2 + value * value))
    size = (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(value * value / freedom))
    return _NORMAL.cdf(math.copysign(size, value))
