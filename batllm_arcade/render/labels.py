"""Where words in the arena go so that they hide no bot, no other words and as little as possible of the lines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

Pixel = tuple[float, float]
_TURNS = (55, -55, 90, -90, 0, 125, -125, 180)  # degrees away from the direction in which words like to go
_DISTANCES = (0.25, 0.8, 1.5, 2.4)  # radii between the anchor and the words' nearest edge
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
            covered = sum(part.w * part.h for part in (spot.clip(rect) for rect in occupied))
            cost = covered + 25.0 * len(spot.collidelistall(dots)) + number
            if cost < least:
                best, least = spot, cost
            if cost <= number:
                break
        occupied.append(best)
        found.append((best.x + best.w / 2, best.y + best.h / 2))
    return found


def _spots(chip: Chip, radius: float) -> list[pygame.Rect]:
    """Return where a chip might go, the best places first."""
    wide, high = chip.image.get_size()
    base, spots = math.degrees(math.atan2(chip.away[1], chip.away[0])), []
    for distance in _DISTANCES:
        for turn in _TURNS:
            angle = math.radians(base + turn)
            ux, uy = math.cos(angle), math.sin(angle)
            reach = distance * radius + min(wide / 2 / max(abs(ux), 1e-6), high / 2 / max(abs(uy), 1e-6))
            middle = (chip.at[0] + ux * reach, chip.at[1] + uy * reach)
            spots.append(pygame.Rect(round(middle[0] - wide / 2), round(middle[1] - high / 2), wide, high))
    return spots


def _points(start: Pixel, end: Pixel) -> list[Pixel]:
    count = max(1, int(math.dist(start, end) / _EVERY))
    return [
        (start[0] + (end[0] - start[0]) * n / count, start[1] + (end[1] - start[1]) * n / count)
        for n in range(count + 1)
    ]
