"""The way of a bullet on the screen, straight on or off a wall: where it is when, and what it leaves behind."""

from __future__ import annotations

import math
from itertools import pairwise

from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.geometry import bearing
from batllm_arcade.view.scene import Effect

Point = tuple[float, float]
OFF_THE_WALL = "off the wall"
"""The text of a hit by a bullet that bounced: which part it struck matters less than that."""
_STRAIGHT_S, _BENT_S = 0.4, 1.1
"""Seconds after it has landed for which its way is seen; a bent one takes longer to read."""


def length(flew: BulletFlew) -> float:
    """Return how far a bullet flies."""
    return sum(math.dist(start, end) for start, end in legs(flew))


def legs(flew: BulletFlew) -> tuple[tuple[Point, Point], ...]:
    """Return the straight parts of its way."""
    return tuple(pairwise(flew.path))


def bounces_at(flew: BulletFlew) -> float:
    """Return the share of its way at which it comes off a wall; 1 where it flies straight."""
    whole = length(flew)
    if flew.bounce is None or not whole:
        return 1.0
    return math.dist(flew.start, flew.bounce) / whole


def bolt(flew: BulletFlew, share: float, tail: float) -> tuple[Point, Point]:
    """Return tail and head of a bolt that is `tail` long (shares of the way), whose head is at this share.

    It lies on one part of the way: off a wall, its tail begins there.
    """
    bounce = bounces_at(flew)
    head, back = min(1.0, share), max(0.0, share - tail)
    if flew.bounce is None or head < bounce:
        start, end, first, last = flew.start, flew.bounce or flew.end, 0.0, bounce
    else:
        start, end, first, last = flew.bounce, flew.end, bounce, 1.0
    return _between(start, end, first, last, max(first, back)), _between(start, end, first, last, head)


def _between(start: Point, end: Point, first: float, last: float, share: float) -> Point:
    part = (share - first) / (last - first) if last > first else 1.0
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def lands_along(flew: BulletFlew) -> float:
    """Return the direction in which it flies at last, in degrees."""
    (x, y), (end_x, end_y) = flew.path[-2:]
    return bearing(end_x - x, end_y - y)


def effects(flew: BulletFlew, rot: float, leaves: float, lands: float) -> list[Effect]:
    """Return the muzzle's light, the trace of each part of the way, and the sparks at a wall.

    `rot` is the direction of its shooter; it `leaves` and `lands` at these seconds.
    """
    by, bounces = flew.bot, leaves + (lands - leaves) * bounces_at(flew)
    found, begins, degrees = [], leaves, rot
    fades = _BENT_S if flew.bounce is not None else _STRAIGHT_S
    for start, end in legs(flew):
        found.append(Effect("trace", begins, lands - begins + fades, start, degrees, by, math.dist(start, end)))
        begins, degrees = bounces, lands_along(flew)
    found.append(Effect("muzzle", leaves, 0.22, flew.start, rot, by))
    if flew.bounce is not None:
        found.append(Effect("bounce", bounces, 0.4, flew.bounce, off_the_wall(flew, rot), by))
    return found


def off_the_wall(flew: BulletFlew, rot: float) -> float:
    """Return the direction, in degrees, in which sparks fly where it bounces: between its ways in and out.

    `rot` is that of its shooter, in which it came.
    """
    (ux, uy), (vx, vy) = _unit(rot), _unit(lands_along(flew))
    return bearing(vx - ux, vy - uy)


def _unit(degrees: float) -> Point:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
