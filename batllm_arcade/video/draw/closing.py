"""Draws a film's end card: who won, the score, both orders, the health lines, what decided it, and how to play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import pygame

from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, side_by_side
from batllm_arcade.video.draw.player_plates import PlayerPlates
from batllm_arcade.video.edit.cards import EndCard
from batllm_arcade.view import theme
from batllm_arcade.view.words.judged_words import LAST_SHOT, TURNING_POINT

_EDGE, _GAP, _PAD = 24, 12, 18  # pixels of a film whose shorter side has 720
_TAILS = 10  # by which a row that is set closer is higher than it takes
_LEAST_CHART, _MOST_CHART = 44, 420
_GOOD_CHARTS = 190, 140, 100, 72
"""Heights of the health lines in which they can be read well, the better first; what is said is shortened for them."""
_LEAST_WITH_ENDS = 100
"""The height from which on the health lines have their last values beside them."""
_SHARES = 0.6, 0.54, 0.48
"""Widths of the health lines beside what decided the game, as shares of the card's."""
_NARROW_SHARES = 0.54, 0.48, 0.42, 0.36
"""The same where what the players did takes a line."""
_SMALL = (54, LEAST)
_MOST_ROWS = 7  # of what decided a game
_CLOSE = 0.9  # of a row's height from one to the next, where there is little room
_MOST_LINES, _SNUG = 5, 900  # of orders; the height below which all of a card that is not wide is set closer


def closing_picture(painter: CardPainter, card: EndCard) -> pygame.Surface:
    """Return the whole card; it is set closer where that makes room for the health lines, or for what was done."""
    card = card.briefly(everywhere=not painter.wide)
    return max((_Closing(painter, card, close=close) for close in (False, True)), key=lambda each: each.tells).painted()


class _Arrangement(NamedTuple):
    """The most lines of orders, what is said of what decided the game, and the least height of the health lines.

    With a `share` they are so wide, beside what is said; what each player `did` stands below its orders, or nowhere.
    """

    lines: int
    decided: str
    chart: int
    share: float = 0.0
    did: bool = False


class _Closing:
    """Lays a card out from the top and from the bottom; the health lines get what is left between."""

    def __init__(self, painter: CardPainter, card: EndCard, *, close: bool = False) -> None:
        self._painter, self._card = painter, card
        self._surface = painter.background()
        snug = close or (not painter.wide and painter.area.height < _SNUG * painter.scale)
        self._gap, self._pad = (painter.px(each // 2 if snug else each) for each in (_GAP, _PAD))
        edge = 0 if painter.telephone else painter.px(_EDGE // 2 if snug else _EDGE)  # else there is room around it
        self._area = painter.area.inflate(-2 * edge, -2 * edge)
        self._area.height -= painter.px(_TAILS) if painter.telephone else 0
        self._width = self._area.width
        self._pitch = _CLOSE if snug else 1.0
        self._row = round(self._pitch * painter.text.height("label", LEAST))
        self._plates = PlayerPlates(painter, card.sides, self._width, self._row, self._pitch, self._gap, self._pad)

        self._top = self._result(self._area.top)
        self._found = self._arrangement(self._area.bottom - self._top)

    @property
    def tells(self) -> tuple[bool, bool, bool]:
        """Return whether there is room for the health lines, for how the players kept to their orders, and for ends of
        the lines."""
        high = self._found.chart >= self._painter.px(_LEAST_WITH_ENDS)
        return bool(self._found.chart), self._found.did and self._plates.kept, high

    def painted(self) -> pygame.Surface:
        found = self._found
        top = self._plates.paint(self._surface, (self._area.left, self._top), found.lines, did=found.did) + self._gap
        below = pygame.Rect(self._area.left, top, self._width, self._area.bottom - top)
        if found.share:
            chart = pygame.Rect(below.topleft, (round(found.share * below.width), below.height))
            self._lines(chart)
            left = chart.right + 2 * self._gap
            self._words(pygame.Rect(left, below.top, below.right - left, below.height), found.decided, beside=True)
            return self._surface
        bottom = self._words(below, found.decided, above=found.chart) - self._gap
        self._lines(pygame.Rect(below.topleft, (below.width, bottom - below.top)))
        return self._surface

    def _arrangement(self, room: int) -> _Arrangement:
        """Return how the card is arranged.

        Lines of orders come before the health lines, those in a good height before the end of what is said, and that
        before those in any height. What the players did is told where that shortens nothing but the health lines; how
        one kept to its orders comes before the end of what is said, too.
        """
        asked = [option for lines in range(_MOST_LINES, 0, -1) for option in self._options(lines)]
        found = next((option for option in asked if self._fits(option, room)), asked[-1])
        least = min(found.chart, self._painter.px(_LEAST_WITH_ENDS))
        shorter = asked if self._plates.kept else []
        told = (each._replace(did=True) for each in shorter if each.lines == found.lines and each.chart >= least)
        fuller = chain(self._fuller(found), told, self._flatter(found) if self._plates.kept else ())
        return next((option for option in fuller if self._fits(option, room)), found)

    def _flatter(self, found: _Arrangement) -> Iterator[_Arrangement]:
        """Yield arrangements that tell how the players kept to their orders over health lines of any height."""
        if found.chart:
            for text in (*self._card.sentences, *self._card.shortest):
                yield _Arrangement(found.lines, text, self._painter.px(_LEAST_CHART), did=True)

    def _fuller(self, found: _Arrangement) -> Iterator[_Arrangement]:
        """Yield arrangements that also tell what the players did: the same words, health lines with ends or none."""
        least = self._painter.px(_LEAST_WITH_ENDS)
        if not all(side.did for side in self._card.sides):
            return
        if not found.chart:
            yield found._replace(did=True)
        if found.chart < least:
            return
        beside = [each for each in _NARROW_SHARES if self._painter.wide and (not found.share or each < found.share)]
        for share in (found.share, *beside) if found.share else (*beside, 0.0):  # beside words, lines are higher
            yield found._replace(did=True, chart=least, share=share)

    def _options(self, lines: int) -> Iterator[_Arrangement]:
        """Yield how a card with so many lines of orders can be arranged, the best first."""
        sentences, chart = self._card.sentences, self._has_chart
        if chart and self._painter.wide:
            for text in sentences:
                for good in map(self._painter.px, _GOOD_CHARTS[:3]):
                    yield from (_Arrangement(lines, text, good, share) for share in (0.0, *_SHARES))
        if chart:
            for good in (self._painter.px(each) for each in _GOOD_CHARTS):
                yield from (_Arrangement(lines, text, good) for text in sentences[:1])
                if self._painter.wide:
                    yield from (_Arrangement(lines, text, good, share) for text in sentences for share in _SHARES)
                yield from (_Arrangement(lines, text, good) for text in sentences[1:])
                if good == self._painter.px(_LEAST_WITH_ENDS):
                    yield from (_Arrangement(lines, text, good) for text in self._card.shortest)
            if self._painter.wide:
                yield from (_Arrangement(lines, text, self._painter.px(_LEAST_CHART)) for text in sentences)
        yield from (_Arrangement(lines, text, 0) for text in (*sentences, *self._card.shortest))

    def _fits(self, option: _Arrangement, room: int) -> bool:
        room -= self._plates.height(option.lines, did=option.did) + self._gap
        if not option.share:
            chart = option.chart + self._gap if option.chart else 0
            return self._height_of_words(option.decided, self._width) + self._gap + chart <= room
        width = self._width - round(option.share * self._width) - 2 * self._gap
        whole = self._painter.text.breaks_no_word(option.decided, "label", LEAST, width)
        return whole and max(option.chart, self._height_of_words(option.decided, width)) <= room

    @property
    def _has_chart(self) -> bool:
        return self._card.figures is not None and len(self._card.figures.curve) > 1

    def _result(self, top: int) -> int:
        """Paint who won and the score, beside each other in a wide film and where that fits; return the pixel below."""
        painter, surface, card = self._painter, self._surface, self._card
        color = theme.GOLD if card.bot is None else theme.SEAT_COLORS[card.bot]
        roomy = painter.wide or painter.tall
        sizes = SIZES[1:] if roomy else SIZES[4:]
        score = self._score(self._width // 2 if painter.wide else self._width)
        beside = painter.wide
        if not roomy:  # how the game ended is left out for the health lines
            short = self._score(self._width, told=card.of if card.of == "games" else "")
            used = painter.text.measure(card.title, "title", LEAST) + short.get_width() + 3 * self._gap
            beside, score = (True, short) if used <= self._width else (False, score)
        room = self._width - (score.get_width() + 3 * self._gap if beside else 0)
        on_one_line = beside or painter.text.measure(card.title, "title", LEAST) <= room
        title = painter.rows(card.title, "title", color, room, 1 if on_one_line else 2, sizes)
        if beside:
            high = round(self._pitch * max(title[0].get_height(), score.get_height()))
            surface.blit(title[0], title[0].get_rect(midleft=(self._area.left, top + high // 2)))
            surface.blit(score, score.get_rect(midright=(self._area.right, top + high // 2)))
            return top + high
        return painter.stack(surface, [*title, score], top, -1, self._area.centerx, self._pitch)

    def _score(self, width: int, told: str | None = None) -> pygame.Surface:
        """Return the score in both colours, and what is `told` of it, else its unit or how the game ended."""
        card, text, size = self._card, self._painter.text, 66 if self._painter.wide or self._painter.tall else 54
        (left, right), words = card.score, card.of if card.of == "games" else card.reason
        words = words if told is None else told
        parts = [
            text.line(f"{left:g}", "title", size, theme.SEAT_COLORS[0]),
            text.line(" : ", "title", size, theme.TEXT),
            text.line(f"{right:g}", "title", size, theme.SEAT_COLORS[1]),
        ]
        room = width - sum(part.get_width() for part in parts)
        if text.measure(f"  {words}", "label", LEAST) > room:
            words = words.partition(":")[0]
        parts.append(text.line(f"  {words}" if words else "", "label", LEAST, theme.SOFT, room))
        return side_by_side(parts)

    def _height_of_words(self, decided: str, width: int) -> int:
        count = len(self._painter.text.wrapped(decided, "label", LEAST, width)) if decided else 0
        return (count + len(self._how(width))) * self._row

    def _how(self, width: int) -> list[str]:
        return self._painter.cut_rows(self._card.how, width, 2)

    def _words(self, area: pygame.Rect, decided: str, *, above: int = 0, beside: bool = False) -> int:
        """Paint what decided it and how to play at the bottom of an area, whose first `above` pixels stay free.

        They begin at its left where they are `beside` the health lines. Return the pixel above them.
        """
        painter, text = self._painter, self._painter.text
        how = self._how(area.width)
        room = (area.height - above - (self._gap if above else 0) - len(how) * self._row) / self._pitch
        told = self._decided(decided, area.width, room) if decided else []
        rows = [*told, *(text.line(row, "label", LEAST, theme.GOLD) for row in how)]
        high = sum(round(self._pitch * row.get_height()) for row in rows)
        left = area.left if beside else -1
        top = area.bottom - high
        if beside:
            painter.stack(self._surface, told, area.top, left, 0, self._pitch)
            rows, top = rows[len(told) :], area.bottom - len(how) * self._row
        painter.stack(self._surface, rows, top, left, self._area.centerx, self._pitch)
        return top

    def _decided(self, decided: str, width: int, room: float) -> list[pygame.Surface]:
        """Return what decided the game in rows; a turning point begins in the colour in which the lines mark it."""
        text = self._painter.text
        size, rows = self._painter.lines_of(decided, "label", width, _MOST_ROWS, _SMALL, room)
        if len(alike := text.even(decided, "label", size, width)) == len(rows):
            rows = alike
        named = next((each for each in (TURNING_POINT, LAST_SHOT) if decided.startswith(each)), "")
        gold = len(named) if self._card.tip is not None else 0
        return self._painter.begun_rows(rows, size, gold, theme.GOLD, theme.TEXT)

    def _lines(self, area: pygame.Rect) -> None:
        """Paint the health lines of the results, if there is room: with their ends, and where the game tipped."""
        painter, card = self._painter, self._card
        if card.figures is None or not self._has_chart or area.height < painter.px(_LEAST_CHART):
            return
        area = area.inflate(0, min(0, painter.px(_MOST_CHART) - area.height))
        tip = card.tip if card.ahead in self._found.decided else None  # else nothing says what is marked
        ends = float(LEAST) if area.height >= painter.px(_LEAST_WITH_ENDS) else 0.0
        HealthChart(
            card.figures, painter.text, painter.scale * 1.6, area.size,
            labelled=False, ends=ends, title=f"GAME {card.game}" if card.game else "HEALTH", tip=tip,
            first_game=card.first_game,
        ).draw(self._surface, area.topleft)  # fmt: skip
