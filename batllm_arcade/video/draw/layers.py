"""What a film's frames are drawn on: a match, and what lies over it, ribbons or a card, with what is below these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.video.draw.canvas import canvas
from batllm_arcade.video.draw.cards import Cards
from batllm_arcade.video.edit.edit_list import EditList, EditMoment


class Cover(NamedTuple):
    """A picture over a match and where it is blitted, with which flags; `light` tells those of one surface apart.

    One that is lower than its place is blitted there again and again, downwards.
    """

    image: pygame.Surface
    rect: pygame.Rect
    flags: int = 0
    light: int = 0


class Layers:
    """The picture (`surface`), on which a match is drawn between `uncover` and `show_match`."""

    def __init__(self, size: tuple[int, int], cards: Cards) -> None:
        self.surface = canvas(size)
        self._cards = cards
        self._covers: list[Cover] | None = None
        """What lies over the match, None where that is a card, or nothing was shown yet."""
        self._below: list[tuple[pygame.Surface, pygame.Rect]] = []

    def show_card(self, film_t: float) -> list[pygame.Rect]:
        """Draw the card that is shown at `film_t`; return what changed."""
        if self._covers is not None or not self._below:
            self.uncover()
            self._keep([self.surface.get_rect()])
            self._covers = None
        return self._cards.draw(self.surface, film_t)

    def uncover(self) -> None:
        """Take away what lies over the match, so that `surface` shows what was drawn of it last."""
        for kept, rect in self._below:
            self.surface.blit(kept, rect)
        self._below = []

    def show_match(self, changed: Sequence[pygame.Rect], covers: list[Cover]) -> list[pygame.Rect]:
        """Lay `covers` over a match of which that has changed; return what changed in the picture."""
        self._cards.forget()
        whole = self.surface.get_rect()
        before, self._covers = self._covers, covers
        rects = [cover.rect.clip(whole) for cover in covers]
        self._keep(rects)
        for image, rect, flags, _ in covers:
            self.surface.set_clip(rect)
            for top in range(rect.top, rect.bottom, image.get_height()):
                self.surface.blit(image, (rect.left, top), special_flags=flags)
        self.surface.set_clip(None)
        if before is None:
            return [whole]
        return [*changed] if before == covers else [*changed, *(cover.rect.clip(whole) for cover in before), *rects]

    def _keep(self, rects: list[pygame.Rect]) -> None:
        self._below = [(self.surface.subsurface(rect).copy(), rect) for rect in rects]


class LayeredRenderer(ABC):
    """Draws a film's frames on `surface`, each a function of its time alone: its cards, and a match between these."""

    def __init__(self, layers: Layers, edit_list: EditList) -> None:
        self._layers, self._edit_list = layers, edit_list

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""
        return self._layers.surface

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        moment = self._edit_list.at(film_t)
        return self._layers.show_card(film_t) if moment is None else self._draw_match(moment)

    @abstractmethod
    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        """Draw a moment of the match; return the rectangles that changed since the last frame."""
