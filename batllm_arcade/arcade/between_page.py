"""Between two rounds: what happened, how both stand, and the orders for the round to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from batllm_arcade.arcade import figures
from batllm_arcade.arcade.page import Choices, Row
from batllm_arcade.arcade.plot import Plot
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
_PLOT = pygame.Rect(_LEFT + 14, 196, _WIDE - 28, 200)


class BetweenPage:
    """Figures at the sides, the health so far between them, and the way on."""

    whole = True

    def __init__(
        self, match: MatchScreen, interval: Interval, told: Report | None, last: Report | None, now: float
    ) -> None:
        assert told is not None and last is not None
        self._match, self._interval, self.told, self.last = match, interval, told, last
        self._since = now
