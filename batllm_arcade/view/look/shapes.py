"""Shapes and marks of bots, armour, floor and charge."""

from __future__ import annotations

import math
import random
from typing import Literal, NamedTuple

from batllm_arcade.core.events import FireRefused, ShieldRefused
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
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


# How a bot's charge is shown

MOST_CARTRIDGES = 9
"""A battery with more shots than that is shown as one."""


def cartridges(rules: Rules) -> tuple[int, ...]:
    """Return what each cartridge holds: one per shot, then a smaller one for the rest; none without a battery."""
    battery, shot = rules.battery, rules.shot_charge
    if not battery:
        return ()
    if not shot or battery // shot > MOST_CARTRIDGES:
        return (battery,)
    rest = battery % shot
    return (shot,) * (battery // shot) + ((rest,) if rest else ())


def filled(rules: Rules, charge: int) -> tuple[int, ...]:
    """Return how much of the charge is in each cartridge; they fill one after the other."""
    left, found = charge, []
    for size in cartridges(rules):
        found.append(max(0, min(size, left)))
        left -= size
    return tuple(found)


def is_loaded(rules: Rules, charge: int) -> bool:
    """Return whether the charge is enough for a shot; False without a battery."""
    return bool(rules.battery) and charge >= rules.shot_charge


def is_weak(rules: Rules, charge: int) -> bool:
    """Return whether the next bullet, or the next play behind it, ends a shield that is up."""
    return bool(rules.battery) and charge <= max(rules.block_charge, rules.shield_charge)


def uncharged(play: Play, rules: Rules) -> str:
    """Return why the play's fire or shield was refused for want of charge, "" if it was not."""
    charge = play.before.bot(play.bot).charge
    for event in play.events:
        if isinstance(event, ShieldRefused):
            return f"no shield: charge {charge} of {rules.shield_charge + 1}"
        if isinstance(event, FireRefused) and event.reason == "charge":
            return f"too little charge: {charge} of {rules.shot_charge}"
    return ""


def resting(play: Play, rules: Rules) -> str:
    """Return why a bot does nothing: `rests to load` where that loads a gun that is empty, else `waits`."""
    empty = rules.battery and rules.rest_charge and play.before.bot(play.bot).charge < rules.shot_charge
    return "rests to load" if empty else "waits"


# What a bot shows of the rules

HOT: Color = (255, 112, 58)
"""The colour of a vent, and of the words of a hit in it."""
PIECES, PIECE = 5, 0.82
"""The number of pieces of a shield that the next bullet breaks, and how much of its part each takes."""
SHIELD = ((1.06, 1.44, 0.0, 70), (1.10, 1.37, 0.25, 240), (1.18, 1.29, 0.9, 255))
"""A shield's bands: inner and outer radius, how white (0 to 1), opacity."""
SHIELD_MIDDLE = 1.235
"""Where lights run along a shield, in radii of its bot."""
FAINTEST = 0.85
"""The opacity of a shield without any charge behind it, 0 to 1."""
_GUN_PORT = 14  # degrees to both sides of the barrel that the plate leaves free
_MOST_TICKS = 24
_RING = (0.545, 0.735)  # of the charge: inner and outer radius
_GAP = 15.0  # degrees after each cartridge


def body(seat: int, rules: Rules, *, alive: bool) -> list[BotShape]:
    """Return a whole body without its head."""
    color = seat_color(seat, alive=alive)
    return [*rim(color), *(armour(rules, color) if rules.has_armour else ()), *hull(seat, color)]


def armour(rules: Rules, color: Color) -> list[BotShape]:
    """Return plate and vent: exactly the arcs in which a bullet counts as a hit there."""
    front = rules.shield_degrees
    back = min(front, 180 - front)
    edge, shine = mixed(color, theme.NIGHT, 0.72), mixed(color, theme.WHITE, 0.78)
    rivets = []
    for rivet in (-0.66, -0.33, 0.33, 0.66):
        angle = math.radians(front * rivet)
        rivets.append(disc(edge, 0.034, 0.905 * math.cos(angle), 0.905 * math.sin(angle)))
    return [
        *(_vent(back) if back > 0 else ()),
        band(edge, (0.80, 1.07), 0, front),
        band(mixed(color, theme.WHITE, 0.14), (0.83, 1.05), 0, front),
        band(shine, (0.985, 1.05), 0, front),
        band(edge, (0.83, 1.05), 0, min(front, _GUN_PORT)),
        *rivets,
    ]


def _vent(half: float) -> list[BotShape]:
    shapes = [band((34, 12, 12), (0.78, 1.01), 180, half)]
    slots = max(2, round(half / 10))
    width = half / slots
    for number in range(slots):
        at = 180 - half + (2 * number + 1) * width
        heat = 1 - abs(2 * number + 1 - slots) / slots
        core = mixed((255, 214, 150), theme.WHITE, 0.3 + 0.7 * heat)
        shapes += [band(HOT, (0.81, 0.995), at, width * 0.70), band(core, (0.84, 0.97), at, width * 0.44)]
    return shapes


def gauge(rules: Rules, charge: int, color: Color) -> list[BotShape]:
    """Return the charge as a ring of ticks, clockwise from the top, a gap after each shot; full shots are wider."""
    inner, outer = _RING
    shapes = [band(theme.NIGHT, (inner - 0.035, outer + 0.035), 0, 180, 225)]
    sizes = cartridges(rules)
    degrees = (360 - _GAP * len(sizes)) / rules.battery
    at = -90 + _GAP / 2
    dark, pale = mixed(color, theme.NIGHT, 0.78), mixed(color, theme.WHITE, 0.45)
    for size, full in zip(sizes, filled(rules, charge), strict=True):
        loaded = full == size and is_loaded(rules, size)
        for start, end, lit in _ticks(size, full):
            tint = (theme.GOLD if loaded else pale) if lit else dark
            thin = 0.0 if loaded else 0.035
            gap = 0.0 if size > _MOST_TICKS else 2.5
            centre, half = at + degrees * (start + end) / 2, max(1.0, degrees * (end - start) / 2 - gap)
            shapes.append(band(tint, (inner + thin, outer - thin), centre, half))
        at += degrees * size + _GAP
    return shapes


def _ticks(size: int, full: int) -> list[tuple[int, int, bool]]:
    """Return the ticks of a cartridge: where each begins and ends and whether it is lit; few long ones if it is big."""
    if size <= _MOST_TICKS:
        return [(number, number + 1, number < full) for number in range(size)]
    return [part for part in ((0, full, True), (full, size, False)) if part[0] < part[1]]


def shield(half: float, color: Color, pieces: int = 1) -> list[BotShape]:
    """Return a shield that reaches `half` degrees to each side, whole or in pieces."""
    width = half / pieces
    part = width if pieces == 1 else width * PIECE
    return [
        band(mixed(color, theme.WHITE, light), (inner, outer), -half + (2 * number + 1) * width, part, alpha)
        for number in range(pieces)
        for inner, outer, light, alpha in SHIELD
    ]


# What the arena's floor is painted of

CELLS = 10
"""Plates in each direction."""
SEAM: Color = mixed(theme.NIGHT, theme.GRID, 0.35)
MARK: Color = mixed(theme.GRID, theme.WALL, 0.42)
RIM: Color = mixed(theme.FLOOR, theme.WALL, 0.55)
"""The lit edge within the walls."""
RINGS = (0.30, 0.12)
"""The circles around the middle, as shares of the arena's height; the first has `TICKS` marks inside."""
TICKS = 48
CORNER = 0.04
"""The length of the marks in the corners."""
SIDE_LIGHT, MIDDLE_LIGHT = (0.8, 0.17), (0.62, 0.34)
"""Reach and strength of the lights: in a seat's colour at its wall, and in the walls' colour in the middle."""
HOME, HOME_AT = 0.035, (0.09, 0.91)
"""The size of a seat's icon on the floor, and where it is."""
CHEVRONS = (0.34, 0.25, 0.16)
"""How bright the chevrons beside an icon are, the nearest first."""
HALO, HALO_STEP, HALO_LIGHT = 14, 1.2, 0.30
"""The glow around the walls: its steps, their width in pixels at 1280 x 720, and its strength at the wall."""


def plates() -> list[tuple[Color, Color]]:
    """Return each plate's colour and that of its lit edges, column by column; the same ones every time."""
    random_numbers, found = random.Random(9), []
    for _ in range(CELLS * CELLS):
        tone = random_numbers.random()
        plate = mixed(mixed(theme.FLOOR, theme.NIGHT, 0.34), mixed(theme.FLOOR, theme.WALL, 0.10), tone)
        found.append((plate, mixed(plate, theme.WALL, 0.20)))
    return found


def home(seat: int) -> Color:
    """Return the paint of a seat's icon on the floor."""
    return mixed(theme.FLOOR, theme.SEAT_COLORS[seat], 0.36)


def chevron(seat: int, number: int) -> Color:
    """Return the paint of a chevron, number 0 next to the icon."""
    return mixed(theme.FLOOR, theme.SEAT_COLORS[seat], CHEVRONS[number])


def darkness(across: float, down: float) -> float:
    """Return how dark the walls' shadow is (0 to 1) at a point given from the middle, -1 to 1 in both directions."""
    across, down = abs(across), abs(down)
    return min(0.75, 0.62 * max(across, down) ** 9 + 0.20 * (across * down) ** 2)
