"""The battery: what a play takes from a charge and gives to it, and what is refused for want of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    FireRefused,
    ShieldBroke,
    ShieldFaded,
    ShieldLowered,
    ShieldRaised,
    ShieldRefused,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import start, step

RULES = Rules(
    bot_radius=60, step_length=100, bullet_damage=(12, 12), shield_degrees=50, initial_shield=False, battery=9
)
BARE = replace(RULES, battery=0)
UP, DOWN = True, False


def bot(charge, shield=DOWN, x=200.0, y=500.0, rot=0.0, health=100):
    return BotState(x, y, rot, health, shield, charge)


def foe(charge, shield=DOWN, rot=180.0, health=100):
    """Stands before the bot; faces it."""
    return bot(charge, shield, 800.0, rot=rot, health=health)


def play(token, me, other=None, rules=RULES):
    """What becomes of the left bot, of the other, and the kinds of the events."""
    arena, events = step(Arena(me, other or foe(3)), 0, parse(token, rules.free_move), rules)
    return arena.left, arena.right, [type(event) for event in events]


@pytest.mark.parametrize(
    ("token", "before", "after", "kinds"),
    [
        *(("B", (charge, DOWN), (charge - 3, DOWN), [BulletFlew, BotHit]) for charge in (3, 4, 9)),
        ("B", (0, DOWN), (1, DOWN), [FireRefused]),  # too little: a rest
        ("B", (2, DOWN), (3, DOWN), [FireRefused]),
        *((token, (0, DOWN), (1, DOWN), [ShieldRefused]) for token in ("S1", "S")),  # it would fade at once: a rest
        *((token, (1, DOWN), (2, DOWN), [ShieldRefused]) for token in ("S1", "S")),
        *((token, (2, DOWN), (1, UP), [ShieldRaised]) for token in ("S1", "S")),
        *((token, (1, UP), (2, DOWN), [ShieldLowered]) for token in ("S0", "S")),  # a rest
        ("C10", (4, DOWN), (5, DOWN), [BotTurned]),
        ("C10", (9, DOWN), (9, DOWN), [BotTurned]),  # never more than it can hold
        ("S0", (4, DOWN), (5, DOWN), [ShieldLowered]),
        ("what?", (4, DOWN), (5, DOWN), [CommandIgnored]),
        (None, (4, DOWN), (5, DOWN), [CommandIgnored]),
    ],
)
def test_a_play_takes_its_charge_or_is_a_rest(token, before, after, kinds):
    me, other, found = play(token, bot(*before))
    assert (replace(me, rot=0.0), found) == (bot(*after), kinds)
    assert other == foe(3, health=88 if BotHit in kinds else 100)


@pytest.mark.parametrize(
    ("token", "kind"), [("S1", ShieldRaised), ("M", BotMoved), ("B", FireRefused), ("what?", CommandIgnored)]
)
def test_every_play_behind_the_own_shield_takes_charge_and_at_0_it_drops(token, kind):
    me, _, kinds = play(token, bot(2, UP))
    assert (me.charge, me.shield, kinds) == (1, UP, [kind])
    me, _, kinds = play(token, bot(1, UP))
    assert (me.charge, me.shield, kinds) == (0, DOWN, [kind, ShieldFaded])


@pytest.mark.parametrize("charge", [2, 9])
def test_fire_under_the_own_shield_is_refused_for_the_shield_and_gains_nothing(charge):
    arena, events = step(Arena(foe(3), bot(charge, UP)), 1, parse("B"), RULES)
    assert (arena.right, events) == (bot(charge - 1, UP), (FireRefused(1, "shield"),))
    arena, events = step(Arena(bot(charge, UP), foe(0)), 0, parse("B"), BARE)
    assert (arena.left.charge, events) == (charge, (FireRefused(0, "shield"),))
    assert step(Arena(bot(0), foe(3)), 0, parse("B"), RULES)[1] == (FireRefused(0, "charge"),)


@pytest.mark.parametrize(("charge", "left", "up"), [(9, 7, UP), (3, 1, UP), (2, 0, DOWN), (1, 0, DOWN), (0, 0, DOWN)])
def test_a_blocked_bullet_drains_its_target_and_an_empty_one_loses_its_shield(charge, left, up):
    me, other, kinds = play("B", bot(6), foe(charge, UP))
    assert (other, kinds) == (foe(left, up), [BulletFlew, ShotBlocked, *([] if up else [ShieldBroke])])
    assert play("B", me, other)[1].health == (100 if up else 88)  # the next one hits


@pytest.mark.parametrize("actor", [0, 1])
def test_the_shield_that_breaks_is_that_of_the_bot_that_was_shot_at(actor):
    bots = (bot(9), foe(1, UP)) if actor == 0 else (bot(1, UP), foe(9))
    arena, events = step(Arena(*bots), actor, parse("B"), RULES)
    assert [event.bot for event in events if isinstance(event, ShieldBroke)] == [1 - actor]
    assert [arena.bot(each).shield for each in (0, 1)] == [DOWN, DOWN]


def test_a_shot_beside_the_shield_one_that_misses_and_one_that_ends_the_game_are_paid_for_alike():
    _, other, kinds = play("B", bot(3), foe(5, UP, rot=0))
    assert (other.charge, other.shield, kinds) == (5, UP, [BulletFlew, BotHit])
    me, _, kinds = play("B", bot(5, rot=90))
    assert (me.charge, kinds) == (2, [BulletFlew, ShotMissed])
    me, other, kinds = play("B", bot(4), foe(3, health=1))
    assert (me.charge, other.charge, kinds) == (1, 3, [BulletFlew, BotHit, BotKnockedOut])


@pytest.mark.parametrize(
    ("charge", "x", "other", "gain"),
    [
        (4, 200, bot(3, x=800.0), 3),
        (8, 200, bot(3, x=800.0), 1),  # never more than it can hold
        *((2, x, bot(3, x=100.0), gain) for x, gain in ((840, 3), (890, 3), (890.000000001, 1), (900, 1), (940, 1))),
        *((2, x, foe(3), gain) for x, gain in ((580, 3), (630, 3), (630.000000001, 1), (680, 1))),
    ],
)
def test_a_step_gives_more_and_one_into_a_wall_or_a_bot_counts_from_half_its_length(charge, x, other, gain):
    assert play("M", bot(charge, x=x), other)[0].charge == charge + gain


@pytest.mark.parametrize("rot", [45.0, 33.3, 214.7, 301.123456789])
def test_half_a_step_is_half_a_step_in_any_direction(rot):
    free, far = replace(RULES, free_move=True), bot(3, x=100.0, y=100.0)
    middle = bot(2, x=500.0, rot=rot)
    assert [play(token, middle, far, free)[0].charge for token in ("M50", "M-50", "M49.99")] == [5, 5, 3]


def test_charge_that_costs_nothing_is_not_taken():
    free = replace(RULES, shot_charge=0, block_charge=0, shield_charge=0, step_charge=0, rest_charge=0)
    assert play("B", bot(0), foe(4, UP), free)[:2] == (bot(0), foe(4, UP))
    assert play("S1", bot(1), rules=free)[0] == bot(1, UP)
    assert play("M", bot(1), rules=free)[0].charge == 1


def test_both_bots_begin_with_the_initial_charge_and_without_a_battery_none_ever_changes():
    arena = start(Random("7/1"), replace(RULES, initial_charge=5))
    assert (arena.left.charge, arena.right.charge) == (5, 5)
    assert start(Random("7/1"), BARE) == Arena(replace(arena.left, charge=0), replace(arena.right, charge=0))
    for token in ("M", "B", "S1", "S0", "C5", None):
        me, other, _ = play(token, bot(0), foe(0, UP), BARE)
        assert (me.charge, other.charge) == (0, 0)
