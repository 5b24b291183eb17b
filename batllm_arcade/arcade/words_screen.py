"""A screen of words alone."""

from __future__ import annotations

import pygame

from batllm_arcade.arcade.screen import Shell
from batllm_arcade.view import theme
from batllm_arcade.view.text import Letters


class WordsScreen:
    """A heading and a sentence; back leaves it."""

    repeats = True

    def __init__(self, shell: Shell, heading: str, words: str) -> None:
        self._shell, self._heading, self._words = shell, heading, words
        self._letters = Letters(1.0)

    def leave(self) -> None:
        """Nothing is held."""

    def cover(self, now: float) -> None:
        """Nothing moves."""

    def uncover(self, now: float) -> None:
        """Nothing moves."""

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Back goes back."""
        if self._shell.controls.intent(event) == "back":
            self.back()

    def back(self) -> None:
        """To the screen below."""
        self._shell.pop()

    def draw(self, target: pygame.Surface, now: float) -> None:
        """Draw the words."""
        target.fill(theme.NIGHT)
        target.blit(self._letters.line(self._heading, "title", 40, theme.TEXT), (60, 50))
        target.blit(self._letters.block(self._words, "label", 20, theme.SOFT, 1000, 20), (60, 120))
