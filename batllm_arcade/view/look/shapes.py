"""What the bots are drawn of: shapes in colours, whose lengths are shares of the bot's radius; the front is +x."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

Mood = Literal["open", "closed", "hurt", "happy", "dead"]
"""What an eye looks like; an open one has a pupil on top of it."""
MOODS: tuple[Mood, ...] = ("open", "closed", "hurt", "happy", "dead")
STAR = ((1.0, 0.0), (0.22, 0.22), (0.0, 1.0), (-0.22, 0.22), (-1.0, 0.0), (-0.22, -0.22), (0.0, -1.0), (0.22, -0.22))
"""The corners of the star at the muzzle of a loaded gun, `STAR_REACH` long and `MUZZLE` in front of the middle."""
STAR_REACH, MUZZLE = 0.26, 1.02
GAZE = 0.10
"""How far the pupil looks away from the middle of the eye."""
BREATHS, BREATH = 4, 0.022
"""The largest step of a head's breathing, up and down, and how much larger each step makes it."""
SPLINTER_SIZES = (0.12, 0.16, 0.20, 0.24, 0.28)
"""The size of a splinter of the hull, by its shape; at least 2 pixels."""
_BURNT: Color = (52, 52, 60)
_EYE_WIDTH = 0.075

Points = list[tuple[float, float]]


class BotShape(NamedTuple):
    """A filled shape in one colour with an opacity from 0 to 255.

    `numbers` are for a disc x, y and radius; for a polygon and a line its points' x and y, one after the other; for a
    box left, top, width and height; for a band its inner and outer radius around (0, 0), and in degrees its middle and
    how far it reaches to both sides. `width` is that of a line, and the radius of a box's corners.
    """

    kind: Literal["disc", "polygon", "box", "line", "band"]
    color: Color
    numbers: tuple[float, ...]
    width: float = 0.0
    alpha: int = 255


def disc(color: Color, radius: float, x: float = 0.0, y: float = 0.0) -> BotShape:
    """Return a disc around (x, y)."""
    return BotShape("disc", color, (x, y, radius))


def polygon(color: Color, points: Points) -> BotShape:
    """Return a polygon with these corners."""
    return BotShape("polygon", color, _flat(points))


def line(color: Color, points: Points, width: float = _EYE_WIDTH) -> BotShape:
    """Return an open line through these points."""
    return BotShape("line", color, _flat(points), width)


def band(color: Color, radii: tuple[float, float], middle: float, half: float, alpha: int = 255) -> BotShape:
    """Return a piece of a ring: `half` degrees to both sides of the direction `middle`."""
    return BotShape("band", color, (*radii, middle, half), 0.0, alpha)


def _flat(points: Points) -> tuple[float, ...]:
    return tuple(value for point in points for value in point)


def _box(color: Color, along: tuple[float, float], half: float) -> BotShape:
    return BotShape("box", color, (along[0], -half, along[1] - along[0], 2 * half), 0.05)


def seat_color(seat: int, *, alive: bool) -> Color:
    """Return a bot's colour, burnt if it was knocked out."""
    color = theme.SEAT_COLORS[seat]
    return color if alive else mixed(color, _BURNT, 0.8)


def rim(color: Color) -> list[BotShape]:
    """Return the ring that is exactly the circle in which a bot is hit, and the dark inside it."""
    return [disc(mixed(color, theme.NIGHT, 0.04), 1.0), disc(mixed(color, theme.NIGHT, 0.86), 0.915)]


def hull(seat: int, color: Color) -> list[BotShape]:
    """Return the body inside the ring: round for the left bot, angular for the right one."""
    return _angular_hull(color) if seat else _round_hull(color)


def _round_hull(color: Color) -> list[BotShape]:
    """Return round plates, two treads, a straight barrel between two lamps."""
    lamps = [
        disc(mixed(color, theme.WHITE, 0.7), 0.075, 0.70 * math.cos(0.52), side * 0.70 * math.sin(0.52))
        for side in (-1, 1)
    ]
    return [
        disc(mixed(color, theme.NIGHT, 0.70), 0.84),
        *_treads(color, 0.12),
        *lamps,
        _box(mixed(color, theme.NIGHT, 0.35), (0.0, 0.98), 0.16),
        _box(mixed(color, theme.WHITE, 0.35), (0.0, 0.98), 0.105),
        _box(mixed(color, theme.WHITE, 0.72), (0.78, 0.985), 0.19),
        disc(mixed(color, theme.NIGHT, 0.45), 0.52),
    ]


def _angular_hull(color: Color) -> list[BotShape]:
    """Return angular plates, fins at the back, a tapered barrel."""
    eighth = math.pi / 4
    plates = [(0.86 * math.cos((n + 0.5) * eighth), 0.86 * math.sin((n + 0.5) * eighth)) for n in range(8)]
    fins = [
        polygon(
            mixed(color, theme.WHITE, 0.25),
            [(-0.80, side * 0.10), (-0.55, side * 0.16), (-0.42, side * 0.40), (-0.86, side * 0.30)],
        )
        for side in (-1, 1)
    ]
    return [
        polygon(mixed(color, theme.NIGHT, 0.70), plates),
        *_treads(color, 0.0),
        *fins,
        polygon(mixed(color, theme.NIGHT, 0.35), [(0, -0.28), (0.98, -0.13), (0.98, 0.13), (0, 0.28)]),
        polygon(mixed(color, theme.WHITE, 0.35), [(0, -0.2), (0.98, -0.07), (0.98, 0.07), (0, 0.2)]),
        polygon(mixed(color, theme.WHITE, 0.72), [(0.72, 0), (0.86, -0.19), (0.985, 0), (0.86, 0.19)]),
        polygon(mixed(color, theme.NIGHT, 0.45), _diamond(0.56)),
    ]


def _treads(color: Color, rounding: float) -> list[BotShape]:
    found, left, width, high = [], -0.60, 1.12, 0.27
    for side in (-1, 1):
        top = side * 0.56 - high / 2
        found.append(BotShape("box", mixed(color, theme.NIGHT, 0.40), (left, top, width, high), rounding))
        for number in range(1, 6):
            x = left + width * number / 6
            found.append(line(mixed(color, theme.NIGHT, 0.72), [(x, top), (x, top + high)], 0.035))
    return found


def _diamond(reach: float, high: float | None = None) -> Points:
    high = reach if high is None else high
    return [(-reach, 0), (0, -high), (reach, 0), (0, high)]


def head(seat: int, mood: Mood) -> list[BotShape]:
    """Return the head with its eye, which do not turn with the body: round on the left, a diamond on the right."""
    color = seat_color(seat, alive=mood != "dead")
    rings = ((0.46, mixed(color, theme.WHITE, 0.12)), (0.385, mixed(color, theme.NIGHT, 0.82)))
    shapes = [polygon(tint, _diamond(reach * 1.08)) if seat else disc(tint, reach) for reach, tint in rings]
    return shapes + _eye(mood, mixed(color, theme.WHITE, 0.82) if mood != "dead" else theme.DIM)


def _eye(mood: Mood, color: Color) -> list[BotShape]:
    if mood == "open":
        return [disc(color, 0.25)]
    if mood == "closed":
        return [line(color, [(-0.22, 0.0), (0.22, 0.0)])]
    if mood == "happy":
        return [line(color, [(-0.22, 0.08), (-0.13, -0.06), (0.0, -0.11), (0.13, -0.06), (0.22, 0.08)])]
    if mood == "hurt":  # squeezed shut: > <
        return [line(color, [(side * 0.24, -0.14), (side * 0.05, 0.0), (side * 0.24, 0.14)]) for side in (-1, 1)]
    return [line(color, [(-0.15, -0.15 * side), (0.15, 0.15 * side)]) for side in (-1, 1)]


def pupil(seat: int) -> list[BotShape]:
    """Return the pupil of an open eye."""
    dark = polygon(theme.NIGHT, _diamond(0.1, 0.19)) if seat else disc(theme.NIGHT, 0.13)
    return [dark, disc(theme.WHITE, 0.045, 0.045, -0.045)]


def splinter(shape: int, turned: float = 0.0) -> Points:
    """Return the corners of a splinter of this shape, turned so many radians, as shares of its size."""
    corners, points = 3 + shape % 3, []
    for corner in range(corners):
        angle = math.tau * corner / corners + turned + 0.7 * math.sin(shape * 5 + corner * 2)
        reach = 0.55 + 0.4 * math.sin(shape * 3 + corner * 7)
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return points


def splinter_color(seat: int, shape: int) -> Color:
    """Return the colour of a splinter of this shape off a bot's hull."""
    return mixed(theme.SEAT_COLORS[seat], theme.NIGHT, 0.15 + 0.14 * shape)
