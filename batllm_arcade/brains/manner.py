"""How a style is played: four figures that a model reads out of orders, from 0 to 1, and what they make of a play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erf, sqrt
from typing import Any, NamedTuple


class Manner(NamedTuple):
    """How near a bot goes, how bold, patient and lively it is: more than that share of all orders ask for."""

    near: float = 0.5
    bold: float = 0.5
    patient: float = 0.5
    lively: float = 0.5

    @property
    def holds(self) -> float:
        """The share of chances at a front that are let pass to load on."""
        return 0.6 * self.patient

    @property
    def closes(self) -> float:
        """The share of chances from afar before which it steps nearer."""
        return 0.5 * self.near

    @property
    def strays(self) -> float:
        """The share of loading plays that step aside."""
        return 0.8 * self.lively

    def in_words(self, style: str) -> str:
        """Return what a player sees of it: how far it keeps and what stands out, such as `keeps 400 away, shields`."""
        said = [f"keeps {10 * round(keeps(style, self) / 10):.0f} away"] if style in _KEEPS else []
        for figure, (little, much) in zip((self.bold, self.patient, self.lively), _STANDS_OUT, strict=True):
            said += [little] if figure < _LITTLE else [much] if figure > 1 - _LITTLE else []
        return ", ".join(said)


_KEEPS = {
    "attack": (150.0, 450.0), "dodge": (220.0, 480.0), "snipe": (420.0, 760.0),
    "counter": (260.0, 620.0), "shield": (200.0, 560.0), "mixed": (160.0, 500.0),
    "kite": (420.0, 760.0), "circle": (220.0, 480.0),
}  # fmt: skip
"""How far from the foe who plays a style wants to be, at the nearest and at the farthest, in an arena of 1000."""
_STANDS_OUT = (("shields early", "hardly shields"), ("fires at once", "saves its shots"), ("stays put", "sidesteps"))
"""What is said of a bot that is hardly bold, patient and lively, or very much so."""
_LITTLE = 0.25
_TIMID = {"shield": 0.3}


def keeps(style: str, manner: Manner) -> float:
    """Return the distance between the centres within which a bot that plays a style steps no nearer."""
    least, most = _KEEPS.get(style, (0.0, 0.0))
    return most + (least - most) * manner.near


def guards(style: str, manner: Manner) -> float:
    """Return the share of plays under a loaded gun that go to the shield."""
    return (1 - manner.bold) * _TIMID.get(style, 0.3)


class Axis(NamedTuple):
    """What speaks for a figure of a `Manner` and what against it, words of a fitted reader, and what is usual."""

    more: tuple[str, ...]
    less: tuple[str, ...]
    mean: float
    spread: float


def read_manner(axes: Mapping[str, Axis], words: Sequence[str], features: Sequence[float]) -> Manner:
    """Return the manner that a model finds in orders: log-probabilities of words, for each question in turn."""
    figures = {
        name: (lean(axis.more, axis.less, words, features) - axis.mean) / axis.spread for name, axis in axes.items()
    }
    return Manner(**{name: round(0.5 * (1 + erf(value / sqrt(2))), 3) for name, value in figures.items()})


def lean(more: Sequence[str], less: Sequence[str], words: Sequence[str], features: Sequence[float]) -> float:
    """Return how much likelier a model finds some words than others, as a mean of logarithms."""
    chances: dict[str, float] = {}
    for index, value in enumerate(features):
        word = words[index % len(words)]
        chances[word] = chances.get(word, 0.0) + value
    asked = len(features) / len(words)
    return (sum(map(chances.__getitem__, more)) / len(more) - sum(map(chances.__getitem__, less)) / len(less)) / asked


def axes_of(data: Mapping[str, Any]) -> dict[str, Axis]:
    """Return the axes of an asset that `training/orders/fit.py` wrote."""
    return {
        name: Axis(tuple(each["more"]), tuple(each["less"]), float(each["mean"]), float(each["spread"]))
        for name, each in data.items()
    }
