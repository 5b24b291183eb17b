"""Paints a bot's shapes on a surface."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import pygame

from batllm_arcade.view.look.shapes import BotShape

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
    """Return the outline of an arc with a width."""
    inner, outer, centre, half = numbers
    steps = max(4, round(half))
    angles = [math.radians(centre - half + 2 * half * step / steps) for step in range(steps + 1)]
    edge = [(middle + r * outer * math.cos(angle), middle + r * outer * math.sin(angle)) for angle in angles]
    return edge + [(middle + r * inner * math.cos(a), middle + r * inner * math.sin(a)) for a in reversed(angles)]
