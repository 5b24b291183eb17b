"""Angles, rays and circles; x grows right, y down, degrees run clockwise on the screen from +x."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, inf, radians, sin, sqrt

from batllm_arcade.core.model import DECIMALS

_TANGENT = 1e-8
"""Radians within which a walk counts as tangential: what 9 decimals leave of a right angle."""

_CORNER = 1e-9
"""The share of its way by which a ray may miss a corner and still count as in it: what 9 decimals leave of an aim."""

_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def rounded(value: float) -> float:
    """To the 9 decimals of a state, without a negative zero."""
    return round(value, DECIMALS) + 0.0


def wrapped(rot: float) -> float:
    """Degrees into [0, 360), rounded like a state and wrapped again after rounding."""
    rot = round(rot % 360.0, DECIMALS)
    return rot if rot < 360.0 else 0.0


def direction(rot: float) -> tuple[float, float]:
    """The unit vector along `rot` degrees; exact at the quarter turns."""
    if rot % 90 == 0:
        return _QUARTERS[int(rot // 90) % 4]
    angle = radians(rot)
    return cos(angle), sin(angle)


def bearing(dx: float, dy: float) -> float:
    """The direction of the vector (dx, dy), degrees in [0, 360)."""
    return degrees(atan2(dy, dx)) % 360.0


def turn_between(start: float, end: float) -> float:
    """The shortest turn from `start` to `end`, degrees in (-180, 180], positive clockwise."""
    turn = (end - start) % 360.0
    return turn - 360.0 if turn > 180.0 else turn


def ray_meets_circle(
    x: float, y: float, ux: float, uy: float, cx: float, cy: float, radius: float
) -> tuple[float, float] | None:
    """Where the ray from (x, y) along the unit vector (ux, uy) first touches the circle, or None.

    From within the circle it is the circle's point facing the origin of the ray; with coincident
    centres the point opposite to the ray's direction.
    """
    wx, wy = x - cx, y - cy
    square = wx * wx + wy * wy
    if square <= radius * radius:
        if square == 0.0:
            return cx - radius * ux, cy - radius * uy
        scale = radius / hypot(wx, wy)
        return cx + wx * scale, cy + wy * scale
    along = -(wx * ux + wy * uy)
    if along <= 0.0:
        return None
    across = wx * uy - wy * ux
    inside = radius * radius - across * across
    if inside < 0.0:
        return None
    reach = along - sqrt(inside)
    return x + reach * ux, y + reach * uy


def ray_meets_walls(x: float, y: float, ux: float, uy: float, width: float, height: float) -> tuple[float, float]:
    """Where the ray from a point inside the box [0, width] x [0, height] leaves it."""
    reach = float("inf")
    if ux > 0.0:
        reach = (width - x) / ux
    elif ux < 0.0:
        reach = -x / ux
    if uy > 0.0:
        reach = min(reach, (height - y) / uy)
    elif uy < 0.0:
        reach = min(reach, -y / uy)
    return x + reach * ux, y + reach * uy


def bounced(x: float, y: float, ux: float, uy: float, width: float, height: float) -> tuple[float, float, float, float]:
    """Return where the ray from a point inside the box meets its wall, and the direction in which it comes off it.

    The angle out is the angle in. In a corner, where it meets two walls at once (to 1e-9 of its way), it comes
    straight back.
    """
    reach_x = (width - x) / ux if ux > 0.0 else -x / ux if ux < 0.0 else inf
    reach_y = (height - y) / uy if uy > 0.0 else -y / uy if uy < 0.0 else inf
    edge_x, edge_y = width if ux > 0.0 else 0.0, height if uy > 0.0 else 0.0
    near, far = (reach_x, reach_y) if reach_x < reach_y else (reach_y, reach_x)
    if far - near <= _CORNER * near:
        return edge_x, edge_y, -ux, -uy
    if near == reach_x:
        return edge_x, y + reach_x * uy, -ux, uy
    return x + reach_y * ux, edge_y, ux, -uy


def part_until_contact(wx: float, wy: float, vx: float, vy: float, distance: float) -> float:
    """Return the share of the move (vx, vy) that is possible before two centres are `distance` apart, 0 to 1.

    (wx, wy) is the mover's centre minus the other's. The share is 1 if the move's first instant does not bring
    the centres nearer, and 0 if it does while they touch already (to 1e-9).
    """
    nearer = wx * vx + wy * vy
    if nearer >= 0.0:
        return 1.0
    apart = hypot(wx, wy)
    if nearer >= -_TANGENT * apart * hypot(vx, vy):
        return 1.0  # leaves again before it is nearer by 1e-16 of the distance
    if apart <= distance + 1e-9:
        return 0.0
    gap = wx * wx + wy * wy - distance * distance
    length = vx * vx + vy * vy
    under_root = nearer * nearer - length * gap
    if under_root <= 0.0:
        return 1.0
    return min(1.0, gap / (sqrt(under_root) - nearer))
