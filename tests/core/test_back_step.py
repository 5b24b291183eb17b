"""The back step: its command, where it ends, what it loads; and which figures of it and of the bounce make a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from approved import approve

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


@pytest.mark.parametrize("length", [60, 99, 100])
def test_it_gives_a_rest_and_costs_what_any_play_costs_behind_the_own_shield(length):
    rules = replace(RULES, back_step=length)
    assert [played(bot(300, charge=charge), rules=rules)[0].charge for charge in (2, 9)] == [3, 9]
    assert played(bot(300), "M", rules=rules)[0].charge == 3, "a step forward is no step back"
    assert played(bot(300), rules=replace(rules, battery=0))[0] == bot(300 - length)
    after, events = played(bot(300, charge=4, shield=True), rules=rules)
    assert (after.x, after.charge, after.shield) == (300 - length, 3, True)
    after, events = played(bot(300, charge=1, shield=True), rules=rules)
    assert (after.x, after.charge, after.shield, events[-1]) == (300 - length, 0, False, ShieldFaded(0))


@pytest.mark.parametrize(
    ("me", "foe", "why"),
    [(bot(60), bot(800), "wall"), (bot(300), bot(180), "bot"), (bot(300), bot(800), None), (bot(61), bot(800), None)],
)
def test_a_person_is_spared_one_that_would_go_nowhere(me, foe, why):
    assert refusal(Arena(me, foe), 0, parse("M-60", back_step=60), RULES) == why


FIGURES = Path(__file__).parent / "approved" / "arena_figures.txt"


def test_figures_that_make_no_game_are_refused_by_name():
    def refusal(figures):
        with pytest.raises(RulesError) as error:
            rules_from({**ARENA, **figures})
        return str(error.value)

    approve(FIGURES, refusal)


def test_all_of_it_is_off_unless_it_is_named():
    rules = Rules()
    assert (rules.ricochet, rules.bounce_cap, rules.back_step) == (0, 1, 0)
    assert rules_from({"ricochet": True}).ricochet == 1
    assert rules_from({"ricochet": 1, "bounce_cap": 1.25}).bounce_cap == 1.25
    assert rules_from({"bounce_cap": -5}) == rules_from({"ricochet": 0, "bounce_cap": "much"}) == Rules()
    assert rules_from({**ARENA, "step_length": 99.5, "back_step": 99}).back_step == 99
