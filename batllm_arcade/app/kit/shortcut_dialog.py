"""A dialog whose choices take one press each: a number on the keyboard, a button of the gamepad, a click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.dialog import DIMMED, DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.render.draw_list import wash
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_BUTTONS = ("a", "x", "y", "", "")
"""A gamepad's button for each choice; the first one has the focus, and so `a`, from the beginning."""


class Way(NamedTuple):
    """One way to go on."""

    text: str
    do: Callable[[], None]


class ShortcutDialog(MenuDialog):
    """Some ways to go on, the likeliest first; `below` is what lies under it, where it is a screen of its own."""

    def __init__(
        self, ui: Ui, title: str, words: str, ways: Sequence[Way], back: Callable[[], None], *,
        color: Color = theme.GOLD, below: Screen | None = None,
    ) -> None:  # fmt: skip
        entries = [DialogEntry(way.text, way.do) for way in ways]
        super().__init__(ui, title, entries, back, words=words, color=color)
        self._entries, self._below = entries, below

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take a choice's own key or button, else what every menu takes."""
        number = -1
        if event.type == pygame.KEYDOWN and pygame.K_1 <= event.key <= pygame.K_9:
            number = event.key - pygame.K_1
        elif event.type == PAD and event.pressed and event.button in _BUTTONS[1:3]:
            number = _BUTTONS.index(event.button)
        if 0 <= number < len(self._entries):
            self.ui.sound("confirm")
            self._entries[number].do()
        else:
            super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        """Name the keys of the device that was used last, none to who points."""
        super().update(now)
        pad, points = self.ui.controls.device == "pad", self.ui.controls.pointer
        for number, entry in enumerate(self._entries):
            button = _BUTTONS[number].upper() if number < len(_BUTTONS) else ""
            entry.note_key = "" if points else button if pad else str(number + 1)

    @property
    def picture(self) -> object:
        """What the panel shows; None over a screen, whose backdrop moves."""
        return super().picture if self._below is None else None

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the screen below, too, which is seen."""
        super().lay_out(size)
        if self._below is not None:
            self._below.lay_out(size)

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Dim what lies below."""
        if self._below is None:
            super().paint_back(canvas, now)
            return
        self._below.draw(canvas.target)
        wash(canvas.target, DIMMED, pygame.BLEND_RGB_MULT)
