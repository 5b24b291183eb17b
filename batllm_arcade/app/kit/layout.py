"""Boxes in rows and columns, and widgets in them."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.app.kit.canvas import Box
from batllm_arcade.app.kit.widgets import Widget


def grid(area: Box, count: int, across: int, high: float, gap: float, down: float | None = None) -> list[Box]:
    """Return boxes of this height, `across` beside each other in the area's width, row by row from its top.

    `gap` lies between them; between rows `down`, where that is another one.
    """
    wide = (area.w - (across - 1) * gap) / across
    step = high + (gap if down is None else down)
    return [
        Box(area.x + (number % across) * (wide + gap), area.y + (number // across) * step, wide, high)
        for number in range(count)
    ]


def columns(area: Box, count: int, gap: float) -> list[Box]:
    """Return boxes beside each other that fill the area."""
    return grid(area, count, count, area.h, gap)


def rows(area: Box, count: int, high: float, gap: float) -> list[Box]:
    """Return boxes of this height below each other from the area's top, as wide as it."""
    return grid(area, count, 1, high, gap)


def place(widgets: Sequence[Widget], boxes: Sequence[Box]) -> None:
    """Give each widget its box."""
    for widget, box in zip(widgets, boxes, strict=True):
        widget.box = box
