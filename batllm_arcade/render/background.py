"""The static background: the window around the arena, its floor, light and walls."""

from __future__ import annotations

import math
import random
from functools import lru_cache, partial

import pygame

from batllm_arcade.render.draw_list import DrawList, mapped, uncovered, wash
from batllm_arcade.render.sprites import lay_light
from batllm_arcade.view import theme
from batllm_arcade.view.look import shapes
from batllm_arcade.view.look.shapes import CELLS
from batllm_arcade.view.theme import mixed

_ADD = pygame.BLEND_RGB_ADD
_GRAIN = 96
_FILM_LIGHT = 0.45  # by which the floor of a film is brighter than the window's
_SOFTER = 4  # times as small the floor's lights are made
_AROUND, _WALL = 0.34, 8  # how much light there is around the arena, and pixels of its wall


def arena_background(size: tuple[int, int], arena: pygame.Rect, scale: float, *, film: bool = False) -> pygame.Surface:
    """Return the background of a whole window with the arena on it.

    The floor of a film is brighter, and has no marks of the seats.
    """
    surface = pygame.Surface(size)
    surface.fill(theme.NIGHT)
    for reach in range(shapes.HALO if arena != surface.get_rect() else 0, 0, -1):  # none is seen around a whole floor
        edge = arena.inflate(*(round(2 * shapes.HALO_STEP * reach * scale),) * 2)
        color = mixed(theme.NIGHT, theme.WALL, shapes.HALO_LIGHT * (1 - reach / shapes.HALO) ** 1.5)
        pygame.draw.rect(surface, color, edge, border_radius=round(12 * scale))
    surface.blit(_floor(arena.size, scale, film=film), arena)
    wide = max(2, round(3 * scale))
    pygame.draw.rect(surface, theme.WALL, arena.inflate(2 * wide, 2 * wide), wide, border_radius=round(5 * scale))
    return surface


@lru_cache(maxsize=2)  # the arena, and as large as the camera sees it in close-ups
def _floor(size: tuple[int, int], scale: float, *, film: bool) -> pygame.Surface:
    """Return the floor of an arena; a match after a match, its replay and its results are played on the same."""
    surface = pygame.Surface(size)
    arena = surface.get_rect()
    surface.fill(theme.FLOOR)
    _paint_plates(surface, arena, scale)
    if not film:  # bots do not start there, and a film has no words that say so
        _paint_homes(surface, arena, scale)
    _paint_light(surface, arena)
    _paint_lines(surface, arena, scale)
    _paint_walls_shadow(surface, arena, scale)
    _paint_grain(surface, arena)
    if film:
        _brighten(surface)
    return surface


def _brighten(surface: pygame.Surface) -> None:
    """Let all of it shine more: a film is shown small, on screens of any kind, where a dark floor is a hole."""
    share, more = round(255 * _FILM_LIGHT), surface.copy()
    wash(more, (share, share, share), pygame.BLEND_RGB_MULT)
    surface.blit(more, (0, 0), special_flags=_ADD)


def continue_floor(background: pygame.Surface, arena: pygame.Rect) -> None:
    """Let the floor go on around the arena, larger and nearly dark, where a picture has much room there."""
    room, walls = background.get_rect(), arena.inflate(2 * _WALL, 2 * _WALL)
    side = max(room.size)
    larger = pygame.Rect(0, 0, side, side)
    larger.center = room.center
    for part in uncovered(room, [walls]):
        again = background.subsurface(mapped(part, larger, arena).clip(arena))
        around = pygame.transform.smoothscale(again, part.size)
        around.set_alpha(round(255 * _AROUND))
        background.blit(around, part)


def draw_floor(
    target: DrawList,
    background: pygame.Surface,
    arena: pygame.Rect,
    shake: tuple[int, int],
    moved: tuple[int, int] = (0, 0),
) -> None:
    """Draw the arena's floor, moved by a shake in pixels; the strips it uncovers show the floor at rest.

    It is drawn where it is on the background, or `moved` away from there.
    """
    x, y = shake
    target.blit(background, arena.move(x, y).move(moved), arena)
    if x:
        strip = pygame.Rect(arena.left if x > 0 else arena.right + x, arena.top, abs(x), arena.height)
        target.blit(background, strip.move(moved), strip)
    if y:
        strip = pygame.Rect(arena.left, arena.top if y > 0 else arena.bottom + y, arena.width, abs(y))
        target.blit(background, strip.move(moved), strip)


def _paint_plates(surface: pygame.Surface, arena: pygame.Rect, scale: float) -> None:
    colors, thin = iter(shapes.plates()), max(1, round(scale))
    for column in range(CELLS):
        for row in range(CELLS):
            left, right = (arena.left + round(arena.width * (column + n) / CELLS) for n in (0, 1))
            top, bottom = (arena.top + round(arena.height * (row + n) / CELLS) for n in (0, 1))
            plate, lit = next(colors)
            pygame.draw.rect(surface, plate, (left, top, right - left, bottom - top))
            pygame.draw.line(surface, lit, (left + thin, top + thin), (right - 2 * thin, top + thin), thin)
            pygame.draw.line(surface, lit, (left + thin, top + thin), (left + thin, bottom - 2 * thin), thin)


def _paint_light(surface: pygame.Surface, arena: pygame.Rect) -> None:
    lights = pygame.Surface([max(1, round(side / _SOFTER)) for side in arena.size])
    inner = lights.get_rect()
    for seat, edge in ((0, inner.left), (1, inner.right)):
        reach, strength = shapes.SIDE_LIGHT
        lay_light(lights, theme.SEAT_COLORS[seat], inner.width * reach, strength, (edge, inner.centery))
    reach, strength = shapes.MIDDLE_LIGHT
    lay_light(lights, theme.WALL, inner.width * reach, strength, inner.center)
    surface.blit(pygame.transform.smoothscale(lights, arena.size), arena, special_flags=_ADD)


def _paint_lines(surface: pygame.Surface, arena: pygame.Rect, scale: float) -> None:
    thin = max(1, round(scale))
    seam, mark = shapes.SEAM, shapes.MARK
    for index in range(1, CELLS):
        x, y = (start + round(side * index / CELLS) for start, side in zip(arena.topleft, arena.size, strict=True))
        pygame.draw.line(surface, seam, (x, arena.top), (x, arena.bottom), thin)
        pygame.draw.line(surface, seam, (arena.left, y), (arena.right, y), thin)
    for share in shapes.RINGS:
        _ring(surface, mark, arena.center, arena.height * share, thin)
    for number in range(shapes.TICKS):  # tick marks around the middle
        angle, far = number * math.tau / shapes.TICKS, arena.height * shapes.RINGS[0]
        near = far * (0.955 if number % 4 else 0.92)
        ux, uy = math.cos(angle), math.sin(angle)
        ends = (
            (arena.centerx + ux * near, arena.centery + uy * near),
            (arena.centerx + ux * far, arena.centery + uy * far),
        )
        pygame.draw.aaline(surface, mark, *ends)
    arm, inset = round(arena.width * shapes.CORNER), round(14 * scale)
    for x, sx in ((arena.left + inset, 1), (arena.right - inset - 1, -1)):
        for y, sy in ((arena.top + inset, 1), (arena.bottom - inset - 1, -1)):
            corner = [(x + sx * arm, y), (x, y), (x, y + sy * arm)]
            pygame.draw.lines(surface, mark, False, corner, max(2, round(2 * scale)))


def _paint_homes(surface: pygame.Surface, arena: pygame.Rect, scale: float) -> None:
    thin, reach = max(1, round(2 * scale)), arena.width * shapes.HOME
    for seat in (0, 1):
        facing, paint = (1, -1)[seat], shapes.home(seat)
        x, y = arena.left + arena.width * shapes.HOME_AT[seat], arena.centery
        if seat == 0:
            _ring(surface, paint, (x, y), reach, thin)
        else:
            corners = [(x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)]
            pygame.draw.polygon(surface, paint, corners, thin)
        for number in range(len(shapes.CHEVRONS)):
            tip, fade = x + facing * reach * (1.75 + 0.55 * number), shapes.chevron(seat, number)
            back = tip - facing * reach * 0.45
            pygame.draw.lines(surface, fade, False, [(back, y - reach / 2), (tip, y), (back, y + reach / 2)], thin)


def _paint_walls_shadow(surface: pygame.Surface, arena: pygame.Rect, scale: float) -> None:
    surface.blit(pygame.transform.smoothscale(_shade(), arena.size), arena, special_flags=pygame.BLEND_RGB_MULT)
    pygame.draw.rect(surface, shapes.RIM, arena.inflate(-round(6 * scale), -round(6 * scale)), max(1, round(scale)))


@lru_cache(maxsize=1)
def _shade() -> pygame.Surface:
    half, small = 32, 64
    shade = pygame.Surface((small, small))
    for x in range(half):
        for y in range(half):  # alike in all four quarters
            dark = shapes.darkness((x + 0.5) / half - 1, (y + 0.5) / half - 1)
            tone = (round(255 * (1 - dark)),) * 3
            for at in ((x, y), (small - 1 - x, y), (x, small - 1 - y), (small - 1 - x, small - 1 - y)):
                shade.set_at(at, tone)
    return shade


def _ring(surface: pygame.Surface, color: theme.Color, at: tuple[float, float], radius: float, width: int) -> None:
    for nudge in range(width):
        pygame.draw.aalines(surface, color, True, ring(at, radius + nudge - (width - 1) / 2))


def ring(at: tuple[float, float], radius: float) -> list[tuple[float, float]]:
    """Return the points of a circle to be drawn as an anti-aliased polygon."""
    corners = _circle(max(24, round(radius * 0.04) * 10))
    return [(at[0] + radius * x, at[1] + radius * y) for x, y in corners]


@lru_cache(maxsize=64)
def _circle(steps: int) -> list[tuple[float, float]]:
    return [(math.cos(step * math.tau / steps), math.sin(step * math.tau / steps)) for step in range(steps)]


def _paint_grain(surface: pygame.Surface, arena: pygame.Rect) -> None:
    """Add faint noise, which hides the steps of wide soft gradients."""
    tile = _grain()
    for left in range(arena.left, arena.right, _GRAIN):
        for top in range(arena.top, arena.bottom, _GRAIN):
            surface.blit(tile, (left, top), special_flags=_ADD)


@lru_cache(maxsize=1)
def _grain() -> pygame.Surface:
    tile, three_bits = pygame.Surface((_GRAIN, _GRAIN)), partial(random.Random(4).getrandbits, 3)
    noise = (bits for bits in iter(three_bits, None) if bits < 4)  # as of randrange(4), in a third of its time
    for x in range(_GRAIN):
        for y in range(_GRAIN):
            tile.set_at((x, y), (next(noise),) * 3)
    return tile
