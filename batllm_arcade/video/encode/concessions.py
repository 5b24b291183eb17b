"""What a film gives up to fit into a number of bytes: fineness, then size and frames a second by turns, its pace last.

Words cannot be read in small pictures: a film loses frames before it loses more than a fifth of its sides, and again
before it loses more than that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from batllm_arcade.video.encode.formats import MIN_SIDE, Shape

_READABLE, _SIZES = (0.9, 0.8), (0.7, 0.6, 0.5, 0.4)
_RATES = (30, 20, 15, 10)
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
    rates = [fps for fps in _RATES if fps < asked.fps and (not asked.format.rates or fps in asked.format.rates)]
    found = {_made(shape, share, fps) for fps in (asked.fps, *rates[:2]) for share in (1.0, *_READABLE)}
    found |= {_made(shape, share, fps) for fps in rates[1:2] or rates[:1] or [asked.fps] for share in _SIZES}
    found |= {_made(shape, _SIZES[-1], fps) for fps in rates[2:]}
    smaller = sorted((Concession(each) for each in found), key=lambda each: each.bytes_of(asked), reverse=True)
    kept = [each for each in smaller if each.shape != shape]
    yield from kept
    shape = kept[-1].shape if kept else shape
    for pace in _PACES:
        yield Concession(shape, pace)


def _made(shape: Shape, share: float, fps: int) -> Shape:
    """Return a shape with so many frames a second and that share of its sides, unless it is that small already."""
    width, height = (round(side * share) & ~1 for side in shape.size)
    return replace(shape, size=(width, height) if min(width, height) >= MIN_SIDE else shape.size, fps=fps)


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
