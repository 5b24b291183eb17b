"""What both seats were told in a film that is not wide, and what the other one said last where there is room for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.render.hud.upright.last_play import last_play, said
from batllm_arcade.render.hud.upright.upright_text import UprightText
from batllm_arcade.render.text import clean
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed
from batllm_arcade.view.words.orders_words import quoted
from batllm_arcade.view.words.script_words import player_words

_ROOMY = 260  # pixels of a film 1080 wide: the height from which on a plate has what its bot said last
_SAID, _WORDS = 0.46, 42  # of such a plate's height, and the size of type


class Told(NamedTuple):
    """What a plate says: what its seat was told or who plays there, in which size, and what it said last.

    `given`: it was told something; `past`: it said that in an earlier turn.
    """

    words: str
    given: bool
    size: int
    said: str = ""
    past: bool = False


class OrdersPlates:
    """Paints a plate for each seat in the rectangles `rects`; `column` is that of one of two matches."""

    def __init__(self, text: UprightText, rects: Sequence[pygame.Rect], column: MatchColumn | None) -> None:
        self._text, self._rects, self._column = text, rects, column
        self._sized: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._before: dict[int, tuple[tuple[object, ...], Told]] = {}
        """What the plate of each seat said last, and the parts of a scoreboard that this was made of."""

    def told(self, scene: Scene, seat: int) -> Told:
        """Return what the plate of a seat says."""
        board = scene.board
        given = board.prompts, board.seats, board.plays, board.is_past(seat)
        before = self._before.get(seat)
        if before is None or any(one is not other for one, other in zip(before[0], given, strict=True)):
            before = self._before[seat] = given, self._told(scene, seat)
        return before[1]

    def _told(self, scene: Scene, seat: int) -> Told:
        orders, info = scene.board.prompts[seat], scene.board.seats[seat]
        told = Told(quoted(orders) or player_words(info), bool(orders.strip()), self._sizes(scene)[seat])
        play = scene.board.plays[seat]
        if play is None or play is last_play(scene) or not self._is_roomy(self._rects[seat]):
            return told  # what was said last of all is below the arena
        return told._replace(said=said(play, scene), past=scene.board.is_past(seat))

    def paint(self, surface: pygame.Surface, seat: int, told: Told) -> None:
        """Paint the orders in their size, or who plays where there are none, and below them what was said last."""
        px, area, color = self._text.px, surface.get_rect(), theme.SEAT_COLORS[seat]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.08), area, border_radius=px(12))
        pygame.draw.rect(surface, color, (0, 0, px(6), area.height), border_radius=px(3))
        above = self._area_told(area)
        width, room = self._room(above)
        high = self._text.renderer.height("label", told.size)
        rows = self._text.renderer.rows(clean(told.words), "label", told.size, width, max(1, room // high))
        self._rows(surface, rows, told.size, theme.TEXT if told.given else theme.SOFT, above)
        if not told.said:
            return
        below = pygame.Rect(area.left, above.bottom, area.width, area.height - above.height)
        line = pygame.Rect(px(18), below.top, area.width - 2 * px(12) - px(6), max(1, px(2)))
        pygame.draw.rect(surface, mixed(theme.PANEL_EDGE, color, 0.3), line)
        width, room = self._room(below)
        high = self._text.renderer.height("label", _WORDS)
        rows = self._text.renderer.rows(clean(told.said), "label", _WORDS, width, max(1, room // high))
        self._rows(surface, rows, _WORDS, theme.DIM if told.past else theme.TEXT, below)

    def _rows(
        self, surface: pygame.Surface, rows: Sequence[str], size: int, color: theme.Color, area: pygame.Rect
    ) -> None:
        """Paint rows of text in the middle of an area's height."""
        high, left = self._text.renderer.height("label", size), self._text.px(12) + self._text.px(6)
        top = area.centery - high * len(rows) // 2
        for number, row in enumerate(rows):
            surface.blit(self._text.renderer.line(row, "label", size, color), (left, top + number * high))

    def _is_roomy(self, rect: pygame.Rect) -> bool:
        return rect.height >= self._text.px(_ROOMY)

    def _area_told(self, area: pygame.Rect) -> pygame.Rect:
        """Return the part of a plate that has what its seat was told."""
        share = 1 - _SAID if self._is_roomy(area) else 1.0
        return pygame.Rect(0, 0, area.width, round(share * area.height))

    def _room(self, area: pygame.Rect) -> tuple[int, int]:
        """Return the width and height for words in a part of a plate."""
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
            rooms = [self._room(self._area_told(rect)) for rect in self._rects]
            beside = self._column.orders if self._column else ()
            sizes = []
            for seat, (each, room) in enumerate(zip(told, rooms, strict=True)):
                alike = filter(None, map(quoted, beside if self._column and seat == self._column.subject else ()))
                sizes.append(min(self._text.fitting(clean(words), *room)[0] for words in (each, *alike)))
            alike_here = self._column is None and all(scene.board.prompts)
            self._sized = {told: (min(sizes),) * 2 if alike_here else tuple(sizes)}
        return self._sized[told]
