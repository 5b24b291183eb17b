"""How particles fly: records that the window evaluates here, and a page the same way in `assets/page/motion.js`.

Lengths are radii of a bot unless something else is said; what is evaluated takes a centre and a radius in any unit.
Every constant of this module reaches the page under its name in small letters.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from batllm_arcade.core.geometry import direction
from batllm_arcade.view import theme
from batllm_arcade.view.look.motion import Curve, Swing, fade, ramp, slowing

Point = tuple[float, float]
Ray = tuple[float, float, float]
"""A unit vector, and how much of the way a particle goes along it."""
Puff = tuple[float, float, float, float]
"""A cloud's middle, its radius, its opacity."""

GOLDEN_ANGLE = 2.399963
"""Radians from one ray to the next; spreads them evenly without randomness."""
EVEN_LENGTHS = 0.7548776
"""The step from one ray's length to the next, of which the fraction counts."""


@lru_cache(maxsize=128)
def rays(count: int, degrees: float, spread: float, nearest: float) -> tuple[Ray, ...]:
    """Return rays spread evenly over `spread` degrees around a direction, each of a length from `nearest` to 1."""
    found = []
    for number in range(count):
        angle = math.radians(degrees + spread * ((number * GOLDEN_ANGLE / math.tau) % 1.0 - 0.5))
        found.append((math.cos(angle), math.sin(angle), nearest + (1 - nearest) * ((number * EVEN_LENGTHS) % 1.0)))
    return tuple(found)


class Sparks(NamedTuple):
    """Streaks along rays, whose bright end is `way` of the layer's reach away and their other end `tail` of that.

    They turn from white to their layer's colour by `tint` and fade by `light`. An `ember` glows at each bright end (its
    radius in pixels at 1280 x 720, at least `least` pixels), white until `white`. One of `calm` is drawn if motion is
    reduced.
    """

    nearest: float
    way: Curve
    tail: Curve
    tint: Curve
    light: Curve
    ember: float
    least: float
    white: float
    calm: int

    def streaks(self, along: tuple[Ray, ...], at: Point, reach: float, age: float) -> list[tuple[Point, Point]]:
        """Return both ends of each streak, the bright one last."""
        (x, y), way, tail, found = at, reach * self.way.at(age), self.tail.at(age), []
        for ux, uy, length in along:
            far = length * way
            near = far * tail
            found.append(((x + ux * near, y + uy * near), (x + ux * far, y + uy * far)))
        return found


SPARKS = Sparks(
    nearest=0.3, way=slowing(0.06, 0.94, 3), tail=ramp(0.5, 0.45), tint=ramp(0, 2.5),
    light=Curve(((1, 0.0), (-1, 2.0))), ember=5, least=2, white=0.2, calm=3,
)  # fmt: skip


class Splinters(NamedTuple):
    """Pieces along rays that fade and turn: by `spin` tenths of a turn, by twice that, up to `paces` times, in turn."""

    nearest: float
    way: Curve
    spin: float
    paces: int
    light: Curve

    def pieces(self, along: tuple[Ray, ...], at: Point, reach: float, age: float) -> list[tuple[float, float, float]]:
        """Return each piece's middle and how far it has turned, in tenths of a turn."""
        (x, y), way = at, self.way.at(age)
        return [
            (x + length * reach * way * ux, y + length * reach * way * uy,
             number + self.spin * way * (1 + number % self.paces))
            for number, (ux, uy, length) in enumerate(along)
        ]  # fmt: skip


SPLINTERS = Splinters(nearest=0.3, way=slowing(0, 1, 2.5), spin=22, paces=3, light=fade(start=5))


class Smoke(NamedTuple):
    """Clouds that drift apart and rise, and grow while they fade."""

    nearest: float
    way: Curve
    rise: Curve
    size: Curve
    light: Curve

    def puffs(self, count: int, at: Point, radius: float, age: float) -> list[Puff]:
        """Return the clouds."""
        (x, y), way, size, light = at, radius * self.way.at(age), radius * self.size.at(age), self.light.at(age)
        y -= radius * self.rise.at(age)
        return [(x + way * length * ux, y + way * length * uy, size, light)
                for ux, uy, length in rays(count, 180, 360, self.nearest)]  # fmt: skip


SMOKE = Smoke(nearest=0.5, way=ramp(0.3, 1.3), rise=ramp(0, 0.9), size=ramp(0.5, 0.6), light=fade(start=0.55))


class Trail(NamedTuple):
    """Puffs of dust left and right behind a bot that takes a step, one after the other along its way.

    `born` is when each is, in shares of the step's time; it lasts `lasts` seconds in which it drifts `aside`.
    """

    born: tuple[float, ...]
    lasts: float
    aside: Curve
    behind: float
    size: Curve
    light: Curve

    def puffs(self, seconds: float, at: Point, degrees: float, length: float, radius: float) -> list[Puff]:
        """Return the puffs so many seconds after a step of this length in this direction has begun at a point."""
        (x, y), (ux, uy), found = at, direction(degrees % 360), []
        for number, born in enumerate(self.born):
            age = (seconds - theme.MOVE_S * born) / self.lasts
            if 0 < age < 1:
                share = (number + 0.5) / len(self.born)
                along, drift = length * share - radius * self.behind, radius * self.aside.at(age)
                drift = drift if number % 2 else -drift
                spot = (x + ux * along - uy * drift, y + uy * along + ux * drift)
                found.append((*spot, radius * self.size.at(age), self.light.at(age)))
        return found


DUST = Trail(
    born=tuple(0.15 + 0.75 * (number + 0.5) / 7 for number in range(7)), lasts=0.7,
    aside=ramp(0.5, 0.25), behind=0.5, size=ramp(0.22, 0.36), light=fade(start=0.7),
)  # fmt: skip


class Shards(NamedTuple):
    """Splinters of a shield's whole arc: flung away and turning (`way`, `turns`), or with reduced motion only `calm`.

    `uneven` is how much further some of them are; `turns` are in radians, of every other one.
    """

    number: int
    way: Curve
    calm: Curve
    uneven: Swing
    turns: tuple[float, float]
    turned: Curve
    size: Curve
    corners: tuple[Point, ...]

    def pieces(
        self, at: Point, degrees: float, half: float, radius: float, age: float, *, calm: bool
    ) -> list[list[Point]]:
        """Return each shard's corners, of a shield that reached `half` degrees to both sides of this direction."""
        reach, size, found = radius * (self.calm if calm else self.way).at(age), radius * self.size.at(age), []
        turned, middle = 0.0 if calm else self.turned.at(age), (self.number - 1) / 2
        for number in range(self.number):
            away = degrees + half * (number - middle) / (self.number / 2)
            (ux, uy), far = direction(away % 360), reach * self.uneven.at(0, number)
            turn = math.radians(away) + turned * self.turns[number % 2]
            x, y, c, s = at[0] + ux * far, at[1] + uy * far, math.cos(turn), math.sin(turn)
            found.append([(x + (c * a - s * b) * size, y + (s * a + c * b) * size) for a, b in self.corners])
        return found


_OUT = Shards(
    number=9, way=slowing(1.15, 0.12, 3), calm=slowing(1.15, 0.12, 3), uneven=Swing(1, 0, 0), turns=(0, 0),
    turned=slowing(0, 1, 3), size=ramp(0.17, -0.102), corners=((0.5, -1.0), (0.1, 1.0), (-0.6, -0.2)),
)  # fmt: skip
SHARDS = {
    "break": _OUT._replace(
        way=slowing(1.15, 1.3, 3), uneven=Swing(1, 0.18, 0, step=2.4), turns=(-2.6, 2.2),
    ),
    "fade": _OUT,
}  # fmt: skip
"""Of a shield that a bullet breaks, and of one that just goes out."""


class Plume(NamedTuple):
    """Clouds that rise one after the other for ever, each in 1 / `rate` seconds, and sway as they do."""

    number: int
    rate: float
    sway: Swing
    rise: Curve
    size: Curve
    light: Curve

    def puffs(self, seconds: float, at: Point, radius: float) -> list[Puff]:
        """Return the clouds at a time."""
        found = []
        for number in range(self.number):
            age = (seconds * self.rate + number / self.number) % 1.0
            x, y = at[0] + radius * self.sway.at(seconds, number), at[1] - radius * self.rise.at(age)
            found.append((x, y, radius * self.size.at(age), self.light.at(age)))
        return found


WRECK = Plume(
    number=4, rate=0.45, sway=Swing(0, 0.3, 1, step=2.2), rise=ramp(0, 1.7), size=ramp(0.25, 0.5), light=fade(start=0.5)
)
"""Over a bot that was knocked out."""
