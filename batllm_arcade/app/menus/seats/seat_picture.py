"""What a seat's card shows above and below its rows: who plays, how that stands, and the bot itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.pictures.portrait import draw_corner, draw_portrait
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme

PAD = 14.0
_SMALL, _WIDE_CARD = 92.0, 410.0  # a portrait in the head, and how wide a card has room for it


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What is shown: `problem` is None as long as it is not known, `runs` says where a bot runs.

    What is said `about` the brain is golden where it is `noted`. `title` stands in place of the seat's name.
    """

    seat: int
    name: str
    short: str
    problem: str | None
    runs: str
    about: str
    noted: bool
    facts: Sequence[tuple[str, str]]
    title: str = ""


def paint_seat(canvas: Canvas, card: Box, facts: SeatFacts, now: float, still: bool, corner: float) -> None:
    """Draw a card, its head, and its bot in a corner of this height (0: none)."""
    color = theme.SEAT_COLORS[facts.seat]
    canvas.box(card, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=235)
    canvas.box(Box(card.x, card.y, card.w, 5), color, None, radius=2.5)
    x, wide = card.x + PAD + 4, card.w - 2 * PAD - 8
    canvas.words((x, card.y + 14), facts.title or SEATS[facts.seat].upper(), "label", 14, color)
    beside = wide if corner or card.w < _WIDE_CARD else wide - _SMALL + 14
    canvas.words((x, card.y + 30), facts.name, "title", 30, theme.TEXT, width=beside)
    canvas.words((card.right - PAD - 4, card.y + 15), facts.short, "mono", 12, theme.DIM, side="right")
    if corner:
        place = Box(card.x + PAD, card.bottom - PAD - corner, card.w - 2 * PAD, corner)
        draw_corner(canvas, place, facts.seat, now, facts.facts, ready=not facts.problem, still=still)
    elif card.w >= _WIDE_CARD:
        place = Box(card.right - PAD - _SMALL, card.y + 40, _SMALL, _SMALL)
        draw_portrait(canvas, place, facts.seat, now, ready=not facts.problem, still=still)
        wide -= _SMALL + 8
    state, tint, mark = _state(facts)
    # What is to be done stands at a sentence's end: a long one is a little smaller, in a line more.
    long = bool(facts.problem) and canvas.lines(state, "label", 15, wide - 18, 4) > 3
    y = card.y + (66 if long else 74)
    canvas.box(Box(x, y + 5, 10, 10), tint if mark else None, tint, width=2, radius=5 if mark != "!" else 1)
    if facts.problem:
        canvas.block((x + 18, y), state, "label", 14 if long else 15, tint, wide - 18, 3 + long)
        return
    canvas.words((x + 18, card.y + 74), state, "label", 15, tint, width=wide - 18)
    about = facts.about[:1].upper() + facts.about[1:]
    canvas.block((x, card.y + 98), about, "label", 15, theme.GOLD if facts.noted else theme.SOFT, wide, 2)


def _state(facts: SeatFacts) -> tuple[str, theme.Color, str]:
    if facts.problem is None:
        return "looking...", theme.DIM, ""
    if facts.problem:
        return facts.problem, theme.GOLD, "!"
    return f"ready, {facts.runs}" if facts.runs else "ready", theme.GOOD, "o"
