"""Draws a film's opening card: the claim, both names, and what both were told."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.video.draw.card_painter import SIZES, CardPainter, height_of
from batllm_arcade.video.edit.cards import CardSide, OpeningCard
from batllm_arcade.view import theme

_EDGE, _GAP, _PAD = 30, 22, 26  # pixels of a film whose shorter side has 720
_ONE_LINE = 60
"""The size of type in which a claim is not broken in two if it fits on a line."""
_TOLD, _ROWS = (92, *SIZES), 6
"""Sizes of orders, the same for both, and their most rows."""


def opening_picture(painter: CardPainter, card: OpeningCard) -> pygame.Surface:
    """Return the whole card: it is complete in the film's first picture."""
    surface, snug = painter.background(), not (painter.wide or painter.tall)
    edge, gap = painter.px(_EDGE // 2 if snug else _EDGE), painter.px(_GAP // 2 if snug else _GAP)
    edge = 0 if painter.telephone else edge  # else there is room around it
    inner = painter.area.inflate(-2 * edge, -2 * edge)
    sizes = SIZES[3:] if snug else SIZES
    on_one_line = painter.text.measure(card.claim, "title", _ONE_LINE) <= inner.width
    most = 1 if on_one_line else 3 if painter.tall else 2
    claim = painter.rows(card.claim, "title", theme.TEXT, inner.width, most, sizes, even=True)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    area = pygame.Rect(inner.left, top, inner.width, inner.bottom - top)
    apart = painter.px(90 if painter.wide else 56 if painter.tall else 10)
    names = [side.name for side in card.sides]
    sides = [_Side(painter, _place(painter, area, bot, apart), side, bot, names) for bot, side in enumerate(card.sides)]
    size = min(side.size for side in sides)
    high = max(side.height(size) for side in sides) if painter.wide else 0
    for side in sides:
        side.paint(surface, size, high)
    if not snug:  # else there is no room between both
        versus = painter.text.line("VS", "title", 54, theme.GOLD)
        surface.blit(versus, versus.get_rect(center=area.center))
    return surface


def _place(painter: CardPainter, area: pygame.Rect, bot: int, apart: int) -> pygame.Rect:
    """Return a side's plate: beside the other one in a wide film, below it in others."""
    if painter.wide:
        rect = pygame.Rect(area.left, area.top, (area.width - apart) // 2, area.height)
        rect.right = area.right if bot else rect.right
        return rect
    rect = pygame.Rect(area.left, area.top, area.width, (area.height - apart) // 2)
    rect.bottom = area.bottom if bot else rect.bottom
    return rect


class _Side:
    """A player's plate with its bot, name, level and orders; both `names` have one size of type."""

    def __init__(self, painter: CardPainter, rect: pygame.Rect, side: CardSide, bot: int, names: Sequence[str]) -> None:
        self._painter, self._rect, self._told, self._bot = painter, rect, side.told, bot
        snug = not (painter.wide or painter.tall)
        self._pad, self._badge = painter.px(_PAD // 2 if snug else _PAD), painter.px(84 if snug else 96)
        self._width = rect.width - 2 * self._pad
        sizes, color = SIZES[-1:] if snug else SIZES[2:], theme.SEAT_COLORS[bot]
        room = self._width - self._badge
        size = min(painter.size_of(name, "title", room, 1, sizes) for name in names)
        (self._name,) = painter.rows(side.name, "title", color, room, 1, (size,))
        self._head = self._name.get_height() if snug else max(self._badge, self._name.get_height())
        self._level = painter.rows(side.level, "label", theme.SOFT, self._width, 1, SIZES[-1:]) if side.level else []
        self._room = rect.height - self._head - self._under - (0 if snug else self._pad)
        self.size = painter.size_of(self._told, "label", self._width, _ROWS, _TOLD, self._room)
        """The largest type in which the orders fit."""

    @property
    def _under(self) -> int:
        return height_of(self._level)

    def _rows(self, size: int) -> list[pygame.Surface]:
        return self._painter.rows(self._told, "label", theme.TEXT, self._width, _ROWS, (size,), self._room)

    def height(self, size: int) -> int:
        """Return how high all of it is with orders in that type."""
        return self._head + self._under + height_of(self._rows(size))

    def paint(self, target: pygame.Surface, size: int, high: int) -> pygame.Rect:
        """Paint it in the middle of the plate, as if it were at least `high`; return where the name is."""
        painter, rect, left = self._painter, self._rect, self._rect.left + self._pad
        painter.panel(target, rect, self._bot)
        top = rect.top + (rect.height - max(high, self.height(size))) // 2
        middle = top + self._head // 2
        painter.bot(target, self._bot, (left + painter.px(40), middle))
        name = target.blit(self._name, self._name.get_rect(midleft=(left + self._badge, middle)))
        painter.stack(target, [*self._level, *self._rows(size)], top + self._head, left, 0)
        return name
