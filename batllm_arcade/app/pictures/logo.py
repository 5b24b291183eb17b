"""The arcade's name in letters that breathe, shine and jump when somebody is hit."""

from __future__ import annotations

import math

from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

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
    """How brightly a letter shines as the light passes over it, in a few steps so that letters are kept."""
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
