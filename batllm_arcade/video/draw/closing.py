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
_MOST_ROWS = 7  # of what decided a game
_CLOSE = 0.9  # of a row's height from one to the next, where there is little room
_MOST_LINES, _SNUG = 5, 900  # of orders; the height below which all of a card that is not wide is set closer


def closing_picture(painter: CardPainter, card: EndCard) -> pygame.Surface:
    """Return the whole card."""
    return _Closing(painter, card).painted()


class _Closing:
    """Lays a card out from the top and from the bottom; the health lines get what is left between."""

    def __init__(self, painter: CardPainter, card: EndCard) -> None:
        self._painter, self._card = painter, card
        self._surface = painter.background()
        snug = not painter.wide and painter.area.height < _SNUG * painter.scale
        self._gap, self._pad = (painter.px(each // 2 if snug else each) for each in (_GAP, _PAD))
        edge = painter.px(_EDGE // 2 if snug else _EDGE)
        self._area = painter.area.inflate(-2 * edge, -2 * edge)
        self._width = self._area.width
        self._pitch = _CLOSE if snug else 1.0
        self._row = round(self._pitch * painter.text.height("label", LEAST))

    def painted(self) -> pygame.Surface:
        top = self._result(self._area.top)
        lines, decided, chart = self._arrangement(self._area.bottom - top)
        top = self._sides(top, lines) + self._gap
        bottom = self._words(self._area.bottom, top + chart, decided) - self._gap
        self._lines(pygame.Rect(self._area.left, top, self._width, bottom - top))
        return self._surface

    def _arrangement(self, room: int) -> tuple[int, str, int]:
        """Return the most lines of orders, the most on what decided it, and the least height of the health lines.

        Lines of orders come before the health lines, those before the end of that sentence.
        """
        least = self._painter.px(_LEAST_CHART) + self._gap
        asked = [
            (lines, text, chart)
            for lines in range(_MOST_LINES, 0, -1)
            for chart in (least, 0)
            for text in self._card.sentences
        ]
        for lines, text, chart in asked:
            if self._height_of_sides(lines) + self._height_of_words(text) + 2 * self._gap + chart <= room:
                return lines, text, chart
        return asked[-1]

    def _result(self, top: int) -> int:
        """Paint who won and the score, beside each other in a wide film; return the pixel below."""
        painter, surface, card = self._painter, self._surface, self._card
        color = theme.GOLD if card.bot is None else theme.SEAT_COLORS[card.bot]
        sizes = SIZES[1:] if painter.wide or painter.tall else SIZES[4:]
        score = self._score(self._width // 2 if painter.wide else self._width)
        room = self._width - (score.get_width() + 3 * self._gap if painter.wide else 0)
        on_one_line = painter.wide or painter.text.measure(card.title, "title", LEAST) <= room
        title = painter.rows(card.title, "title", color, room, 1 if on_one_line else 2, sizes)
        if painter.wide:
            high = max(title[0].get_height(), score.get_height())
            surface.blit(title[0], title[0].get_rect(midleft=(self._area.left, top + high // 2)))
            surface.blit(score, score.get_rect(midright=(self._area.right, top + high // 2)))
            return top + high
        return painter.stack(surface, [*title, score], top, -1, self._area.centerx, self._pitch)

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
        return _side_by_side(parts)

    def _sides(self, top: int, lines: int) -> int:
        """Paint both players and so many lines of their orders; return the pixel below."""
        painter, gap, pad = self._painter, self._gap, self._pad
        told = [self._told(side, bot, lines) for bot, side in enumerate(self._card.sides)]
        highs = [len(rows) * self._row + pad for rows in told]
        if painter.wide:
            half, high = self._half, max(highs)
            places = [pygame.Rect(self._area.left + bot * (half + gap), top, half, high) for bot in (0, 1)]
        else:
            starts = (top, top + highs[0] + gap)
            places = [pygame.Rect(self._area.left, starts[bot], self._width, highs[bot]) for bot in (0, 1)]
        for bot, (place, rows) in enumerate(zip(places, told, strict=True)):
            painter.panel(self._surface, place, bot)
            painter.stack(self._surface, rows, place.top + pad // 2, place.left + self._inset, 0, self._pitch)
        return max(place.bottom for place in places)

    @property
    def _half(self) -> int:
        """Return a player's plate's width."""
        return (self._width - self._gap) // 2 if self._painter.wide else self._width

    @property
    def _inset(self) -> int:
        return self._painter.px(_PAD)

    def _height_of_sides(self, lines: int) -> int:
        highs = [len(self._rows_of(side, lines)) * self._row + self._pad for side in self._card.sides]
        return max(highs) if self._painter.wide else sum(highs) + self._gap

    def _height_of_words(self, decided: str) -> int:
        count = len(self._painter.text.wrapped(decided, "label", LEAST, self._width)) if decided else 0
        return (count + len(self._how())) * self._row

    def _rows_of(self, side: CardSide, lines: int) -> list[str]:
        """Return a player's name and orders in rows: the name on its own in a wide film, else before the orders."""
        inner = self._half - 2 * self._inset
        if self._painter.wide:
            return [side.name, *self._painter.cut_rows(side.told_at, inner, lines)]
        return self._painter.cut_rows(f"{side.name} {side.told_at}", inner, lines)

    def _told(self, side: CardSide, bot: int, lines: int) -> list[pygame.Surface]:
        """Return a player's rows painted, the name in the colour of its bot."""
        inner, color = self._half - 2 * self._inset, theme.SEAT_COLORS[bot]
        rows = self._rows_of(side, lines)
        text = self._painter.text
        if self._painter.wide:
            name = self._painter.rows(side.name, "title", color, inner, 1, (LEAST,))
            return [*name, *(text.line(row, "label", LEAST, theme.TEXT) for row in rows[1:])]
        named, painted = len(side.name), list[pygame.Surface]()
        for row in rows:
            parts = (row[:named], color), (row[named:], theme.TEXT)
            painted.append(_side_by_side([text.line(part, "label", LEAST, tint) for part, tint in parts if part]))
            named = max(0, named - len(row) - 1)
        return painted

    def _how(self) -> list[str]:
        return self._painter.cut_rows(self._card.how, self._width, 2)

    def _words(self, bottom: int, top: int, decided: str) -> int:
        """Paint what decided it and how to play, at the bottom, below the health lines; return the pixel above."""
        painter, text = self._painter, self._painter.text
        how = self._how()
        room = (bottom - top - self._gap - len(how) * self._row) / self._pitch
        told = painter.rows(decided, "label", theme.SOFT, self._width, _MOST_ROWS, _SMALL, room) if decided else []
        rows = [*told, *(text.line(row, "label", LEAST, theme.GOLD) for row in how)]
        high = sum(round(self._pitch * row.get_height()) for row in rows)
        painter.stack(self._surface, rows, bottom - high, -1, self._area.centerx, self._pitch)
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


def _side_by_side(parts: list[pygame.Surface]) -> pygame.Surface:
    high = max(part.get_height() for part in parts)
    row = pygame.Surface((sum(part.get_width() for part in parts), high), pygame.SRCALPHA)
    x = 0
    for part in parts:
        row.blit(part, part.get_rect(midleft=(x, high // 2)))
        x += part.get_width()
    return row
