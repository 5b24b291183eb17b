"""Glows, smoke and splinters as cached surfaces, made once per size and strength."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import pygame

from batllm_arcade.render.draw_list import wash
from batllm_arcade.render.text import Cache
from batllm_arcade.view.look.effects import glow_light, puff_opacity, ring_light
from batllm_arcade.view.look.shapes import SPLINTER_SIZES, splinter, splinter_color
from batllm_arcade.view.theme import Color, mixed

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
    """Return a radius rounded to one of the cached sizes."""
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
    fine = 4
    canvas = pygame.Surface((2 * size * fine, 2 * size * fine), pygame.SRCALPHA)
    reach = size * fine
    points = [(reach + reach * x, reach + reach * y) for x, y in splinter(shape, math.tau * turn / TURNS)]
    pygame.draw.polygon(canvas, splinter_color(seat, shape), points)
    return pygame.transform.smoothscale(canvas, (2 * size, 2 * size))
