"""What a film gives up to fit into a number of bytes: fineness, then size, then frames a second, at last its pace."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from batllm_arcade.video.encode.formats import MIN_SIDE, Shape

_SIZES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_RATES = (30, 25, 20, 15, 10)
_PACES = (1.25, 1.5, 2.0)
_BY_SIZE, _BY_RATE, _BY_PACE = 1.72, 0.88, 0.9
"""With which power of a side's length, of the frames a second and of the pace a film's bytes shrink, as measured."""


_DOUBT = 0.45  # by which share the rest of a film may be smaller than its beginning promises


@dataclass(frozen=True, slots=True)
class Concession:
    """A film's shape once it has given something up, and how many times faster it plays."""

    shape: Shape
    pace: float = 1.0

    def bytes_of(self, asked: Shape) -> float:
        """Return about which share of the bytes is left of those of the film that was asked for."""
        size = math.pow(self.shape.size[0] / asked.size[0], _BY_SIZE)
        rate = math.pow(self.shape.fps / asked.fps, _BY_RATE)
        return math.pow(asked.format.coarser, self.shape.coarse) * size * rate / math.pow(self.pace, _BY_PACE)

    def words(self, asked: Shape) -> str:
        """Return what was given up, such as `640x360 instead of 800x450`."""
        parts = ["a coarser picture"] if self.shape.coarse > asked.coarse else []
        if self.shape.size != asked.size:
            sizes = ["{}x{}".format(*each.size) for each in (self.shape, asked)]
            parts.append(f"{sizes[0]} instead of {sizes[1]}")
        if self.shape.fps != asked.fps:
            parts.append(f"{self.shape.fps} frames a second instead of {asked.fps}")
        if self.pace != 1.0:
            parts.append(f"{self.pace:g} times the pace")
        return ", ".join(parts)


def ladder(asked: Shape) -> Iterator[Concession]:
    """Yield what can be given up, ever more: the first is the film as it was asked for."""
    shape = asked
    yield Concession(shape)
    for coarse in range(1, asked.format.coarsest + 1):
        shape = replace(asked, coarse=coarse)
        yield Concession(shape)
    for share in _SIZES:
        width, height = (round(side * share) & ~1 for side in asked.size)
        if min(width, height) >= MIN_SIDE:
            shape = replace(shape, size=(width, height))
            yield Concession(shape)
    for fps in _RATES:
        if fps < asked.fps and (not asked.format.rates or fps in asked.format.rates):
            shape = replace(shape, fps=fps)
            yield Concession(shape)
    for pace in _PACES:
        yield Concession(shape, pace)


def next_concession(asked: Shape, after: Concession, size: float, most: float, seen: float = 1.0) -> Concession | None:
    """Return the first concession after one whose film had this size that may fit into `most` bytes; None: none may.

    The size was reckoned from the share of the film that was `seen`. The less that is, the smaller it may turn out to
    be: rather one attempt more than a film that gave up what it need not have.
    """
    rungs = list(ladder(asked))
    expected = size / after.bytes_of(asked) * (1.0 - _DOUBT * (1.0 - seen))
    for rung in rungs[rungs.index(after) + 1 :]:
        if expected * rung.bytes_of(asked) <= most:
            return rung
    return None


def parse_bytes(text: str) -> float:
    """Return a number of bytes such as `10MB`, `800 kB`, infinity for `none`; raise ValueError with a sentence."""
    number = text.strip().lower()
    if number == "none":
        return math.inf
    for unit, factor in (("kb", 1e3), ("mb", 1e6), ("gb", 1e9)):
        digits = number.removesuffix(unit).strip()
        if number.endswith(unit) and digits.replace(".", "", 1).isdecimal() and digits.isascii():
            found = float(digits) * factor
            if 1e4 <= found <= 1e12:
                return found
    raise ValueError(f"{text!r:.60} is no size of a film; write it like 10MB or 800kB, or none for any")
