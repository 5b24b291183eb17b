"""Where words in the arena go so that they hide no bot, no other words and as little as possible of the lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pygame

Pixel = tuple[float, float]
_TURNS = tuple(
    (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    for degrees in (55, -55, 90, -90, 0, 125, -125, 180)  # away from the direction in which words like to go
)
_DISTANCES = (0.8, 0.3, 1.5, 2.4)  # radii between the anchor and the words' nearest edge
_EVERY = 12  # pixels between the points of a line that words keep off


@dataclass(frozen=True, slots=True)
class Chip:
    """Words on a plate: the pixel they belong to, and the direction (a unit vector) in which they like to go."""

    image: pygame.Surface
    at: Pixel
    away: Pixel


def place_chips(
    chips: Sequence[Chip],
    taken: Sequence[pygame.Rect],
    lines: Sequence[tuple[Pixel, Pixel]],
    area: pygame.Rect,
    radius: float,
) -> list[Pixel]:
    """Return the middle of each chip inside `area`; `radius` is that of a bot, all in pixels.

    The first chips choose first; nothing is laid over what is taken as long as there is room.
    """
    occupied, found = list(taken), []
    dots = [pygame.Rect(round(x) - 2, round(y) - 2, 4, 4) for line in lines for x, y in _points(*line)]
    for chip in chips:
        best, least = pygame.Rect(0, 0, 0, 0), math.inf
        for number, spot in enumerate(_spots(chip, radius)):
            spot = spot.clamp(area)
            cost = number + 25.0 * len(spot.collidelistall(dots))
            if spot.collidelist(occupied) >= 0:
                cost += sum(part.w * part.h for part in map(spot.clip, occupied))
            if cost < least:
                best, least = spot, cost
            if cost <= number:
                break
        occupied.append(best)
        found.append((best.x + best.w / 2, best.y + best.h / 2))
    return found


def _spots(chip: Chip, radius: float) -> Iterator[pygame.Rect]:
    """Yield where a chip might go, the best places first."""
    (wide, high), (x, y), (ax, ay) = chip.image.get_size(), chip.at, chip.away
    for distance in _DISTANCES:
        for cos, sin in _TURNS:
            ux, uy = ax * cos - ay * sin, ay * cos + ax * sin
            reach = distance * radius + min(wide / max(abs(ux), 1e-6), high / max(abs(uy), 1e-6)) / 2
            yield pygame.Rect(int(x + ux * reach - wide / 2), int(y + uy * reach - high / 2), wide, high)


def _points(start: Pixel, end: Pixel) -> list[Pixel]:
    count = max(1, int(math.dist(start, end) / _EVERY))
    return [
        (start[0] + (end[0] - start[0]) * n / count, start[1] + (end[1] - start[1]) * n / count)
        for n in range(count + 1)
    ]
