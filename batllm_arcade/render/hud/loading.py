"""The arena before a match: the two bots and what is being loaded, or why the match cannot start."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import BREATHS

_ADD = pygame.BLEND_RGB_ADD
_FOOT_LINES = 2
_PLACES = ((0.25, 0.37), (0.75, 0.37))
_COMET = 16  # lights of a comet


class LoadingPicture:
    """Draws on one arena; `calm` switches motion off."""

    def __init__(
        self, text_renderer: TextRenderer, scale: float, arena: pygame.Rect, shield_degrees: float, *, calm: bool
    ) -> None:
        self._text_renderer, self._scale, self._arena, self._calm = text_renderer, scale, arena, calm
        self._sprites = Sprites(max(4.0, arena.width * 0.12), shield_degrees)

    def draw(
        self, target: pygame.Surface, t: float, seats: tuple[SeatInfo, SeatInfo], text: str,
        advice: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Draw the two bots, two comets circling between them, what is being loaded, and advice below that."""
        t = 0.0 if self._calm else t
        for seat, info in enumerate(seats):
            self._draw_bot(target, seat, info, t)
        arena, sprites = self._arena, self._sprites
        middle = (arena.centerx, arena.top + arena.height * _PLACES[0][1])
        for comet in range(2):
            self._draw_comet(target, comet, middle, t)
        size = 48 * arena.width / (theme.ARENA_SIZE * self._scale)
        blit_centred(target, sprites.glow(theme.GOLD, sprites.radius * 0.9, 0.22), middle, _ADD)
        blit_centred(target, self._text_renderer.line("VS", "title", size, theme.GOLD), middle)
        self._draw_text(target, "Loading", text, arena.top + arena.height * 0.72, theme.GOLD)
        self._draw_advice(target, advice)

    def draw_failure(self, target: pygame.Surface, text: str) -> None:
        """Draw why the match cannot start."""
        self._draw_text(target, "Cannot start", text, self._arena.centery - 60 * self._scale, theme.DANGER)

    def _draw_advice(self, target: pygame.Surface, advice: tuple[str, ...]) -> None:
        """Draw each sentence on a line of its own: two at the foot, below what is being loaded, the others on top."""
        arena, high = self._arena, self._text_renderer.height("label", 20) + 4 * self._scale
        foot, top = advice[:_FOOT_LINES], advice[_FOOT_LINES:]
        heights = [arena.bottom - (len(foot) - number - 0.1) * high for number in range(len(foot))]
        heights += [arena.top + (number + 1.4) * high for number in range(len(top))]
        for sentence, y in zip(advice, heights, strict=True):
            line = self._text_renderer.fitted(sentence, "label", 20, theme.TEXT, arena.width * 0.96)
            blit_centred(target, line, (arena.centerx, y))

    def _draw_text(self, target: pygame.Surface, heading: str, text: str, y: float, color: theme.Color) -> None:
        text_renderer, arena = self._text_renderer, self._arena
        title = text_renderer.line(heading, "title", 34, theme.TEXT)
        blit_centred(target, title, (arena.centerx, y))
        top, high = y + title.get_height() * 0.5 + 14 * self._scale, text_renderer.height("label", 18)
        rows = text_renderer.wrapped(text, "label", 18, arena.width * 0.84)
        for number, row in enumerate(rows[:7]):
            blit_centred(target, text_renderer.line(row, "label", 18, color), (arena.centerx, top + number * high))

    def _draw_bot(self, target: pygame.Surface, seat: int, info: SeatInfo, t: float) -> None:
        arena, sprites, color = self._arena, self._sprites, theme.SEAT_COLORS[seat]
        radius, t = sprites.radius, t + 1.3 * seat
        x = arena.left + arena.width * _PLACES[seat][0]
        y = arena.top + arena.height * _PLACES[seat][1] + 0.04 * radius * math.sin(1.8 * t)
        rot = (180 if seat else 0) + 5 * math.sin(0.9 * t)
        blit_centred(target, sprites.glow(color, radius * 2.4, 0.34), (x, y), _ADD)
        blit_centred(target, sprites.bot(seat, rot, True), (x, y))
        breath = 0 if self._calm else round((BREATHS - 1) * (0.5 + 0.5 * math.sin(2.2 * t)))
        blit_centred(target, sprites.head(seat, "open", breath), (x, y))
        reach = 0.11 * radius * (-1 if seat else 1)
        blit_centred(target, sprites.pupil(seat), (x + reach, y))
        blit_centred(target, sprites.shield(seat, rot, 1.0), (x, y))
        name = self._text_renderer.fitted(info.name, "title", 28, theme.TEXT, arena.width * 0.44)
        below = arena.top + arena.height * _PLACES[seat][1] + radius * 1.75
        blit_centred(target, name, (x, below))
        kind = "a person" if info.human else info.model or info.brain
        line = self._text_renderer.line(kind, "mono", 14, color, arena.width * 0.44)
        blit_centred(target, line, (x, below + name.get_height() * 0.5 + line.get_height() * 0.5))

    def _draw_comet(self, target: pygame.Surface, comet: int, middle: tuple[float, float], t: float) -> None:
        """Draw one of the two comets that circle around the middle, in its seat's colour."""
        radius, color = self._sprites.radius, theme.SEAT_COLORS[comet]
        for part in range(_COMET):
            angle = t * 2.4 + comet * math.pi - part * 0.12
            spot = (middle[0] + 0.82 * radius * math.cos(angle), middle[1] + 0.82 * radius * math.sin(angle))
            light = self._sprites.glow(color, radius * (0.20 - 0.008 * part), 1 - part / _COMET)
            blit_centred(target, light, spot, _ADD)
