"""What a film's frames are drawn on: its cards, and between these a match with what is laid over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.video.draw.canvas import canvas
from batllm_arcade.video.draw.cards import Cards


class Layers:
    """The finished picture (`surface`), and the match alone (`match`), which is the same where nothing lies over it."""

    def __init__(self, size: tuple[int, int], cards: Cards, *, overlaid: bool) -> None:
        self.surface = canvas(size)
        self.match = canvas(size) if overlaid else self.surface
        self._cards = cards
        self._covered = [self.surface.get_rect()]

    def show_card(self, film_t: float) -> list[pygame.Rect]:
        """Draw the card that is shown at `film_t`; return what changed."""
        self._covered = [self.surface.get_rect()]
        return self._cards.draw(self.surface, film_t)

    def show_match(self, changed: Sequence[pygame.Rect], overlay: Callable[[], list[pygame.Rect]]) -> list[pygame.Rect]:
        """Show what has changed of the match, and what `overlay` draws over it; return what changed in the picture."""
        self._cards.forget()
        stale, self._covered = [*changed, *self._covered], []
        if self.match is self.surface:
            return stale
        for rect in stale:
            self.surface.blit(self.match, rect, rect)
        self._covered = overlay()
        return [*stale, *self._covered]
