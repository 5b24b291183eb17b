"""Between two rounds: what happened, how both stand, and the orders for the round to come."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pygame

from batllm_arcade.arcade import figures
from batllm_arcade.arcade.page import Choices, Row
from batllm_arcade.arcade.plot import Plot
from batllm_arcade.core.model import SEATS
from batllm_arcade.seating import Interval
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.report import Report
from batllm_arcade.view.sprites import blit_centred

if TYPE_CHECKING:
    from batllm_arcade.arcade.match_screen import MatchScreen

COUNTDOWN_S = 4.0
"""Seconds after which a match that nobody has a say in goes on by itself."""
_LEFT, _WIDE = (theme.WIDTH - theme.ARENA_SIZE) // 2, theme.ARENA_SIZE
_PLOT = pygame.Rect(_LEFT + 14, 196, _WIDE - 28, 220)


class BetweenPage:
    """Figures at the sides, the health so far between them, and the way on."""

    whole = True

    def __init__(self, match: MatchScreen, interval: Interval, told: Report, last: Report, now: float) -> None:
        self._match, self._interval, self.told, self.last = match, interval, told, last
        self._since = now
        kinds = match.shell.plugins.kinds
        infos = [match.worker.table.seat(bot) for bot in (0, 1)]
        prompted = [bool((kind := kinds.get(info.brain.partition(":")[0])) and kind.prompted) for info in infos]
        self._waits = match.plan.games == 1 and (any(match.humans) or any(prompted))
        self.choices = Choices(self._rows, match.shell.sounds.ui)
        self._plot: Plot | None = None
        self._plot_for: object = None

    def _rows(self) -> list[Row]:
        return [Row(f"Round {self._interval.round}", self._go_on)]

    def _go_on(self) -> None:
        self._interval.go_on()

    def handle(self, event: pygame.event.Event, intent: str | None, now: float) -> None:
        """Go on, or open the pause menu."""
        if intent in ("back", "menu"):
            self._match.pause()
        else:
            self.choices.handle(event, intent)

    def draw(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        """What happened, and what comes."""
        age = now - self._since
        picture.draw_stage(target, None)
        self._draw_middle(target, picture, age)
        for seat in (0, 1):
            figures.draw_head(target, picture, seat, self.told)
            below = figures.draw_figures(target, picture, seat, figures.round_figures(self.last.seats[seat]), 140)
            figures.draw_best(target, picture, seat, self.last, below + 14)
        if not self._waits and age >= COUNTDOWN_S:
            self._go_on()

    def _draw_middle(self, target: pygame.Surface, picture: Picture, age: float) -> None:
        line, scale = picture.letters.line, picture.scale
        veil = pygame.Rect(*picture.pixel(_LEFT, theme.ARENA_TOP), round(_WIDE * scale), round(_WIDE * scale))
        target.fill((96, 98, 106), veil, special_flags=pygame.BLEND_RGB_MULT)
        ended = f"Round {self.last.rounds} is over"
        blit_centred(target, line(ended, "title", 48, theme.TEXT), picture.pixel(theme.WIDTH / 2, 118))
        words, color = self._standing()
        blit_centred(target, line(words, "label", 18, color, (_WIDE - 30) * scale), picture.pixel(theme.WIDTH / 2, 166))
        size = (round(_PLOT.width * scale), round(_PLOT.height * scale))
        if self._plot is None or self._plot_for != (picture.letters, size):
            self._plot, self._plot_for = Plot(self.told, picture.letters, scale, size), (picture.letters, size)
        self._plot.draw(target, picture.pixel(_PLOT.left, _PLOT.top), age / 0.9)
        box = pygame.Rect(0, 0, round(300 * scale), round(60 * scale))
        box.midtop = picture.pixel(theme.WIDTH / 2, 600)
        self.choices.draw(target, picture, box, 52)
        left = math.ceil(COUNTDOWN_S - age)
        confirm = self._match.shell.controls.label("confirm")
        hint = f"{confirm} go on" if self._waits else f"goes on by itself in {max(0, left)} s    {confirm} now"
        blit_centred(target, line(hint, "mono", 13, theme.SOFT), picture.pixel(theme.WIDTH / 2, 676))

    def _standing(self) -> tuple[str, theme.Color]:
        left, right = (seat.health for seat in self.told.seats)
        if math.isclose(left, right, abs_tol=1e-9):
            return f"level: {left:.0%} of the health left on both sides", theme.SOFT
        leader = 0 if left > right else 1
        name = f"{self.told.seats[leader].seat.name} ({SEATS[leader]})"
        return f"{name} leads with {max(left, right):.0%} to {min(left, right):.0%} health", theme.SEAT_COLORS[leader]
