"""What is special about a configuration's rules, in one small picture."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.pictures.portrait import draw_bot
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_RADIUS, _SMALL = 10.0, 5.0
_SHOT: Color = theme.GOLD


def draw_rules(canvas: Canvas, box: Box, name: str) -> None:
    """Draw the picture of a shipped configuration in a box; of any other its floor alone."""
    canvas.box(box, theme.FLOOR, theme.WALL, width=1, radius=4)
    with canvas.clipped(box.inset(1)):
        if name == "couch":
            _draw_loaded(canvas, box)
        elif name == "arena":
            _draw_bounce(canvas, box)
        elif name == "default":
            _draw_far(canvas, box)
        elif name == "classic":
            _draw_shields(canvas, box)


def _draw_loaded(canvas: Canvas, box: Box) -> None:
    """Two bots near each other: a step that loads the gun, and a shot into the back."""
    y = box.y + box.h * 0.40
    left, right = box.x + box.w * 0.28, box.x + box.w * 0.78
    _shot(canvas, [(left + _RADIUS, y), (right - _RADIUS, y)])
    _bot(canvas, 0, (left, y), 0)
    _bot(canvas, 1, (right, y), 0)
    for number in range(3):
        cell = Box(left - 15 + 11 * number, box.bottom - 11, 8, 5)
        canvas.box(cell, _SHOT if number < 2 else theme.SUNKEN, _SHOT, width=1, radius=1)


def _draw_bounce(canvas: Canvas, box: Box) -> None:
    """A shot off the wall, which strikes from above what faces the shooter."""
    y = box.y + box.h * 0.66
    left, right = box.x + box.w * 0.20, box.x + box.w * 0.80
    wall = (box.middle[0], box.y + 2)
    _shot(canvas, [(left, y), wall, (right, y)])
    glow = _sprites(max(3, round(_RADIUS * canvas.scale))).glow(theme.WHITE, 9 * canvas.scale, 0.9)
    blit_centred(canvas.target, glow, (wall[0] * canvas.scale, wall[1] * canvas.scale), pygame.BLEND_RGB_ADD)
    _bot(canvas, 0, (left, y), math.degrees(math.atan2(wall[1] - y, wall[0] - left)) % 360)
    _bot(canvas, 1, (right, y), 180)


def _draw_far(canvas: Canvas, box: Box) -> None:
    """A large floor with two small bots in it."""
    tint = mixed(theme.FLOOR, theme.GRID, 0.9)
    for number in range(1, 8):
        x, y = box.x + box.w * number / 8, box.y + box.h * number / 8
        _line(canvas, tint, (x, box.y), (x, box.bottom))
        _line(canvas, tint, (box.x, y), (box.right, y))
    _bot(canvas, 0, (box.x + box.w * 0.14, box.y + box.h * 0.76), 330, _SMALL)
    _bot(canvas, 1, (box.x + box.w * 0.86, box.y + box.h * 0.24), 150, _SMALL)


def _draw_shields(canvas: Canvas, box: Box) -> None:
    """Two bots behind raised shields."""
    y = box.middle[1]
    for seat, share in ((0, 0.27), (1, 0.73)):
        at, rot = (box.x + box.w * share, y), 180 if seat else 0
        sprites = _sprites(max(3, round(_RADIUS * canvas.scale)))
        blit_centred(canvas.target, sprites.shield(seat, rot, 1.0), (at[0] * canvas.scale, at[1] * canvas.scale))
        _bot(canvas, seat, at, rot)


def _bot(canvas: Canvas, seat: int, at: tuple[float, float], rot: float, radius: float = _RADIUS) -> None:
    sprites = _sprites(max(3, round(radius * canvas.scale)))
    draw_bot(canvas.target, sprites, seat, rot, (at[0] * canvas.scale, at[1] * canvas.scale), "open")


def _shot(canvas: Canvas, points: list[tuple[float, float]]) -> None:
    for start, end in itertools.pairwise(points):
        _line(canvas, _SHOT, start, end, 2)


def _line(canvas: Canvas, color: Color, start: tuple[float, float], end: tuple[float, float], wide: float = 1) -> None:
    ends = [(x * canvas.scale, y * canvas.scale) for x, y in (start, end)]
    pygame.draw.line(canvas.target, color, ends[0], ends[1], canvas.px(wide))


@lru_cache(maxsize=8)
def _sprites(radius: int) -> Sprites:
    return Sprites(radius, 50)
