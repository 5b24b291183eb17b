"""A film's cards over time: complete in their first picture, the opening card faded out at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.closing import closing_picture
from batllm_arcade.video.draw.opening import opening_picture
from batllm_arcade.video.edit.cards import end_card, opening_card
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view import theme
from batllm_arcade.view.look.curves import SMOOTH
from batllm_arcade.view.timeline import Timeline

_FADE_S = 0.2
_STRIP = 60  # rows that are faded at a time: few enough for the processor's cache
Picture = Callable[[CardPainter], pygame.Surface]
"""Paints a whole card."""


class Cards:
    """Draws the cards of one film, the `closing` one if it has any; each is painted when it is first shown."""

    def __init__(
        self, painter: CardPainter, edit_list: EditList, opening: Picture, closing: Picture | None = None
    ) -> None:
        self._painter, self._edit_list, self._paint = painter, edit_list, (opening, closing or opening)
        self._pictures: dict[bool, pygame.Surface] = {}
        self._last: tuple[bool, float] | None = None

    @classmethod
    def of_match(
        cls, painter: CardPainter, timeline: Timeline, edit_list: EditList, title: str,
        points: Sequence[TurningPoint] = (), above: str = "",
    ) -> Cards:  # fmt: skip
        """Return the cards of a film of one session; `points` is where its games tipped, `above` is said first."""
        first = next((cut.start for cut in edit_list.cuts), 0.0)
        last = max((cut.end for cut in edit_list.cuts), default=timeline.end)
        return cls(
            painter,
            edit_list,
            lambda painter: opening_picture(painter, opening_card(timeline, first, title, above)),
            lambda painter: closing_picture(painter, end_card(timeline, last, points)),
        )

    def draw(self, target: pygame.Surface, film_t: float) -> list[pygame.Rect]:
        """Draw the card shown at `film_t`; return what changed since this was last called, nothing where all is left.

        Call `forget` once something else has been drawn on `target`.
        """
        ending = self._edit_list.end_card > 0 and film_t >= self._edit_list.ends
        faded = 0.0 if ending else 1.0 - SMOOTH.at((self._edit_list.card - film_t) / _FADE_S)
        if self._last == (ending, faded):
            return []
        self._last = ending, faded
        target.blit(self._picture(ending), (0, 0))
        if faded > 0.0:
            veil = pygame.Surface((target.get_width(), _STRIP))
            veil.fill(theme.NIGHT)
            veil.set_alpha(round(255 * faded))
            target.blits([(veil, (0, top)) for top in range(0, target.get_height(), _STRIP)], doreturn=False)
        return [target.get_rect()]

    def forget(self) -> None:
        """Let the next card be drawn whatever is on its surface."""
        self._last = None

    def _picture(self, ending: bool) -> pygame.Surface:
        if ending not in self._pictures:
            self._pictures[ending] = self._paint[ending](self._painter)
        return self._pictures[ending]
