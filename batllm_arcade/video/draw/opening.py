"""Draws a film's opening card: the claim, both names, and what both were told."""

from __future__ import annotations

import pygame

from batllm_arcade.video.draw.card_painter import SIZES, CardPainter
from batllm_arcade.video.edit.cards import CardSide, OpeningCard
from batllm_arcade.view import theme

_EDGE, _GAP, _PAD = 30, 22, 26  # pixels of a film whose shorter side has 720
_TOLD = (92, *SIZES)


def opening_picture(painter: CardPainter, card: OpeningCard) -> pygame.Surface:
    """Return the whole card: it is complete in the film's first picture."""
    surface, snug = painter.background(), not (painter.wide or painter.tall)
    edge, gap = painter.px(_EDGE // 2 if snug else _EDGE), painter.px(_GAP // 2 if snug else _GAP)
    inner = painter.area.inflate(-2 * edge, -2 * edge)
    most, sizes = 3 if painter.tall else 2, SIZES[3:] if snug else SIZES
    claim = painter.rows(card.claim, "title", theme.TEXT, inner.width, most, sizes)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    area = pygame.Rect(inner.left, top, inner.width, inner.bottom - top)
    apart = painter.px(90 if painter.wide else 56 if painter.tall else 10)
    for bot, side in enumerate(card.sides):
        _paint_side(painter, surface, _place(painter, area, bot, apart), side, bot, snug=snug)
    versus = painter.text.line("VS", "title", 54, theme.GOLD)
    seam = area.center
    if snug:  # between the right player's name and the left one's orders
        seam = area.right - versus.get_width() // 2 - painter.px(_PAD), area.centery - painter.px(18)
    surface.blit(versus, versus.get_rect(center=seam))
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


def _paint_side(
    painter: CardPainter, target: pygame.Surface, rect: pygame.Rect, side: CardSide, bot: int, *, snug: bool
) -> None:
    """Paint a player's bot, name, level and orders, in the middle of the plate; `snug` where there is little room."""
    pad, badge = painter.px(_PAD // 2 if snug else _PAD), painter.px(84 if snug else 96)
    painter.panel(target, rect, bot)
    left, width = rect.left + pad, rect.width - 2 * pad
    (name,) = painter.rows(
        side.name, "title", theme.SEAT_COLORS[bot], width - badge, 1, SIZES[-1:] if snug else SIZES[2:]
    )
    head = name.get_height() if snug else max(badge, name.get_height())
    level = painter.rows(side.level, "label", theme.SOFT, width, 1, SIZES[-1:]) if side.level else []
    under = sum(row.get_height() for row in level)
    room = rect.height - head - under - (0 if snug else pad)
    told = painter.rows(side.told, "label", theme.TEXT, width, 6, _TOLD, room)
    top = rect.top + (rect.height - head - under - sum(row.get_height() for row in told)) // 2
    painter.bot(target, bot, (left + painter.px(40), top + head / 2))
    target.blit(name, name.get_rect(midleft=(left + badge, top + head // 2)))
    painter.stack(target, [*level, *told], top + head, left, 0)
