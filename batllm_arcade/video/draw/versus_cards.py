"""Draws the cards of a film of two matches: what is compared, and which went better by how much."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.video.draw.card_painter import SIZES, CardPainter
from batllm_arcade.video.edit.cards import shorter
from batllm_arcade.video.edit.together.comparison import Contest, Outcome, SideResult
from batllm_arcade.view import theme

_EDGE, _GAP, _PAD = 24, 14, 22  # pixels of a film whose shorter side has 720
_SNUG = (60, 54, 48, 44, 40, 36)  # where there is little width
_SMALL, _WHY = (44, 40, 36, 32), (40, 36, 32)
_TOLD = (92, *SIZES, *_SMALL)
_HOW_TO = "batllm-arcade versus"


def versus_opening(painter: CardPainter, contest: Contest) -> pygame.Surface:
    """Return the first picture: the claim, and on a plate for each match what it was told."""
    surface, inner, gap = _ground(painter)
    claim = painter.rows(contest.claim, "title", theme.TEXT, inner.width, 2, SIZES if painter.wide else _SNUG)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    foot = painter.rows(contest.against, "label", theme.SOFT, inner.width, 1, _SMALL)
    bottom = inner.bottom - sum(row.get_height() for row in foot) - gap // 2
    painter.stack(surface, foot, bottom + gap // 2, -1, inner.centerx)
    area = pygame.Rect(inner.left, top, inner.width, bottom - top)
    for number, place in enumerate(_places(painter, area)):
        _paint_plate(painter, surface, place, contest, number)
    versus = painter.text.line("VS", "title", 54, theme.GOLD)
    surface.blit(versus, versus.get_rect(center=area.center))
    return surface


def versus_closing(painter: CardPainter, contest: Contest, outcome: Outcome) -> pygame.Surface:
    """Return the last picture: the headline, by how much, and how each match ended."""
    surface, inner, gap = _ground(painter)
    title = painter.rows(outcome.title, "title", theme.GOLD, inner.width, 1, SIZES if painter.wide else _SNUG)
    margin = painter.rows(outcome.margin, "title", theme.TEXT, inner.width, 1, _SMALL)
    top = painter.stack(surface, [*title, *margin], inner.top, -1, inner.centerx) + gap
    foot = painter.text.line(_HOW_TO, "label", _SMALL[0], theme.GOLD)
    bottom = inner.bottom - foot.get_height()
    surface.blit(foot, foot.get_rect(midtop=(inner.centerx, bottom)))
    area = pygame.Rect(inner.left, top, inner.width, bottom - gap // 2 - top)
    for number, place in enumerate(_places(painter, area, 0.5 * gap)):
        _paint_plate(painter, surface, place, contest, number, outcome.standings[number])
        if outcome.better == number:
            pygame.draw.rect(surface, theme.GOLD, place, painter.px(5), border_radius=painter.px(14))
    return surface


def _ground(painter: CardPainter) -> tuple[pygame.Surface, pygame.Rect, int]:
    edge = painter.px(_EDGE)
    return painter.background(), painter.area.inflate(-2 * edge, -2 * edge), painter.px(_GAP)


def _places(painter: CardPainter, area: pygame.Rect, seam: float | None = None) -> list[pygame.Rect]:
    """Return both plates: beside each other in a wide film, below each other in others."""
    apart = round(painter.px(90 if painter.wide else 56) if seam is None else 2 * seam)
    if painter.wide:
        half = (area.width - apart) // 2
        return [pygame.Rect(left, area.top, half, area.height) for left in (area.left, area.right - half)]
    half = (area.height - apart) // 2
    return [pygame.Rect(area.left, top, area.width, half) for top in (area.top, area.bottom - half)]


def _paint_plate(
    painter: CardPainter, target: pygame.Surface, rect: pygame.Rect, contest: Contest, number: int,
    standing: SideResult | None = None,
) -> None:  # fmt: skip
    """Paint a match's label and what it was told, and how it ended if that is given."""
    painter.panel(target, rect, contest.subject)
    pad = painter.px(_PAD)
    left, width, top = rect.left + pad, rect.width - 2 * pad, rect.top + pad // 2
    (label,) = painter.rows(contest.labels[number], "title", theme.GOLD, width, 1, _SNUG if painter.wide else _SNUG[3:])
    top = target.blit(label, (left, top)).bottom
    lowest = rect.bottom - pad // 2
    if standing is None:
        told = painter.rows(contest.told[number], "label", theme.TEXT, width, 7, _TOLD, lowest - top)
        painter.stack(target, told, top + (lowest - top - _height(told)) // 2, left, 0)
        return
    sizes = _SMALL if painter.wide else _WHY[1:]
    ended = [row for words in standing.words for row in painter.rows(words, "label", theme.TEXT, width, 1, sizes)]
    told = painter.rows(contest.told[number], "label", theme.GOLD, width, 4, _SMALL, (lowest - top) - _height(ended))
    top = painter.stack(target, [*told, *ended], top, left, 0)
    painter.stack(target, _why(painter, standing.decided, width, lowest - top), top, left, 0)


def _why(painter: CardPainter, decided: str, width: int, room: int) -> list[pygame.Surface]:
    """Return what decided a game: all of it, or as many of its first words as there is room for."""
    for text in shorter(decided) if decided else ():
        for size in _WHY:
            rows = painter.rows(text, "label", theme.SOFT, width, 9, (size,))
            if _height(rows) <= room:
                return rows
    return []


def _height(rows: Sequence[pygame.Surface]) -> int:
    return sum(row.get_height() for row in rows)
