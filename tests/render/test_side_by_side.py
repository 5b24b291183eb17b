"""Two bots near each other, or aimed at each other, hide nothing of one another."""

from __future__ import annotations

import math

import pygame
import pytest

from batllm_arcade.render.bots import bar_rect
from batllm_arcade.render.telegraph_words import course, on_one_line
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.telegraph.lines import FireLine

ARENA = pygame.Rect(0, 0, 600, 600)
RADIUS = 36.0


@pytest.mark.parametrize(
    ("at", "other", "above"),
    [
        ((300, 300), None, True),
        ((300, 300), (300, 500), True),
        ((300, 300), (300, 228), False),  # the other one stands right above
        ((300, 300), (350, 248), False),
        ((300, 300), (372, 300), True),
        ((300, 30), None, False),  # no room above
        ((300, 560), (300, 488), False),  # nor below, where it lies on its own bot
        ((300, 40), (300, 112), True),
    ],
)
def test_a_health_bar_keeps_off_the_other_bot_where_there_is_room(at, other, above):
    assert (bar_rect(at, RADIUS, 1.0, ARENA, other).centery < at[1]) == above


@pytest.mark.parametrize("middle", [(300, 36), (300, 50), (300, 300), (300, 545), (300, 564), (36, 36), (564, 564)])
def test_no_health_bar_lies_on_the_other_bot_where_both_touch(middle):
    for degrees in range(0, 360, 3):
        at = (
            middle[0] + 2 * RADIUS * math.cos(math.radians(degrees)),
            middle[1] + 2 * RADIUS * math.sin(math.radians(degrees)),
        )
        if not all(RADIUS <= place <= 600 - RADIUS for place in at):
            continue
        bars = bar_rect(middle, RADIUS, 1.0, ARENA, at), bar_rect(at, RADIUS, 1.0, ARENA, middle)
        for bar, foe in zip(bars, (at, middle), strict=True):
            near = min(max(foe[0], bar.left), bar.right), min(max(foe[1], bar.top), bar.bottom)
            assert math.dist(near, foe) > RADIUS - 1
            assert ARENA.top + 4 <= bar.top < bar.bottom <= ARENA.bottom - 4
        assert not bars[0].colliderect(bars[1])


def line(bot: int, start: tuple[float, float], end: tuple[float, float], **more: object) -> FireLine:
    return FireLine(bot, start, end, "hit", **more)  # type: ignore[arg-type]


FACING = line(0, (100, 500), (840, 500)), line(1, (900, 500), (160, 500))


def test_two_lines_along_one_way_are_drawn_side_by_side():
    own, foe = FACING
    camera = Camera.fitting(1000, 1000, ARENA)
    assert on_one_line(own, foe)
    ((_, y), _), ((_, foe_y), _) = course(own, camera, RADIUS, 4.0)[0], course(foe, camera, RADIUS, 4.0)[0]
    assert math.isclose(y - foe_y, 8.0)


@pytest.mark.parametrize(
    ("own", "foe"),
    [
        (FACING[0], None),
        (FACING[0], line(1, (900, 700), (130, 540))),
        (FACING[0], line(1, (900, 500), (160, 500), bounce=(500, 0))),
        (line(0, (100, 500), (840, 500), bounce=(300, 0)), line(1, (900, 500), (160, 500), bounce=(700, 0))),
    ],
)
def test_lines_that_go_other_ways_stay_where_they_are(own, foe):
    assert not on_one_line(own, foe)


def test_two_lines_by_way_of_one_point_on_a_wall_are_on_one_line():
    own = line(0, (100, 500), (840, 500), bounce=(500, 0))
    assert on_one_line(own, line(1, (900, 500), (160, 500), bounce=(504, 0)))
