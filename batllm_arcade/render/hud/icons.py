"""Small icons, drawn large, scaled down smoothly and cached."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from batllm_arcade.render.text import Cache
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_FINE = 4


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
    big = pygame.Surface((size * _FINE, size * _FINE), pygame.SRCALPHA)
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
    big = pygame.Surface((width * _FINE, height * _FINE), pygame.SRCALPHA)
    radius = height * _FINE // 2
    if fill is not None:
        pygame.draw.rect(big, fill, big.get_rect(), border_radius=radius)
    if edge:
        pygame.draw.rect(big, color, big.get_rect(), edge * _FINE, border_radius=radius)
    return pygame.transform.smoothscale(big, (width, height))
