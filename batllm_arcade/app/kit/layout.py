"""Boxes in rows and columns."""

from __future__ import annotations

from batllm_arcade.app.kit.canvas import Box


def grid(area: Box, count: int, columns: int, high: float, gap: float, down: float | None = None) -> list[Box]:
    """Return boxes of this height as wide as `columns` of them fit beside each other, row by row from the top.

    `gap` is between them, and `down` between rows where that is another one.
    """
    wide = (area.w - (columns - 1) * gap) / columns
    step = high + (gap if down is None else down)
    return [
        Box(area.x + (number % columns) * (wide + gap), area.y + (number // columns) * step, wide, high)
        for number in range(count)
    ]


def columns(area: Box, count: int, gap: float) -> list[Box]:
    """Return boxes beside each other that fill the area."""
    return grid(area, count, max(1, count), area.h, gap)


def rows(area: Box, count: int, high: float, gap: float) -> list[Box]:
    """Return boxes below each other from the area's top, as wide as it."""
    return grid(area, count, 1, high, gap)
