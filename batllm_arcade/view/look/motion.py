"""How things move: curves and swings as data, which the window and a page evaluate alike, and particles."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from batllm_arcade.core.geometry import direction
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import BREATHS


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


TURN = STEP = CHANGE = SMOOTH
"""A bot that turns or takes a step; a health, a charge and a shield that change."""
ENTRANCE = OVERSHOOT
"""How a bot grows into the arena; it is drawn from `SEEN` on, its head from `WHOLE` on."""
SEEN, WHOLE = 0.02, 0.7


class Shake(NamedTuple):
    """How far an effect shakes the arena, and for how many seconds."""

    reach: float
    seconds: float


SHAKES = {"hit": Shake(0.16, 0.28), "knockout": Shake(0.4, 0.7), "block": Shake(0.05, 0.28), "break": Shake(0.14, 0.28)}
SHAKE_ACROSS, SHAKE_DOWN = Swing(0, 1, 95), Swing(0, 1, 83, math.pi / 2)
SHAKE_FADE = fade(2)

RECOIL = {"muzzle": fade(3, -0.16), "hit": fade(6, 0.22), "block": fade(6, -0.07)}
"""How far an effect pushes its bot along its direction."""
HURT_AGE, HURT_FLASH_S = 0.6, 0.09
"""How long a bot that was hit squeezes its eye shut, and the seconds in which it is white."""
FLASH_AGE = 0.035
"""How long a knock-out lights the whole arena."""
SCORCH_REACH, SCORCH_LIGHT, SCORCH_HURRY = 1.9, ramp(0, 0.9), 5
"""The burnt floor below a knock-out, whose opacity grows so many times faster than the effect ages."""


class Pulse(NamedTuple):
    """A light and how its strength swings; the right bot's is a step ahead of the left one's."""

    reach: float
    light: Swing


GLOW = {"rest": Pulse(1.9, Swing(0.18, 0.06, 1.7, step=2)), "busy": Pulse(2.2, Swing(0.36, 0.12, 4.2))}
"""The light below a bot; a busy one acts or thinks."""
BREATHING = {"rest": Swing(0, BREATHS / 2, 1.5, step=1), "busy": Swing(0, BREATHS / 2, 3.1, step=1)}
"""The step of a head's breathing, to be rounded."""
GUN_LIGHT = Pulse(0.62, Swing(0.75, 0.15, 5, step=1))
"""At the muzzle of a gun that can fire."""


class Comets(NamedTuple):
    """Two tails of lights that circle around a busy bot: `rate` radians a second, each light `lag` behind the last.

    The curves are over a light's number as a share of one more than there are.
    """

    number: int
    orbit: float
    rate: float
    lag: float
    size: Curve
    light: Curve


COMETS = Comets(7, 1.5, 2.1, 0.13, ramp(0.22, -0.16), fade())


class Blink(NamedTuple):
    """An eye shuts every so many seconds for `lasts` seconds; the right bot's is `step` seconds ahead."""

    every: float
    lasts: float
    start: float
    step: float

    def is_closed(self, seconds: float, bot: int) -> bool:
        """Return whether this bot's eye is shut at a time."""
        return (seconds + self.step * bot + self.start) % self.every < self.lasts


BLINK = Blink(3.7, 0.13, 2.0, 1.3)


# Shields

SHIELD_SEEN, STRUCK_AGE = 0.05, 0.16
"""How far up a shield is drawn from on; how long one that blocks is white."""
FLICKER, FLICKERS_ABOVE, FLICKER_LIGHT = (Swing(0, 1, 31), Swing(0, 1, 19)), 0.9, 0.4
"""A weak shield is so faint while the sum of these swings is above that."""


class Shimmer(NamedTuple):
    """Lights that run to and fro along a shield, in shares of the half that it reaches to each side."""

    swings: tuple[Swing, ...]
    size: float
    light: float
    whole: float
    """How far up the shield must be."""


SHIMMER = Shimmer(tuple(Swing(0, 0.86, 1.1 + 0.25 * n, 2.1 * n) for n in range(3)), 0.24, 0.55, 0.95)


class Ripple(NamedTuple):
    """Lights that run from where a shield was struck to both ends, `speed` times half of it, each `lag` behind.

    Each is `smaller` than the one before.
    """

    number: int
    speed: float
    lag: float
    size: float
    smaller: float
    light: Curve


RIPPLE = Ripple(3, 1.5, 0.12, 0.42, 0.1, fade())


class Beads(NamedTuple):
    """A bullet's lights from its tail to its head: `reach` in pixels at 1280 x 720, and how much of it each is.

    The curves are over the way from tail to head; `head` is the size of the white one.
    """

    number: int
    reach: float
    size: Curve
    light: Curve
    head: float


BEADS = Beads(12, 17, ramp(0.35, 0.65), ramp(0.25, 0.6), 0.9)
TRACE_FADE, TRACE_LIGHT, TRACE_LEAST = fade(2), 0.6, 0.1
"""The line of a bullet's flight: drawn until its fading is below the least."""


class Rising(NamedTuple):
    """Words that pop up at a distance from a bot and rise from there, large at first: until an age, so many times."""

    above: float
    rise: Curve
    light: Curve
    sizes: tuple[tuple[float, float], ...]
    """Few, so that surfaces can be cached."""

    def size(self, age: float) -> float:
        """Return how many times larger words of this age are."""
        return next((times for until, times in self.sizes if age < until), 1.0)


WORDS = Rising(1.75, slowing(0, 0.7, 2), fade(start=1 / 0.3), ((0.03, 1.5), (0.06, 1.25), (0.1, 1.1)))


class Circling(NamedTuple):
    """Stars that circle on an ellipse, `turned` radians in all."""

    number: int
    size: float
    turned: float
    across: float
    down: float
    light: Curve

    def places(self, at: tuple[float, float], radius: float, age: float) -> list[tuple[float, float]]:
        """Return where the stars are around a point."""
        angles = [age * self.turned + number * math.tau / self.number for number in range(self.number)]
        across, down = radius * self.across, radius * self.down
        return [(at[0] + across * math.cos(angle), at[1] + down * math.sin(angle)) for angle in angles]


STARS = Circling(5, 0.36, 7.5, 0.95, 0.42, fade(start=4))
"""After a fumble."""
SPEECH_FADES_S = 0.3
BANNER_OPENS_S, BANNER_CLOSES_S, BANNER_WRITTEN = 0.18, 0.2, 0.6
"""The seconds in which a banner opens and closes, and how far open it must be to have words in it."""


# Particles

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
