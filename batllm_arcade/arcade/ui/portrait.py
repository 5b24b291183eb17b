"""A seat's bot, large, where a card has room for it."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from batllm_arcade.arcade.ui.canvas import Box, Canvas
from batllm_arcade.view import theme
from batllm_arcade.view.sprites import BREATHS, Mood, Sprites, blit_centred

_LARGEST = 64.0
_LEAST = 90.0
"""How much room it takes at least, logical units."""


def draw_portrait(canvas: Canvas, box: Box, seat: int, now: float, *, ready: bool, still: bool) -> None:
    """Draw the bot in the middle of a box, looking at the other seat; one that cannot play lies in the dark."""
    if min(box.w, box.h) < _LEAST:
        return
    radius = min(_LARGEST, box.h * 0.30, box.w * 0.30)
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


def draw_bot(
    target: pygame.Surface, sprites: Sprites, seat: int, rot: float, at: tuple[float, float], mood: Mood = "open",
    breath: int = 0,
) -> None:  # fmt: skip
    """A whole bot at a pixel, its eye looking where it aims."""
    blit_centred(target, sprites.bot(seat, rot, mood != "dead"), at)
    blit_centred(target, sprites.head(seat, mood, breath), at)
    if mood == "open":
        reach = 0.11 * sprites.radius
        look = (at[0] + reach * math.cos(math.radians(rot)), at[1] + reach * math.sin(math.radians(rot)))
        blit_centred(target, sprites.pupil(seat), look)


@lru_cache(maxsize=8)
def _sprites(radius: int) -> Sprites:
    return Sprites(radius, 50)
