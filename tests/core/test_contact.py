"""The turn limit, the bump, and how both bots begin: what ends an embrace."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from batllm_arcade.analysis.game import advantage, likely_plays
from batllm_arcade.brains.bots import BotView
from batllm_arcade.core.commands import Move, Rotate, StepBack
from batllm_arcade.core.events import BotBumped, BotMoved, BotTurned
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import acting_order, read_command, refusal, start, step, with_second_charge

RULES = Rules(
    bot_radius=60, step_length=100, shield_degrees=25, initial_shield=False, battery=9, side_damage=2, back_damage=3,
    ricochet=1, back_step=60, turn_limit=90, bump_push=60, bump_turn=150,
)  # fmt: skip
EAST, SOUTH, WEST, NORTH = 0, 90, 180, 270


def bot(x, y=500.0, rot=EAST, charge=0, shield=False):
    return BotState(x, y, rot, 100, shield, charge)


def played(me, foe, token="M", rules=RULES):
    return step(Arena(me, foe), 0, read_command(token, rules), rules)


@pytest.mark.parametrize(
    ("token", "turned"),
    [("C30", 30), ("C90", 90), ("C91", 90), ("A120", -90), ("C180", 90), ("A180", 90), ("C200", -90), ("C350", -10),
     ("A350", 10), ("C360", 0)],
)  # fmt: skip
def test_a_play_turns_the_shorter_way_round_and_at_most_by_the_limit(token, turned):
    arena, events = played(bot(200), bot(800), token)
    assert events == (BotTurned(0, EAST, turned),)
    assert arena.left.rot == turned % 360
    assert read_command(token, RULES).token == token
    whole = played(bot(200), bot(800), token, replace(RULES, turn_limit=0))[1]
    assert abs(whole[0].degrees) == float(token[1:])


def test_a_step_into_the_other_shoves_and_turns_it_and_loads_only_the_rest():
    arena, events = played(bot(300), bot(480, rot=WEST, charge=5, shield=True))
    assert arena.left == bot(360, charge=1)
    assert arena.right == bot(540, rot=330, charge=5, shield=True)
    assert events == (BotMoved(0, (300, 500), (360, 500), "bot"), BotBumped(1, (480, 500), (540, 500), 150))
    touching, _ = played(bot(360, charge=9), bot(480))
    assert touching.left == bot(360, charge=9)
    assert touching.right == bot(540, rot=150)


def test_behind_the_own_shield_a_bump_costs_what_every_play_costs():
    assert played(bot(300, charge=5, shield=True), bot(480))[0].left.charge == 4


def test_walls_stop_what_is_shoved_and_in_a_corner_who_shoves():
    arena, (_, bump) = played(bot(750), bot(920))
    assert (arena.right.x, arena.right.y) == (940, 500)
    assert bump.end == (940, 500)
    # Pushed into a corner at a slant it would slide back along the wall into who pushes.
    for rot in range(0, 90, 5):
        me, foe = bot(850, 850, rot), bot(940, 940)
        after, _ = played(me, foe)
        assert after.apart >= 120 - 1e-6


def test_only_a_step_forward_that_the_other_stops_bumps():
    back = played(bot(300, rot=WEST), bot(425), "M-60")
    assert [type(event) for event in back[1]] == [BotMoved]
    assert back[0].right == bot(425)
    assert played(bot(300), bot(900))[0].right == bot(900)
    off = replace(RULES, bump_push=0, bump_turn=0)
    assert played(bot(300), bot(480), rules=off)[0] == Arena(bot(360, charge=3), bot(480))
    assert played(bot(300), bot(480), rules=replace(RULES, bump_push=0))[0].right == bot(480, rot=150)


def test_a_step_on_the_spot_that_bumps_is_not_refused():
    arena = Arena(bot(360), bot(480))
    assert refusal(arena, 0, Move(None, "M"), RULES) is None
    assert refusal(arena, 0, Move(None, "M"), replace(RULES, bump_push=0, bump_turn=0)) == "bot"
    fading = Arena(bot(60, rot=WEST, charge=1, shield=True), bot(480))
    assert refusal(fading, 0, Move(None, "M"), RULES) == "wall"
    assert refusal(Arena(bot(360, rot=WEST), bot(480)), 0, StepBack("M-60"), RULES) == "bot"


def test_bots_begin_where_they_began_and_look_at_each_other_within_the_spread():
    for seed in range(200):
        plain, near = start(Random(seed), RULES), start(Random(seed), replace(RULES, start_spread=90))
        assert [(one.x, one.y) for one in (plain.left, plain.right)] == [
            (one.x, one.y) for one in (near.left, near.right)
        ]
        for me, foe, drawn in ((near.left, near.right, plain.left), (near.right, near.left, plain.right)):
            off = turn_between(bearing(foe.x - me.x, foe.y - me.y), me.rot)
            assert off == pytest.approx((drawn.rot - 180) / 2, abs=1e-6)


def test_who_acts_second_begins_with_more_charge_but_no_more_than_the_battery():
    arena, rules = Arena(bot(200, charge=3), bot(800, charge=3)), replace(RULES, second_charge=2)
    assert with_second_charge(arena, (1, 0), rules) == Arena(bot(200, charge=5), bot(800, charge=3))
    assert with_second_charge(arena, (0, 1), replace(rules, battery=4)).right.charge == 4
    assert with_second_charge(arena, acting_order(Random(1)), RULES) == arena


@pytest.mark.parametrize("name", ["turn_limit", "bump_turn", "start_spread"])
def test_a_half_turn_is_a_figure_like_any_other(name):
    assert getattr(rules_from({name: 180}), name) == 180


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"turn_limit": 181}, "turn_limit"), ({"turn_limit": -1}, "turn_limit"), ({"bump_turn": 181}, "bump_turn"),
        ({"bump_push": -1}, "bump_push"), ({"start_spread": 200}, "start_spread"),
        ({"second_charge": 1.5}, "second_charge"), ({"second_charge": 10}, "second_charge"),
        ({"bots_collide": False}, "bump_push"),
        ({"free_move": True, "back_step": 0}, "bump_push"),
    ],
)  # fmt: skip
def test_a_figure_that_makes_no_game_is_named(wrong, named):
    figures = {"battery": 9, "ricochet": 1, "back_step": 20, "bump_push": 60, "bump_turn": 150, **wrong}
    with pytest.raises(RulesError, match=f"^{named} must be"):
        rules_from(figures)


def test_a_look_ahead_weighs_turns_that_end_alike_once_and_the_plays_it_takes_to_aim():
    rules = replace(RULES, bump_push=0, bump_turn=0)
    me, foe = BotView.pair(Arena(bot(300, rot=WEST), bot(800, rot=EAST)), 0, rules)
    ends = [
        command.degrees for token in likely_plays(me, foe) if isinstance(command := read_command(token, rules), Rotate)
    ]
    reached = [min(max(turn_between(0, turn), -90), 90) for turn in ends]
    assert len(reached) == len(set(reached))
    free = BotView.pair(Arena(bot(300, rot=WEST), bot(800, rot=EAST)), 0, replace(rules, turn_limit=0))
    assert len(list(likely_plays(*free))) > len(list(likely_plays(me, foe)))
    aimed, away = (BotView.pair(Arena(bot(300, rot=rot), bot(800, rot=SOUTH)), 0, rules) for rot in (EAST, WEST))
    assert advantage(*aimed) - advantage(*away) > 2 * 1.5
