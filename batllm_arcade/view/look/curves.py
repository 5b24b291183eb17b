"""Curves and swings: how a value changes, as data that the window evaluates here and a page in its own script."""

from __future__ import annotations

import math
from typing import NamedTuple


class Curve(NamedTuple):
    """A value over a span of time: a sum of powers of the share that is over, `backwards` of the share still to come.

    Each of the `terms` is a factor and its exponent, which is a float: Python takes three times as long for an integer.
    """

    terms: tuple[tuple[float, float], ...]
    backwards: bool = False

    def at(self, share: float) -> float:
        """Return the value when this share of the time is over; before 0 it is the first, after 1 the last."""
        terms, backwards = self
        share = 1 - share if backwards else share
        base, value = 0.0 if share <= 0.0 else 1.0 if share >= 1.0 else share, 0.0
        for factor, exponent in terms:
            value += factor * base**exponent
        return value


class Swing(NamedTuple):
    """A value that swings by `reach` to both sides of `middle`, `rate` radians a second, from `start` on.

    Of several that swing together each is `step` radians ahead of the one before.
    """

    middle: float
    reach: float
    rate: float
    start: float = 0.0
    step: float = 0.0

    def at(self, seconds: float, number: int = 0) -> float:
        """Return the value of the swing with this number."""
        middle, reach, rate, start, step = self
        return middle + reach * math.sin(rate * seconds + start + step * number)


def ramp(start: float, by: float) -> Curve:
    """Return a curve from `start` on, evenly by so much."""
    return Curve(((start, 0.0), (by, 1.0)))


def fade(exponent: float = 1.0, start: float = 1.0) -> Curve:
    """Return a curve from `start` to 0: evenly, or with a larger exponent fast at first."""
    return Curve(((start, float(exponent)),), backwards=True)


def slowing(start: float, by: float, exponent: float) -> Curve:
    """Return a curve from `start` on by so much, fast at first."""
    return Curve(((start + by, 0.0), (-by, float(exponent))), backwards=True)


SMOOTH = Curve(((3, 2.0), (-2, 3.0)))
"""From 0 to 1, slow at both ends."""
OVERSHOOT = Curve(((1, 0.0), (-2.2, 3.0), (1.2, 2.0)), backwards=True)
"""From 0 to 1, a little beyond it and back."""
