"""The only transform from world units to pixels, and the part of the arena that is shown during an exchange."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from batllm_arcade.view.look.motion import SMOOTH

Point = tuple[float, float]

BEYOND = 100.0
"""World units beyond the walls that are shown at most where the camera has gone in, for bots in corners."""
MIDDLE: Point = (0.5, 0.5)
"""The middle of a picture, as shares of its width and height."""
_AROUND = 90.0
"""World units around both bots that are shown also where their middle is away from the picture's."""
PUSH_IN_S, STAY_S, EASE_OUT_S = 0.3, 0.8, 0.42
"""Seconds in which the camera goes in from the beginning of the shot, stays after it landed, and goes out again."""


CLOSE = 1.6
"""How much larger bots are shown in an exchange than in the whole arena."""
_BESIDE = 150.0
"""World units around both that must fit then."""


class Frame(NamedTuple):
    """The part of the arena that is shown, and what is beyond its walls, in world units; it has the arena's shape.

    `anchor` is where in the picture the middle between both bots should be, as shares of its sides.
    """

    left: float
    top: float
    width: float
    height: float
    anchor: Point = MIDDLE

    def shows(self, x: float, y: float) -> bool:
        """Return whether a point in world units is within it, or on its edge."""
        return 0 <= x - self.left <= self.width and 0 <= y - self.top <= self.height


@dataclass(frozen=True, slots=True)
class Camera:
    """Maps world units to pixels: `scale` pixels a unit, (left, top) the pixel of the world's origin."""

    scale: float
    left: float
    top: float

    @classmethod
    def fitting(cls, width: float, height: float, box: tuple[float, float, float, float]) -> Camera:
        """Return the camera for a world of width x height, centred in a pixel box (left, top, width, height)."""
        left, top, wide, high = box
        scale = min(wide / width, high / height)
        return cls(scale, left + (wide - width * scale) / 2, top + (high - height * scale) / 2)

    @classmethod
    def showing(cls, shown: Frame, left: float, top: float, width: float) -> Camera:
        """Return the camera that shows a frame in a pixel box of its shape, from that corner on and so wide."""
        scale = width / shown.width
        return cls(scale, left - shown.left * scale, top - shown.top * scale)

    def point(self, x: float, y: float) -> Point:
        """Return the pixel position of a point in world units."""
        return self.left + x * self.scale, self.top + y * self.scale

    def length(self, value: float) -> float:
        """Return a length in world units as pixels."""
        return value * self.scale

    def shifted(self, dx: float, dy: float) -> Camera:
        """Return a camera whose picture is moved by (dx, dy) world units."""
        return Camera(self.scale, self.left + dx * self.scale, self.top + dy * self.scale)


class CloseUp(NamedTuple):
    """A shot that meets the other bot: when its play begins and when the bullet lands, in seconds."""

    begins: float
    lands: float

    @property
    def over(self) -> float:
        """Return when the camera has gone out again."""
        return self.lands + STAY_S + EASE_OUT_S


def closeness(t: float, close_ups: Iterable[CloseUp]) -> float:
    """Return how far the camera has gone in at `t` seconds, 0 (the whole arena) to 1, slow at both ends."""
    return max((_closeness(t, each) for each in close_ups), default=0.0)


def _closeness(t: float, shot: CloseUp) -> float:
    if not shot.begins < t < shot.over:
        return 0.0
    going_in = SMOOTH.at((t - shot.begins) / PUSH_IN_S)
    going_out = SMOOTH.at((t - shot.lands - STAY_S) / EASE_OUT_S)
    return min(going_in, 1.0 - going_out)


def fits(bots: tuple[Point, Point], arena: tuple[float, float]) -> bool:
    """Return whether both bots and what has to be around them fit where they are shown larger."""
    return _needed(bots, arena) <= 1 / CLOSE


def _needed(bots: tuple[Point, Point], arena: tuple[float, float]) -> float:
    (x0, y0), (x1, y1) = bots
    return max((abs(x1 - x0) + 2 * _BESIDE) / arena[0], (abs(y1 - y0) + 2 * _BESIDE) / arena[1])


def frame(bots: tuple[Point, Point], arena: tuple[float, float], share: float, anchor: Point = MIDDLE) -> Frame:
    """Return what is shown when the camera has gone in by `share` (0 to 1): both bots and what has to be around them.

    `bots` are their centres now, `arena` its width and height, all in world units. Where both do not fit into it they
    are shown less large. Their middle is at `anchor`, as shares of the picture, where that shows them.
    """
    (x0, y0), (x1, y1) = bots
    part = min(1.0, max(_needed(bots, arena), 1 / CLOSE))
    wide, high = arena[0] * part, arena[1] * part
    left, top = _start((x0, x1), wide, arena[0], anchor[0]), _start((y0, y1), high, arena[1], anchor[1])
    return Frame(
        left * share, top * share, arena[0] + (wide - arena[0]) * share, arena[1] + (high - arena[1]) * share, anchor
    )


def _start(bots: Point, length: float, side: float, anchor: float) -> float:
    """Return where a length begins in which the middle between both bots is at a share of it.

    It has both of them in it, and little that is beyond the walls; nothing of that if it is all of the side.
    """
    middle, beyond = sum(bots) / 2, min(BEYOND, (side - length) / 2)
    start = min(max(max(bots) + _AROUND - length, middle - anchor * length), min(bots) - _AROUND)
    return min(max(-beyond, start), side + beyond - length)
