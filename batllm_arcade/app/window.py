"""The window itself: opened, resized, full screen; what screens draw on is made anew only when its size has settled."""

from __future__ import annotations

import pygame

from batllm_arcade.app.input import sdl
from batllm_arcade.errors import UsageError
from batllm_arcade.view import theme

SETTLED_S = 0.2
"""Seconds without a further change after which a new size counts."""
SMALLEST = (640, 400)


class Window:
    """One window; `surface` is drawn on, `present` shows it."""

    def __init__(self, fullscreen: bool) -> None:
        self._size = (theme.WIDTH, theme.HEIGHT)
        self.fullscreen = fullscreen
        try:
            pygame.display.init()
            pygame.display.set_caption("BatLLM Arcade")
            self._open()
        except pygame.error as error:
            raise UsageError(f"no window can be opened ({error}); 'batllm-arcade run' plays without one") from None
        if pygame.display.get_driver() == "offscreen":
            pygame.quit()
            raise UsageError("there is no display to open a window on; 'batllm-arcade run' plays without one")
        pygame.key.stop_text_input()

    def _open(self) -> None:
        if self.fullscreen:
            self._display = pygame.display.set_mode((0, 0), pygame.FULLSCREEN)
        else:
            self._display = pygame.display.set_mode(self._size, pygame.RESIZABLE)
            sdl.set_smallest_size(*SMALLEST)
        self._drawn: pygame.Surface | None = None  # while the size changes: a picture of the old size
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
                self._drawn = pygame.Surface(self._display.get_size())
            self._display, self._changed_at = display, now
        self._display = display
        if self._drawn is not None and now - self._changed_at > SETTLED_S:
            self._drawn = None
        return self._drawn or self._display

    def present(self) -> None:
        """Show what was drawn."""
        if self._drawn is not None:
            pygame.transform.scale(self._drawn, self._display.get_size(), self._display)
        pygame.display.flip()
