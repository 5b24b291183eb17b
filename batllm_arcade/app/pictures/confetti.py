"""Pieces of paper that rain on the results of a game somebody has won."""

from __future__ import annotations

import math
from collections.abc import Sequence

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_PIECES = 90
RAIN_S = 7.0
"""Seconds that it rains."""


def draw_confetti(canvas: Canvas, age: float, color: Color, words: Sequence[Box]) -> None:
    """Draw the paper in the winner's colours `age` seconds after the end, none where the words are.

    Where each piece is depends on the age alone.
    """
    if age > RAIN_S:
        return
    tints = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        spot, delay = (number * 0.61803) % 1.0, (number * 0.377) % 1.0 * 2.2
        fallen = (age - delay) * (150 + 110 * ((number * 0.733) % 1.0))
        if 0 < fallen < canvas.height + 40:
            x = spot * canvas.width + 26 * math.sin(2.2 * (age - delay) + number)
            high = max(2.0, 10 * abs(math.cos(5 * age + number)))
            piece = Box(x, fallen - 20, 7, high)
            if not any(_meet(piece, box) for box in words):
                canvas.target.fill(tints[number % len(tints)], canvas.rect(piece))


def _meet(one: Box, other: Box) -> bool:
    return one.x < other.right and one.right > other.x and one.y < other.bottom and one.bottom > other.y
