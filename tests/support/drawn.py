"""What the window draws in an arena, as figures instead of pixels: to be compared with what a page draws."""

from __future__ import annotations

from typing import Any

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.arena import ArenaRenderer
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.share.look_export import hexadecimal
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.shapes import HOT
from batllm_arcade.view.scene import Scene

_EVERYWHERE = pygame.Rect(-(10**9), -(10**9), 2 * 10**9, 2 * 10**9)


class Label(pygame.Surface):
    """A surface of one pixel that knows what it stands for."""

    def __init__(self, *figures: Any) -> None:
        super().__init__((1, 1))
        self.figures = figures

    def copy(self) -> Label:
        return Label(*self.figures)


class Labels:
    """Stands in for an arena's sprites and lights."""

    def __init__(self, rules: Rules, unit: float) -> None:
        self.radius, self.shield_degrees, self.lights = rules.bot_radius * unit, rules.shield_degrees, self

    def __getattr__(self, part: str) -> Any:
        return lambda *figures, **named: Label(part, *figures)


class Picture(DrawList):
    """Notes by kind what is drawn, in pixels and percent."""

    def __init__(self) -> None:
        super().__init__(_EVERYWHERE)
        self.drawn: dict[str, list[list[Any]]] = {}

    def note(self, kind: str, *figures: Any) -> None:
        self.drawn.setdefault(kind, []).append(list(figures))

    def blit(self, source, where, area=None, special_flags=0):
        part, *figures = getattr(source, "figures", ["bot", None])  # a bot that grows is a copy without a label
        x, y, alpha = where[0] + 0.5 * source.get_width(), where[1] + 0.5 * source.get_height(), source.get_alpha()
        opacity = 100 if alpha is None else alpha / 2.55
        if part in ("glow", "ring", "puff"):
            color, radius, strength = figures
            if strength > 0 and color != HOT:  # a vent's glow is drawn by the window alone
                self.note("light", part, hexadecimal(color), x, y, radius, 100 * min(1.0, strength))
        elif part == "splinter":
            self.note(part, x, y, opacity, *figures[2:])
        elif part == "words":  # the window alone keeps them off each other
            self.note(part, opacity, *figures)
        elif part == "star":
            self.note(part, x, y, opacity, *figures)
        elif part in ("bot", "head", "pupil", "gauge"):
            self.note("body" if part == "bot" else part, x, y)

    def spray(self, color, lines, lights, flags):
        for (x0, y0), (x1, y1) in lines:
            self.note("streak", x0, y0, x1, y1)
        for light, centres in lights:
            for x, y in centres:
                self.blit(light, (x - 0.5, y - 0.5))

    def polygon(self, color, points):
        self.note("polygon", *(number for point in points for number in point))

    def circle(self, color, at, radius, width=0):
        self.note("circle", *at, radius)

    def line(self, color, start, end):
        self.note("line", *start, *end)

    def flash(self, color):
        self.note("flash")

    def rect(self, color, rect, radius=0):
        """Bars of health are drawn in whole pixels."""

    def outline(self, color, points):
        """The soft edges of circles."""


class Arena:
    """Draws scenes of matches with these rules at `unit` pixels a unit."""

    def __init__(self, rules: Rules, unit: float, monkeypatch: Any, *, calm: bool) -> None:
        monkeypatch.setattr(Icons, "star", lambda self, size, color: Label("star"))
        monkeypatch.setattr(EffectLabels, "_with_outline", lambda self, text, size, color, width: Label("words", text))
        monkeypatch.setattr(Bubbles, "draw", lambda *_: pygame.Rect(0, 0, 0, 0))
        display, camera = DisplayOptions(reduced_motion=calm), Camera(unit, 0, 0)
        sprites: Any = Labels(rules, unit)
        self._renderer = ArenaRenderer(rules, camera, _EVERYWHERE, 1.0, TextRenderer(1.0), sprites, display)

    def drawn(self, scene: Scene) -> dict[str, list[list[Any]]]:
        """Return what is drawn of a scene, by kind."""
        picture = Picture()
        self._renderer.draw(picture, scene)
        return picture.drawn
