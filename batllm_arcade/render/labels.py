"""Where words in the arena go so that they hide no bot, no other words and as little as possible of the lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import pygame

Pixel = tuple[float, float]
Room = tuple[int, int]
"""Width and height."""
Turns = tuple[tuple[float, float], ...]
"""Turns away from the direction in which words like to go, the best first: cosine and sine of each."""


def _turns(*degrees: float) -> Turns:
    return tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in degrees)


ASIDE = _turns(55, -55, 90, -90, 0, 125, -125, 180)
UPWARDS = _turns(0, 180, 55, -55, 125, -125, 90, -90)
NEAREST = 0.8
_DISTANCES = (NEAREST, 0.3, 1.5, 2.4, 3.4)  # radii between the anchor and the words' nearest edge
_COVERS = 400  # pixels by which words that lie over others at all count as lying over more
_ACROSS, _DOWN = 8, 16  # steps in which a free place is looked for in the whole arena
_EVERY = 20  # pixels between the points of a line that words keep off


@dataclass(frozen=True, slots=True)
class Chip:
    """Words on a plate: the pixel they belong to, and the direction (a unit vector) in which they like to go.

    Those that are `spare` are left out where there is no room.
    """

    image: pygame.Surface
    at: Pixel
    away: Pixel
    spare: bool = False


def place_chips(
    chips: Sequence[Chip],
    taken: Sequence[pygame.Rect],
    lines: Sequence[tuple[Pixel, Pixel]],
    area: pygame.Rect,
    radius: float,
) -> list[Pixel | None]:
    """Return the middle of each chip inside `area`, None for one left out; `radius` is that of a bot, all in pixels.

    The first chips choose first; nothing is laid over what is taken as long as there is room.
    """
    occupied, found = list(taken), list[Pixel | None]()
    dots = [dot for line in lines for dot in _dots(*line)]
    for chip in chips:
        best, least = pygame.Rect(0, 0, 0, 0), math.inf
        for number, spot in enumerate(_spots(chip.image.get_size(), chip.at, chip.away, radius, ASIDE)):
            if number >= least:
                break
            spot.clamp_ip(area)
            cost: float = number + _covering(spot, occupied)
            if cost >= least:
                continue
            cost += 25.0 * len(spot.collidelistall(dots))
            if cost < least:
                best, least = spot, cost
            if cost <= number + 25.0:  # nothing covered but a bit of a line
                break
        if chip.spare and best.collidelist(occupied) >= 0:
            found.append(None)
            continue
        occupied.append(best)
        found.append((best.x + best.w / 2, best.y + best.h / 2))
    return found


def _covering(spot: pygame.Rect, occupied: Sequence[pygame.Rect]) -> int:
    """Return what it costs that words lie over others: the pixels, and `_COVERS` where there are any; 0 if not."""
    pixels = 0
    for index in spot.collidelistall(occupied):
        _, _, wide, high = spot.clip(occupied[index])
        pixels += wide * high
    return pixels and pixels + _COVERS


class Ground(NamedTuple):
    """What is around the pixel that words belong to, all in pixels; `radius` is that of a bot.

    Words may lie over one of the `bodies` if there is no other room, but not over what is `taken`, nor outside `area`.
    """

    at: Pixel
    bodies: Sequence[pygame.Rect]
    taken: Sequence[pygame.Rect]
    area: pygame.Rect
    radius: float
    own: Pixel | None = None
    """The middle of the bot that they are of, to which they are nearer than to the `other` one, if they can."""
    other: Pixel = (0.0, 0.0)

    def near(self, size: Room) -> pygame.Rect | None:
        """Return the rectangle for words of that size near the pixel: above it, else where nothing is; None if none."""
        first: pygame.Rect | None = None
        for spot in self._untaken(size):
            if spot.collidelist(self.bodies) < 0:
                if self.is_at_its_own(spot):
                    return spot
                first = first or spot
        return first

    def is_at_its_own(self, spot: pygame.Rect) -> bool:
        """Return whether a rectangle is nearer to the bot that words are of than to the other one."""
        return self.own is None or math.dist(spot.center, self.own) < math.dist(spot.center, self.other)

    def over_a_body(self, size: Room) -> pygame.Rect | None:
        """Return the first rectangle near the pixel that lies over a body alone, where none is free."""
        return next(self._untaken(size), None)

    def free(self, size: Room) -> pygame.Rect | None:
        """Return the nearest rectangle of that size that is over nothing."""
        return free_place(size, self.at, [*self.bodies, *self.taken], self.area)

    def _untaken(self, size: Room) -> Iterator[pygame.Rect]:
        if size[0] > self.area.width or size[1] > self.area.height:
            return
        for spot in _spots(size, self.at, (0.0, -1.0), self.radius, UPWARDS):
            spot.clamp_ip(self.area)
            if spot.collidelist(self.taken) < 0:
                yield spot


def place_words(size: Room, ground: Ground) -> pygame.Rect | None:
    """Return the rectangle for words of that size at a bot: near it, else at the nearest place that is free."""
    return ground.near(size) or ground.free(size) or ground.over_a_body(size)


def free_place(
    size: tuple[int, int], at: Pixel, occupied: Sequence[pygame.Rect], area: pygame.Rect
) -> pygame.Rect | None:
    """Return the rectangle of that size in an area that is nearest to a pixel and over nothing, None without one."""
    free = (spot for spot in _everywhere(size, area) if spot.collidelist(occupied) < 0)
    return min(free, key=lambda spot: math.dist(spot.center, at), default=None)


def least_covering(
    size: tuple[int, int], bodies: Sequence[pygame.Rect], taken: Sequence[pygame.Rect], area: pygame.Rect
) -> pygame.Rect | None:
    """Return the rectangle of that size that covers least of the bodies and nothing that is taken, None without one."""
    free = (spot for spot in _everywhere(size, area) if spot.collidelist(taken) < 0)
    return min(free, key=lambda spot: _covering(spot, bodies), default=None)


def _everywhere(size: tuple[int, int], area: pygame.Rect) -> Iterator[pygame.Rect]:
    """Yield rectangles of that size all over an area, none where it is too small."""
    (wide, high), room = size, (area.width - size[0], area.height - size[1])
    if min(room) < 0:
        return
    for down in range(_DOWN + 1):
        for across in range(_ACROSS + 1):
            x, y = area.left + room[0] * across // _ACROSS, area.top + room[1] * down // _DOWN
            yield pygame.Rect(x, y, wide, high)


def _spots(size: tuple[int, int], at: Pixel, away: Pixel, radius: float, turns: Turns) -> Iterator[pygame.Rect]:
    """Yield where words might go, the best places first."""
    (wide, high), (x, y), (ax, ay) = size, at, away
    left, top, ways = x - wide / 2, y - high / 2, []
    near = _DISTANCES[0] * radius
    for cos, sin in turns:
        ux, uy = ax * cos - ay * sin, ay * cos + ax * sin
        edge = min(wide / (abs(ux) or 1e-6), high / (abs(uy) or 1e-6)) / 2
        ways.append((ux, uy, edge))
        reach = near + edge
        yield pygame.Rect(int(left + ux * reach), int(top + uy * reach), wide, high)
    for distance in _DISTANCES[1:]:
        far = distance * radius
        for ux, uy, edge in ways:
            reach = far + edge
            yield pygame.Rect(int(left + ux * reach), int(top + uy * reach), wide, high)


@lru_cache(maxsize=8)
def _dots(start: Pixel, end: Pixel) -> tuple[pygame.Rect, ...]:
    """Return small squares along a line."""
    count = max(1, int(math.dist(start, end) / _EVERY))
    (x, y), dx, dy = start, (end[0] - start[0]) / count, (end[1] - start[1]) / count
    return tuple(pygame.Rect(round(x + dx * n) - 2, round(y + dy * n) - 2, 4, 4) for n in range(count + 1))
