"""Shows how far some work on a thread is, over the screen that asked for it; Back gives the work up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import DIMMED
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.errors import ArcadeError
from batllm_arcade.render.draw_list import wash
from batllm_arcade.view import theme

T = TypeVar("T")
APPEARS_S = 0.15
"""Seconds that the screen below stays as it is: most work is done by then."""


class LoadingScreen(MenuScreen, Generic[T]):
    """Calls `finished` with the task's result, or pops itself and calls `failed` with why there is none.

    `below` is the screen that lies under this one, None if nothing does.
    """

    repeats = False

    def __init__(
        self,
        ui: Ui,
        go: Navigation,
        services: Services,
        below: Screen | None,
        title: str,
        task: BackgroundTask[T],
        finished: Callable[[T], None],
        failed: Callable[[ArcadeError], None],
    ) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self.title, self.task = title, task
        self._below, self._finished, self._failed = below, finished, failed
        self._since: float | None = None
        self._taken = False

    def update(self, now: float) -> None:
        """Go on as soon as it is known what became of the work."""
        super().update(now)
        self._since = now if self._since is None else self._since
        if not self.task.done or self._taken:
            return
        if self.task.result is not None:
            self._taken = True
            self._finished(self.task.result)
        elif self.task.error is not None:
            self.go.pop()
            self._failed(self.task.error)

    def back(self) -> None:
        """Give the work up."""
        self.go.pop()

    def leave(self) -> None:
        """Give the work up, unless its result has been taken."""
        super().leave()
        if not self._taken:
            self.task.cancel()
        self.services.wait_at_end(self.task)

    def keys(self) -> Sequence[tuple[str, str]]:
        """The way back."""
        return [(self.ui.controls.label("back"), "cancel")]

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the screen below, too, which is seen."""
        super().lay_out(size)
        if self._below is not None:
            self._below.lay_out(size)

    def place_hints(self, canvas: Canvas) -> None:
        """Place the hints, once there is something to cancel."""
        if self._appears:
            super().place_hints(canvas)

    @property
    def _appears(self) -> bool:
        return self._since is not None and self.now - self._since >= APPEARS_S

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """The screen below, in the dark after a moment."""
        if self._below is None:
            super().paint_back(canvas, now)
            return
        self._below.draw(canvas.target)
        if self._appears:
            wash(canvas.target, DIMMED, pygame.BLEND_RGB_MULT)

    def paint(self, canvas: Canvas, now: float) -> None:
        """A box with what is being done and how far it is."""
        if not self._appears:
            return
        wide, high = min(560.0, canvas.width - 40), 120.0
        box = Box((canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high)
        middle = box.x + box.w / 2
        canvas.box(box, theme.PANEL, theme.WALL, radius=14)
        canvas.words((middle, box.y + 42), self.title, "title", 26, theme.TEXT, width=box.w - 40, side="middle")
        progress = self.task.progress
        canvas.words((middle, box.y + 84), progress, "label", 18, theme.SOFT, width=box.w - 40, side="middle")

    def paint_foot(self, canvas: Canvas) -> None:
        """The keys, once there is something to cancel."""
        if self._appears:
            super().paint_foot(canvas)
