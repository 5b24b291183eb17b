"""What both seats were told in a film that is not wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.render.hud.upright.upright_text import UprightText
from batllm_arcade.render.text import clean
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed
from batllm_arcade.view.words.orders_words import quoted
from batllm_arcade.view.words.script_words import player_words


class Told(NamedTuple):
    """What a plate says: what its seat was told or who plays there, whether it was told something, in which size."""

    words: str
    given: bool
    size: int


class OrdersPlates:
    """Paints a plate for each seat in the rectangles `rects`; `column` is that of one of two matches."""

    def __init__(self, text: UprightText, rects: Sequence[pygame.Rect], column: MatchColumn | None) -> None:
        self._text, self._rects, self._column = text, rects, column
        self._sized: dict[tuple[str, ...], tuple[int, ...]] = {}

    def told(self, scene: Scene, seat: int) -> Told:
        """Return what the plate of a seat says."""
        orders, info = scene.board.prompts[seat], scene.board.seats[seat]
        return Told(quoted(orders) or player_words(info), bool(orders.strip()), self._sizes(scene)[seat])

    def paint(self, surface: pygame.Surface, seat: int, told: Told) -> None:
        """Paint the orders in their size, in the middle of the plate's height, or who plays where there are none."""
        px, area, seat_color = self._text.px, surface.get_rect(), theme.SEAT_COLORS[seat]
        pygame.draw.rect(surface, mixed(theme.PANEL, seat_color, 0.08), area, border_radius=px(12))
        pygame.draw.rect(surface, seat_color, (0, 0, px(6), area.height), border_radius=px(3))
        width, room = self._room(area)
        high = self._text.renderer.height("label", told.size)
        rows = self._text.renderer.rows(clean(told.words), "label", told.size, width, max(1, room // high))
        top, color = area.centery - high * len(rows) // 2, theme.TEXT if told.given else theme.SOFT
        for number, row in enumerate(rows):
            line = self._text.renderer.line(row, "label", told.size, color)
            surface.blit(line, (px(12) + px(6), top + number * high))

    def _room(self, area: pygame.Rect) -> tuple[int, int]:
        """Return the width and height for words on a plate."""
        pad = self._text.px(12)
        return area.width - 2 * pad - self._text.px(6), area.height - pad

    def _sizes(self, scene: Scene) -> tuple[int, ...]:
        """Return the sizes of what both seats were told, or are: of orders the one in which both fit.

        Those that are compared with the other match's have the size in which both of them fit.
        """
        told = tuple(
            quoted(orders) or player_words(info)
            for orders, info in zip(scene.board.prompts, scene.board.seats, strict=True)
        )
        if told not in self._sized:
            rooms = [self._room(rect) for rect in self._rects]
            beside = self._column.orders if self._column else ()
            sizes = []
            for seat, (each, room) in enumerate(zip(told, rooms, strict=True)):
                alike = filter(None, map(quoted, beside if self._column and seat == self._column.subject else ()))
                sizes.append(min(self._text.fitting(clean(words), *room)[0] for words in (each, *alike)))
            alike_here = self._column is None and all(scene.board.prompts)
            self._sized = {told: (min(sizes),) * 2 if alike_here else tuple(sizes)}
        return self._sized[told]
