"""What is drawn in the arena, noted stroke by stroke before it is painted: only strokes that differ cost pixels.

Where a stroke ends up does not depend on the part of the picture that is painted: surfaces and plain rectangles
can be cut anywhere, every other shape is painted whole or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import Any

import pygame

from batllm_arcade.view.theme import Color

Spot = tuple[float, float]
Box = tuple[int, int, int, int]
Stroke = tuple[Any, ...]
"""A surface with what `Surface.blits` wants of it; or a shape's function, its box, and what the function wants."""

_PIECE = 32  # pixels of a line that are one stroke; a long line's whole box would be mostly empty
_ROOM = 16_000  # pixels that may be added for having a rectangle less
_SOFT = 3  # pixels around a shape that its smooth edges may reach
_MUCH = 0.7  # of the whole; where more than this differs, painting all of it at once is cheaper


def wash(surface: pygame.Surface, color: tuple[int, ...], flags: int) -> pygame.Rect:
    """Fill a surface's clip with a flag such as BLEND_RGB_ADD; pygame's own fill takes fifty times as long for that."""
    area = surface.get_clip()
    sheet = pygame.Surface(area.size, surface.get_flags() & pygame.SRCALPHA, surface)
    sheet.fill(color)
    return surface.blit(sheet, area, special_flags=flags)


def faded(surface: pygame.Surface, opacity: float) -> pygame.Surface:
    """The surface, or a copy of it that lets through what is below; `opacity` 0 to 1."""
    if opacity >= 1.0:
        return surface
    copy = surface.copy()
    copy.set_alpha(round(255 * max(0.0, opacity)))
    return copy


class DrawList:
    """Notes strokes within `clip`; surfaces must not change afterwards."""

    def __init__(self, clip: pygame.Rect) -> None:
        self.clip = clip
        self.strokes: list[Stroke] = []

    def blit(
        self,
        source: pygame.Surface,
        where: pygame.Rect | tuple[int, int],
        area: pygame.Rect | None = None,
        special_flags: int = 0,
    ) -> None:
        """Copy a surface, as pygame's does."""
        part = (area.x, area.y, area.w, area.h) if area else None
        self.strokes.append((source, (where[0], where[1]), part, special_flags))

    def flash(self, color: Color) -> None:
        """Add a colour to everything."""
        self.strokes.append((_flash, tuple(self.clip), color))

    def rect(self, color: Color, rect: pygame.Rect, radius: int = 0) -> None:
        """A filled rectangle, with round corners if a radius is given."""
        if radius:
            box = tuple(rect)
            self.strokes.append((_round_rect, box, color, box, radius))
        else:
            box = tuple(rect.clip(self.clip))  # pygame's fill does not cut what lies left of a surface or above it
            self.strokes.append((_plain_rect, box, color, box))

    def circle(self, color: Color, at: Spot, radius: float, width: int = 0) -> None:
        """A disc, or a ring of that width."""
        self.strokes.append((_circle, _around((at,), radius), color, at, radius, width))

    def polygon(self, color: Color, points: Sequence[Spot]) -> None:
        """A filled shape with smooth edges."""
        self.strokes.append((_polygon, _around(points), color, tuple(points)))

    def outline(self, color: Color, points: Sequence[Spot]) -> None:
        """A smooth thin line through the points and back to the first."""
        self.strokes.append((_outline, _around(points), color, tuple(points)))

    def line(self, color: Color, start: Spot, end: Spot) -> None:
        """A smooth thin line."""
        along = 0 if abs(end[0] - start[0]) >= abs(end[1] - start[1]) else 1
        if end[along] < start[along]:
            start, end = end, start
        if end[along] - start[along] <= _PIECE:
            self.strokes.append((_line, _around((start, end)), color, start, end))
            return
        slope = (end[1 - along] - start[1 - along]) / (end[along] - start[along])
        first = start[along]
        while first <= end[along]:  # pieces that begin and end at whole pixels join without a seam
            last = min(int(first) + _PIECE - 1.0, end[along])
            ends = [(at, start[1 - along] + slope * (at - start[along])) for at in (first, last)]
            piece = tuple(spot if along == 0 else spot[::-1] for spot in ends)
            self.strokes.append((_line, _around(piece), color, *piece))
            first = int(first) + float(_PIECE)

    def lights(self, lights: Iterable[tuple[pygame.Surface, Spot]], flags: int) -> None:
        """Small surfaces close to each other, each with where its middle is: all of them are one stroke."""
        self.spray((0, 0, 0), (), lights, flags)

    def spray(
        self,
        color: Color,
        lines: Sequence[tuple[Spot, Spot]],
        lights: Iterable[tuple[pygame.Surface, Spot]],
        flags: int,
    ) -> None:
        """Smooth thin lines close to each other and small surfaces upon them; all of it is one stroke."""
        copies, spots, reach = [], [*chain.from_iterable(lines)], 0.0
        for light, (x, y) in lights:
            half_w, half_h = light.get_width() / 2, light.get_height() / 2
            copies.append((light, (round(x - half_w), round(y - half_h)), None, flags))
            spots.append((x, y))
            reach = max(reach, half_w, half_h)
        self.strokes.append((_spray, _around(spots, reach), color, tuple(lines), tuple(copies)))


def paint(target: pygame.Surface, strokes: Iterable[Stroke], parts: Iterable[pygame.Rect]) -> None:
    """Paint those parts of a picture."""
    runs = [(copies, list(run)) for copies, run in groupby(strokes, _is_copy)]
    for part in parts:
        target.set_clip(part)
        for copies, run in runs:
            if copies:
                target.blits(run, doreturn=False)
                continue
            for stroke in run:
                if part.colliderect(stroke[1]):
                    stroke[0](target, *stroke[2:])
    target.set_clip(None)


def differing(old: list[Stroke], new: list[Stroke], clip: pygame.Rect) -> list[pygame.Rect]:
    """Where within the clip pictures of these strokes differ; the first stroke of each is what all others lie on.

    No shape lies partly inside one of the rectangles.
    """
    if old[0] != new[0]:
        return [clip]
    if old == new:
        return []
    before, now = set(old), set(new)
    if [stroke for stroke in old if stroke in now] != [stroke for stroke in new if stroke in before]:
        return [clip]
    strokes = [*(stroke for stroke in old if stroke not in now), *(stroke for stroke in new if stroke not in before)]
    shapes = [pygame.Rect(stroke[1]).clip(clip) for stroke in new if not _can_be_cut(stroke)]
    found = _uncut(gathered([_box(stroke).clip(clip) for stroke in strokes]), shapes)
    return found if sum(rect.w * rect.h for rect in found) < _MUCH * clip.w * clip.h else [clip]


def _uncut(rects: list[pygame.Rect], shapes: list[pygame.Rect]) -> list[pygame.Rect]:
    """The rectangles, grown and joined until no shape lies partly inside one."""
    settled = False
    while not settled:
        settled = True
        for shape in shapes:
            cut = [rect for rect in rects if rect.colliderect(shape) and not rect.contains(shape)]
            if cut:
                rects = [*(rect for rect in rects if rect not in cut), shape.unionall(cut)]
                settled = False
    return rects


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


def _around(spots: Iterable[Spot], reach: float = 0.0) -> Box:
    """The box around all that is within `reach` of these."""
    across, down = zip(*spots, strict=True)
    left, top = math.floor(min(across) - reach) - _SOFT, math.floor(min(down) - reach) - _SOFT
    return left, top, math.ceil(max(across) + reach) + _SOFT - left, math.ceil(max(down) + reach) + _SOFT - top


def _is_copy(stroke: Stroke) -> bool:
    return isinstance(stroke[0], pygame.Surface)


def _can_be_cut(stroke: Stroke) -> bool:
    return _is_copy(stroke) or stroke[0] is _plain_rect or stroke[0] is _flash


def _box(stroke: Stroke) -> pygame.Rect:
    """Where a stroke leaves anything."""
    if _is_copy(stroke):
        source, where, part, _ = stroke
        return pygame.Rect(where, part[2:] if part else source.get_size())
    return pygame.Rect(stroke[1])


def _flash(target: pygame.Surface, color: Color) -> None:
    wash(target, color, pygame.BLEND_RGB_ADD)


def _plain_rect(target: pygame.Surface, color: Color, box: Box) -> None:
    target.fill(color, box)


def _round_rect(target: pygame.Surface, color: Color, box: Box, radius: int) -> None:
    pygame.draw.rect(target, color, box, border_radius=radius)


def _circle(target: pygame.Surface, color: Color, at: Spot, radius: float, width: int) -> None:
    pygame.draw.circle(target, color, at, radius, width)


def _polygon(target: pygame.Surface, color: Color, points: Sequence[Spot]) -> None:
    pygame.draw.polygon(target, color, points)
    pygame.draw.aalines(target, color, True, points)


def _outline(target: pygame.Surface, color: Color, points: Sequence[Spot]) -> None:
    pygame.draw.aalines(target, color, True, points)


def _line(target: pygame.Surface, color: Color, start: Spot, end: Spot) -> None:
    pygame.draw.aaline(target, color, start, end)


def _spray(target: pygame.Surface, color: Color, lines: Sequence[tuple[Spot, Spot]], copies: Sequence[Stroke]) -> None:
    for start, end in lines:
        pygame.draw.aaline(target, color, start, end)
    target.blits(copies, doreturn=False)
