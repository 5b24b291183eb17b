"""How the guide's card looks: over the arena, where no bot stands."""

from __future__ import annotations

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.match.guide.lessons import Band, GuideCard
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

_MOST_LINES = 4
_STEPS = 24  # places that are tried for a card, from the top down


def place(canvas: Canvas, arena: pygame.Rect, card: GuideCard) -> Box:
    """Return where the card is, in logical units; `arena` is in pixels."""
    left, top = canvas.logical(arena.topleft)
    wide, tall = arena.width / canvas.scale, arena.height / canvas.scale
    width = min(560.0, wide - 24)
    high = 50.0 + 22.0 * canvas.lines(card.words, "label", 17, width - 32, _MOST_LINES)
    room = max(0.0, tall - high - 24)
    tops = [12 + room * step / _STEPS for step in range(_STEPS + 1)]
    y = min(tops, key=lambda y: _hidden(card, y / tall, (y + high) / tall))
    return Box(left + (wide - width) / 2, top + y, width, high)


def _hidden(card: GuideCard, top: float, bottom: float) -> float:
    """Return how much a card between these shares of the arena's height would hide.

    Bots count more than words, and these more than what flies between the bots.
    """
    middles = [(high + low) / 2 for high, low in card.bots]
    between = _shared((top, bottom), (min(middles), max(middles))) if middles else 0.0
    bots = sum(_shared((top, bottom), band) for band in card.bots)
    words = _shared((top, bottom), card.sentence) if card.sentence else 0.0
    return round(4 * bots + 2 * words + between, 4)


def _shared(one: Band, other: Band) -> float:
    """Return the height that two bands have in common."""
    return max(0.0, min(one[1], other[1]) - max(one[0], other[0]))


def draw(canvas: Canvas, box: Box, card: GuideCard) -> None:
    """Draw the card where it was placed: its lesson, how many are learnt, and the key that ends it."""
    canvas.box(box, mixed(theme.NIGHT, theme.GOLD, 0.08), theme.GOLD, radius=12, alpha=240)
    end = canvas.words((box.x + 16, box.y + 9), card.title, "title", 22, theme.GOLD) + box.x + 16
    for lesson in range(card.total):
        filled = lesson < card.done
        dot = Box(end + 16 + 16 * lesson, box.y + 19, 9, 9)
        canvas.box(dot, theme.GOLD if filled else None, theme.GOLD if filled else theme.DIM, radius=4.5)
    if card.skip:
        wide = canvas.measure("skip the guide", "label", 14)
        cap = max(28.0, canvas.measure(card.skip, "bold", 12) + 16)
        if end + 30 + 16 * card.total + wide + cap + 24 < box.right:
            canvas.words((box.right - 16, box.y + 13), "skip the guide", "label", 14, theme.SOFT, side="right")
            keycap(canvas, (box.right - 24 - wide - cap, box.y + 9), card.skip)
        else:
            keycap(canvas, (box.right - 16 - canvas.measure("skip", "label", 14) - 8 - cap, box.y + 9), card.skip)
            canvas.words((box.right - 16, box.y + 13), "skip", "label", 14, theme.SOFT, side="right")
    canvas.block((box.x + 16, box.y + 42), card.words, "label", 17, theme.TEXT, box.w - 32, _MOST_LINES)
