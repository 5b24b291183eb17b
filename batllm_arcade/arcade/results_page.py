"""After the game: who won and why, how it went, and what to do next."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.arcade import figures
from batllm_arcade.arcade.page import Choices, Row, Sound
from batllm_arcade.arcade.plot import Plot, legend
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.report import Report
from batllm_arcade.view.sprites import blit_centred
from batllm_arcade.view.theme import Color, mixed

_LEFT, _WIDE = (theme.WIDTH - theme.ARENA_SIZE) // 2, theme.ARENA_SIZE
_PLOT = pygame.Rect(_LEFT + 14, 196, _WIDE - 28, 244)
_BUTTONS = pygame.Rect(_LEFT + 14, 482, _WIDE - 28, 204)
DRAWING_S = 1.4
"""Seconds until the plot is drawn to its end."""
_PIECES = 90  # of confetti


def headline(told: Report) -> tuple[str, Color]:
    """Who won, in words, and the colour to say it in."""
    winner = told.result.winner if told.result else None
    if winner is None:
        return ("A draw" if told.result and told.result.reason == "draw" else "Nobody wins"), theme.TEXT
    names = [seat.seat.name for seat in told.seats]
    name = names[winner] if names[0] != names[1] else f"{names[winner]} ({SEATS[winner]})"
    return f"{name} wins!", theme.SEAT_COLORS[winner]


def reason(told: Report) -> str:
    """Why the game ended, in plain words."""
    result = told.result
    if result is None:
        return ""
    left, right = (
        f"{seat.health * full:g} of {full:g}" for seat, full in zip(told.seats, told.rules.initial_health, strict=True)
    )
    if result.reason == "knockout" and result.winner is not None:
        loser = told.seats[1 - result.winner].seat.name
        return f"knock-out: {loser} has no health left, in round {told.rounds} after {_turns(told)}"
    if result.reason == "points":
        return f"on points: {left} health on the left, {right} on the right after the last round"
    if result.reason == "forfeit" and result.winner is not None:
        return f"by forfeit: the {SEATS[1 - result.winner]} seat's brain and its stand-in failed too often"
    if result.reason == "draw":
        return f"the same share of health after the last round: {left} and {right}"
    return "the game was left before its end"


def _turns(told: Report) -> str:
    return "one turn" if told.turns == 1 else f"{told.turns} turns"


class ResultsPage:
    """The whole window: figures at the sides, the plot and the choices between them."""

    whole = True

    def __init__(
        self, told: Report, rows: Callable[[], Sequence[Row]], sound: Sound, leave: Callable[[], None],
        now: float, *, calm: bool = False,
    ) -> None:  # fmt: skip
        self.told, self._since, self._calm = told, now, calm
        self.choices = Choices(rows, sound, columns=2)
        self.notice = ""
        """A sentence about what was asked for last, such as where the video is."""
        self._leave = leave
        self._plot: Plot | None = None
        self._plot_for: object = None

    def handle(self, event: pygame.event.Event, intent: str | None, now: float) -> None:
        """Choose what comes next; back leaves."""
        if intent == "back":
            self._leave()
        else:
            self.choices.handle(event, intent)

    def draw(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        """Everything there is to say about the game."""
        age = now - self._since
        picture.draw_stage(target, None)
        self._draw_middle(target, picture, age)
        winner = self.told.result.winner if self.told.result else None
        for seat in (0, 1):
            figures.draw_head(target, picture, seat, self.told, "WINNER" if seat == winner else "")
            below = figures.draw_figures(target, picture, seat, figures.game_figures(self.told.seats[seat]), 140)
            figures.draw_best(target, picture, seat, self.told, below + 18)
        if winner is not None and not self._calm:
            _draw_confetti(target, picture, age, theme.SEAT_COLORS[winner])
        box = pygame.Rect(*picture.pixel(_BUTTONS.left, _BUTTONS.top), 0, 0)
        box.size = (round(_BUTTONS.width * picture.scale), round(_BUTTONS.height * picture.scale))
        self.choices.draw(target, picture, box, 44, 8)
        self._draw_foot(target, picture)

    def _draw_middle(self, target: pygame.Surface, picture: Picture, age: float) -> None:
        line, (words, color) = picture.letters.line, headline(self.told)
        middle = picture.pixel(theme.WIDTH / 2, 0)[0]
        veil = pygame.Rect(*picture.pixel(_LEFT, theme.ARENA_TOP), 0, 0)
        veil.size = (round(_WIDE * picture.scale), round(theme.ARENA_SIZE * picture.scale))
        target.fill((96, 98, 106), veil, special_flags=pygame.BLEND_RGB_MULT)
        swell = 1.0 if self._calm else min(1.0, 0.82 + age * 1.2)
        title = line(words, "title", 54, color, (_WIDE - 40) * picture.scale)
        if swell < 1.0:
            title = pygame.transform.rotozoom(title, 0, swell)
        blit_centred(target, title, (middle, picture.pixel(0, 118)[1]))
        why = line(reason(self.told), "label", 18, theme.TEXT, (_WIDE - 30) * picture.scale)
        blit_centred(target, why, (middle, picture.pixel(0, 168)[1]))
        size = (round(_PLOT.width * picture.scale), round(_PLOT.height * picture.scale))
        if self._plot is None or self._plot_for != (picture.letters, size):
            self._plot, self._plot_for = Plot(self.told, picture.letters, picture.scale, size), (picture.letters, size)
        self._plot.draw(target, picture.pixel(_PLOT.left, _PLOT.top), 1.0 if self._calm else age / DRAWING_S)
        self._draw_legend(target, picture)

    def _draw_legend(self, target: pygame.Surface, picture: Picture) -> None:
        words = legend(picture.letters)
        gap = round(22 * picture.scale)
        x = picture.pixel(theme.WIDTH / 2, 0)[0] - (sum(w.get_width() for w in words) + gap * (len(words) - 1)) // 2
        y = picture.pixel(0, _PLOT.bottom + 10)[1]
        for surface in words:
            target.blit(surface, (x, y))
            x += surface.get_width() + gap

    def _draw_foot(self, target: pygame.Surface, picture: Picture) -> None:
        at = picture.pixel(theme.WIDTH / 2, 36)
        facts = f"game {self.told.game}    seed {self.told.seed}    {_turns(self.told)} in {_rounds(self.told)}"
        blit_centred(target, picture.letters.line(facts, "mono", 14, theme.DIM), at)
        if self.notice:
            line = picture.letters.line(self.notice, "mono", 13, theme.GOLD, 1200 * picture.scale)
            blit_centred(target, line, picture.pixel(theme.WIDTH / 2, 710))


def _rounds(told: Report) -> str:
    return "one round" if told.rounds == 1 else f"{told.rounds} rounds"


def _draw_confetti(target: pygame.Surface, picture: Picture, age: float, color: Color) -> None:
    """Pieces of paper that rain for some seconds; where each one is depends on the age alone."""
    if age > 7.0:
        return
    tints = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        spot, delay = (number * 0.61803) % 1.0, (number * 0.377) % 1.0 * 2.2
        fallen = (age - delay) * (150 + 110 * ((number * 0.733) % 1.0))
        if not 0 < fallen < theme.HEIGHT + 40:
            continue
        sway = 26 * math.sin(2.2 * (age - delay) + number)
        x, y = picture.pixel(spot * theme.WIDTH + sway, fallen - 20)
        high = max(2, round(9 * picture.scale * abs(math.cos(5 * age + number))))
        pygame.draw.rect(target, tints[number % len(tints)], (x, y, round(6 * picture.scale), high))
