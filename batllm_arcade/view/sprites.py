"""Bots, shields and glows as cached surfaces: drawn large, smoothed down, turned once per degree."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.view import theme
from batllm_arcade.view.text import Cache
from batllm_arcade.view.theme import Color, mixed

_FINE = 4  # supersampling; pygame's own wide arcs have holes
SHIELD_STEPS = 8


class Sprites:
    """Sprites for bots of `radius` pixels whose shields cover `shield_degrees` to each side."""

    def __init__(self, radius: float, shield_degrees: float) -> None:
        self._radius, self._shield_degrees = radius, shield_degrees
        self._turned = Cache(900)
        self._glows = Cache(60)
        self._bots = tuple(_bot(radius, seat, alive=True) for seat in (0, 1))
        self._wrecks = tuple(_bot(radius, seat, alive=False) for seat in (0, 1))

    def bot(self, seat: int, rot: float, alive: bool) -> pygame.Surface:
        """The bot facing `rot` degrees, clockwise from +x, to the nearest degree."""
        degree = round(rot) % 360
        base = (self._bots if alive else self._wrecks)[seat]
        return self._turned.get(("bot", seat, degree, alive), lambda: _turned(base, degree))

    def shield(self, seat: int, rot: float, level: float) -> pygame.Surface:
        """The shield's arc around `rot`, grown to `level` of its width (1: exactly what it blocks)."""
        degree, step = round(rot) % 360, max(1, round(level * SHIELD_STEPS))
        key = ("shield", seat, degree, step)
        return self._turned.get(key, lambda: _turned(self._arc(seat, step), degree))

    def _arc(self, seat: int, step: int) -> pygame.Surface:
        half = self._shield_degrees * step / SHIELD_STEPS
        return self._glows.get(("arc", seat, step), lambda: _arc(self._radius, half, theme.SEAT_COLORS[seat]))

    def glow(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """A soft round light to add to the picture; `strength` 0 to 1."""
        size, level = max(4, round(radius / 4) * 4), max(1, round(strength * 12))
        return self._glows.get(("glow", color, size, level), lambda: _glow(color, size, level / 12))


def blit_centred(target: pygame.Surface, sprite: pygame.Surface, at: tuple[float, float], flags: int = 0) -> None:
    """Draw a sprite with its middle at a pixel."""
    width, height = sprite.get_size()
    target.blit(sprite, (round(at[0] - width / 2), round(at[1] - height / 2)), special_flags=flags)


def _turned(base: pygame.Surface, degree: int) -> pygame.Surface:
    return pygame.transform.rotozoom(base, -degree, 0.5)


def _bot(radius: float, seat: int, *, alive: bool) -> pygame.Surface:
    """A bot facing +x at twice its size: a disc of exactly the hit circle, treads, a barrel, an eye."""
    color = theme.SEAT_COLORS[seat] if alive else theme.mixed(theme.SEAT_COLORS[seat], (60, 60, 70), 0.75)
    r = radius * 2 * _FINE
    middle = math.ceil(r * 1.12)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.06), (middle, middle), r)
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.74), (middle, middle), r * 0.90)
    for side in (-1, 1):
        tread = pygame.Rect(0, 0, r * 1.05, r * 0.26)
        tread.center = (middle - round(r * 0.05), middle + round(side * r * 0.52))
        pygame.draw.rect(canvas, mixed(color, theme.NIGHT, 0.48), tread, border_radius=round(r * 0.12))
    barrel = pygame.Rect(0, 0, r * 0.95, r * 0.24)
    barrel.midleft = (middle, middle)
    pygame.draw.rect(canvas, mixed(color, theme.WHITE, 0.35), barrel, border_radius=round(r * 0.06))
    muzzle = pygame.Rect(0, 0, r * 0.16, r * 0.38)
    muzzle.midright = (middle + round(r * 0.99), middle)
    pygame.draw.rect(canvas, mixed(color, theme.WHITE, 0.65), muzzle, border_radius=round(r * 0.06))
    pygame.draw.circle(canvas, color, (middle, middle), r * 0.46)
    pygame.draw.circle(canvas, mixed(color, theme.NIGHT, 0.72), (middle, middle), r * 0.36)
    _eye(canvas, middle, r * 0.22, seat, mixed(color, theme.WHITE, 0.75) if alive else theme.DIM)
    return pygame.transform.smoothscale(canvas, (2 * middle // _FINE, 2 * middle // _FINE))


def _eye(canvas: pygame.Surface, middle: int, size: float, seat: int, color: Color) -> None:
    if seat == 0:
        pygame.draw.circle(canvas, color, (middle, middle), size)
        return
    reach = size * 1.25
    points = [(middle + reach, middle), (middle, middle + reach), (middle - reach, middle), (middle, middle - reach)]
    pygame.draw.polygon(canvas, color, points)


def _arc(radius: float, half: float, color: Color) -> pygame.Surface:
    """A shield around +x at twice its size: a band outside the bot, `half` degrees to each side."""
    r = radius * 2 * _FINE
    middle = math.ceil(r * 1.34)
    canvas = pygame.Surface((2 * middle, 2 * middle), pygame.SRCALPHA)
    for inner, outer, alpha in ((1.05, 1.27, 70), (1.08, 1.20, 255)):
        pygame.draw.polygon(canvas, (*mixed(color, theme.WHITE, 0.3), alpha), _band(middle, r * inner, r * outer, half))
    return pygame.transform.smoothscale(canvas, (2 * middle // _FINE, 2 * middle // _FINE))


def _band(middle: float, inner: float, outer: float, half: float) -> list[tuple[float, float]]:
    steps = max(4, round(half))
    angles = [math.radians(-half + 2 * half * step / steps) for step in range(steps + 1)]
    edge = [(middle + outer * math.cos(angle), middle + outer * math.sin(angle)) for angle in angles]
    return edge + [(middle + inner * math.cos(angle), middle + inner * math.sin(angle)) for angle in reversed(angles)]


def _glow(color: Color, radius: int, strength: float) -> pygame.Surface:
    small = 64
    canvas = pygame.Surface((2 * small, 2 * small))
    for ring in range(small, 0, -1):
        light = (1 - ring / small) ** 2 * strength
        pygame.draw.circle(canvas, mixed((0, 0, 0), color, light), (small, small), ring)
    return pygame.transform.smoothscale(canvas, (2 * radius, 2 * radius))
