"""A shell without a loop, and what a person does to it: keys, text, buttons, the mouse."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pygame
from shells import draw

from batllm_arcade.app.application import App
from batllm_arcade.app.input.controls import PAD
from batllm_arcade.app.shell import LoadingScreen
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan

SIZE = (1280, 720)


@contextmanager
def shell(plan: SessionPlan | None, plugins: Plugins) -> Iterator[App]:
    """The arcade off screen, ready to show screens; nothing moves but by what is pressed."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    app = App(plan, plugins, with_title=True)
    app.open_sounds()
    try:
        yield app
    finally:
        app._close()


def give(app: App, event: pygame.event.Event, now: float = 1.0) -> None:
    """Hand an event to the arcade as its pump does, after the frame before it."""
    app.update(now)
    screen = app.screen
    assert screen is not None
    draw(screen, pygame.display.get_surface())
    for given in app.ui.controls.feed(event, now):
        app.give(given, now)
    finish_loading(app, now)


def finish_loading(app: App, now: float = 1.0) -> None:
    """Wait for what is being loaded, and show what comes then."""
    while isinstance(app.screen, LoadingScreen):
        app.screen.task.join()
        app.update(now)


def press(app: App, *keys: int, mod: int = 0) -> None:
    """Press and release keys, one after the other."""
    for key in keys:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            give(app, pygame.event.Event(kind, key=key, mod=mod, unicode=""))


def text(app: App, words: str) -> None:
    """Type text, as an input method gives it."""
    for letter in words:
        give(app, pygame.event.Event(pygame.TEXTINPUT, text=letter))


def tap(app: App, *buttons: str) -> None:
    """Press and release a gamepad's buttons, one after the other."""
    for button in buttons:
        for pressed in (True, False):
            give(app, pygame.event.Event(PAD, button=button, pressed=pressed, place=0, repeat=False))


def click(app: App, x: float, y: float, button: int = 1) -> None:
    """Click at a pixel."""
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        give(app, pygame.event.Event(kind, pos=(round(x), round(y)), button=button))


def finish(prefix: str) -> None:
    """Wait until no thread of this name works any more."""
    for thread in threading.enumerate():
        if thread.name.startswith(prefix):
            thread.join(20)
            assert not thread.is_alive()
