"""Bots and shields as cached surfaces: drawn large, scaled down smoothly, rotated once per degree."""

from __future__ import annotations

import math
from typing import Literal

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.armour import FINE, band, gauge, paint_armour
from batllm_arcade.render.draw_list import DrawList, wash
from batllm_arcade.render.glows import Glows
from batllm_arcade.render.text import Cache
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

Mood = Literal["open", "closed", "hurt", "happy", "dead"]
SHIELD_STEPS = 8
BREATHS = 4
"""The largest step of a head's breathing, up and down."""
_FINE = FINE
_GAUGES = 60  # different pictures of a charge; a larger battery is shown in steps
_OPACITIES = 8
_PIECES = 5  # of a shield that the next bullet breaks
_Points = list[tuple[float, float]]


class Sprites:
    """Sprites of bots with a radius in pixels, whose shields cover `shield_degrees` to each side.

    With `rules` the bodies show their armour, if there is such a rule, and there are gauges of their charge.
    """

    def __init__(self, radius: float, shield_degrees: float, rules: Rules | None = None) -> None:
        self.radius, self.shield_degrees, self.lights = radius, shield_degrees, Glows()
        self._rules = rules or Rules(shield_degrees=shield_degrees)
        self._rotations, self._cache, self._gauges = Cache(900), Cache(120), Cache(2 * _GAUGES + 2)

    def bot(self, seat: int, rot: float, alive: bool) -> pygame.Surface:
        """Return the bot's body facing `rot` degrees (clockwise from +x), rounded to whole degrees."""
        degree = round(rot) % 360
        return self._rotations.get(("bot", seat, degree, alive), lambda: _rotated(self._base(seat, alive), degree))

    def flash(self, seat: int, rot: float) -> pygame.Surface:
        """Return the bot's body in white, shown when it is hit."""
        degree = round(rot) % 360

        def whitened() -> pygame.Surface:
            body = self.bot(seat, degree, True).copy()
            wash(body, (255, 255, 255, 0), pygame.BLEND_RGBA_ADD)
            return body

        return self._rotations.get(("flash", seat, degree), whitened)

    def head(self, seat: int, mood: Mood, breath: int = 0) -> pygame.Surface:
        """Return the head, which does not turn with the body; the pupil is drawn on top of it."""
        size = self.radius * (1 + 0.022 * breath)
        return self._cache.get(("head", seat, mood, breath), lambda: _head(size, seat, mood))

    def pupil(self, seat: int) -> pygame.Surface:
        """Return the pupil of the eye."""
        return self._cache.get(("pupil", seat), lambda: _pupil(self.radius, seat))

    def gauge(self, seat: int, charge: int) -> pygame.Surface:
        """Return the ring around the head that shows the charge; the rules must have a battery."""
        step = charge if self._rules.battery <= _GAUGES else round(charge * _GAUGES / self._rules.battery)
        shown = charge if step == charge else step * self._rules.battery // _GAUGES
        color = theme.SEAT_COLORS[seat]
        return self._gauges.get((seat, shown), lambda: gauge(self.radius, self._rules, shown, color))

    def shield(
        self, seat: int, rot: float, level: float, strength: float = 1.0, *, weak: bool = False
    ) -> pygame.Surface:
        """Return the shield's arc around `rot` degrees at `level` of its width (1: exactly what it blocks).

        `strength` is its opacity, 0 to 1; a weak one is in pieces.
        """
        degree, step = round(rot) % 360, max(1, round(level * SHIELD_STEPS))
        opacity = max(1, round(strength * _OPACITIES))
        key = ("shield", seat, degree, step, opacity, weak)
        return self._rotations.get(key, lambda: _rotated(self._arc(seat, step, opacity, weak), degree))

    def struck_shield(self, seat: int, rot: float) -> pygame.Surface:
        """Return the whole arc in white, shown when it blocks."""
        degree = round(rot) % 360

        def whitened() -> pygame.Surface:
            arc = self.shield(seat, degree, 1.0).copy()
            wash(arc, (255, 255, 255, 0), pygame.BLEND_RGBA_ADD)
            return arc

        return self._rotations.get(("struck", seat, degree), whitened)

    def _base(self, seat: int, alive: bool) -> pygame.Surface:
        return self._cache.get(("base", seat, alive), lambda: _body(self.radius, seat, self._rules, alive=alive))

    def _arc(self, seat: int, step: int, opacity: int, weak: bool) -> pygame.Surface:
        def painted() -> pygame.Surface:
            half = self.shield_degrees * step / SHIELD_STEPS
            arc = _arc(self.radius, half, theme.SEAT_COLORS[seat], pieces=_PIECES if weak else 1)
            if opacity < _OPACITIES:
                wash(arc, (255, 255, 255, round(255 * opacity / _OPACITIES)), pygame.BLEND_RGBA_MULT)
            return arc

        return self._cache.get(("arc", seat, step, opacity, weak), painted)

    def glow(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """Return a soft round light to blit with BLEND_RGB_ADD; `strength` 0 to 1."""
        return self.lights.glow(color, radius, strength)


def blit_centred(
    target: pygame.Surface | DrawList, sprite: pygame.Surface, at: tuple[float, float], flags: int = 0
) -> None:
    """Draw a sprite centred at a pixel."""
    width, height = sprite.get_size()
    target.blit(sprite, (round(at[0] - width / 2), round(at[1] - height / 2)), special_flags=flags)


def _rotated(base: pygame.Surface, degree: int) -> pygame.Surface:
    return pygame.transform.rotozoom(base, -degree, 0.5)


def _body(radius: float, seat: int, rules: Rules, *, alive: bool) -> pygame.Surface:
    """Return a body facing +x at twice its size, inside a ring that is exactly the hit circle."""
    color = theme.SEAT_COLORS[seat] if alive else mixed(theme.SEAT_COLORS[seat], (52, 52, 60), 0.8)
    r = radius * 2 * _FINE
    middle = math.ceil(r * 1.12)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.04), (middle, middle), r)
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.86), (middle, middle), r * 0.915)
    if rules.has_armour:
        paint_armour(canvas, middle, r, rules, color)
    (_round_hull if seat == 0 else _angular_hull)(canvas, middle, r, color)
    return pygame.transform.smoothscale(canvas, (max(1, 2 * middle // _FINE), max(1, 2 * middle // _FINE)))


def _round_hull(canvas: pygame.Surface, middle: int, r: float, color: Color) -> None:
    """Paint the left bot: round plates, two treads, a straight barrel between two lamps."""
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.70), (middle, middle), r * 0.84)
    _treads(canvas, middle, r, color, round(r * 0.12))
    for side in (-1, 1):
        lamp = (middle + r * 0.70 * math.cos(0.52), middle + side * r * 0.70 * math.sin(0.52))
        pygame.draw.circle(canvas, mixed(color, theme.WHITE, 0.7), lamp, r * 0.075)
    _box(canvas, middle, r, (0.0, 0.98), 0.16, mixed(color, theme.NIGHT, 0.35))
    _box(canvas, middle, r, (0.0, 0.98), 0.105, mixed(color, theme.WHITE, 0.35))
    _box(canvas, middle, r, (0.78, 0.985), 0.19, mixed(color, theme.WHITE, 0.72))
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.45), (middle, middle), r * 0.52)


def _angular_hull(canvas: pygame.Surface, middle: int, r: float, color: Color) -> None:
    """Paint the right bot: angular plates, fins at the back, a tapered barrel."""
    corners = [
        (
            middle + r * 0.86 * math.cos(n * math.pi / 4 + math.pi / 8),
            middle + r * 0.86 * math.sin(n * math.pi / 4 + math.pi / 8),
        )
        for n in range(8)
    ]
    pygame.draw.polygon(canvas, mixed(color, theme.NIGHT, 0.70), corners)
    _treads(canvas, middle, r, color, 0)
    for side in (-1, 1):
        fin = [(-0.80, side * 0.10), (-0.55, side * 0.16), (-0.42, side * 0.40), (-0.86, side * 0.30)]
        pygame.draw.polygon(canvas, mixed(color, theme.WHITE, 0.25), _placed(fin, middle, r))
    pygame.draw.polygon(
        canvas,
        mixed(color, theme.NIGHT, 0.35),
        _placed([(0, -0.28), (0.98, -0.13), (0.98, 0.13), (0, 0.28)], middle, r),
    )
    pygame.draw.polygon(
        canvas, mixed(color, theme.WHITE, 0.35), _placed([(0, -0.2), (0.98, -0.07), (0.98, 0.07), (0, 0.2)], middle, r)
    )
    tip = [(0.72, 0), (0.86, -0.19), (0.985, 0), (0.86, 0.19)]
    pygame.draw.polygon(canvas, mixed(color, theme.WHITE, 0.72), _placed(tip, middle, r))
    plate = [(-0.56, 0), (0, -0.56), (0.56, 0), (0, 0.56)]
    pygame.draw.polygon(canvas, mixed(color, theme.NIGHT, 0.45), _placed(plate, middle, r))


def _treads(canvas: pygame.Surface, middle: int, r: float, color: Color, rounding: int) -> None:
    for side in (-1, 1):
        tread = pygame.Rect(0, 0, r * 1.12, r * 0.27)
        tread.center = (middle - round(r * 0.04), middle + round(side * r * 0.56))
        pygame.draw.rect(canvas, mixed(color, theme.NIGHT, 0.40), tread, border_radius=rounding)
        for number in range(1, 6):
            x = tread.left + tread.width * number / 6
            wide = max(1, round(r * 0.035))
            pygame.draw.line(canvas, mixed(color, theme.NIGHT, 0.72), (x, tread.top), (x, tread.bottom), wide)


def _box(canvas: pygame.Surface, middle: int, r: float, along: tuple[float, float], half: float, color: Color) -> None:
    box = pygame.Rect(0, 0, r * (along[1] - along[0]), r * 2 * half)
    box.midleft = (middle + round(r * along[0]), middle)
    pygame.draw.rect(canvas, color, box, border_radius=round(r * 0.05))


def _placed(points: _Points, middle: float, r: float) -> _Points:
    return [(middle + x * r, middle + y * r) for x, y in points]


def _head(radius: float, seat: int, mood: Mood) -> pygame.Surface:
    """Return the head with its eye: round for the left bot, a diamond for the right one."""
    color = theme.SEAT_COLORS[seat] if mood != "dead" else mixed(theme.SEAT_COLORS[seat], (52, 52, 60), 0.8)
    r = radius * _FINE
    middle = math.ceil(r * 0.5)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    for reach, tint in ((0.46, mixed(color, theme.WHITE, 0.12)), (0.385, mixed(color, theme.NIGHT, 0.82))):
        if seat == 0:
            pygame.draw.circle(canvas, tint, (middle, middle), r * reach)
        else:
            reach *= 1.08
            pygame.draw.polygon(canvas, tint, _placed([(-reach, 0), (0, -reach), (reach, 0), (0, reach)], middle, r))
    _eye(canvas, middle, r, mood, mixed(color, theme.WHITE, 0.82) if mood != "dead" else theme.DIM)
    return pygame.transform.smoothscale(canvas, (max(1, 2 * middle // _FINE), max(1, 2 * middle // _FINE)))


def _eye(canvas: pygame.Surface, middle: int, r: float, mood: Mood, color: Color) -> None:
    wide = max(2, round(r * 0.075))
    if mood == "open":
        pygame.draw.circle(canvas, color, (middle, middle), r * 0.25)
    elif mood == "closed":
        pygame.draw.line(canvas, color, (middle - r * 0.22, middle), (middle + r * 0.22, middle), wide)
    elif mood == "happy":
        arc = [(-0.22, 0.08), (-0.13, -0.06), (0.0, -0.11), (0.13, -0.06), (0.22, 0.08)]
        pygame.draw.lines(canvas, color, False, _placed(arc, middle, r), wide)
    elif mood == "hurt":  # squeezed shut: > <
        for side in (-1, 1):
            shut = [(side * 0.24, -0.14), (side * 0.05, 0.0), (side * 0.24, 0.14)]
            pygame.draw.lines(canvas, color, False, _placed(shut, middle, r), wide)
    else:
        for side in (-1, 1):
            first, second = _placed([(-0.15, -0.15 * side), (0.15, 0.15 * side)], middle, r)
            pygame.draw.line(canvas, color, first, second, wide)


def _pupil(radius: float, seat: int) -> pygame.Surface:
    r = radius * _FINE
    middle = math.ceil(r * 0.2)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    if seat == 0:
        pygame.draw.circle(canvas, theme.NIGHT, (middle, middle), r * 0.13)
    else:
        pygame.draw.polygon(canvas, theme.NIGHT, _placed([(-0.1, 0), (0, -0.19), (0.1, 0), (0, 0.19)], middle, r))
    pygame.draw.circle(canvas, theme.WHITE, (middle + r * 0.045, middle - r * 0.045), r * 0.045)
    return pygame.transform.smoothscale(canvas, (max(1, 2 * middle // _FINE), max(1, 2 * middle // _FINE)))


def _arc(radius: float, half: float, color: Color, pieces: int = 1) -> pygame.Surface:
    """Return a shield around +x at twice its size: a band outside the bot, `half` degrees to each side."""
    r = radius * 2 * _FINE
    middle = math.ceil(r * 1.34)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    width = half / pieces
    for number in range(pieces):
        centre = -half + (2 * number + 1) * width
        for inner, outer, light, alpha in ((1.04, 1.28, 0.0, 60), (1.07, 1.22, 0.15, 215), (1.12, 1.17, 0.75, 255)):
            tint = (*mixed(color, theme.WHITE, light), alpha)
            part = width if pieces == 1 else width * 0.78
            pygame.draw.polygon(canvas, tint, band(middle, r * inner, r * outer, centre, part))
    return pygame.transform.smoothscale(canvas, (max(1, 2 * middle // _FINE), max(1, 2 * middle // _FINE)))
