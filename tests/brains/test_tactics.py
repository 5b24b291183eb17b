"""The tactician: which command serves a tactic, and how much an arena speaks for each."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from batllm_arcade import TACTICS, BotView, Situation, carry_out, tactic_weights
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.events import CommandIgnored, FireRefused, ShieldRefused
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.settings import config

RULES = Rules()
COUCH = config.load("couch").rules
ARENA = config.load("arena").rules


def bot(x=500.0, y=500.0, rot=0.0, shield=False, health=100.0, charge=0):
    return BotState(x, y, rot, health, shield, charge)


def situation(me, foe, begun="", rules=RULES):
    return Situation(*BotView.pair(Arena(me, foe), 0, rules), begun)


EAST, WEST = 0.0, 180.0


@pytest.mark.parametrize(
    ("tactic", "me", "foe", "token"),
    [
        ("attack", bot(300), bot(300, 800), "C90"),
        ("attack", bot(300, shield=True), bot(800, rot=EAST), "S0"),
        ("attack", bot(300, shield=True), bot(800, rot=WEST, shield=True), "S0"),  # ready first
        ("attack", bot(300), bot(800, rot=EAST), "B"),
        ("attack", bot(300), bot(800, rot=EAST, shield=True), "B"),  # its shield looks the other way
        ("attack", bot(300), bot(800, rot=WEST, shield=True), "M"),  # its shield is in the way
        ("attack", bot(300), bot(420, rot=WEST, shield=True), "B"),  # and here it is held down
        ("charge", bot(300, shield=True), bot(800), "M"),
        ("charge", bot(300), bot(300, 800), "C90"),
        ("charge", bot(300), bot(410, rot=EAST), "B"),
        ("charge", bot(300, rot=90), bot(410, rot=WEST, shield=True), "M"),  # round its shield
        ("shield", bot(300), bot(800, rot=WEST), "S1"),
        ("shield", bot(300, shield=True), bot(300, 800, rot=270), "C90"),
        ("shield", bot(300, shield=True), bot(800, rot=WEST), "S1"),
        ("shield", bot(300, shield=True), bot(800, rot=EAST), "S0"),  # it looks away
        ("shield", bot(300), bot(800, rot=EAST), "B"),
        ("dodge", bot(300), bot(800, rot=WEST), "A90"),
        ("dodge", bot(300, rot=90), bot(800, rot=WEST), "M"),
        ("dodge", bot(300, 950), bot(800, 950, rot=WEST), "A90"),  # not into the wall
        ("dodge", bot(300, 50), bot(800, 50, rot=WEST), "C90"),
        ("dodge", bot(300), bot(800, rot=EAST), "B"),  # not aimed at: a sting
        ("retreat", bot(400), bot(800, rot=WEST), "A127.87"),
        ("retreat", bot(400, rot=232), bot(800, rot=WEST), "M"),
        ("retreat", bot(50, 50, shield=True), bot(800, 800, rot=225), "C45"),  # in the corner: face it
        ("retreat", bot(50, 50, rot=45), bot(800, 800, rot=225), "S1"),
    ],
)
def test_a_tactic_is_carried_out_by_the_command_that_serves_it(tactic, me, foe, token):
    command, why = carry_out(tactic, situation(me, foe))
    assert command == token
    assert why


@pytest.mark.parametrize("seed", range(40))
def test_every_tactic_always_gives_a_command(seed):
    rng = Random(seed)
    states = [
        bot(rng.uniform(50, 950), rng.uniform(50, 950), rng.uniform(0, 360), rng.random() < 0.5) for _ in range(2)
    ]
    for tactic in TACTICS:
        for now in (situation(*states), situation(*states, tactic), situation(states[0], states[0])):
            assert not isinstance(parse(carry_out(tactic, now)[0]), Nothing)


@pytest.mark.parametrize(
    ("tactic", "more", "less"),
    [
        ("attack", situation(bot(300), bot(800, rot=EAST)), situation(bot(300, rot=90), bot(800, rot=EAST))),
        ("attack", situation(bot(300), bot(800)), situation(bot(300), bot(800, rot=WEST, shield=True))),
        ("charge", situation(bot(100, 100), bot(900, 900)), situation(bot(500), bot(610))),
        ("shield", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(300, shield=True), bot(800))),
        ("dodge", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(300, rot=90), bot(800, shield=True))),
        ("retreat", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(100, 100), bot(900, 900))),
        ("dodge", situation(bot(300), bot(800), "dodge"), situation(bot(300), bot(800))),
    ],
)
def test_the_situation_speaks_for_what_is_worth_doing(tactic, more, less):
    assert tactic_weights(more)[tactic] > tactic_weights(less)[tactic]


# With battery and armour


def in_couch(me, foe, begun=""):
    return situation(me, foe, begun, COUCH)


@pytest.mark.parametrize(
    ("tactic", "me", "foe", "token"),
    [
        ("attack", bot(200, charge=3), bot(800, rot=WEST), "B"),
        ("attack", bot(200, charge=2), bot(800, rot=WEST), "M"),  # empty: walking at it loads and shows the front
        ("attack", bot(200, rot=90, charge=2), bot(800, rot=WEST), "M"),  # past it loads, too
        ("attack", bot(200, rot=180, charge=2), bot(800, rot=WEST), "C90"),
        ("attack", bot(200, shield=True, charge=2), bot(800, rot=WEST, charge=9), "S1"),  # aimed at: not yet
        ("attack", bot(200, shield=True, charge=2), bot(800, rot=WEST, charge=2), "S0"),
        ("attack", bot(200, shield=True, charge=1), bot(800, rot=WEST, charge=9), "S0"),  # dry at the next play
        ("attack", bot(200, charge=8), bot(320, rot=WEST, shield=True, charge=9), "S0"),  # a block is dear: still aimed
        ("attack", bot(200, charge=9), bot(320, rot=WEST, shield=True, charge=9), "B"),  # but no more is to be had
        ("attack", bot(200, charge=6), bot(800, rot=WEST, shield=True, charge=3), "B"),  # it falls, and a shot is left
        ("attack", bot(200, charge=5), bot(800, rot=WEST, shield=True, charge=3), "M"),
        ("charge", bot(600, charge=0), bot(740, rot=WEST), "A90"),
        ("charge", bot(200, charge=8), bot(800, rot=WEST, charge=9), "M"),
        ("charge", bot(200, charge=9), bot(800, rot=WEST, charge=9), "B"),  # a step would load nothing
        ("charge", bot(200, charge=3), bot(800, rot=EAST, charge=9), "B"),  # its back is open
        ("shield", bot(200, charge=3), bot(800, rot=WEST, charge=3), "S1"),
        ("shield", bot(200, charge=2), bot(800, rot=WEST, charge=3), "S0"),  # too little for a shield: a rest
        ("shield", bot(200, charge=2), bot(800, rot=WEST, charge=2), "M"),
        ("shield", bot(200, charge=9), bot(800, rot=WEST, charge=2), "B"),  # it cannot fire back
        ("shield", bot(200, shield=True, charge=9), bot(800, rot=WEST, charge=9), "S1"),
        ("shield", bot(200, shield=True, charge=2), bot(800, rot=90, charge=9), "S0"),  # nobody aims: loads instead
        ("shield", bot(200, shield=True, charge=1), bot(800, rot=WEST, charge=9), "S0"),
        ("dodge", bot(200, charge=3), bot(800, rot=WEST, charge=9), "B"),  # lined up: an exchange
        ("dodge", bot(200, charge=2), bot(800, rot=WEST, charge=9), "A90"),
        ("dodge", bot(200, rot=90, charge=6), bot(800, rot=WEST, charge=9), "A90"),  # two shots: taking aim
        ("dodge", bot(200, rot=90, charge=5), bot(800, rot=WEST, charge=9), "M"),
        ("dodge", bot(200, charge=5), bot(800, rot=WEST, charge=2), "B"),
    ],
)
def test_who_has_a_battery_loads_before_it_fires_and_hides_only_when_aimed_at(tactic, me, foe, token):
    assert carry_out(tactic, in_couch(me, foe))[0] == token


def test_an_open_side_speaks_for_firing_and_an_empty_gun_for_walking():
    ready = tactic_weights(in_couch(bot(200, charge=3), bot(800, rot=WEST)))
    assert tactic_weights(in_couch(bot(200, charge=3), bot(800, rot=EAST)))["attack"] > ready["attack"]
    empty = tactic_weights(in_couch(bot(200, charge=2), bot(800, rot=WEST)))
    assert empty["attack"] < ready["attack"]
    assert empty["charge"] > ready["charge"]
    assert empty["dodge"] > ready["dodge"]


# Off the walls, and back

SHIELDED = bot(700, rot=WEST, shield=True, charge=2)


def in_arena(me, foe, begun=""):
    return situation(me, foe, begun, ARENA)


@pytest.mark.parametrize(
    ("me", "foe", "token", "in_couch_it_is"),
    [
        (bot(300, charge=3), SHIELDED, "A68.2", "M"),  # its shield is in the way: off the upper wall
        (bot(300, rot=291.8, charge=3), SHIELDED, "B", "C68.2"),
        (bot(300, charge=3), replace(SHIELDED, charge=6), "M", "M"),  # that would bare a side to a loaded gun
        (bot(300, charge=2), SHIELDED, "M", "M"),  # empty
        (bot(500, charge=0), bot(620, rot=WEST, charge=3), "M-60", "A100"),  # touching and empty
        (bot(440, charge=1), bot(620, rot=WEST, charge=3), "M", "A90"),  # and forth, which loads
        (bot(60, charge=0), bot(180, rot=WEST, charge=3), "S0", "A100"),  # its back to the wall
        (bot(500, rot=150, charge=0), bot(620, rot=WEST, charge=3), "A150", "A50"),  # its front first
    ],
)
def test_where_the_rules_have_it_an_attack_fires_off_walls_and_steps_back_from_contact(me, foe, token, in_couch_it_is):
    assert carry_out("attack", in_arena(me, foe))[0] == token
    assert carry_out("attack", in_couch(me, foe))[0] == in_couch_it_is


def test_who_charges_walks_at_the_foe_not_at_the_wall_it_aims_at():
    off_the_wall, foe = bot(300, rot=291.8, charge=3), bot(700, rot=90.0, charge=3)
    now = in_arena(off_the_wall, foe)
    assert (now.lined_up, now.faced) == (True, False)
    assert carry_out("charge", in_arena(replace(off_the_wall, charge=2), foe))[0] == "C68.2"


@pytest.mark.parametrize("rules", [COUCH, ARENA])
@pytest.mark.parametrize("seed", range(60))
def test_no_tactic_gives_a_command_that_the_rules_refuse(seed, rules):
    rng = Random(seed)
    me, foe = (
        bot(rng.uniform(60, 940), rng.uniform(60, 940), rng.uniform(0, 360), rng.random() < 0.4, 100, rng.randint(1, 9))
        for _ in range(2)
    )
    if seed % 2:  # face to face
        me = replace(me, rot=(BotView(me, rules).bearing_to(BotView(foe, rules)) + me.rot) % 360)
    for tactic in TACTICS:
        for begun in ("", tactic):
            token, _ = carry_out(tactic, situation(me, foe, begun, rules))
            _, events = step(Arena(me, foe), 0, read_command(token, rules), rules)
            assert not {type(event) for event in events} & {FireRefused, ShieldRefused, CommandIgnored}
