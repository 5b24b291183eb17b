"""Places named in orders are looked up plainly."""

from __future__ import annotations

import pytest

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.styles import place_named
from batllm_arcade.core.model import Arena, BotState, Rules

RULES = Rules()
LOW, HIGH = RULES.bot_radius, RULES.arena_width - RULES.bot_radius


def named(orders, x=300.0, y=400.0, foe=(800.0, 700.0)):
    arena = Arena(BotState(x, y, 0.0, 100.0, False), BotState(*foe, 0.0, 100.0, False))
    place = place_named(orders, *BotView.pair(arena, 0, RULES))
    return (place.x, place.y), place.name


@pytest.mark.parametrize(
    ("orders", "spot"),
    [
        ("camp in the corner", (LOW, LOW)),
        ("camp", (LOW, LOW)),
        ("Top RIGHT corner!", (HIGH, LOW)),
        ("lower left", (LOW, HIGH)),
        ("go to the south-east corner", (HIGH, HIGH)),
        ("the northeast corner is yours", (HIGH, LOW)),
        ("left wall", (LOW, 400.0)),
        ("stay at the right side", (HIGH, 400.0)),
        ("hug the wall", (LOW, 400.0)),
        ("bottom edge", (300.0, HIGH)),
        ("a corner on the right", (HIGH, LOW)),
        ("hold the middle of the arena", (500.0, 500.0)),
        ("avoid the middle, stay at the border", (LOW, 400.0)),
        ("never leave the corner", (LOW, LOW)),
        ("bleib an der linken Wand", (LOW, 400.0)),
        ("quédate en la esquina derecha", (HIGH, LOW)),
        ("blijf in de rechter hoek beneden", (HIGH, HIGH)),
    ],
)
def test_a_place_is_the_nearest_that_fits_the_words(orders, spot):
    assert named(orders)[0] == spot


def test_what_a_place_is_called():
    assert named("camp in the corner")[1] == "in the corner"
    assert named("top right")[1] == "in the top right corner"
    assert named("left wall")[1] == "at the left wall"


def test_a_corner_the_foe_stands_in_is_left_to_it_unless_it_was_named():
    assert named("a corner", foe=(70.0, 70.0))[0] == (LOW, HIGH)
    assert named("top left corner", foe=(70.0, 70.0))[0] == (LOW, LOW)


@pytest.mark.parametrize(
    "orders",
    [
        "camp in the top left corner, shoot when his guard is down",
        "lower your shield in the top left corner",
        "top left corner with the shield down",
    ],
)
def test_where_a_shield_is_names_no_place(orders):
    assert named(orders, y=700.0)[0] == (LOW, LOW)
