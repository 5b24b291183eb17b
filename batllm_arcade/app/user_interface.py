"""The person before the window: their settings and where they are kept, keys, sounds of the menus, typed text."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.window import Window
from batllm_arcade.audio.player import Player
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings

SAVED_S = 1.0
"""Seconds after the last change of a setting in which it is written."""


class UserInterface:
    """What is between the screens and the person; without a `file` the settings are as shipped and not kept.

    `clock` gives the window's time in seconds; a file that cannot be written adds a sentence to `problems`.
    """

    sounds: Player
    """What plays the menus' sounds, from when the window is open."""

    def __init__(self, file: SettingsFile | None, problems: list[str], clock: Callable[[], float]) -> None:
        self._file, self._problems, self._clock = file, problems, clock
        self.settings = file.settings if file is not None else Settings()
        self.controls = Controls(self.settings)
        self.window: Window | None = None
        self._typing = False
        self._unsaved_since: float | None = None
        if file is not None and file.problem:
            problems.append(file.problem)

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""
        self.settings = self.controls.settings = settings
        if self.window is not None:
            self.sounds.apply(settings)
            self.window.set_fullscreen(settings.fullscreen)
        self._unsaved_since = self._clock()

    def lose_window(self) -> None:
        """Call nothing of the window from now on: its display is gone."""
        self.window, self._typing = None, False

    def save(self, *, rested_s: float = 0.0) -> None:
        """Write the settings if they have changed, and not within the last `rested_s` seconds."""
        if self._unsaved_since is None or self._clock() - self._unsaved_since < rested_s:
            return
        self._unsaved_since = None
        problem = self._file.save(self.settings) if self._file is not None else ""
        if problem and problem not in self._problems:
            self._problems.append(problem)

    def sound(self, name: str) -> None:
        """Play a sound of the menus: move, confirm, back or error."""
        self.sounds.ui(name)

    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""
        if on != self._typing:
            self._typing = on
            (pygame.key.start_text_input if on else pygame.key.stop_text_input)()
            pygame.key.set_repeat(*((350, 35) if on else ()))

    def types(self, event: pygame.event.Event) -> bool:
        """Return whether an event is a key that types a letter."""
        return self._typing and event.type == pygame.KEYDOWN and len(pygame.key.name(event.key)) == 1
