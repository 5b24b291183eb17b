"""The tactician: which command serves a tactic, and how much an arena speaks for each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from approved import approve

from batllm_arcade import TACTICS, BotView, Situation, carry_out, tactic_weights
from batllm_arcade.brains.styles import play_style
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


def play(case):
    """What a tactic and the style of that name do between two bots at x, y, direction, shield and charge."""
    rules, style, *bots, fired = case if len(case) == 5 else (*case, "")
    me, foe = (bot(x, y, rot, shield, charge=charge) for x, y, rot, shield, charge in bots)
    now = situation(me, foe, rules={"default": RULES, "couch": COUCH, "arena": ARENA}[rules])
    lines = ["tactic {}: {}".format(*carry_out(style, now))] if style in TACTICS else []
    return "\n".join([*lines, "style {}: {}".format(*play_style(style, now, foe_fired=bool(fired)))])


def test_a_tactic_and_a_style_are_carried_out_by_the_command_that_serves_them():
    approve(Path(__file__).parent / "approved" / "plays.txt", play)


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


def test_an_open_side_speaks_for_firing_and_an_empty_gun_for_walking():
    ready = tactic_weights(in_couch(bot(200, charge=3), bot(800, rot=WEST)))
    assert tactic_weights(in_couch(bot(200, charge=3), bot(800, rot=EAST)))["attack"] > ready["attack"]
    empty = tactic_weights(in_couch(bot(200, charge=2), bot(800, rot=WEST)))
    assert empty["attack"] < ready["attack"]
    assert empty["charge"] > ready["charge"]
    assert empty["dodge"] > ready["dodge"]


# Off the walls, and back


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
