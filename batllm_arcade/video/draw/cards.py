"""A film's cards: each is complete from its first picture to its last."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.closing import closing_picture
from batllm_arcade.video.draw.fight_picture import paint_below
from batllm_arcade.video.draw.opening import opening_picture
from batllm_arcade.video.edit.cards import FilmCards
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.fight_moment import fight_scene
from batllm_arcade.view.timeline import Timeline

Picture = Callable[[CardPainter], pygame.Surface]
"""Paints a whole card."""


class Cards:
    """Draws the cards of one film, the `closing` one if it has any; each is painted when it is first shown."""

    def __init__(
        self, painter: CardPainter, edit_list: EditList, opening: Picture, closing: Picture | None = None
    ) -> None:
        self._painter, self._edit_list, self._paint = painter, edit_list, (opening, closing or opening)
        self._pictures: dict[bool, pygame.Surface] = {}
        self._last: bool | None = None
        """Whether the end card was drawn last, None where that was no card."""

    @classmethod
    def of_match(cls, painter: CardPainter, timeline: Timeline, edit_list: EditList, cards: FilmCards | None) -> Cards:
        """Return the cards of a film of one session; the film has none if there are none."""
        spans = [(cut.start, cut.end) for cut in edit_list.cuts]

        def opening(painter: CardPainter) -> pygame.Surface:
            surface = painter.background() if cards is None else opening_picture(painter, cards.opening)
            if painter.telephone:
                paint_below(painter, surface, fight_scene(timeline, spans))
            return surface

        def closing(painter: CardPainter) -> pygame.Surface:
            return painter.background() if cards is None else closing_picture(painter, cards.closing)

        return cls(painter, edit_list, opening, closing)

    def draw(self, target: pygame.Surface, film_t: float) -> list[pygame.Rect]:
        """Draw the card shown at `film_t`; return what changed since this was last called, nothing where all is left.

        Call `forget` once something else has been drawn on `target`.
        """
        ending = self._edit_list.end_card > 0 and film_t >= self._edit_list.ends
        if self._last == ending:
            return []
        self._last = ending
        target.blit(self._picture(ending), (0, 0))
        return [target.get_rect()]

    def forget(self) -> None:
        """Let the next card be drawn whatever is on its surface."""
        self._last = None

    def _picture(self, ending: bool) -> pygame.Surface:
        if ending not in self._pictures:
            self._pictures[ending] = self._paint[ending](self._painter)
        return self._pictures[ending]
