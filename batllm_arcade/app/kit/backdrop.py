"""What lies behind the menus: night, a floor that runs away, a light from each side, and dust that drifts."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_DUST = 34
_GOLDEN = 0.6180339887


def draw_backdrop(canvas: Canvas, now: float, *, still: bool) -> None:
    """Fill the whole canvas; only the dust moves, and it holds still where motion is reduced."""
    width, height = size = canvas.size
    canvas.target.blit(_painted(size, pygame.display.get_surface() is not None), (0, 0))
    t = 0.0 if still else now
    for mote in range(_DUST):
        depth = 0.35 + 0.65 * ((mote * _GOLDEN * 3) % 1)
        x = ((mote * _GOLDEN + t * 0.010 * depth) % 1) * width
        y = (((mote * 0.371 - t * 0.014 * depth) % 1) * 1.1 - 0.05) * height
        shine = depth * (0.35 + 0.25 * math.sin(1.3 * t + mote))
        side = theme.SEAT_COLORS[0] if x < width / 2 else theme.SEAT_COLORS[1]
        reach = max(1, round(2.2 * depth * height / 720))
        pygame.draw.rect(canvas.target, mixed(theme.NIGHT, side, shine * 0.7), (x, y, reach, reach))


@lru_cache(maxsize=1)  # all menus of a window share it
def _painted(size: tuple[int, int], converted: bool) -> pygame.Surface:
    """Return what does not move, `converted` to the pixels of the window if there is one."""
    width, height = size
    surface = pygame.Surface(size)
    surface.fill(theme.NIGHT)
    horizon = height * 0.60
    grid = mixed(theme.NIGHT, theme.WALL, 0.20)
    for line in range(1, 12):
        y = horizon + (height - horizon) * (line / 11) ** 2.2
        pygame.draw.line(surface, mixed(theme.NIGHT, grid, 0.25 + 0.75 * line / 11), (0, y), (width, y))
    for line in range(-16, 17):
        x = width / 2 + line * width * 0.035
        end = width / 2 + line * width * 0.16
        pygame.draw.aaline(surface, mixed(theme.NIGHT, grid, 0.55), (x, horizon), (end, height))
    for side, color in enumerate(theme.SEAT_COLORS):
        _add_light(surface, (width * side, height * 0.58), width * 0.52, color, 0.17)
    _add_light(surface, (width / 2, height * 0.58), width * 0.45, theme.WALL, 0.16)
    return surface.convert() if converted else surface


def _add_light(surface: pygame.Surface, at: tuple[float, float], radius: float, color: Color, strength: float) -> None:
    """A soft round light; made small and enlarged, so that it has no rings."""
    small = 48
    light = pygame.Surface((2 * small, 2 * small))
    for ring in range(small, 0, -1):
        share = (1 - ring / small) ** 2 * strength
        pygame.draw.circle(light, mixed((0, 0, 0), color, share), (small, small), ring)
    wide = round(2 * radius)
    light = pygame.transform.smoothscale(light, (wide, wide))
    surface.blit(light, (round(at[0] - radius), round(at[1] - radius)), special_flags=pygame.BLEND_RGB_ADD)
