"""A seat's bot, large, where a card has room for it."""

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
    """Lines that run to the horizon."""
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
