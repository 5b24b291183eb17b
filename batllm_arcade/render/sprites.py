"""Sprites: shapes, glows and icons as pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList, wash
from batllm_arcade.render.text import Cache
from batllm_arcade.view import theme
from batllm_arcade.view.look import shapes
from batllm_arcade.view.look.effects import glow_light, puff_opacity, ring_light
from batllm_arcade.view.look.shapes import BREATH, SPLINTER_SIZES, BotShape, Mood, splinter, splinter_color
from batllm_arcade.view.theme import Color, mixed

FINE = 4
"""Everything is drawn so many times larger and then made small: pygame's own arcs have holes."""


def painted(shapes: Iterable[BotShape], radius: float, reach: float) -> pygame.Surface:
    """Return a transparent surface with the shapes of a bot of `radius` pixels, `reach` radii to each side."""
    r = radius * FINE
    middle = math.ceil(r * reach)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    for shape in shapes:
        _paint(canvas, shape, middle, r)
    side = max(1, 2 * middle // FINE)
    return pygame.transform.smoothscale(canvas, (side, side))


@lru_cache(maxsize=24)
def kept(shapes: tuple[BotShape, ...], radius: float, reach: float) -> pygame.Surface:
    """Return what `painted` returns, not to be changed: the next match has it, too, and a large one takes some 5 ms."""
    return painted(shapes, radius, reach)


def _paint(canvas: pygame.Surface, shape: BotShape, middle: int, r: float) -> None:
    color, numbers = (*shape.color, shape.alpha), shape.numbers
    if shape.kind == "disc":
        x, y, radius = numbers
        pygame.draw.circle(canvas, color, (middle + x * r, middle + y * r), r * radius)
    elif shape.kind == "box":
        left, top, width, height = numbers
        box = pygame.Rect(0, 0, r * width, r * height)
        box.midleft = middle + round(r * left), middle + round(r * (top + height / 2))
        pygame.draw.rect(canvas, color, box, border_radius=round(r * shape.width))
    elif shape.kind == "band":
        pygame.draw.polygon(canvas, color, _band(middle, r, numbers))
    else:
        points = [(middle + x * r, middle + y * r) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if shape.kind == "polygon":
            pygame.draw.polygon(canvas, color, points)
        else:
            pygame.draw.lines(canvas, color, False, points, max(1, round(r * shape.width)))


def _band(middle: float, r: float, numbers: tuple[float, ...]) -> list[tuple[float, float]]:
    inner, outer, centre, half = numbers
    steps = max(4, round(half))
    angles = [math.radians(centre - half + 2 * half * step / steps) for step in range(steps + 1)]
    edge = [(middle + r * outer * math.cos(angle), middle + r * outer * math.sin(angle)) for angle in angles]
    return edge + [(middle + r * inner * math.cos(a), middle + r * inner * math.sin(a)) for a in reversed(angles)]


_MASTER = 128
_LEVELS = 10
_STEP = 1.1  # from one size to the next
_SMALL = 48  # radius in pixels up to which many are cached
_LARGEST = 300  # radius in pixels up to which lights of all strengths are made of the brightest one
TURNS = 10
"""The directions in which a splinter is cached."""


class Glows:
    """Caches glows, rings, puffs and splinters; glows and rings are to be blitted with BLEND_RGB_ADD."""

    def __init__(self) -> None:
        self._splinters = Cache(2 * len(SPLINTER_SIZES) * TURNS)
        self._small, self._large = Cache(600), Cache(90)

    def glow(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """Return a soft round light; `radius` in pixels, `strength` 0 to 1."""
        return self._light("glow", color, radius, strength)

    def ring(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """Return a soft ring of light; `radius` in pixels, `strength` 0 to 1."""
        return self._light("ring", color, radius * 1.25, strength)

    def puff(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """Return a cloud of dust or smoke with alpha; `radius` in pixels, `strength` 0 to 1."""
        size, level = _size(radius), max(1, round(strength * _LEVELS))
        return self._cache(size).get(("puff", color, size, level), lambda: self._scaled_cloud(color, size, level))

    def _cache(self, size: int) -> Cache:
        return self._small if size <= _SMALL else self._large

    def _scaled_cloud(self, color: Color, size: int, level: int) -> pygame.Surface:
        puff = pygame.transform.smoothscale(_cloud(color), (2 * size, 2 * size))
        wash(puff, (255, 255, 255, round(255 * level / _LEVELS)), pygame.BLEND_RGBA_MULT)
        return puff

    def splinter(self, seat: int, radius: float, shape: int, turn: int) -> pygame.Surface:
        """Return a piece of the hull of a bot with that radius; `shape` and `turn` wrap around."""
        shape %= len(SPLINTER_SIZES)
        key = (seat, max(2, round(radius * SPLINTER_SIZES[shape])), shape, turn % TURNS)
        return self._splinters.get(key, lambda: _splinter(*key))

    def _light(self, kind: str, color: Color, radius: float, strength: float) -> pygame.Surface:
        size, level = _size(radius), min(_LEVELS, max(1, round(strength * _LEVELS)))
        if level == _LEVELS:
            return self._brightest(kind, color, size)
        return self._cache(size).get((kind, color, size, level), lambda: self._dimmed(kind, color, size, level))

    def _dimmed(self, kind: str, color: Color, size: int, level: int) -> pygame.Surface:
        """Return a light made of the brightest one of its size, unless that is too large to be kept for it."""
        kept = size <= _LARGEST
        light = self._brightest(kind, color, size).copy() if kept else _scaled_light(kind, color, size)
        share = round(255 * level / _LEVELS)
        wash(light, (share, share, share), pygame.BLEND_RGB_MULT)
        return light

    def _brightest(self, kind: str, color: Color, size: int) -> pygame.Surface:
        key = (kind, color, size, _LEVELS)
        return self._cache(size).get(key, lambda: _scaled_light(kind, color, size))


def lay_light(target: pygame.Surface, color: Color, radius: float, strength: float, at: tuple[float, float]) -> None:
    """Add what `Glows.glow` returns to a picture around a pixel; only the part of it that is seen is dimmed."""
    size, level = _size(radius), min(_LEVELS, max(1, round(strength * _LEVELS)))
    light = _scaled_light("glow", color, size)
    left, top = round(at[0] - size), round(at[1] - size)
    light.set_clip(target.get_rect().move(-left, -top))
    share = round(255 * level / _LEVELS)
    wash(light, (share, share, share), pygame.BLEND_RGB_MULT)
    target.blit(light, (left, top), special_flags=pygame.BLEND_RGB_ADD)


def _scaled_light(kind: str, color: Color, size: int) -> pygame.Surface:
    master = _master(color, glow_light if kind == "glow" else ring_light)
    return pygame.transform.smoothscale(master, (2 * size, 2 * size))


@lru_cache(maxsize=512)
def _size(radius: float) -> int:
    if radius < 12:
        return max(2, round(radius))
    return round(_STEP ** round(math.log(radius, _STEP)))


@lru_cache(maxsize=32)
def _master(color: Color, shape: Callable[[float], float]) -> pygame.Surface:
    canvas = pygame.Surface((2 * _MASTER, 2 * _MASTER))
    for reach in range(_MASTER, 0, -1):
        pygame.draw.circle(canvas, mixed((0, 0, 0), color, shape(reach / _MASTER)), (_MASTER, _MASTER), reach)
    return canvas


@lru_cache(maxsize=16)
def _cloud(color: Color) -> pygame.Surface:
    canvas = pygame.Surface((_MASTER, _MASTER), pygame.SRCALPHA)
    half = _MASTER // 2
    for reach in range(half, 0, -1):
        pygame.draw.circle(canvas, (*color, round(255 * puff_opacity(reach / half))), (half, half), reach)
    return canvas


def _splinter(seat: int, size: int, shape: int, turn: int) -> pygame.Surface:
    canvas = pygame.Surface((2 * size * FINE, 2 * size * FINE), pygame.SRCALPHA)
    reach = size * FINE
    points = [(reach + reach * x, reach + reach * y) for x, y in splinter(shape, math.tau * turn / TURNS)]
    pygame.draw.polygon(canvas, splinter_color(seat, shape), points)
    return pygame.transform.smoothscale(canvas, (2 * size, 2 * size))


SHIELD_STEPS = 8
_GAUGES = 60  # different pictures of a charge; a larger battery is shown in steps
_OPACITIES = 8
_SHIELD_REACH = max(outer for _, outer, *_ in shapes.SHIELD) + 0.06
_SMOOTH = 3  # pixels by which smooth edges exceed a circle on both sides together


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
        return self._whitened("flash", seat, self.bot(seat, round(rot) % 360, True))

    def _whitened(self, kind: str, seat: int, sprite: pygame.Surface) -> pygame.Surface:
        def made() -> pygame.Surface:
            white = sprite.copy()
            wash(white, (255, 255, 255, 0), pygame.BLEND_RGBA_ADD)
            return white

        return self._rotations.get((kind, seat, sprite), made)

    def head(self, seat: int, mood: Mood, breath: int = 0) -> pygame.Surface:
        """Return the head, which does not turn with the body; the pupil is drawn on top of it."""
        size = self.radius * (1 + BREATH * breath)
        return self._cache.get(("head", seat, mood, breath), lambda: painted(shapes.head(seat, mood), size, 0.5))

    def pupil(self, seat: int) -> pygame.Surface:
        """Return the pupil of the eye."""
        return self._cache.get(("pupil", seat), lambda: painted(shapes.pupil(seat), self.radius, 0.2))

    def gauge(self, seat: int, charge: int) -> pygame.Surface:
        """Return the ring around the head that shows the charge; the rules must have a battery."""
        step = charge if self._rules.battery <= _GAUGES else round(charge * _GAUGES / self._rules.battery)
        shown = charge if step == charge else step * self._rules.battery // _GAUGES
        color = theme.SEAT_COLORS[seat]
        ticks = lambda: painted(shapes.gauge(self._rules, shown, color), self.radius, 0.8)  # noqa: E731, short
        return self._gauges.get((seat, shown), ticks)

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
        return self._whitened("struck", seat, self.shield(seat, round(rot) % 360, 1.0))

    def _base(self, seat: int, alive: bool) -> pygame.Surface:
        return self._cache.get(("base", seat, alive), lambda: self._body(seat, alive))

    def _body(self, seat: int, alive: bool) -> pygame.Surface:
        return kept(tuple(shapes.body(seat, self._rules, alive=alive)), 2 * self.radius, 1.12)

    def _arc(self, seat: int, step: int, opacity: int, weak: bool) -> pygame.Surface:
        def made() -> pygame.Surface:
            half = self.shield_degrees * step / SHIELD_STEPS
            bands = shapes.shield(half, theme.SEAT_COLORS[seat], shapes.PIECES if weak else 1)
            if step == SHIELD_STEPS and opacity == _OPACITIES and not weak:
                return kept(tuple(bands), 2 * self.radius, _SHIELD_REACH)
            arc = painted(bands, 2 * self.radius, _SHIELD_REACH)
            if opacity < _OPACITIES:
                wash(arc, (255, 255, 255, round(255 * opacity / _OPACITIES)), pygame.BLEND_RGBA_MULT)
            return arc

        return self._cache.get(("arc", seat, step, opacity, weak), made)


def blit_centred(
    target: pygame.Surface | DrawList, sprite: pygame.Surface, at: tuple[float, float], flags: int = 0
) -> None:
    """Draw a sprite centred at a pixel."""
    width, height = sprite.get_size()
    target.blit(sprite, (round(at[0] - width / 2), round(at[1] - height / 2)), None, flags)


def _rotated(base: pygame.Surface, degree: int) -> pygame.Surface:
    """Return a picture turned and half as large, without its empty corners: all is within the circle that fits into it.

    An even number of pixels is left out on each side, so that it is centred on the very same pixels.
    """
    turned = pygame.transform.rotozoom(base, -degree, 0.5)
    whole, room = turned.get_rect(), base.get_width() // 2 + _SMOOTH
    across, down = (max(0, side - room) // 4 * 2 for side in whole.size)
    return turned.subsurface(whole.inflate(-2 * across, -2 * down)).copy() if across or down else turned


# Icons


class Icons:
    """Icons of one picture; all sizes are in pixels."""

    def __init__(self) -> None:
        self._kept = Cache(80)

    def seat(self, seat: int, size: int) -> pygame.Surface:
        """Return a seat's icon: a disc for the left one, a diamond for the right one."""
        return self._kept.get(("seat", seat, size), lambda: _smoothed(size, lambda big: _seat(big, seat)))

    def warning(self, size: int, color: Color = theme.GOLD) -> pygame.Surface:
        """Return a triangle with an exclamation mark."""
        return self._kept.get(("warning", size, color), lambda: _smoothed(size, lambda big: _warning(big, color)))

    def star(self, size: int, color: Color) -> pygame.Surface:
        """Return a star with five points."""
        return self._kept.get(("star", size, color), lambda: _smoothed(size, lambda big: _star(big, color)))

    def stripes(self, width: int, height: int) -> pygame.Surface:
        """Return slanted hazard stripes."""
        return self._kept.get(("stripes", width, height), lambda: _stripes(width, height))

    def chip(self, width: int, height: int, color: Color, edge: int, fill: Color | None = None) -> pygame.Surface:
        """Return a rounded label, filled or with its edge only."""
        key = ("chip", width, height, color, edge, fill)
        return self._kept.get(key, lambda: _chip(width, height, color, edge, fill))


def _smoothed(size: int, draw: Callable[[pygame.Surface], None]) -> pygame.Surface:
    size = max(2, size)
    big = pygame.Surface((size * FINE, size * FINE), pygame.SRCALPHA)
    draw(big)
    return pygame.transform.smoothscale(big, (size, size))


def _seat(big: pygame.Surface, seat: int) -> None:
    color, middle = theme.SEAT_COLORS[seat], big.get_width() / 2
    if seat == 0:
        pygame.draw.circle(big, color, (middle, middle), middle * 0.86)
    else:
        pygame.draw.polygon(big, color, [(middle, 0), (2 * middle, middle), (middle, 2 * middle), (0, middle)])


def _warning(big: pygame.Surface, color: Color) -> None:
    side = big.get_width()
    pygame.draw.polygon(big, color, [(side * 0.5, side * 0.04), (side * 0.99, side * 0.93), (side * 0.01, side * 0.93)])
    bar = pygame.Rect(side * 0.44, side * 0.34, side * 0.12, side * 0.30)
    pygame.draw.rect(big, theme.NIGHT, bar, border_radius=round(side * 0.05))
    pygame.draw.circle(big, theme.NIGHT, (side * 0.5, side * 0.77), side * 0.07)


def _star(big: pygame.Surface, color: Color) -> None:
    middle = big.get_width() / 2
    points = []
    for number in range(10):
        angle, reach = -math.pi / 2 + number * math.pi / 5, middle * (0.98 if number % 2 == 0 else 0.44)
        points.append((middle + reach * math.cos(angle), middle + reach * math.sin(angle)))
    pygame.draw.polygon(big, color, points)


def _stripes(width: int, height: int) -> pygame.Surface:
    big = pygame.Surface((width * 2, height * 2))
    big.fill(theme.NIGHT)
    step = height * 2
    for left in range(-step, width * 2 + step, step):
        points = [(left, height * 2), (left + step // 2, height * 2), (left + step, 0), (left + step // 2, 0)]
        pygame.draw.polygon(big, theme.GOLD, points)
    return pygame.transform.smoothscale(big, (width, height))


def _chip(width: int, height: int, color: Color, edge: int, fill: Color | None) -> pygame.Surface:
    big = pygame.Surface((width * FINE, height * FINE), pygame.SRCALPHA)
    radius = height * FINE // 2
    if fill is not None:
        pygame.draw.rect(big, fill, big.get_rect(), border_radius=radius)
    if edge:
        pygame.draw.rect(big, color, big.get_rect(), edge * FINE, border_radius=radius)
    return pygame.transform.smoothscale(big, (width, height))
