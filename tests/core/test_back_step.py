"""The back step: its command, where it ends, what it loads; and which figures of it and of the bounce make a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from batllm_arcade.core.commands import Move, Nothing, StepBack, parse
from batllm_arcade.core.events import BotMoved, ShieldFaded
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import read_command, refusal, step

ARENA = {
    "bot_radius": 60, "step_length": 100, "bullet_damage": 12, "shield_degrees": 50, "initial_shield": False,
    "battery": 9, "side_damage": 2, "back_damage": 3, "ricochet": 1, "back_step": 60,
}  # fmt: skip
RULES = rules_from(ARENA)
EAST, SOUTH, WEST, NORTH = 0, 90, 180, 270


def bot(x, y=500.0, rot=EAST, charge=0, shield=False):
    return BotState(x, y, rot, 100, shield, charge)


def played(me, token="M-60", foe=None, rules=RULES):
    arena, events = step(Arena(me, foe or bot(900, 900)), 0, read_command(token, rules), rules)
    return arena.left, events


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("M-60", "M-60"), (" m-60\n", "M-60"), ("M-1", "M-1"), ("M-9999", "M-9999"), ("M-0060", "M-60"),
        ("M-0", "M-0"), ("M-000", "M-0"),
    ],
)  # fmt: skip
def test_one_back_step_whatever_the_digits_kept_as_written_without_needless_zeros(text, token):
    command = parse(text, back_step=60)
    assert command == StepBack(token)
    assert parse(token, back_step=60) == command
    assert played(bot(300), text)[0] == bot(240, charge=1)


@pytest.mark.parametrize(
    "text",
    ["M60", "M-", "M--60", "M-60.0", "M-12345", "M -60", "M- 60", "M-6 0", "M-\u0666\u0660", "M\u221260", "M-6e1"],
)  # fmt: skip
def test_anything_else_is_no_command(text):
    command = parse(text, back_step=60)
    assert isinstance(command, Nothing)
    assert command.reason.endswith("is no command; a command is C<angle>, A<angle>, M, M-60, S1, S0, S or B")


def test_without_the_rule_it_is_no_command_and_with_free_moves_a_distance():
    assert isinstance(parse("M-60"), Nothing)
    assert parse("M-60", free_move=True) == Move(-60, "M-60")
    assert parse("M", back_step=60) == Move(None, "M")


@pytest.mark.parametrize(
    ("me", "foe", "end", "stopped_by"),
    [
        (bot(300, rot=EAST), None, (240, 500), ""),
        (bot(300, rot=SOUTH), None, (300, 440), ""),
        (bot(100, rot=EAST), None, (60, 500), "wall"),
        (bot(60, rot=EAST), None, (60, 500), "wall"),
        (bot(300, rot=EAST), bot(150), (270, 500), "bot"),
        (bot(300, rot=EAST), bot(180), (300, 500), "bot"),
        (bot(300, rot=EAST), bot(420), (240, 500), ""),  # away from whom it touches
    ],
)
def test_it_goes_against_the_own_direction_until_something_stops_it(me, foe, end, stopped_by):
    after, (moved, *_) = played(me, foe=foe)
    assert moved == BotMoved(0, (me.x, me.y), end, stopped_by, back=True)
    assert after == replace(me, x=end[0], y=end[1], charge=1)  # and rests, however far it got


def test_a_step_forward_is_no_step_back():
    assert played(bot(300), "M")[1] == (BotMoved(0, (300, 500), (400, 500), ""),)
    assert played(bot(300), "M")[0].charge == 3


@pytest.mark.parametrize("length", [60, 99, 100])
def test_it_gives_a_rest_and_never_what_a_step_gives(length):
    rules = replace(RULES, back_step=length)
    assert played(bot(300, charge=2), rules=rules)[0].charge == 3
    assert played(bot(300, charge=9), rules=rules)[0].charge == 9


def test_behind_the_own_shield_it_costs_what_any_play_costs():
    after, events = played(bot(300, charge=4, shield=True))
    assert (after.x, after.charge, after.shield) == (240, 3, True)
    after, events = played(bot(300, charge=1, shield=True))
    assert (after.x, after.charge, after.shield, events[-1]) == (240, 0, False, ShieldFaded(0))


def test_without_a_battery_it_only_moves():
    rules = replace(RULES, battery=0)
    assert played(bot(300), rules=rules)[0] == bot(240)


@pytest.mark.parametrize(
    ("me", "foe", "why"),
    [(bot(60), bot(800), "wall"), (bot(300), bot(180), "bot"), (bot(300), bot(800), None), (bot(61), bot(800), None)],
)
def test_a_person_is_spared_one_that_would_go_nowhere(me, foe, why):
    assert refusal(Arena(me, foe), 0, parse("M-60", back_step=60), RULES) == why


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ({"ricochet": 2}, "ricochet must be 0 or 1, not 2"),
        ({"ricochet": 0.0}, "ricochet must be 0 or 1, not 0.0"),
        ({"ricochet": "yes"}, "ricochet must be 0 or 1, not 'yes'"),
        ({"bounce_cap": -0.1}, "bounce_cap must be 0 or more, not -0.1"),
        ({"bounce_cap": "all"}, "bounce_cap must be a number"),
        ({"back_step": 50}, "back_step must be 0 for none or a whole number from 1 to 100, but not half of the step"),
        ({"back_step": 101}, "back_step must be 0 for none or a whole number from 1 to 100"),
        ({"back_step": -1}, "back_step must be 0 for none or a whole number"),
        ({"back_step": 60.0}, "back_step must be 0 for none or a whole number"),
        ({"back_step": 0.0}, "back_step must be 0 for none or a whole number"),
        ({"back_step": True}, "back_step must be 0 for none or a whole number"),
        ({"back_step": "60"}, "back_step must be 0 for none or a whole number"),
        ({"step_length": 20_000, "back_step": 10_000}, "back_step must be 0 for none or a whole number from 1 to 9999"),
        ({"step_length": 0.5}, "back_step must be 0 for none, not 60"),
        ({"free_move": True}, "back_step must be 0 with free_move, where M goes backwards anyway, not 60"),
        ({"ricochet": 0}, "back_step must be 0 without ricochet"),
    ],
)
def test_figures_that_make_no_game_are_refused_by_name(figures, says):
    with pytest.raises(RulesError) as error:
        rules_from({**ARENA, **figures})
    assert str(error.value).startswith(says)


def test_all_of_it_is_off_unless_it_is_named():
    rules = Rules()
    assert (rules.ricochet, rules.bounce_cap, rules.back_step) == (0, 1, 0)
    assert rules_from({"ricochet": True}).ricochet == 1
    assert rules_from({"ricochet": 1, "bounce_cap": 1.25}).bounce_cap == 1.25
    assert rules_from({"bounce_cap": -5}) == rules_from({"ricochet": 0, "bounce_cap": "much"}) == Rules()
    assert rules_from({**ARENA, "step_length": 99.5, "back_step": 99}).back_step == 99
