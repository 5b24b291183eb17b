"""Where everything is on the screen after a game: cards beside the chart, or in one column in a narrow window."""

from __future__ import annotations

import math
from dataclasses import dataclass

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import columns, grid

_ROW = 46.0
_COLUMN_ROW = 50.0  # of a narrow window's buttons, which fingers press


@dataclass(frozen=True, slots=True)
class ResultsLayout:
    """Boxes in logical units: the seats' cards left first, the words above the chart, the chart, the buttons."""

    cards: tuple[Box, Box]
    head: Box
    chart: Box
    buttons: tuple[Box, ...]
    title: float
    """The type size of who won."""


def arranged(canvas: Canvas, buttons: int) -> ResultsLayout:
    """Return the layout for this canvas and so many buttons."""
    return _column(canvas, buttons) if canvas.narrow else _beside(canvas, buttons)


def _beside(canvas: Canvas, buttons: int) -> ResultsLayout:
    """Cards at the sides; the buttons in two columns at the bottom of the middle."""
    low, side, tight = canvas.height - 68, min(300.0, canvas.width * 0.235), canvas.height < 600
    cards = (Box(20, 66, side, low - 66), Box(canvas.width - 20 - side, 66, side, low - 66))
    middle = Box(side + 40, 24, canvas.width - 2 * side - 80, low - 24)
    rows = math.ceil(buttons / 2)
    step = min(_ROW + 8, canvas.height * 0.30 / max(1, rows))
    top = low - rows * step + 8
    above = 120.0 if tight else 140.0
    chart = Box(middle.x, middle.y + above, middle.w, top - middle.y - above - 34)
    head = Box(middle.x, middle.y, middle.w, 72.0 if tight else 92.0)
    return ResultsLayout(cards, head, chart, _grid(middle, top, step, buttons), 40 if tight else 56)


def _column(canvas: Canvas, buttons: int) -> ResultsLayout:
    """Who won, the chart, both cards beside each other, the buttons in two columns."""
    margin, gap, low = canvas.margin, 12.0, canvas.height - 78
    wide = canvas.width - 2 * margin
    head = Box(margin, 30, wide, 66)
    rows = math.ceil(buttons / 2)
    step = min(_COLUMN_ROW + 8, canvas.height * 0.28 / max(1, rows))
    top = low - rows * step + 8
    room = top - (head.bottom + 64) - gap
    cards = min(360.0, max(room - 190.0, room * 0.6))
    chart = Box(margin, head.bottom + 64, wide, room - cards - 40)
    left, right = columns(Box(margin, top - gap - cards, wide, cards), 2, gap)
    return ResultsLayout((left, right), head, chart, _grid(Box(margin, 0, wide, 0), top, step, buttons), 40)


def _grid(column: Box, top: float, step: float, buttons: int) -> tuple[Box, ...]:
    return tuple(grid(column._replace(y=top), buttons, 2, step - 8, 10, 8))
