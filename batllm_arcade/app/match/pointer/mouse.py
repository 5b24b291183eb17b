"""The mouse (and a finger) in a live match: the arena, the buttons under it, the one at the window's top left."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pygame

from batllm_arcade.app.input.aiming import HELD, Action
from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.input.hint_keys import pressing
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.match.pointer.buttons import ACTIONS, Touched
from batllm_arcade.app.match.renderer import MatchRenderer

EVENTS = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)
_OF_A_BOT = tuple(name for name, _ in ACTIONS)
PAUSE = "pause"


class MatchMouse:
    """Gives the players what is done in the arena and with their buttons; `pause` is called for the pause button."""

    def __init__(
        self, controls: Controls, players: Players, renderer: MatchRenderer, pause: Callable[[], None]
    ) -> None:
        self._controls, self._players, self._renderer, self._pause = controls, players, renderer, pause
        self.touched = Touched()

    def let_go(self) -> None:
        """Forget what is held and pointed at: a dialog has the mouse now."""
        self.touched.hovered = self.touched.pressed = ""

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Take an event of the mouse."""
        if event.type == pygame.MOUSEWHEEL:
            if event.y:
                self._players.wheel(now, back=event.y < 0)
            return
        if event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            self._release(event.pos, now)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._point(event.pos)
            self._press(event.pos, now)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT:
            self._players.hold("shield", now, pressed=True)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_RIGHT:
            self._players.hold("shield", now, pressed=False)

    def _point(self, pos: tuple[int, int]) -> None:
        self.touched.hovered = self._renderer.button_at(pos)
        self._players.pointing.move(self._renderer.world(pos))

    def _press(self, pos: tuple[int, int], now: float) -> None:
        name = self.touched.hovered
        if not name:
            if self._renderer.world(pos) is not None:
                self._players.click(now)
            return
        self.touched.pressed = name
        if name in _OF_A_BOT:
            self._players.hold(cast(Action, name), now, pressed=True)
        elif name == PAUSE:
            self._pause()
        else:
            for event in pressing(self._controls.key_label(name), pad=False):
                pygame.event.post(event)

    def _release(self, pos: tuple[int, int], now: float) -> None:
        name, self.touched.pressed = self.touched.pressed, ""
        self._players.pointing.release()
        if name in HELD and self._renderer.button_at(pos) != name:
            self._players.take_back()  # the pointer has left the button
        if self._controls.pointer == "touch":
            self.touched.hovered = ""  # a finger points only as long as it is down
        if name in _OF_A_BOT:
            self._players.hold(cast(Action, name), now, pressed=False)
