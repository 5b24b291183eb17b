"""When the window is drawn: always while something moves, else only when something about its picture has changed."""

from __future__ import annotations

import pygame

STILL_S = 1.0
"""Seconds after which a picture that holds still is drawn all the same: clips are made of what is drawn."""


class Redrawing:
    """Remembers what was drawn last, so that a window that holds still costs next to nothing."""

    def __init__(self) -> None:
        self._drawn: tuple[object, ...] | None = None
        self._drawn_at = 0.0
        self._events = True

    def note_event(self) -> None:
        """Draw the next frame, whatever it is of: something was done, or a part of the window was uncovered."""
        self._events = True

    def due(self, screen: object, surface: pygame.Surface, picture: object, now: float) -> bool:
        """Return whether a frame has to be drawn that shows this `picture` of a screen, which is None if it moves."""
        shown = None if picture is None else (screen, surface, surface.get_size(), picture)
        due = self._events or shown is None or shown != self._drawn or now - self._drawn_at >= STILL_S
        if due:
            self._events, self._drawn, self._drawn_at = False, shown, now
        return due
