"""Small pictures of the menus: bots, the arcade's name, the rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import copy
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.look.motion import SMOOTH
from batllm_arcade.view.look.shapes import BREATHS, Mood
from batllm_arcade.view.play_text import BACK, BUMP, LOADING
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
        glow = sprites.lights.glow(theme.SEAT_COLORS[seat], 2.1 * radius * canvas.scale, 0.30)
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
        display = (at[0] + reach * math.cos(math.radians(rot)), at[1] + reach * math.sin(math.radians(rot)))
        blit_centred(target, sprites.pupil(seat), display)


@lru_cache(maxsize=8)
def _sprites(radius: float) -> Sprites:
    return Sprites(radius, 50)


_WORDS: tuple[tuple[str, Color], ...] = (("BATLLM", theme.TEXT), ("ARCADE", theme.GOLD))


def draw_logo(canvas: Canvas, at: tuple[float, float], size: float, now: float, *, still: bool) -> float:
    """Draw it in two lines with its left top at a point; return how high it is."""
    line = size * 0.94
    number = 0
    for row, (word, color) in enumerate(_WORDS):
        x = at[0]
        for letter in word:
            lift = 0.0 if still else 2.2 * math.sin(1.7 * now + 0.55 * number)
            y = at[1] + row * line + lift
            _letter(canvas, (x, y), letter, size, color)
            x += canvas.measure(letter, "title", size)
            number += 1
    return 2 * line + size * 0.25


def _letter(canvas: Canvas, at: tuple[float, float], letter: str, size: float, color: Color) -> None:
    deep = mixed(theme.NIGHT, theme.SEAT_COLORS[0 if color == theme.TEXT else 1], 0.55)
    for step in (3, 2, 1):
        drop = step * size * 0.022
        canvas.words((at[0] + drop, at[1] + drop), letter, "title", size, mixed(deep, theme.NIGHT, 0.2 * step))
    shown = mixed(color, theme.SEAT_COLORS[0], 0.12) if color == theme.TEXT else color
    canvas.words(at, letter, "title", size, shown)


Kind = Literal["turns", "turn", "move", "fire", "shield", "load", "back", "bounce", "bump", "win"]
RULES: tuple[tuple[Kind, str], ...] = (
    ("turns", "Both bots act once a turn; who acts first is drawn anew for each round"),
    ("turn", "Turn: hold, watch the aim swing, let go"),
    ("move", "Step: straight ahead"),
    ("fire", "Fire: straight ahead, and only with the shield down"),
    ("shield", "Shield: stops bullets from the front"),
    ("load", LOADING),
    ("back", f"{BACK} Hits there hurt most"),
    ("bounce", "In arena a bullet comes off the wall, once, and then takes what the front takes, wherever it strikes"),
    ("bump", f"In arena, too, a turn is a quarter at most. {BUMP}"),
    ("win", "Whoever is at zero is out; else health decides"),
)
_RADIUS = 17.0
_LOOP_S = 2.6


class _Brush:
    """Draws bots, lights and shots of one size; points and lengths are in logical units."""

    def __init__(self, canvas: Canvas, radius: float) -> None:
        self.canvas, self._scale, self._sprites = canvas, canvas.scale, _sprites(radius)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * self._scale, y * self._scale

    def bot(self, seat: int, x: float, y: float, rot: float, alive: bool = True) -> None:
        draw_bot(self.canvas.target, self._sprites, seat, rot, self._at(x, y), "open" if alive else "dead")

    def shield(self, seat: int, x: float, y: float, rot: float) -> None:
        blit_centred(self.canvas.target, self._sprites.shield(seat, rot, 1.0), self._at(x, y))

    def glow(self, color: Color, radius: float, strength: float, x: float, y: float) -> None:
        light = self._sprites.lights.glow(color, radius * self._scale, strength)
        blit_centred(self.canvas.target, light, self._at(x, y), pygame.BLEND_RGB_ADD)

    def dot(self, color: Color, radius: float, x: float, y: float) -> None:
        pygame.draw.circle(self.canvas.target, color, self._at(x, y), self.canvas.px(radius))

    def line(self, color: Color, start: tuple[float, float], end: tuple[float, float], wide: float) -> None:
        pygame.draw.line(self.canvas.target, color, self._at(*start), self._at(*end), self.canvas.px(wide))

    def bullet(self, muzzle: float, target: float, y: float, flight: float) -> None:
        head = muzzle + (target - muzzle) * flight
        self.line(theme.GOLD, (max(muzzle, head - 22), y), (head, y), 3)


def draw_rule(canvas: Canvas, kind: Kind, box: Box, now: float) -> None:
    """Draw a rule as a small moving picture, at a moment of its loop."""
    _PAINTERS[kind](_Brush(canvas, _RADIUS * canvas.scale), box, (now % _LOOP_S) / _LOOP_S)


def _turns(brush: _Brush, box: Box, share: float) -> None:
    x, y = box.middle
    left = SMOOTH.at(share / 0.2) - SMOOTH.at((share - 0.35) / 0.15)
    right = SMOOTH.at((share - 0.5) / 0.2) - SMOOTH.at((share - 0.85) / 0.15)
    for seat, middle, lift in ((0, x - 34, left), (1, x + 34, right)):
        color = theme.SEAT_COLORS[seat]
        if lift > 0.05:
            brush.glow(color, 40, 0.6 * lift, middle, y)
        brush.bot(seat, middle, y, 0 if seat == 0 else 180)
        brush.canvas.words((middle, y + 32), str(seat + 1), "bold", 13, color, side="middle")


def _turn(brush: _Brush, box: Box, share: float) -> None:
    x, y = box.middle[0] - 20, box.middle[1] + 8
    rot = -60 + 80 * SMOOTH.at((share - 0.1) / 0.6)
    for step in range(8):
        reach = _RADIUS + 6 + step * 62 / 8
        color = mixed(theme.FLOOR, theme.GOLD, 0.9 - step * 0.09)
        brush.dot(color, 2, x + reach * math.cos(math.radians(rot)), y + reach * math.sin(math.radians(rot)))
    brush.bot(0, x, y, rot)


def _move(brush: _Brush, box: Box, share: float) -> None:
    brush.bot(0, box.middle[0] - 36 + 72 * SMOOTH.at((share - 0.2) / 0.35), box.middle[1], 0)


def _bump(brush: _Brush, box: Box, share: float) -> None:
    """A bot that runs into another one, which is shoved and spins."""
    (x, y), spun = box.middle, SMOOTH.at((share - 0.35) / 0.3)
    brush.bot(0, x - 46 + 24 * SMOOTH.at((share - 0.1) / 0.3), y, 0)
    brush.bot(1, x + 14 + 22 * spun, y, (180 + 150 * spun) % 360)
    if 0.33 < share < 0.6:
        brush.glow(theme.WHITE, 20, 2.2 - share / 0.27, x - 4, y)


def _fire(brush: _Brush, box: Box, share: float, *, shield: bool = False) -> None:
    (x, y), flight = box.middle, (share - 0.15) / 0.3
    left, right = x - box.w * 0.30, x + box.w * 0.30
    brush.bot(0, left, y, 0)
    brush.bot(1, right, y, 180)
    target = right - _RADIUS * (1.2 if shield else 0.9)
    if shield:
        brush.shield(1, right, y, 180)
    if 0 <= flight < 1:
        brush.bullet(left + _RADIUS, target, y, flight)
    elif 1 <= flight < 2:
        brush.glow(theme.WHITE if shield else theme.DANGER, 34, 2 - flight, target, y)


def _load(brush: _Brush, box: Box, share: float) -> None:
    """A bot that walks, whose gun fills on the way, and that fires it empty."""
    (x, y), flight = box.middle, (share - 0.62) / 0.2
    walked = SMOOTH.at((share - 0.05) / 0.45)
    left, top = x - 48 + 40 * walked, y - 6
    brush.bot(0, left, top, 0)
    if 0 <= flight < 1:
        brush.bullet(left + _RADIUS, x + 64, top, flight)
    full = 3 * walked if flight < 0 else 0.0
    for number in range(3):
        cell = Box(x - 30 + number * 21, y + 24, 18, 9)
        brush.canvas.box(cell, theme.SUNKEN, theme.GOLD, width=1, radius=2)
        part = min(1.0, full - number)
        if part > 0.1:
            brush.canvas.box(cell._replace(w=cell.w * part), theme.GOLD, None, radius=2)


def _back(brush: _Brush, box: Box, share: float) -> None:
    """A bot that looks away and is hit from behind."""
    (x, y), flight = box.middle, (share - 0.15) / 0.25
    left, right = x - 46, x + 34
    brush.bot(0, left, y + 6, 0)
    brush.bot(1, right, y + 6, 0, share < 0.4 or share > 0.93)
    target = right - 0.9 * _RADIUS
    if 0 <= flight < 1:
        brush.bullet(left + _RADIUS, target, y + 6, flight)
    elif 1 <= flight < 3:
        brush.glow(theme.DANGER, 46, (3 - flight) / 2, target, y + 6)
        brush.canvas.words((right, y - 30), "BACK!", "title", 18, theme.GOLD, side="middle")


def _bounce(brush: _Brush, box: Box, share: float) -> None:
    """A bot that hits another by way of the wall above them."""
    (x, y), wall, flight = box.middle, box.y + 4, (share - 0.15) / 0.4
    low, spread = y + 18, min(46.0, box.w * 0.32)
    brush.bot(0, x - spread, low, math.degrees(math.atan2(wall - low, spread)))
    brush.bot(1, x + spread, low, 180)
    legs = list(pairwise(((x - spread, low), (x, wall), (x + spread, low))))

    def on_the_way(leg: int, part: float) -> tuple[float, float]:
        start, end = legs[leg]
        return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part

    for leg in (0, 1):
        for step in range(1, 7):
            brush.dot(mixed(theme.FLOOR, theme.GOLD, 0.45), 1.5, *on_the_way(leg, step / 7))
    if 0 <= flight < 1:
        leg, part = int(flight >= 0.5), 2 * flight % 1
        brush.line(theme.GOLD, on_the_way(leg, max(0.0, part - 0.35)), on_the_way(leg, part), 3)
    elif 1 <= flight < 2:
        brush.glow(theme.DANGER, 34, 2 - flight, x + spread - 8, low - 12)


def _win(brush: _Brush, box: Box, share: float) -> None:
    (x, y), out = box.middle, share > 0.45
    brush.bot(0, x - 34, y + 8, 0)
    brush.bot(1, x + 34, y + 8, 150 if out else 180, not out)
    for seat, middle, full in ((0, x - 34, 0.7), (1, x + 34, max(0.0, 0.5 - share * 1.2))):
        bar = Box(middle - 22, y - 26, 44, 6)
        brush.canvas.box(bar, theme.SUNKEN, None, radius=3)
        if full > 0.02:
            brush.canvas.box(bar._replace(w=bar.w * full), theme.SEAT_COLORS[seat], None, radius=3)


_PAINTERS: dict[Kind, Callable[[_Brush, Box, float], None]] = {
    "turns": _turns, "turn": _turn, "move": _move, "fire": _fire, "shield": partial(_fire, shield=True),
    "load": _load, "back": _back, "bounce": _bounce, "bump": _bump, "win": _win,
}  # fmt: skip


_CONFIGS: dict[str, tuple[Kind, float, float]] = {
    "couch": ("load", 0.5, 0.45), "arena": ("bounce", 0.5, 0.3), "default": ("fire", 0.3, 0.3),
    "classic": ("shield", 0.5, 0.3),
}  # fmt: skip
"""Of shipped configurations the rule whose picture stands for them, how small it is drawn, and which moment of it."""


def draw_rules(canvas: Canvas, box: Box, name: str) -> None:
    """Draw the picture of a shipped configuration in a box; of any other its floor alone."""
    canvas.box(box, theme.FLOOR, theme.WALL, width=1, radius=4)
    if name not in _CONFIGS:
        return
    kind, share, moment = _CONFIGS[name]
    small = copy(canvas)
    small.scale *= share
    with canvas.clipped(box.inset(1)):
        _PAINTERS[kind](_Brush(small, _RADIUS * small.scale), Box(*(part / share for part in box)), moment)
