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


def bot(charge, shield=False, x=200.0, y=500.0, rot=0.0, health=100):
    return BotState(x, y, rot, health, shield, charge)


def foe(charge, shield=False, rot=180.0):
    """Stands before the bot; faces it."""
    return bot(charge, shield, x=800.0, rot=rot)


def play(token, me, other=None, rules=RULES):
    """What becomes of the left bot, of the other, and the kinds of the events."""
    arena, events = step(Arena(me, other or foe(3)), 0, parse(token, rules.free_move), rules)
    return arena.left, arena.right, [type(event) for event in events]


# Firing


@pytest.mark.parametrize(("charge", "left"), [(3, 0), (4, 1), (9, 6)])
def test_a_shot_takes_its_charge_and_gives_nothing(charge, left):
    me, other, kinds = play("B", bot(charge))
    assert (me, other.health, kinds) == (bot(left), 88, [BulletFlew, BotHit])


def test_a_shot_that_misses_takes_as_much():
    me, _, kinds = play("B", bot(5, rot=90))
    assert (me.charge, kinds) == (2, [BulletFlew, ShotMissed])


@pytest.mark.parametrize(("charge", "after"), [(0, 1), (2, 3)])
def test_fire_without_enough_charge_is_refused_and_counts_as_a_rest(charge, after):
    arena, events = step(Arena(bot(charge), foe(3)), 0, parse("B"), RULES)
    assert events == (FireRefused(0, "charge"),)
    assert arena == Arena(bot(after), foe(3))


@pytest.mark.parametrize("charge", [2, 9])
def test_fire_under_the_own_shield_is_refused_for_the_shield_and_gains_nothing(charge):
    arena, events = step(Arena(foe(3), bot(charge, shield=True)), 1, parse("B"), RULES)
    assert events == (FireRefused(1, "shield"),)
    assert arena.right == bot(charge - 1, shield=True)


def test_without_a_battery_fire_is_refused_for_the_shield_alone():
    _, events = step(Arena(bot(0, shield=True), foe(0)), 0, parse("B"), replace(RULES, battery=0))
    assert events == (FireRefused(0, "shield"),)


# Blocking


@pytest.mark.parametrize(
    ("charge", "left", "up"), [(9, 7, True), (3, 1, True), (2, 0, False), (1, 0, False), (0, 0, False)]
)
def test_a_blocked_bullet_drains_its_target_and_an_empty_one_loses_its_shield(charge, left, up):
    _, other, kinds = play("B", bot(3), foe(charge, shield=True))
    assert other == foe(left, shield=up)
    assert kinds == [BulletFlew, ShotBlocked, *([] if up else [ShieldBroke])]


def test_the_bullet_that_breaks_a_shield_is_still_blocked_and_the_next_one_hits():
    arena = Arena(bot(6), foe(2, shield=True))
    arena, events = step(arena, 0, parse("B"), RULES)
    assert events[-1] == ShieldBroke(1)
    assert arena.right.health == 100
    arena, _ = step(arena, 0, parse("B"), RULES)
    assert arena.right.health == 88


def test_a_bullet_beside_the_shield_takes_no_charge():
    _, other, kinds = play("B", bot(3), foe(5, shield=True, rot=0))
    assert (other.charge, other.shield, kinds) == (5, True, [BulletFlew, BotHit])


# The own shield


@pytest.mark.parametrize("token", ["S1", "S"])
@pytest.mark.parametrize("charge", [0, 1])
def test_a_shield_that_would_fade_at_once_is_refused_and_that_is_a_rest(token, charge):
    me, _, kinds = play(token, bot(charge))
    assert (me, kinds) == (bot(charge + 1), [ShieldRefused])


@pytest.mark.parametrize("token", ["S1", "S"])
def test_raising_the_shield_takes_its_charge_at_once(token):
    me, _, kinds = play(token, bot(2))
    assert (me, kinds) == (bot(1, shield=True), [ShieldRaised])


@pytest.mark.parametrize(
    ("token", "kind"), [("S1", ShieldRaised), ("M", BotMoved), ("B", FireRefused), ("what?", CommandIgnored)]
)
def test_every_play_behind_the_own_shield_takes_charge_and_at_0_it_drops(token, kind):
    me, _, kinds = play(token, bot(2, shield=True))
    assert (me.charge, me.shield, kinds) == (1, True, [kind])
    me, _, kinds = play(token, bot(1, shield=True))
    assert (me.charge, me.shield, kinds) == (0, False, [kind, ShieldFaded])


@pytest.mark.parametrize("token", ["S0", "S"])
def test_lowering_the_shield_is_a_rest(token):
    me, _, kinds = play(token, bot(1, shield=True))
    assert (me, kinds) == (bot(2), [ShieldLowered])


# Charging


@pytest.mark.parametrize("token", ["C10", "S0", "what?", None])
def test_a_play_without_a_step_a_shot_or_a_shield_is_a_rest(token):
    assert play(token, bot(4))[0].charge == 5


def test_a_step_gives_more_and_the_battery_never_holds_more_than_it_can():
    assert play("M", bot(4))[0].charge == 7
    assert play("M", bot(8))[0].charge == 9
    assert play("C10", bot(9))[0].charge == 9


@pytest.mark.parametrize(("x", "gain"), [(840, 3), (890, 3), (890.000000001, 1), (900, 1), (940, 1)])
def test_a_step_into_a_wall_counts_as_one_from_half_its_length(x, gain):
    assert play("M", bot(2, x=x), bot(3, x=100.0))[0].charge == 2 + gain


@pytest.mark.parametrize(("x", "gain"), [(580, 3), (630, 3), (630.000000001, 1), (680, 1)])
def test_a_step_against_the_other_bot_counts_as_one_from_half_its_length(x, gain):
    assert play("M", bot(2, x=x), foe(3))[0].charge == 2 + gain


@pytest.mark.parametrize("rot", [45.0, 33.3, 214.7, 301.123456789])
def test_half_a_step_is_half_a_step_in_any_direction(rot):
    free = replace(RULES, free_move=True)
    middle = bot(2, x=500.0, rot=rot)
    assert play("M50", middle, bot(3, x=100.0, y=100.0), free)[0].charge == 5
    assert play("M-50", middle, bot(3, x=100.0, y=100.0), free)[0].charge == 5
    assert play("M49.99", middle, bot(3, x=100.0, y=100.0), free)[0].charge == 3


def test_charge_that_costs_nothing_is_not_taken():
    free = replace(RULES, shot_charge=0, block_charge=0, shield_charge=0, step_charge=0, rest_charge=0)
    me, other, _ = play("B", bot(0), foe(4, shield=True), free)
    assert (me, other) == (bot(0), foe(4, shield=True))
    assert play("S1", bot(1), rules=free)[0] == bot(1, shield=True)
    assert play("M", bot(1), rules=free)[0].charge == 1


# A game


def test_both_bots_begin_with_the_initial_charge_and_without_a_battery_with_none():
    arena = start(Random("7/1"), replace(RULES, initial_charge=5))
    assert (arena.left.charge, arena.right.charge) == (5, 5)
    bare = start(Random("7/1"), replace(RULES, battery=0))
    assert (bare.left.charge, bare.right.charge) == (0, 0)
    assert bare == Arena(replace(arena.left, charge=0), replace(arena.right, charge=0))


def test_the_shot_that_ends_a_game_has_been_paid_for():
    me, other, kinds = play("B", bot(4), replace(foe(3), health=1))
    assert (me.charge, other.charge, kinds) == (1, 3, [BulletFlew, BotHit, BotKnockedOut])


@pytest.mark.parametrize("token", ["M", "B", "S1", "S0", "C5", None])
def test_without_a_battery_a_charge_stays_as_it_is(token):
    me, other, _ = play(token, bot(0), foe(0, shield=True), replace(RULES, battery=0))
    assert (me.charge, other.charge) == (0, 0)


@pytest.mark.parametrize("actor", [0, 1])
def test_the_shield_that_breaks_is_that_of_the_bot_that_was_shot_at(actor):
    bots = (bot(9), foe(1, shield=True)) if actor == 0 else (bot(1, shield=True), foe(9))
    arena, events = step(Arena(*bots), actor, parse("B"), RULES)
    assert [event.bot for event in events if isinstance(event, ShieldBroke)] == [1 - actor]
    assert [arena.bot(each).shield for each in (0, 1)] == [False, False]
