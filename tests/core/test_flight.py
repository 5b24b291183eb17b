"""What a bullet meets: straight on, off a wall, in a corner; and the aims off the walls that strike."""

from __future__ import annotations

from dataclasses import replace
from math import cos, dist, radians, sin
from random import Random

import pytest

from batllm_arcade.core.commands import Fire
from batllm_arcade.core.events import BotHit, BulletFlew, ShotBlocked, ShotMissed
from batllm_arcade.core.flight import bank_shots, damage, flight, lined_up, strikes
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import start, step

RULES = Rules(
    bot_radius=60, step_length=100, bullet_damage=(12, 12), shield_degrees=50, initial_shield=False,
    side_damage=2, back_damage=3, ricochet=1,
)  # fmt: skip
STRAIGHT = replace(RULES, ricochet=0)
EAST, SOUTH, WEST, NORTH = 0, 90, 180, 270
SLANT = 60 / 2**0.5


def bot(x, y, rot=EAST, shield=False):
    return BotState(x, y, rot, 100, shield)


def shot(me, foe, rules=RULES):
    arena, events = step(Arena(me, foe), 0, Fire(), rules)
    return arena.right, events


@pytest.mark.parametrize(
    ("me", "foe", "bounce", "end"),
    [
        (bot(300, 500, WEST), bot(800, 500), (0, 500), (740, 500)),  # back, past its shooter
        (bot(300, 500, NORTH), bot(300, 800), (300, 0), (300, 740)),
        (bot(200, 200, 315), bot(600, 200), (400, 0), (600 - SLANT, 200 - SLANT)),
        (bot(800, 800, 135), bot(400, 800), (600, 1000), (400 + SLANT, 800 + SLANT)),
        (bot(60, 500, WEST), bot(500, 500), (0, 500), (440, 500)),  # its muzzle is at the wall
        (bot(0, 500, WEST), bot(500, 500), (0, 500), (440, 500)),
        (bot(200, 200, 225), bot(600, 600), (0, 0), (600 - SLANT, 600 - SLANT)),  # straight back from the corner
        (bot(900, 900, 45), bot(300, 300), (1000, 1000), (300 + SLANT, 300 + SLANT)),
        (bot(900, 100, 315), bot(300, 700), (1000, 0), (300 + SLANT, 700 - SLANT)),
    ],
)
def test_a_bullet_that_meets_no_bot_comes_off_the_wall_once(me, foe, bounce, end):
    way = flight(me, foe, RULES)
    assert way.bounce == pytest.approx(bounce)
    assert (way.hits, way.end) == (True, pytest.approx(end))
    assert flight(me, foe, STRAIGHT).end == pytest.approx(bounce)
    assert flight(me, foe, STRAIGHT)[1:] == (False, None)


def test_a_bullet_that_meets_a_bot_at_once_or_two_walls_never_strikes_off_one():
    assert flight(bot(200, 500), bot(600, 500), RULES) == ((540, 500), True, None)
    way = flight(bot(200, 500, NORTH), bot(600, 500), RULES)
    assert way == (pytest.approx((200, 1000)), False, (200, 0))  # the second wall ends it


def test_near_a_corner_it_comes_off_one_wall_and_ends_at_the_other():
    way = flight(bot(200, 200, 225.01), bot(600, 600), RULES)
    assert not way.hits
    assert 0 < dist(way.bounce, (0, 0)) < 0.1
    assert way.end == pytest.approx((0, 0), abs=0.2)


def test_a_shot_tells_where_it_bounced_and_a_straight_one_that_it_did_not():
    _, events = shot(bot(300, 500, WEST), bot(800, 500))
    flew = events[0]
    assert flew == BulletFlew(0, (300, 500), (740, 500), (0, 500))
    assert flew.path == ((300, 500), (0, 500), (740, 500))
    straight = shot(bot(300, 500), bot(800, 500))[1][0]
    assert (straight.bounce, straight.path) == (None, ((300, 500), (740, 500)))
    _, (flew, missed) = shot(bot(200, 500, NORTH), bot(600, 500))
    assert (flew.bounce, flew.end) == ((200, 0), missed.at)
    assert type(missed) is ShotMissed


@pytest.mark.parametrize(
    ("rot", "part", "figures", "taken"),
    [
        (WEST, "front", {}, 12),
        (NORTH, "side", {}, 12),  # 24 straight on
        (EAST, "back", {}, 12),  # 36 straight on
        (NORTH, "side", {"bounce_cap": 1.5}, 18),
        (EAST, "back", {"bounce_cap": 2.5}, 30),
        (NORTH, "side", {"bounce_cap": 2.5}, 24),
        (EAST, "back", {"bounce_cap": 0}, 36),  # no limit
        (WEST, "front", {"bounce_cap": 0.5}, 6),
        (NORTH, "side", {"bounce_cap": 1, "side_damage": 0.5}, 6),
        (EAST, "back", {"bounce_cap": 0.333333333, "bullet_damage": (0.1, 99)}, 0.033333333),
    ],
)
def test_where_it_has_bounced_the_part_counts_no_more_than_the_cap(rot, part, figures, taken):
    target, (_, hit) = shot(bot(300, 500, WEST), bot(800, 500, rot), replace(RULES, **figures))
    assert (hit.part, hit.damage, target.health) == (part, pytest.approx(taken), pytest.approx(100 - taken))
    assert damage(0, part, replace(RULES, **figures), bounced=True) == pytest.approx(taken)


def test_the_cap_is_for_bullets_that_bounced_only():
    target, (_, hit) = shot(bot(200, 500), bot(800, 500, EAST))
    assert (hit.part, hit.damage, target.health) == ("back", 36, 64)


@pytest.mark.parametrize("rot", [WEST, NORTH, EAST])
def test_a_shield_stops_a_bullet_off_a_wall_by_where_it_strikes(rot):
    # The wall is behind the shooter: whoever faces the shooter faces the bullet, too.
    target, events = shot(bot(300, 500, WEST), bot(800, 500, rot, shield=True))
    assert (type(events[-1]) is ShotBlocked) == (rot == WEST)
    assert target.health == (100 if rot == WEST else 88)
    # Off the wall above it strikes the top: a shield towards the shooter is in nothing's way.
    _, events = shot(bot(200, 200, 315), bot(600, 200, WEST, shield=True))
    assert type(events[-1]) is ShotBlocked
    _, events = shot(bot(200, 200, 315), bot(600, 200, 135, shield=True))
    assert type(events[-1]) is BotHit


def marched(me, foe, rules, pace=1.0):
    """Where a bullet ends that goes on in small paces and looks around after each: (hit, bounces, x, y)."""
    x, y, (ux, uy) = me.x, me.y, (cos(radians(me.rot)), sin(radians(me.rot)))
    bounces = 0
    while True:
        if (x - foe.x) ** 2 + (y - foe.y) ** 2 <= rules.bot_radius**2:
            return True, bounces, x, y
        over_x, over_y = not 0 <= x <= rules.arena_width, not 0 <= y <= rules.arena_height
        if over_x or over_y:
            if bounces == rules.ricochet:
                return False, bounces, x, y
            bounces += 1
            if over_x:
                x, ux = -x if x < 0 else 2 * rules.arena_width - x, -ux
            if over_y:
                y, uy = -y if y < 0 else 2 * rules.arena_height - y, -uy
            continue
        x, y = x + pace * ux, y + pace * uy


def agrees(arena, rules, pace):
    way = flight(arena.left, arena.right, rules)
    hit, bounces, x, y = marched(arena.left, arena.right, rules, pace)
    return (hit, bounces) == (way.hits, int(way.bounce is not None)) and dist((x, y), way.end) <= 1.01 * pace


def test_two_thousand_random_shots_end_where_a_bullet_comes_that_marches_there():
    rng, found = Random(5), set()
    rules = replace(RULES, arena_width=300, arena_height=260, bot_radius=30)
    for _ in range(2000):
        arena = start(rng, rules)
        # Where it grazes a bot or comes close to a corner, only smaller paces tell.
        assert any(agrees(arena, rules, pace) for pace in (1.0, 0.1, 0.01, 0.001)), arena
        way = flight(arena.left, arena.right, rules)
        found.add((way.hits, way.bounce is not None))
    assert found == {(True, False), (True, True), (False, True)}


def test_who_is_lined_up_and_what_is_struck_are_asked_of_the_same_flight():
    me, foe = bot(300, 500, WEST), bot(800, 500, NORTH)
    assert (lined_up(Arena(me, foe), 0, RULES), lined_up(Arena(me, foe), 0, STRAIGHT)) == (True, False)
    assert (strikes(me, foe, RULES), strikes(me, foe, STRAIGHT)) == ("side", None)
    assert lined_up(Arena(me, foe), 0, RULES, 540)
    assert not lined_up(Arena(me, foe), 0, RULES, 300)
    assert strikes(me, foe, RULES, EAST) == "side"


def test_there_is_an_aim_off_each_wall_where_nobody_stands_in_the_way():
    arena = Arena(bot(300, 400, EAST), bot(700, 600, NORTH))
    shots = bank_shots(arena, 0, RULES)
    assert len(shots) == 4
    walls = {0: (0, None), 1: (1000, None), 2: (None, 0), 3: (None, 1000)}
    met = [key for shot in shots for key, (x, y) in walls.items() if x in (shot.bounce[0],) or y in (shot.bounce[1],)]
    assert sorted(met) == [0, 1, 2, 3]
    assert [abs(shot.turn) for shot in shots] == sorted(abs(shot.turn) for shot in shots)
    for found in shots:
        turned = replace(arena.left, rot=(arena.left.rot + found.turn) % 360)
        assert turned.rot == pytest.approx(found.rot)
        _, events = shot(turned, arena.right)
        assert (type(events[-1]), events[-1].part, events[-1].damage) == (BotHit, found.part, found.damage)


def test_a_wall_right_behind_the_other_bot_has_no_aim_but_a_direct_one():
    shots = bank_shots(Arena(bot(300, 500), bot(900, 500)), 0, RULES)
    assert all(shot.bounce[0] != 1000 for shot in shots)
    assert len(shots) == 3


def test_the_best_aim_takes_most_then_turns_least_and_one_that_needs_no_turn_is_found():
    foe = bot(700, 500, SOUTH, shield=True)
    assert [shot.damage for shot in bank_shots(Arena(bot(300, 500), foe), 0, RULES)] == [12, 12, 0]
    uncapped = replace(RULES, bounce_cap=0)
    foe = bot(700, 500, SOUTH)
    best = bank_shots(Arena(bot(300, 500, 50), foe), 0, uncapped)[0]
    assert (best.part, best.damage, best.bounce[1]) == ("back", 36, 0)
    already = bank_shots(Arena(bot(300, 500, WEST), foe), 0, RULES)
    assert (already[0].turn, already[0].bounce) == (0, (0, 500))


def test_without_the_rule_no_bullet_bounces():
    assert bank_shots(Arena(bot(300, 400), bot(700, 600)), 0, STRAIGHT) == ()
    assert shot(bot(300, 500, WEST), bot(800, 500), STRAIGHT)[1][0] == BulletFlew(0, (300, 500), (0, 500))
