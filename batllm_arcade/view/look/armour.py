"""What a bot shows of the rules: the plate over its front, the vent at its back, its charge, its shield."""

from __future__ import annotations

import math

from batllm_arcade.core.model import Rules
from batllm_arcade.view import theme
from batllm_arcade.view.charge import cartridges, filled, is_loaded
from batllm_arcade.view.look.shapes import BotShape, band, disc, hull, rim, seat_color
from batllm_arcade.view.theme import Color, mixed

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
    """Return a gap in the hull with glowing slots, white-hot in its middle."""
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
