"""Draws a film's end card: who won, the score, both orders, the health lines, what decided it, and how to play."""

from __future__ import annotations

import pygame

from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter
from batllm_arcade.video.edit.cards import CardSide, EndCard
from batllm_arcade.view import theme

_EDGE, _GAP, _PAD = 24, 12, 18  # pixels of a film whose shorter side has 720
_LEAST_CHART, _MOST_CHART = 44, 300
_SMALL = (54, LEAST)


def closing_picture(painter: CardPainter, card: EndCard) -> pygame.Surface:
    """Return the whole card."""
    return _Closing(painter, card).painted()


class _Closing:
    """Lays a card out from the top and from the bottom; the health lines get what is left between."""

    def __init__(self, painter: CardPainter, card: EndCard) -> None:
        self._painter, self._card = painter, card
        self._surface = painter.background()
        self._gap, edge = painter.px(_GAP), painter.px(_EDGE)
        self._area = painter.area.inflate(-2 * edge, -2 * edge)
        self._width = self._area.width

    def painted(self) -> pygame.Surface:
        top = self._result(self._area.top)
        top = self._sides(top) + self._gap
        bottom = self._words(self._area.bottom, top) - self._gap
        self._lines(pygame.Rect(self._area.left, top, self._width, bottom - top))
        return self._surface

    def _result(self, top: int) -> int:
        """Paint who won and the score, beside each other in a wide film; return the pixel below."""
        painter, surface, card = self._painter, self._surface, self._card
        color = theme.GOLD if card.bot is None else theme.SEAT_COLORS[card.bot]
        sizes = SIZES[1:] if painter.wide or painter.tall else SIZES[4:]
        score = self._score(self._width // 2 if painter.wide else self._width)
        room = self._width - (score.get_width() + 3 * self._gap if painter.wide else 0)
        title = painter.rows(card.title, "title", color, room, 2 if painter.tall else 1, sizes)
        if painter.wide:
            high = max(title[0].get_height(), score.get_height())
            surface.blit(title[0], title[0].get_rect(midleft=(self._area.left, top + high // 2)))
            surface.blit(score, score.get_rect(midright=(self._area.right, top + high // 2)))
            return top + high
        top = painter.stack(surface, title, top, -1, self._area.centerx)
        surface.blit(score, score.get_rect(midtop=(self._area.centerx, top)))
        return top + score.get_height()

    def _score(self, width: int) -> pygame.Surface:
        """Return the score in both colours, and its unit or how the game ended, on one line."""
        card, text, size = self._card, self._painter.text, 66 if self._painter.wide or self._painter.tall else 54
        (left, right), told = card.score, card.of if card.of == "games" else card.reason
        parts = [
            text.line(f"{left:g}", "title", size, theme.SEAT_COLORS[0]),
            text.line(" : ", "title", size, theme.TEXT),
            text.line(f"{right:g}", "title", size, theme.SEAT_COLORS[1]),
        ]
        room = width - sum(part.get_width() for part in parts)
        parts.append(text.line(f"  {told}" if told else "", "label", LEAST, theme.SOFT, room))
        high = max(part.get_height() for part in parts)
        row = pygame.Surface((sum(part.get_width() for part in parts), high), pygame.SRCALPHA)
        x = 0
        for part in parts:
            row.blit(part, part.get_rect(midleft=(x, high // 2)))
            x += part.get_width()
        return row

    def _sides(self, top: int) -> int:
        """Paint both players and their orders; return the pixel below."""
        painter, gap = self._painter, self._gap
        if painter.wide:
            half = (self._width - gap) // 2
            places = [pygame.Rect(self._area.left + bot * (half + gap), top, half, 0) for bot in (0, 1)]
            told = [self._told(side, bot, half, 3) for bot, side in enumerate(self._card.sides)]
            high = max(sum(row.get_height() for row in rows) for rows in told) + painter.px(_PAD)
        else:
            lines = 3 if painter.tall else 2 if self._area.height > painter.px(720) else 1
            told = [self._told(side, bot, self._width, lines) for bot, side in enumerate(self._card.sides)]
            highs = [sum(row.get_height() for row in rows) + painter.px(_PAD) for rows in told]
            places = [pygame.Rect(self._area.left, top + bot * (highs[0] + gap), self._width, 0) for bot in (0, 1)]
            high = max(highs)
        for bot, (place, rows) in enumerate(zip(places, told, strict=True)):
            place.height = high if painter.wide else sum(row.get_height() for row in rows) + painter.px(_PAD)
            painter.panel(self._surface, place, bot)
            painter.stack(self._surface, rows, place.top + painter.px(_PAD) // 2, place.left + painter.px(_PAD), 0)
        return max(place.bottom for place in places)

    def _told(self, side: CardSide, bot: int, width: int, lines: int) -> list[pygame.Surface]:
        painter, inner = self._painter, width - 2 * self._painter.px(_PAD)
        name = painter.rows(side.name, "title", theme.SEAT_COLORS[bot], inner, 1, (LEAST,))
        return [*name, *painter.rows(side.told, "label", theme.TEXT, inner, lines, (LEAST,))]

    def _words(self, bottom: int, top: int) -> int:
        """Paint what decided it and how to play, at the bottom, below the health lines; return the pixel above."""
        painter, card = self._painter, self._card
        how = painter.rows(card.how, "label", theme.GOLD, self._width, 2, _SMALL)
        high = bottom - top - sum(row.get_height() for row in how) - painter.px(_LEAST_CHART) - 2 * self._gap
        told = painter.rows(card.decided, "label", theme.SOFT, self._width, 4, _SMALL, high) if card.decided else []
        high = sum(row.get_height() for row in (*told, *how))
        painter.stack(self._surface, [*told, *how], bottom - high, -1, self._area.centerx)
        return bottom - high

    def _lines(self, area: pygame.Rect) -> None:
        """Paint the health lines of the results, if there is room."""
        painter, figures = self._painter, self._card.figures
        if figures is None or len(figures.curve) < 2 or area.height < painter.px(_LEAST_CHART):
            return
        area = area.inflate(0, min(0, painter.px(_MOST_CHART) - area.height))
        HealthChart(figures, painter.text, painter.scale * 1.6, area.size, labelled=False).draw(
            self._surface, area.topleft
        )
