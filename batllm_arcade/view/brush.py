"""A surface to draw on that remembers where it was drawn on."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.view.theme import Color

Spot = tuple[float, float]
_PIECE = 32  # pixels of a long line that are remembered as one; its whole box would be mostly untouched
_ROOM = 16_000  # pixels that may be added for having a rectangle less
_SOFT = 3  # pixels around what is drawn that smooth edges may reach


def wash(surface: pygame.Surface, color: tuple[int, ...], flags: int) -> pygame.Rect:
    """Fill a surface's clip with a flag such as BLEND_RGB_ADD; pygame's own fill takes fifty times as long for that."""
    area = surface.get_clip()
    sheet = pygame.Surface(area.size, surface.get_flags() & pygame.SRCALPHA, surface)
    sheet.fill(color)
    return surface.blit(sheet, area, special_flags=flags)


class Brush:
    """Draws within the clip of `surface`; `touched` are the rectangles outside which it is as it was."""

    def __init__(self, surface: pygame.Surface) -> None:
        self.surface = surface
        self.touched: list[pygame.Rect] = []

    def blit(
        self, source: pygame.Surface, where: pygame.Rect | tuple[int, int], area: pygame.Rect | None = None,
        special_flags: int = 0,
    ) -> None:  # fmt: skip
        """Copy a surface, as pygame's does."""
        self.touched.append(self.surface.blit(source, where, area, special_flags))

    def blits(self, what: Sequence[tuple[pygame.Surface, Spot, pygame.Rect, int]]) -> None:
        """Copy many surfaces: each with its place, the part of it that is copied, and its flags."""
        self.touched += self.surface.blits(what) or ()

    def flash(self, color: Color) -> None:
        """Add a colour to everything."""
        self.touched.append(wash(self.surface, color, pygame.BLEND_RGB_ADD))

    def rect(self, color: Color, rect: pygame.Rect, radius: int = 0) -> None:
        """A filled rectangle with round corners."""
        self.touched.append(pygame.draw.rect(self.surface, color, rect, border_radius=radius))

    def circle(self, color: Color, at: Spot, radius: float, width: int = 0) -> None:
        """A disc, or a ring of that width."""
        self.touched.append(pygame.draw.circle(self.surface, color, at, radius, width).inflate(2 * _SOFT, 2 * _SOFT))

    def polygon(self, color: Color, points: Sequence[Spot]) -> None:
        """A filled shape with smooth edges."""
        self.touched.append(pygame.draw.polygon(self.surface, color, points).inflate(2 * _SOFT, 2 * _SOFT))
        pygame.draw.aalines(self.surface, color, True, points)

    def line(self, color: Color, start: Spot, end: Spot) -> None:
        """A smooth thin line."""
        drawn = pygame.draw.aaline(self.surface, color, start, end)
        if drawn.width <= _PIECE or drawn.height <= _PIECE:
            self.touched.append(drawn.inflate(2 * _SOFT, 2 * _SOFT))
            return
        (x, y), (to_x, to_y) = start, end
        count, inside = 1 + int(max(abs(to_x - x), abs(to_y - y)) / _PIECE), drawn.inflate(2 * _SOFT, 2 * _SOFT)
        step_x, step_y = (to_x - x) / count, (to_y - y) / count
        wide, high = int(abs(step_x)) + 2 * _SOFT + 2, int(abs(step_y)) + 2 * _SOFT + 2
        for number in range(count):
            left, top = x + number * step_x + min(0.0, step_x), y + number * step_y + min(0.0, step_y)
            self.touched.append(pygame.Rect(int(left) - _SOFT, int(top) - _SOFT, wide, high).clip(inside))


def gathered(rects: Sequence[pygame.Rect]) -> list[pygame.Rect]:
    """A few rectangles that cover all of these; those far from each other stay apart."""
    found: list[pygame.Rect] = []
    for rect in rects:
        if not rect.w or not rect.h:
            continue
        for number, other in enumerate(found):
            if other.contains(rect):
                break
            both = other.union(rect)
            if both.w * both.h <= rect.w * rect.h + other.w * other.h + _ROOM:
                found[number] = both
                break
        else:
            found.append(rect)
    return found if len(found) == len(rects) else gathered(found)
