"""What a bot's body shows of the rules: the plate over its front, the vent at its back, its charge around the head."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.view import theme
from batllm_arcade.view.charge import cartridges, filled, is_loaded
from batllm_arcade.view.theme import Color, mixed

FINE = 4
"""Everything is drawn so many times larger and then made small: pygame's own arcs have holes."""
HOT: Color = (255, 112, 58)
"""The colour of a vent, and of the words of a hit in it."""
_GUN_PORT = 14  # degrees to both sides of the barrel that the plate leaves free
_MOST_TICKS = 24
_RING = (0.545, 0.735)  # of the charge: inner and outer radius, as shares of the bot's


def paint_armour(canvas: pygame.Surface, middle: float, radius: float, rules: Rules, color: Color) -> None:
    """Paint plate and vent of a bot facing +x: exactly the arcs in which a bullet counts as a hit there."""
    front = rules.shield_degrees
    back = min(front, 180 - front)
    if back > 0:
        _paint_vent(canvas, middle, radius, back)
    edge = mixed(color, theme.NIGHT, 0.72)
    for inner, outer, tint in ((0.80, 1.07, edge), (0.83, 1.05, mixed(color, theme.WHITE, 0.14))):
        pygame.draw.polygon(canvas, tint, band(middle, radius * inner, radius * outer, 0, front))
    shine = mixed(color, theme.WHITE, 0.78)
    pygame.draw.polygon(canvas, shine, band(middle, radius * 0.985, radius * 1.05, 0, front))
    port = min(front, _GUN_PORT)
    pygame.draw.polygon(canvas, edge, band(middle, radius * 0.83, radius * 1.05, 0, port))
    for rivet in (-0.66, -0.33, 0.33, 0.66):
        angle = math.radians(front * rivet)
        spot = (middle + radius * 0.905 * math.cos(angle), middle + radius * 0.905 * math.sin(angle))
        pygame.draw.circle(canvas, edge, spot, radius * 0.034)


def _paint_vent(canvas: pygame.Surface, middle: float, radius: float, half: float) -> None:
    """Paint a gap in the hull with glowing slots, white-hot in its middle."""
    pygame.draw.polygon(canvas, (34, 12, 12), band(middle, radius * 0.78, radius * 1.01, 180, half))
    slots = max(2, round(half / 10))
    width = half / slots
    for number in range(slots):
        at = 180 - half + (2 * number + 1) * width
        heat = 1 - abs(2 * number + 1 - slots) / slots
        pygame.draw.polygon(canvas, HOT, band(middle, radius * 0.82, radius * 0.985, at, width * 0.66))
        core = mixed((255, 186, 104), theme.WHITE, heat)
        pygame.draw.polygon(canvas, core, band(middle, radius * 0.86, radius * 0.955, at, width * 0.40))


def gauge(radius: float, rules: Rules, charge: int, color: Color) -> pygame.Surface:
    """Return the charge as a ring of ticks, clockwise from the top, a gap after each shot; full shots are wider."""
    r = radius * FINE
    middle = math.ceil(r * 0.80)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    canvas.fill((*theme.NIGHT, 0))
    inner, outer = (r * share for share in _RING)
    pygame.draw.circle(canvas, (*theme.NIGHT, 225), (middle, middle), outer + r * 0.035)
    pygame.draw.circle(canvas, (*theme.NIGHT, 0), (middle, middle), inner - r * 0.035)
    sizes = cartridges(rules)
    degrees = (360 - 15 * len(sizes)) / rules.battery
    at = -90 + 7.5
    for size, full in zip(sizes, filled(rules, charge), strict=True):
        loaded = full == size and is_loaded(rules, size)
        for start, end, lit in _ticks(size, full):
            tint = (
                (theme.GOLD if loaded else mixed(color, theme.WHITE, 0.45)) if lit else mixed(color, theme.NIGHT, 0.78)
            )
            thin = 0.0 if loaded else r * 0.035
            gap = 0.0 if size > _MOST_TICKS else 2.5
            centre, half = at + degrees * (start + end) / 2, degrees * (end - start) / 2 - gap
            pygame.draw.polygon(canvas, tint, band(middle, inner + thin, outer - thin, centre, max(1.0, half)))
        at += degrees * size + 15
    side = max(1, 2 * middle // FINE)
    return pygame.transform.smoothscale(canvas, (side, side))


def _ticks(size: int, full: int) -> list[tuple[int, int, bool]]:
    """Return the ticks of a cartridge: where each begins and ends and whether it is lit; few long ones if it is big."""
    if size <= _MOST_TICKS:
        return [(number, number + 1, number < full) for number in range(size)]
    return [part for part in ((0, full, True), (full, size, False)) if part[0] < part[1]]


def band(middle: float, inner: float, outer: float, centre: float, half: float) -> list[tuple[float, float]]:
    """Return the outline of an arc with a width: `half` degrees to both sides of the direction `centre`."""
    steps = max(4, round(half))
    angles = [math.radians(centre - half + 2 * half * step / steps) for step in range(steps + 1)]
    edge = [(middle + outer * math.cos(angle), middle + outer * math.sin(angle)) for angle in angles]
    return edge + [(middle + inner * math.cos(angle), middle + inner * math.sin(angle)) for angle in reversed(angles)]
