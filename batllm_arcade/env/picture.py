"""An environment's pictures: the match as films show it, as an array or in a window of its own."""

from __future__ import annotations

import time

import numpy as np
import pygame
from numpy.typing import NDArray

from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.view.timeline import Timeline

SIZE = (1280, 720)
FPS = 60
"""Pictures a second in the window."""
CALM_S = 0.9
"""Seconds after a play in which what it sets off, such as sparks, is still shown where nothing follows."""


class Picture:
    """Follows a match's records; `render` shows them up to now, in the window with all that moves."""

    def __init__(self, *, human: bool) -> None:
        self._human, self._shown = human, 0.0
        self._timeline = Timeline()
        self._renderer: Renderer | None = None
        self._target: pygame.Surface | None = None
        self._closed = False

    def notify(self, record: Record) -> None:
        """Receive the next record of the match."""
        if isinstance(record, GameStarted):
            self._timeline, self._shown = Timeline(), 0.0  # only the game under way is kept
        self._timeline.append(record)

    def render(self) -> NDArray[np.uint8] | None:
        """Return the match as it stands after the last play; in the window play up to there, and return None."""
        if self._human:
            self._show()
            return None
        target = self._ready()
        assert self._renderer is not None
        self._renderer.draw(target, self._timeline.at(self._timeline.end))
        return np.ascontiguousarray(pygame.surfarray.array3d(target).swapaxes(0, 1))

    def _ready(self) -> pygame.Surface:
        if self._target is None:
            self._target = self._window() if self._human else pygame.Surface(SIZE, 0, 32)
        rules = self._timeline.segments[-1].board.rules
        if self._renderer is None or self._renderer.rules != rules:
            self._renderer = Renderer(SIZE, rules, film="plain")
        return self._target

    @staticmethod
    def _window() -> pygame.Surface:
        pygame.display.init()
        window = pygame.display.set_mode(SIZE)
        pygame.display.set_caption("BatLLM Arcade")
        return window

    def _show(self) -> None:
        if self._closed:
            return
        target = self._ready()
        assert self._renderer is not None
        over = self._timeline.segments[-1].board.result is not None
        end = self._timeline.end + (CALM_S if over else 0.0)
        began, first = time.monotonic(), self._shown
        while not self._closed:
            self._shown = min(end, first + time.monotonic() - began)
            self._renderer.redraw(target, self._timeline.at(self._shown))
            pygame.display.flip()
            if any(event.type == pygame.QUIT for event in pygame.event.get()):
                self.close()
            if self._shown >= end:
                return
            time.sleep(1 / FPS)

    def close(self) -> None:
        """Close the window; what follows is not shown."""
        if self._human and self._target is not None and not self._closed:
            pygame.display.quit()
        self._closed, self._target = True, None
