"""The title: a demo match and the menu."""

from __future__ import annotations

import threading

import pygame

from batllm_arcade.arcade.demo import Demo
from batllm_arcade.arcade.screen import Shell
from batllm_arcade.session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.sprites import blit_centred


class TitleScreen:
    """A match that nobody plays, and what can be done."""

    repeats = True

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        self._shell, self._plan = shell, plan
        self._demo = Demo(shell.plugins, plan.config.rules)
        self._picture: Picture | None = None
        self._focus = 0
        self._items = (
            ("PLAY", lambda: shell.seats(plan)),
            ("SESSIONS", shell.sessions),
            ("SETTINGS", shell.settings_screen),
            ("HELP", shell.help_screen),
            ("QUIT", shell.quit),
        )
        threading.Thread(target=self._demo.play, daemon=True).start()

    def leave(self) -> None:
        """Nothing is held."""

    def cover(self, now: float) -> None:
        """The demo goes on."""

    def uncover(self, now: float) -> None:
        """The demo went on."""

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Up and down choose, confirm does it."""
        intent = self._shell.controls.intent(event)
        if intent in ("up", "down"):
            self._focus = (self._focus + (1 if intent == "down" else -1)) % len(self._items)
        elif intent in ("confirm", "menu"):
            self._items[self._focus][1]()
        elif intent == "back":
            self._shell.quit()

    def draw(self, target: pygame.Surface, now: float) -> None:
        """The demo, the logo, the menu."""
        size = target.get_size()
        if self._picture is None or self._picture.size != size:
            self._picture = Picture(size, self._plan.config.rules)
        picture = self._picture
        picture.draw_stage(target, self._demo.at(now))
        blit_centred(
            target, picture.letters.line("BATLLM ARCADE", "title", 72, theme.GOLD), picture.pixel(theme.WIDTH / 2, 140)
        )
        for row, (words, _) in enumerate(self._items):
            color = theme.GOLD if row == self._focus else theme.SOFT
            line = picture.letters.line(words, "title", 30, color)
            blit_centred(target, line, picture.pixel(theme.WIDTH / 2, 360 + 50 * row))
