"""What is drawn, in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby
from typing import Any

import pygame

from batllm_arcade.view.theme import Color

Point = tuple[float, float]
Box = tuple[int, int, int, int]
DrawCommand = tuple[Any, ...]
"""A surface and the other arguments of `Surface.blits`; or a shape's function, its bounding box and its arguments."""

_PIECE = 32  # pixels of a line in one command: the bounding box of a long line would be mostly empty
MERGE_PIXELS = 16_000  # unchanged pixels that may be repainted to have one rectangle less
_STRIP = 32  # rows that are washed at a time: few enough for the processor's cache
_SOFT = 3  # pixels by which anti-aliased edges may exceed a shape
REPAINT_SHARE = 0.7  # of the whole; if more than this differs, painting everything is cheaper


def wash(surface: pygame.Surface, color: tuple[int, ...], flags: int) -> pygame.Rect:
    """Fill a surface's clip with a blend flag and return the rectangle; `Surface.fill` takes fifty times as long."""
    area = surface.get_clip()
    if area.w <= 0 or area.h <= 0:
        return area
    sheet = pygame.Surface((area.w, min(area.h, _STRIP)), surface.get_flags() & pygame.SRCALPHA, surface)
    sheet.fill(color)
    strips: list[DrawCommand] = [(sheet, (area.left, top), None, flags) for top in range(area.top, area.bottom, _STRIP)]
    surface.blits(strips, doreturn=False)
    return area


def faded(surface: pygame.Surface, opacity: float) -> pygame.Surface:
    """Return the surface, or a translucent copy of it; `opacity` 0 to 1."""
    if opacity >= 1.0:
        return surface
    copy = surface.copy()
    copy.set_alpha(round(255 * max(0.0, opacity)))
    return copy


class DrawList:
    """Records commands within `clip`; recorded surfaces must not change afterwards."""

    def __init__(self, clip: pygame.Rect) -> None:
        self.clip = clip
        self.commands: list[DrawCommand] = []

    def blit(
        self,
        source: pygame.Surface,
        where: pygame.Rect | tuple[int, int],
        area: pygame.Rect | None = None,
        special_flags: int = 0,
    ) -> None:
        """Record a blit; the arguments are those of `Surface.blit`."""
        part = (area.x, area.y, area.w, area.h) if area else None
        self.commands.append((source, (where[0], where[1]), part, special_flags))

    def flash(self, color: Color) -> None:
        """Record that a colour is added to everything."""
        box = tuple(self.clip)
        self.commands.append((_flash, box, color, box))

    def rect(self, color: Color, rect: pygame.Rect, radius: int = 0) -> None:
        """Record a filled rectangle, with round corners if a radius is given."""
        if radius:
            box = tuple(rect)
            self.commands.append((_round_rect, box, color, box, radius))
        else:
            box = tuple(rect.clip(self.clip))  # pygame's fill does not clip on the left and at the top
            self.commands.append((_plain_rect, box, color, box))

    def circle(self, color: Color, at: Point, radius: float, width: int = 0) -> None:
        """Record a disc, or a ring of `width` pixels."""
        self.commands.append((_circle, _around((at,), radius), color, at, radius, width))

    def polygon(self, color: Color, points: Sequence[Point]) -> None:
        """Record a filled anti-aliased polygon."""
        self.commands.append((_polygon, _around(points), color, tuple(points)))

    def outline(self, color: Color, points: Sequence[Point]) -> None:
        """Record a closed anti-aliased line through the points."""
        self.commands.append((_outline, _around(points), color, tuple(points)))

    def line(self, color: Color, start: Point, end: Point) -> None:
        """Record an anti-aliased line, in pieces if it is long."""
        along = 0 if abs(end[0] - start[0]) >= abs(end[1] - start[1]) else 1
        if end[along] < start[along]:
            start, end = end, start
        if end[along] - start[along] <= _PIECE:
            self.commands.append((_line, _around((start, end)), color, start, end))
            return
        slope = (end[1 - along] - start[1 - along]) / (end[along] - start[along])
        first = start[along]
        while first <= end[along]:  # pieces that begin and end at whole pixels join seamlessly
            last = min(int(first) + _PIECE - 1.0, end[along])
            ends = [(at, start[1 - along] + slope * (at - start[along])) for at in (first, last)]
            piece = tuple(spot if along == 0 else spot[::-1] for spot in ends)
            self.commands.append((_line, _around(piece), color, *piece))
            first = int(first) + float(_PIECE)

    def lights(self, lights: Iterable[tuple[pygame.Surface, Sequence[Point]]], flags: int) -> None:
        """Record small surfaces near each other, each with its centres, as one command."""
        self.spray((0, 0, 0), (), lights, flags)

    def spray(
        self,
        color: Color,
        lines: Sequence[tuple[Point, Point]],
        lights: Iterable[tuple[pygame.Surface, Sequence[Point]]],
        flags: int,
    ) -> None:
        """Record anti-aliased lines near each other and small surfaces on top of them as one command."""
        copies: list[DrawCommand] = []
        covered, reach = [*chain.from_iterable(lines)], 0.0
        for light, centres in lights:
            width, height = light.get_size()
            half_w, half_h = width / 2, height / 2
            copies += [(light, (round(x - half_w), round(y - half_h)), None, flags) for x, y in centres]
            covered += centres
            reach = max(reach, half_w, half_h)
        self.commands.append((_spray, _around(covered, reach), color, tuple(lines), tuple(copies)))


def paint(target: pygame.Surface, commands: Iterable[DrawCommand], parts: Iterable[pygame.Rect]) -> None:
    """Paint those parts of a picture; `target` is a surface of the whole picture."""
    runs = [(copies, list(run)) for copies, run in groupby(commands, _is_copy)]
    for part in parts:
        target.set_clip(part)
        for copies, run in runs:
            if copies:
                target.blits(run, doreturn=False)
                continue
            for command in run:
                if part.colliderect(command[1]):
                    command[0](target, *command[2:])
    target.set_clip(None)


def differing(old: list[DrawCommand], new: list[DrawCommand], clip: pygame.Rect) -> list[pygame.Rect]:
    """Return rectangles within `clip` that cover all pixels in which pictures of the two lists differ.

    The first command of each list is the background. No shape lies partly inside one of the rectangles.
    """
    exchanged = _exchanged(old, new) if old[0] == new[0] else None
    if exchanged is None:
        return [clip]
    if not exchanged:
        return []
    shapes = [pygame.Rect(command[1]).clip(clip) for command in new if not _can_be_clipped(command)]
    parts = _enlarged(merged([_box(command).clip(clip) for command in exchanged]), shapes)
    return parts if sum(rect.w * rect.h for rect in parts) < REPAINT_SHARE * clip.w * clip.h else [clip]


def _exchanged(old: list[DrawCommand], new: list[DrawCommand]) -> list[DrawCommand] | None:
    """Return the commands in which two lists differ; None if those that are in both have changed places.

    Lists of one length are compared place by place, which takes less time than sets: most commands are exchanged so.
    """
    if len(old) == len(new):
        return [command for pair in zip(old, new, strict=True) if pair[0] != pair[1] for command in pair]
    before, now = set(old), set(new)
    if [command for command in old if command in now] != [command for command in new if command in before]:
        return None
    return [command for command in old if command not in now] + [command for command in new if command not in before]


def _enlarged(rects: list[pygame.Rect], shapes: list[pygame.Rect]) -> list[pygame.Rect]:
    """Return the rectangles, enlarged and joined until no shape lies partly inside one."""
    settled = False
    while not settled:
        settled = True
        for shape in shapes:
            cut = [rect for rect in rects if rect.colliderect(shape) and not rect.contains(shape)]
            if cut:
                rects = [*(rect for rect in rects if rect not in cut), shape.unionall(cut)]
                settled = False
    return rects


def merged(rects: Sequence[pygame.Rect]) -> list[pygame.Rect]:
    """Return fewer rectangles that cover all of these; only near ones are joined."""
    joined: list[pygame.Rect] = []
    for rect in rects:
        if not rect.w or not rect.h:
            continue
        for number, other in enumerate(joined):
            if other.contains(rect):
                break
            both = other.union(rect)
            if both.w * both.h <= rect.w * rect.h + other.w * other.h + MERGE_PIXELS:
                joined[number] = both
                break
        else:
            joined.append(rect)
    return joined if len(joined) == len(rects) else merged(joined)


class KeptCommands:
    """Draw commands that are made again only when what they depend on has changed."""

    def __init__(self) -> None:
        self._made: tuple[object, list[DrawCommand]] | None = None

    def draw(self, target: DrawList, key: object, make: Callable[[DrawList], None]) -> None:
        """Add the commands that `make` adds to a list; `key` is all that they depend on besides the list's clip."""
        key = (key, tuple(target.clip))
        if self._made is None or self._made[0] != key:
            alone = DrawList(target.clip)
            make(alone)
            self._made = key, alone.commands
        target.commands += self._made[1]


def _around(points_covered: Iterable[Point], reach: float = 0.0) -> Box:
    across, down = zip(*points_covered, strict=True)
    left, top = math.floor(min(across) - reach) - _SOFT, math.floor(min(down) - reach) - _SOFT
    return left, top, math.ceil(max(across) + reach) + _SOFT - left, math.ceil(max(down) + reach) + _SOFT - top


def _is_copy(command: DrawCommand) -> bool:
    return isinstance(command[0], pygame.Surface)


def _can_be_clipped(command: DrawCommand) -> bool:
    return _is_copy(command) or command[0] is _plain_rect or command[0] is _flash


def _box(command: DrawCommand) -> pygame.Rect:
    if _is_copy(command):
        source, where, part, _ = command
        return pygame.Rect(where, part[2:] if part else source.get_size())
    return pygame.Rect(command[1])


def _flash(target: pygame.Surface, color: Color, box: Box) -> None:
    part = target.get_clip()
    target.set_clip(part.clip(box))
    wash(target, color, pygame.BLEND_RGB_ADD)
    target.set_clip(part)


def _plain_rect(target: pygame.Surface, color: Color, box: Box) -> None:
    target.fill(color, box)


def _round_rect(target: pygame.Surface, color: Color, box: Box, radius: int) -> None:
    pygame.draw.rect(target, color, box, border_radius=radius)


def _circle(target: pygame.Surface, color: Color, at: Point, radius: float, width: int) -> None:
    pygame.draw.circle(target, color, at, radius, width)


def _polygon(target: pygame.Surface, color: Color, points: Sequence[Point]) -> None:
    pygame.draw.polygon(target, color, points)
    pygame.draw.aalines(target, color, True, points)


def _outline(target: pygame.Surface, color: Color, points: Sequence[Point]) -> None:
    pygame.draw.aalines(target, color, True, points)


def _line(target: pygame.Surface, color: Color, start: Point, end: Point) -> None:
    pygame.draw.aaline(target, color, start, end)


def _spray(
    target: pygame.Surface, color: Color, lines: Sequence[tuple[Point, Point]], copies: Sequence[DrawCommand]
) -> None:
    for start, end in lines:
        pygame.draw.aaline(target, color, start, end)
    target.blits(copies, doreturn=False)


def unit(start: Point, end: Point) -> Point:
    """Return the vector of length 1 from a point towards another one."""
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def uncovered(area: pygame.Rect, covers: Iterable[pygame.Rect]) -> list[pygame.Rect]:
    """Return rectangles that together are the part of `area` outside of all covers."""
    left = [area]
    for cover in covers:
        pieces = []
        for rect in left:
            hole = rect.clip(cover)
            if not hole.w or not hole.h:
                pieces.append(rect)
                continue
            pieces += [
                pygame.Rect(rect.left, rect.top, rect.w, hole.top - rect.top),
                pygame.Rect(rect.left, hole.bottom, rect.w, rect.bottom - hole.bottom),
                pygame.Rect(rect.left, hole.top, hole.left - rect.left, hole.h),
                pygame.Rect(hole.right, hole.top, rect.right - hole.right, hole.h),
            ]
        left = [piece for piece in pieces if piece.w and piece.h]
    return left


def mapped(rect: pygame.Rect, whole: pygame.Rect, other: pygame.Rect) -> pygame.Rect:
    """Return a rectangle that has the same place in another one as it has in the whole."""
    across, down = other.width / whole.width, other.height / whole.height
    left, top = other.left + (rect.left - whole.left) * across, other.top + (rect.top - whole.top) * down
    return pygame.Rect(round(left), round(top), round(rect.width * across), round(rect.height * down))
