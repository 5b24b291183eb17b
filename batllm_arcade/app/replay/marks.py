"""Paints the marks of what happened on a replay's timeline."""

from __future__ import annotations

import pygame

from batllm_arcade.view.look.marks import mark
from batllm_arcade.view.timeline_index import Kind


def paint_mark(surface: pygame.Surface, at: tuple[float, float], reach: float, kind: Kind, bot: int) -> None:
    """Paint a mark of `reach` pixels around a pixel."""
    for shape in mark(kind, bot):
        if shape.kind == "disc":
            pygame.draw.circle(surface, shape.color, at, reach * shape.numbers[2])
            continue
        pairs = zip(shape.numbers[::2], shape.numbers[1::2], strict=True)
        points = [(at[0] + x * reach, at[1] + y * reach) for x, y in pairs]
        if shape.kind == "polygon":
            pygame.draw.polygon(surface, shape.color, points)
        else:
            pygame.draw.lines(surface, shape.color, False, points, max(2, round(reach * shape.width)))
