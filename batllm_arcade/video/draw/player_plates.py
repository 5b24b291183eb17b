"""Both players' plates on an end card: their names, their orders, and what they did of these."""

from __future__ import annotations

import pygame

from batllm_arcade.video.draw.card_painter import LEAST, CardPainter
from batllm_arcade.video.edit.cards import BADLY, WELL, CardSide
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_INSET = 18  # pixels of a film whose shorter side has 720


class PlayerPlates:
    """Beside each other in a wide film, else below each other, over so many pixels of `width`.

    A row of text takes `row` pixels and is painted at `pitch` times its height; `gap` is between the plates, `pad`
    around all rows of one.
    """

    def __init__(
        self, painter: CardPainter, sides: tuple[CardSide, CardSide], width: int, row: int, pitch: float, gap: int,
        pad: int,
    ) -> None:  # fmt: skip
        self._painter, self._sides, self._row, self._pitch = painter, sides, row, pitch
        self._gap, self._pad, self._inset = gap, pad, painter.px(_INSET)
        self._width = (width - gap) // 2 if painter.wide else width

    @property
    def kept(self) -> bool:
        """Return whether it can be told how a player kept to its orders."""
        return any(side.kept for side in self._sides)

    def height(self, lines: int, *, did: bool) -> int:
        """Return their height with at most so many lines of orders, and with what both `did` or without."""
        rows = [len(self._rows_of(side, lines)) + (len(self._did(side)) if did else 0) for side in self._sides]
        highs = [count * self._row + self._pad for count in rows]
        return max(highs) if self._painter.wide else sum(highs) + self._gap

    def paint(self, surface: pygame.Surface, at: tuple[int, int], lines: int, *, did: bool) -> int:
        """Paint them; return the pixel below."""
        painter, (left, top), pad = self._painter, at, self._pad
        told = [self._told(bot, lines, did=did) for bot in (0, 1)]
        highs = [len(rows) * self._row + pad for rows in told]
        if painter.wide:
            places = [
                pygame.Rect(left + bot * (self._width + self._gap), top, self._width, max(highs)) for bot in (0, 1)
            ]
        else:
            starts = (top, top + highs[0] + self._gap)
            places = [pygame.Rect(left, starts[bot], self._width, highs[bot]) for bot in (0, 1)]
        for bot, (place, rows) in enumerate(zip(places, told, strict=True)):
            painter.panel(surface, place, bot)
            painter.stack(surface, rows, place.top + pad // 2, place.left + self._inset, 0, self._pitch)
        return max(place.bottom for place in places)

    def _rows_of(self, side: CardSide, lines: int) -> list[str]:
        """Return a player's name and orders in rows: the name on its own in a wide film, else before the orders."""
        inner = self._width - 2 * self._inset
        if self._painter.wide:
            return [side.name, *self._painter.cut_rows(side.told_at, inner, lines)]
        rows = self._painter.cut_rows(f"{side.name} {side.told_at}", inner, lines)
        apart = [side.name, side.told_at]
        fits = all(self._painter.text.measure(row, "label", LEAST) <= inner for row in apart)
        return apart if len(rows) == len(apart) and fits else rows

    def _told(self, bot: int, lines: int, *, did: bool) -> list[pygame.Surface]:
        """Return a player's rows painted, the name in the colour of its bot."""
        side, inner, color = self._sides[bot], self._width - 2 * self._inset, theme.SEAT_COLORS[bot]
        rows, text, deeds = self._rows_of(side, lines), self._painter.text, list[pygame.Surface]()
        if did:
            tint = _tint(side) if side.kept else theme.SOFT
            deeds = [text.line(row, "label", LEAST, tint, inner) for row in self._did(side)]
        if self._painter.wide:
            name = self._painter.rows(side.name, "title", color, inner, 1, (LEAST,))
            return [*name, *(text.line(row, "label", LEAST, theme.TEXT) for row in rows[1:]), *deeds]
        return [*self._painter.begun_rows(rows, LEAST, len(side.name), color, theme.TEXT), *deeds]

    def _did(self, side: CardSide) -> list[str]:
        """Return what is told of what a player did: as much as fits on a line, on two lines where nothing does.

        Where players are below each other nothing is but how one kept to its orders, if that is told of any.
        """
        if not (self._painter.wide or side.kept or not self.kept):
            return []
        text, width = self._painter.text, self._width - 2 * self._inset
        whole = next((each for each in side.deeds if text.measure(each, "label", LEAST) <= width), None)
        if self._painter.wide and side.also and not (whole and side.also in whole):
            return [*self._painter.even_rows(side.kept, LEAST, width, 2), side.also]
        return self._painter.even_rows(side.deeds[-1], LEAST, width, 2) if whole is None else [whole]


def _tint(side: CardSide) -> Color:
    """Return the colour of how a player kept to its orders: green, gold or red."""
    if side.followed is None or BADLY < side.followed < WELL:
        return theme.GOLD
    return theme.GOOD if side.followed >= WELL else theme.DANGER
