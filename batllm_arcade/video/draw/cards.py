"""Cards of a film, drawn."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.files.atomic import replacing
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, height_of, side_by_side
from batllm_arcade.video.draw.fight_picture import paint_below
from batllm_arcade.video.edit.cards import CardSide, EndCard, FilmCards, OpeningCard, Span, fight_scene, opening_card
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline

# -- Draws a film's opening card: the claim, both names, and what both were told

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


# -- Draws a film's end card: who won, the score, both orders, what both did, the health lines,

_CLOSING_EDGE, _CLOSING_GAP, _CLOSING_PAD, _INSET = 24, 14, 14, 18  # pixels of a film whose shorter side has 720
_LEAST_CHART, _MOST_CHART = 100, 420
_BELOW, _STRIP = 16, 200  # from a telephone's words to its health lines, and their height
_CHART_SHARE = 0.5  # of a wide card's width, beside the figures
_PITCH, _SNUG_PITCH = 0.88, 0.82  # of a row's height from one to the next, and where there is little room
_NUMBERS = 110  # the width of a column of numbers


def closing_picture(painter: CardPainter, card: EndCard) -> pygame.Surface:
    """Return the whole card: its blocks from the top, why it ended so and the foot from the bottom, the health lines
    in what is left between, where that is enough. Orders have two lines, or one where the figures would have no room.
    """
    surface, room = _arranged(painter, card, 2)
    return surface if room else _arranged(painter, card, 1)[0]


def _arranged(painter: CardPainter, card: EndCard, lines: int) -> tuple[pygame.Surface, bool]:
    """Return the card with at most so many lines of orders, and whether there is room for its figures."""
    surface = painter.background()
    snug = not (painter.wide or painter.tall)
    gap = painter.px(_CLOSING_GAP // 2 if snug or painter.telephone else _CLOSING_GAP)
    edge = (
        0 if painter.telephone else painter.px(_CLOSING_EDGE // 2 if snug else _CLOSING_EDGE)
    )  # else there is room around it
    area = painter.area.inflate(-2 * edge, -2 * edge)
    top = _paint_result(painter, surface, card, area)
    pad = painter.px(_CLOSING_PAD if painter.wide or painter.tall else _CLOSING_PAD // 2)
    below = pygame.Rect(area.left, top, area.width, 0)
    top = _paint_players(painter, surface, card.sides, below, gap, pad, lines) + gap
    bottom = _paint_words(painter, surface, card, area) - gap
    room = pygame.Rect(area.left, top, area.width, bottom - top)
    table = _table(painter, card, round((1 - _CHART_SHARE) * room.width) if painter.wide else room.width, pad)
    fits = table is None or table.get_height() <= room.height
    if table is not None and painter.wide:
        room.width = round(_CHART_SHARE * room.width)
        surface.blit(table, table.get_rect(midright=(area.right, room.centery)))
    elif table is not None:
        surface.blit(table, table.get_rect(midtop=(area.centerx, room.top)))
        room.top, room.height = room.top + table.get_height() + gap, room.height - table.get_height() - gap
    if painter.telephone:  # below the words, where applications lay theirs, as in the film
        room = pygame.Rect(area.left, painter.area.bottom + painter.px(_BELOW), area.width, painter.px(_STRIP))
    _paint_lines(painter, surface, card, room)
    return surface, fits


def _pitch(painter: CardPainter) -> float:
    return _PITCH if painter.wide or painter.tall else _SNUG_PITCH


def _paint_result(painter: CardPainter, surface: pygame.Surface, card: EndCard, area: pygame.Rect) -> int:
    """Paint who won and the score, beside each other where that fits; return the pixel below."""
    text, color = painter.text, theme.GOLD if card.bot is None else theme.SEAT_COLORS[card.bot]
    sizes = SIZES[1:] if painter.wide or painter.tall else SIZES[3:]
    size = sizes[1]
    left, between, right = card.scored.partition(" : ")
    right, _, unit = right.partition(" ")
    parts = [(left, theme.SEAT_COLORS[0]), (between, theme.TEXT), (right, theme.SEAT_COLORS[1])]
    score = [text.line(words, "title", size, tint) for words, tint in parts]
    score += [text.line(f"  {unit}", "label", LEAST, theme.SOFT)] if unit else []
    shown, gap = side_by_side(score), 3 * painter.px(_CLOSING_GAP)
    if painter.wide or text.measure(card.title, "title", LEAST) + shown.get_width() + gap <= area.width:
        (title,) = painter.rows(card.title, "title", color, area.width - shown.get_width() - gap, 1, sizes)
        high = max(title.get_height(), shown.get_height())
        surface.blit(title, title.get_rect(midleft=(area.left, area.top + high // 2)))
        surface.blit(shown, shown.get_rect(midright=(area.right, area.top + high // 2)))
        return area.top + high
    title, *_ = painter.rows(card.title, "title", color, area.width, 1, sizes)
    return painter.stack(surface, [title, shown], area.top, -1, area.centerx, _pitch(painter))


def _paint_players(
    painter: CardPainter, surface: pygame.Surface, sides: tuple[CardSide, CardSide], area: pygame.Rect, gap: int,
    pad: int, lines: int,
) -> int:  # fmt: skip
    """Paint both players' plates, beside each other in a wide film, else below each other; return the pixel below.

    Orders have so many lines at most.
    """
    width, inset = (area.width - gap) // 2 if painter.wide else area.width, painter.px(_INSET)
    rows = [_rows_of(painter, side, bot, width - 2 * inset, lines) for bot, side in enumerate(sides)]
    highs = [round(sum(_pitch(painter) * row.get_height() for row in each)) + pad for each in rows]
    highs = [max(highs)] * 2 if painter.wide else highs
    left, top = area.topleft
    for bot, (own, high) in enumerate(zip(rows, highs, strict=True)):
        place = pygame.Rect(left, top, width, high)
        painter.panel(surface, place, bot)
        painter.stack(surface, own, place.top + pad // 2, place.left + inset, 0, _pitch(painter))
        left, top = (left + width + gap, top) if painter.wide else (left, place.bottom + gap)
    return area.top + max(highs) if painter.wide else top - gap


def _rows_of(painter: CardPainter, side: CardSide, bot: int, width: int, lines: int) -> list[pygame.Surface]:
    """Return a player's name with its level, and its orders on so many lines at most."""
    text, color = painter.text, theme.SEAT_COLORS[bot]
    parts = [text.line(side.name, "title", LEAST, color, width)]
    if side.level and text.measure(side.level, "label", LEAST) + parts[0].get_width() < width - LEAST:
        parts.append(text.line(f"  {side.level}", "label", LEAST, theme.SOFT))
    told = painter.cut_rows(side.told, width, lines)
    return [side_by_side(parts), *(text.line(row, "label", LEAST, theme.TEXT) for row in told)]


def _table(painter: CardPainter, card: EndCard, width: int, pad: int) -> pygame.Surface | None:
    """Return what both did as a small table: left's numbers, what they are, right's numbers; None without any."""
    if not card.table:
        return None
    text, column = painter.text, painter.px(_NUMBERS)
    pitch = round(_pitch(painter) * text.height("label", LEAST))
    named = max(text.measure(what, "label", LEAST) for _, what, _ in card.table)
    wide = min(width, named + 2 * column)
    table = pygame.Surface((wide, pitch * len(card.table) + pad), pygame.SRCALPHA)
    for number, (left, what, right) in enumerate(card.table):
        middle = round((number + 0.5) * pitch) + pad // 2
        for words, at in ((left, column // 2), (right, wide - column // 2)):
            line = text.line(words, "title", LEAST, theme.TEXT, column)
            table.blit(line, line.get_rect(center=(at, middle)))
        line = text.line(what, "label", LEAST, theme.SOFT, wide - 2 * column)
        table.blit(line, line.get_rect(center=(wide // 2, middle)))
    for bot, x in enumerate((0, wide - painter.px(6))):
        pygame.draw.rect(table, theme.SEAT_COLORS[bot], (x, 0, painter.px(6), table.get_height()), border_radius=3)
    return table


def _paint_words(painter: CardPainter, surface: pygame.Surface, card: EndCard, area: pygame.Rect) -> int:
    """Paint why it ended so and the foot at the bottom; return the pixel above."""
    text = painter.text
    foot = [text.line(row, "label", LEAST, theme.GOLD) for row in painter.cut_rows(card.how, area.width, 2)]
    sizes = SIZES[4:] if painter.wide or painter.tall else SIZES[-1:]
    told = painter.rows(card.why, "label", theme.TEXT, area.width, 2, sizes, even=True) if card.why else []
    high = sum(round(_pitch(painter) * row.get_height()) for row in (*told, *foot))
    painter.stack(surface, [*told, *foot], area.bottom - high, -1, area.centerx, _pitch(painter))
    return area.bottom - high


def _paint_lines(painter: CardPainter, surface: pygame.Surface, card: EndCard, area: pygame.Rect) -> None:
    """Paint the health lines, with their ends but on telephones, if there is room for them."""
    figures = card.figures
    if figures is None or len(figures.curve) < 2 or area.height < painter.px(_LEAST_CHART):
        return
    shown = area.inflate(0, min(0, painter.px(_MOST_CHART) - area.height))
    title, ends = f"GAME {card.game}" if card.game else "HEALTH", 0.0 if painter.telephone else float(LEAST)
    HealthChart(
        figures, painter.text, painter.scale * 1.6, shown.size, labelled=False, ends=ends, title=title,
        first_game=card.first_game,
    ).draw(surface, shown.topleft)  # fmt: skip


# -- A film's cards: each is complete from its first picture to its last

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


# -- A film's or a page's poster: one picture of it, for pages and feeds that show one before it

_FINER = 2
"""How much larger a poster is painted than it is: type and edges are smoother then."""


class FilmRenderer(Protocol):
    """Draws a film's frames on `surface`, each a function of its time alone."""

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""


def fight_poster(
    timeline: Timeline, spans: Sequence[Span], title: str, size: tuple[int, int], *, telephone: bool = False
) -> pygame.Surface:
    """Return the poster of what these `spans` of a timeline show: its claim, who was told what, and the fight."""
    from batllm_arcade.video.draw.fight_picture import fight_picture  # loads all that draws matches

    card = opening_card(timeline, spans[0][0] if spans else 0.0, title)
    wide, high = (_FINER * side for side in size)
    painter = CardPainter((wide, high), telephone=telephone)
    picture = fight_picture(painter, card, fight_scene(timeline, spans))
    return pygame.transform.smoothscale(picture, size)


def write_opening(
    timeline: Timeline, start: float, title: str, size: tuple[int, int], out: Path, *, force: bool
) -> None:
    """Write the opening card of a film of this size that would begin at `start` seconds of the timeline, as PNG."""
    write_picture(opening_picture(CardPainter(size), opening_card(timeline, start, title)), out, force=force)


def write_picture(surface: pygame.Surface, out: Path, *, force: bool) -> None:
    """Write a picture as PNG, in one step; without `force` only if nothing has appeared there."""
    picture = io.BytesIO()
    pygame.image.save(surface, picture, "poster.png")
    with replacing(out, new=not force) as temporary:
        temporary.write_bytes(picture.getvalue())
