"""Draws a film's end card: who won, the score, both orders, what both did, the health lines, why, and how to play."""

from __future__ import annotations

import pygame

from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, side_by_side
from batllm_arcade.video.edit.cards import CardSide, EndCard
from batllm_arcade.view import theme

_EDGE, _GAP, _PAD, _INSET = 24, 14, 14, 18  # pixels of a film whose shorter side has 720
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
    gap = painter.px(_GAP // 2 if snug or painter.telephone else _GAP)
    edge = 0 if painter.telephone else painter.px(_EDGE // 2 if snug else _EDGE)  # else there is room around it
    area = painter.area.inflate(-2 * edge, -2 * edge)
    top = _paint_result(painter, surface, card, area)
    pad = painter.px(_PAD if painter.wide or painter.tall else _PAD // 2)
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
    shown, gap = side_by_side(score), 3 * painter.px(_GAP)
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
