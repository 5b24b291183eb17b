"""Soft light, smoke and splinters as cached surfaces: made once per size and strength, then only copied."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.render.draw_list import wash
from batllm_arcade.render.text import Cache
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_MASTER = 128
_LEVELS = 10
_STEP = 1.1  # from one size to the next
_SMALL = 48  # pixels of a radius up to which many are kept
SPLINTERS, TURNS = 5, 10
"""How many shapes splinters have, and in how many directions each is kept."""


class Glows:
    """What shines, smokes and flies about; colours of light are added to what is below."""

    def __init__(self) -> None:
        self._masters, self._splinters = Cache(32), Cache(2 * SPLINTERS * TURNS)
        self._small, self._large = Cache(600), Cache(90)

    def glow(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """A soft round light to add to the picture; `strength` 0 to 1."""
        return self._light("glow", color, radius, strength)

    def ring(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """A soft ring of light to add to the picture, such as a shock makes."""
        return self._light("ring", color, radius * 1.25, strength)

    def puff(self, color: Color, radius: float, strength: float) -> pygame.Surface:
        """A cloud of dust or smoke."""
        size, level = _size(radius), max(1, round(strength * _LEVELS))
        return self._cache(size).get(("puff", color, size, level), lambda: self._clouded(color, size, level))

    def _cache(self, size: int) -> Cache:
        return self._small if size <= _SMALL else self._large

    def _clouded(self, color: Color, size: int, level: int) -> pygame.Surface:
        puff = pygame.transform.smoothscale(self._masters.get(color, lambda: _cloud(color)), (2 * size, 2 * size))
        wash(puff, (255, 255, 255, round(255 * level / _LEVELS)), pygame.BLEND_RGBA_MULT)
        return puff

    def splinter(self, seat: int, radius: float, shape: int, turn: int) -> pygame.Surface:
        """A piece of the hull of a bot of that radius, one of some shapes, turned."""
        shape %= SPLINTERS
        key = (seat, max(2, round(radius * (0.12 + 0.04 * shape))), shape, turn % TURNS)
        return self._splinters.get(key, lambda: _splinter(*key))

    def _light(self, kind: str, color: Color, radius: float, strength: float) -> pygame.Surface:
        size, level = _size(radius), min(_LEVELS, max(1, round(strength * _LEVELS)))
        return self._cache(size).get((kind, color, size, level), lambda: self._made(kind, color, size, level))

    def _made(self, kind: str, color: Color, size: int, level: int) -> pygame.Surface:
        shape = _fallen if kind == "glow" else _ringed
        master = self._masters.get((kind, color), lambda: _master(color, shape))
        light = pygame.transform.smoothscale(master, (2 * size, 2 * size))
        if level < _LEVELS:
            share = round(255 * level / _LEVELS)
            wash(light, (share, share, share), pygame.BLEND_RGB_MULT)
        return light


def _size(radius: float) -> int:
    """A radius rounded to one of the sizes that are kept."""
    if radius < 12:
        return max(2, round(radius))
    return round(_STEP ** round(math.log(radius, _STEP)))


def _fallen(share: float) -> float:
    return float((1 - share) ** 2.1)


def _ringed(share: float) -> float:
    return float(math.exp(-(((share - 0.8) / (0.05 if share > 0.8 else 0.12)) ** 2)))


def _master(color: Color, shape: object) -> pygame.Surface:
    assert callable(shape)
    canvas = pygame.Surface((2 * _MASTER, 2 * _MASTER))
    for reach in range(_MASTER, 0, -1):
        pygame.draw.circle(canvas, mixed((0, 0, 0), color, shape(reach / _MASTER)), (_MASTER, _MASTER), reach)
    return canvas


def _cloud(color: Color) -> pygame.Surface:
    canvas = pygame.Surface((_MASTER, _MASTER), pygame.SRCALPHA)
    half = _MASTER // 2
    for reach in range(half, 0, -1):
        pygame.draw.circle(canvas, (*color, round(255 * (1 - reach / half) ** 1.3)), (half, half), reach)
    return canvas


def _splinter(seat: int, size: int, shape: int, turn: int) -> pygame.Surface:
    fine = 4
    canvas = pygame.Surface((2 * size * fine, 2 * size * fine), pygame.SRCALPHA)
    corners = 3 + shape % 3
    points = []
    for corner in range(corners):
        angle = math.tau * (corner / corners + turn / TURNS) + 0.7 * math.sin(shape * 5 + corner * 2)
        reach = size * fine * (0.55 + 0.4 * math.sin(shape * 3 + corner * 7))
        points.append((size * fine + reach * math.cos(angle), size * fine + reach * math.sin(angle)))
    pygame.draw.polygon(canvas, mixed(theme.SEAT_COLORS[seat], theme.NIGHT, 0.15 + 0.14 * shape), points)
    return pygame.transform.smoothscale(canvas, (2 * size, 2 * size))
