"""Portraits of bots, and the title."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import BREATHS, Mood
from batllm_arcade.view.theme import Color, mixed

_LARGEST = 76.0
_LEAST = 90.0
"""How much room it takes at least, logical units."""


def draw_portrait(canvas: Canvas, box: Box, seat: int, now: float, *, ready: bool, still: bool) -> None:
    """Draw the bot in the middle of a box, looking at the other seat; one that cannot play lies in the dark."""
    if min(box.w, box.h) < _LEAST:
        return
    radius = min(_LARGEST, box.h * 0.36, box.w * 0.36)
    sprites = _sprites(max(4, round(radius * canvas.scale)))
    t = 0.0 if still else now + 1.3 * seat
    x, y = box.middle[0] * canvas.scale, (box.middle[1] + 3 * math.sin(1.8 * t)) * canvas.scale
    if ready:
        glow = sprites.glow(theme.SEAT_COLORS[seat], 2.1 * radius * canvas.scale, 0.30)
        blit_centred(canvas.target, glow, (x, y), pygame.BLEND_RGB_ADD)
    rot = (180 if seat else 0) + 7 * math.sin(0.9 * t)
    breath = 0 if still or not ready else round((BREATHS - 1) * (0.5 + 0.5 * math.sin(2.2 * t)))
    closed = not still and (t % 4.7) < 0.12
    draw_bot(canvas.target, sprites, seat, rot, (x, y), "dead" if not ready else "closed" if closed else "open", breath)


def draw_corner(
    canvas: Canvas, box: Box, seat: int, now: float, facts: Sequence[tuple[str, str]], *, ready: bool, still: bool
) -> None:
    """A seat's corner of the arena: its bot on the floor, and beside it, in figures, how strong it is."""
    canvas.box(box, theme.SUNKEN, theme.PANEL_EDGE, width=1, radius=8)
    color, inner = theme.SEAT_COLORS[seat], box.inset(2)
    wide = min(box.w * 0.5, box.h * 1.25)
    place = Box(box.right - wide if seat else box.x, box.y, wide, box.h)
    with canvas.clipped(place.inset(2)):  # no line runs through the words beside it
        _draw_floor(canvas, inner, color)
        draw_portrait(canvas, place, seat, now, ready=ready, still=still)
    left = box.x + 16 if seat else place.right
    right = place.x if seat else box.right - 16
    step = min(34.0, (box.h - 16) / max(1, len(facts)))
    top = box.y + (box.h - step * len(facts)) / 2
    for row, (name, value) in enumerate(facts):
        y = top + row * step
        canvas.words((left, y + 0.5 * step - 9), name, "label", 15, theme.SOFT)
        canvas.words((right, y + 0.5 * step - 13), value, "title", 20, theme.TEXT, side="right")
        if row:
            ends = ((left * canvas.scale, y * canvas.scale), (right * canvas.scale, y * canvas.scale))
            pygame.draw.line(canvas.target, theme.PANEL_EDGE, *ends, canvas.px(1))


def _draw_floor(canvas: Canvas, box: Box, color: Color) -> None:
    line, area = mixed(theme.SUNKEN, color, 0.16), canvas.rect(box)
    horizon = area.top + area.height * 0.45
    for number in range(8):
        y = horizon + (area.bottom - horizon) * (number / 7) ** 1.9
        pygame.draw.line(canvas.target, line, (area.left, y), (area.right, y))
    for number in range(-8, 9):
        x = area.centerx + number * area.width * 0.06
        foot = area.centerx + number * area.width * 0.16
        pygame.draw.aaline(canvas.target, line, (x, horizon), (foot, area.bottom))


def draw_bot(
    target: pygame.Surface, sprites: Sprites, seat: int, rot: float, at: tuple[float, float], mood: Mood = "open",
    breath: int = 0,
) -> None:  # fmt: skip
    """A whole bot at a pixel, its eye looking where it aims."""
    blit_centred(target, sprites.bot(seat, rot, mood != "dead"), at)
    blit_centred(target, sprites.head(seat, mood, breath), at)
    if mood == "open":
        reach = 0.11 * sprites.radius
        display = (at[0] + reach * math.cos(math.radians(rot)), at[1] + reach * math.sin(math.radians(rot)))
        blit_centred(target, sprites.pupil(seat), display)


@lru_cache(maxsize=8)
def _sprites(radius: int) -> Sprites:
    return Sprites(radius, 50)


_WORDS: tuple[tuple[str, Color], ...] = (("BATLLM", theme.TEXT), ("ARCADE", theme.GOLD))
_SHINE_S = 3.4
_STEPS = 6


def draw_logo(canvas: Canvas, at: tuple[float, float], size: float, now: float, *, jolt: float, still: bool) -> float:
    """Draw it in two lines with its left top at a point; `jolt` 0 to 1 throws the letters about; how high it is."""
    line = size * 0.94
    number = 0
    for row, (word, color) in enumerate(_WORDS):
        x = at[0]
        for letter in word:
            lift = 0.0 if still else 2.2 * math.sin(1.7 * now + 0.55 * number)
            throw = 0.0 if still else jolt * size * 0.10 * math.sin(37 * now + 2.4 * number)
            y = at[1] + row * line + lift + throw
            shine = 0.0 if still else _shine(now, number)
            _letter(canvas, (x, y), letter, size, color, shine)
            x += canvas.measure(letter, "title", size)
            number += 1
    return 2 * line + size * 0.25


def _shine(now: float, number: int) -> float:
    place = (now % _SHINE_S) / _SHINE_S * 30 - 6
    return round(max(0.0, 1 - abs(place - number) / 2.5) * _STEPS) / _STEPS


def _letter(canvas: Canvas, at: tuple[float, float], letter: str, size: float, color: Color, shine: float) -> None:
    deep = mixed(theme.NIGHT, theme.SEAT_COLORS[0 if color == theme.TEXT else 1], 0.55)
    for step in (3, 2, 1):
        drop = step * size * 0.022
        canvas.words((at[0] + drop, at[1] + drop), letter, "title", size, mixed(deep, theme.NIGHT, 0.2 * step))
    canvas.words(at, letter, "title", size, mixed(color, theme.WHITE, shine) if color != theme.TEXT else _cold(shine))


def _cold(shine: float) -> Color:
    return mixed(mixed(theme.TEXT, theme.SEAT_COLORS[0], 0.12), theme.WHITE, shine)
