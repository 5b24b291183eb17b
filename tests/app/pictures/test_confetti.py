"""The paper that rains on a winner: in the winner's colour, beside the words, and over in some seconds."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.match.results import RAIN_S, draw_confetti
from batllm_arcade.view import theme

WIDE, TALL = (1280, 720), (540, 960)
WORDS = Box(400, 30, 500, 250)


def rained(
    age: float, words: tuple[Box, ...] = (), color: theme.Color = theme.SEAT_COLORS[0], size: tuple[int, int] = WIDE
) -> pygame.Surface:
    canvas = Canvas(size)
    canvas.target = pygame.Surface(canvas.size)
    draw_confetti(canvas, age, color, words)
    return canvas.target


def paper(surface: pygame.Surface) -> int:
    """How many pixels are no longer black."""
    black = pygame.mask.from_threshold(surface, (0, 0, 0), (1, 1, 1, 255)).count()
    return surface.get_width() * surface.get_height() - black


@pytest.mark.parametrize(("age", "rains"), [(0.0, False), (1.5, True), (3.0, True), (RAIN_S + 0.1, False)])
@pytest.mark.parametrize("size", [WIDE, TALL])
def test_it_rains_for_some_seconds_after_the_end(age, rains, size):
    assert (paper(rained(age, size=size)) > 0) == rains


def test_no_piece_lies_over_the_words():
    for age in (2.0, 2.5, 3.0):
        area = pygame.Rect(round(WORDS.x), round(WORDS.y), round(WORDS.w), round(WORDS.h))
        assert paper(rained(age).subsurface(area)) > 0
        around = rained(age, (WORDS,))
        assert paper(around.subsurface(area)) == 0
        assert paper(around) > 0


@pytest.mark.parametrize("seat", [0, 1])
def test_some_of_it_has_the_winner_s_colour(seat):
    surface = rained(3.0, color=theme.SEAT_COLORS[seat])
    shown = [pygame.mask.from_threshold(surface, color, (1, 1, 1, 255)).count() for color in theme.SEAT_COLORS]
    assert shown[seat] > 0 == shown[1 - seat]
