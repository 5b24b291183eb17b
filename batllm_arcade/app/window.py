"""The window itself: opened, resized, full screen; what screens draw on is made anew only when its size has settled."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pygame

from batllm_arcade.app.input import sdl
from batllm_arcade.errors import UsageError
from batllm_arcade.view import theme

_NO_SCREEN = ("dummy", "offscreen")
"""SDL's drivers that draw nowhere: their windows have the usual size."""
SETTLED_S = 0.2
"""Seconds without a further change after which a new size counts."""
SMALLEST = (480, 400)
_DRAWN = (64, 48)
"""The smallest picture that screens draw; a smaller window, which some desktops allow, shows it shrunk."""
_ROOMY = 0.75
"""The share of a large screen that a window may take to be larger than the usual one."""
_FREE = (0.96, 0.90)
"""The shares of a small screen's width and height that the window takes; frame and desktop need the rest."""


def first_size(screen: tuple[int, int]) -> tuple[int, int]:
    """Return the size that a window opens with on a screen of this size, in pixels; it always fits."""
    usual = (theme.WIDTH, theme.HEIGHT)
    if screen[0] < usual[0] or screen[1] < usual[1]:
        wide, high = (round(size * free) for size, free in zip(screen, _FREE, strict=True))
        return max(1, wide), max(1, high)
    larger = [(usual[0] * part // 2, usual[1] * part // 2) for part in (3, 4, 6)]
    fitting = [size for size in larger if size[0] <= _ROOMY * screen[0] and size[1] <= _ROOMY * screen[1]]
    return fitting[-1] if fitting else usual


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Let nothing be heard of the displays that SDL tries in vain: what it says itself in the end is told."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def no_display() -> str:
    """Return why there is no display, in the words of a sentence's beginning."""
    from ctypes.util import find_library

    asked = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if asked and sys.platform == "linux" and find_library("X11") is None:
        return "a window needs libraries that a bare container lacks: apt install libx11-6 libxext6"
    return "there is no display to open a window on"


def _drawable(size: tuple[int, int]) -> tuple[int, int]:
    return max(size[0], _DRAWN[0]), max(size[1], _DRAWN[1])


class Window:
    """One window; `surface` is drawn on, `present` shows it."""

    def __init__(self, fullscreen: bool) -> None:
        self._size = (theme.WIDTH, theme.HEIGHT)
        self.fullscreen = fullscreen
        try:
            with quiet_libraries():
                pygame.display.init()
            pygame.display.set_caption("BatLLM Arcade")
            if pygame.display.get_driver() not in _NO_SCREEN:
                self._size = first_size(pygame.display.get_desktop_sizes()[0])
            self._open()
        except pygame.error as error:
            raise UsageError(f"no window can be opened ({error}); 'batllm-arcade run' plays without one") from None
        if pygame.display.get_driver() == "offscreen":
            pygame.quit()
            raise UsageError(f"{no_display()}; 'batllm-arcade run' plays without one")
        pygame.key.stop_text_input()

    def _open(self) -> None:
        if self.fullscreen:
            self._display = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            self._display = pygame.display.set_mode(self._size, pygame.RESIZABLE)
            sdl.set_smallest_size(*SMALLEST)
        self._drawn: pygame.Surface | None = None  # while the size changes a picture of the old size
        self._changed_at = 0.0

    def set_fullscreen(self, on: bool) -> None:
        """Fill the screen, or be a window again."""
        if on != self.fullscreen:
            self._size = self._size if self.fullscreen else self._display.get_size()
            self.fullscreen = on
            self._open()

    def surface(self, now: float) -> pygame.Surface:
        """Return what to draw this frame on; its size changes only when the window's has settled."""
        display = pygame.display.get_surface() or self._display
        if display.get_size() != self._display.get_size():
            if self._drawn is None:
                self._drawn = pygame.Surface(_drawable(self._display.get_size()))
            self._display, self._changed_at = display, now
        self._display = display
        if now - self._changed_at > SETTLED_S:
            self._drawn = self._settled(display.get_size())
        return self._drawn or self._display

    def _settled(self, size: tuple[int, int]) -> pygame.Surface | None:
        """Return what is drawn on in a window of this size, None if that is the window itself."""
        drawable = _drawable(size)
        if drawable == size:
            return None
        kept = self._drawn is not None and self._drawn.get_size() == drawable
        return self._drawn if kept else pygame.Surface(drawable)

    def present(self) -> None:
        """Show what was drawn."""
        if self._drawn is not None:
            pygame.transform.scale(self._drawn, self._display.get_size(), self._display)
        pygame.display.flip()
