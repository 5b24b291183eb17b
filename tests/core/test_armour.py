"""Armour: which part of a bot a bullet strikes, and what that costs it."""

from __future__ import annotations

from math import cos, radians, sin

import pytest

from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.core.flight import damage
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import step

RULES = Rules(bullet_damage=(12, 12), shield_degrees=50, side_damage=2, back_damage=3)


def struck(rot, shield=False, rules=RULES, health=100):
    """What becomes of a bot that looks `rot` degrees away from the bullet that strikes it, and how it was struck."""
    target = BotState(800, 500, (180 + rot) % 360, health, shield)
    arena, events = step(Arena(BotState(200, 500, 0, 100, False), target), 0, parse("B"), rules)
    return arena.right, events[1]


EDGES = [
    (0, "front", 88), (49.9, "front", 88), (50, "front", 88), (50.000000001, "side", 76), (90, "side", 76),
    (129.999999999, "side", 76), (130, "back", 64), (131, "back", 64), (180, "back", 64),
]  # fmt: skip


@pytest.mark.parametrize(("off", "part", "health"), EDGES)
@pytest.mark.parametrize("side", [1, -1])
def test_a_bullet_costs_more_the_farther_from_the_front_it_strikes(off, part, health, side):
    target, event = struck(side * off)
    assert isinstance(event, BotHit)
    assert (target.health, event.part, event.damage) == (health, part, 100 - health)


@pytest.mark.parametrize(("off", "part", "health"), EDGES)
def test_a_raised_shield_blocks_what_would_strike_the_front_and_nothing_else(off, part, health):
    target, event = struck(off, shield=True)
    assert isinstance(event, ShotBlocked) == (part == "front")
    assert target.health == (100 if part == "front" else health)


@pytest.mark.parametrize(
    ("shield_degrees", "off", "part"), [(90, 90, "front"), (90, 90.1, "back"), (120, 110, "front"), (0, 1, "side")]
)
def test_where_the_arcs_meet_the_front_wins(shield_degrees, off, part):
    assert struck(off, rules=Rules(shield_degrees=shield_degrees, side_damage=2, back_damage=3))[1].part == part


def test_the_product_is_rounded_like_health_and_each_bot_has_its_own_damage():
    rules = Rules(bullet_damage=(0.1, 99), shield_degrees=50, side_damage=0.333333333, back_damage=3)
    assert struck(90, rules=rules)[0].health == 99.966666667
    assert struck(180, rules=rules)[0].health == 99.7


def test_whole_figures_leave_whole_health_and_no_hit_takes_more_than_there_is():
    target, event = struck(180, health=20)
    assert (repr(target.health), event.damage) == ("0", 20)
    assert repr(struck(90)[0].health) == "76"


def test_armour_may_also_soften_a_hit():
    assert struck(90, rules=Rules(side_damage=0, back_damage=0.5))[0].health == 100


def test_without_armour_every_part_costs_the_same():
    assert {struck(off, rules=Rules(shield_degrees=50))[0].health for off in (0, 90, 180)} == {95}
    assert struck(90, rules=Rules(shield_degrees=50))[1].part == "side"


def test_an_edge_is_met_in_any_direction_to_nine_decimals():
    for at in range(360):
        x, y = 500 + 300 * cos(radians(at)), 500 + 300 * sin(radians(at))
        shooter = BotState(x, y, (at + 180) % 360, 100, False)
        for off, part in ((50, "front"), (130, "back")):
            arena = Arena(shooter, BotState(500, 500, (at + off) % 360, 100, False))
            assert step(arena, 0, parse("B"), RULES)[1][1].part == part


def test_the_product_of_damage_and_part_is_a_figure_of_nine_decimals():
    assert damage(0, "back", Rules(bullet_damage=(0.1, 1), back_damage=3)) == 0.3
    assert damage(1, "side", Rules(bullet_damage=(0.1, 1), side_damage=1.5)) == 1.5
    assert damage(0, "front", Rules(bullet_damage=(0.1, 1), side_damage=1.5)) == 0.1
