"""What a person is told whose command was refused: only keys that would help there and then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.settings import config
from batllm_arcade.view.telegraph.refusals import helps, refusal_words

COUCH = config.load("couch").rules
ME = BotState(300, 500, 0, 100, False, 0)
KEYS = {"move": "W", "shield": "S", "left": "A", "right": "D", "wait": "X"}


def said(why, me=ME, rules=COUCH, keys=KEYS):
    actions, helping = helps(why, Arena(me, BotState(800, 500, 180, 100, False, 3)), 0, rules)
    return refusal_words(why, helping, " ".join(keys.get(action, "") for action in actions).strip())


@pytest.mark.parametrize(
    ("why", "me", "words"),
    [
        ("shield", replace(ME, shield=True), "SHIELD UP: lower it with S"),
        ("empty", ME, "EMPTY: step with W to load"),
        ("empty", replace(ME, x=60, rot=180), "EMPTY: wait with X to load"),
        ("weak", replace(ME, charge=1), "TOO WEAK FOR A SHIELD: step with W to load"),
        ("wall", replace(ME, x=60, rot=180), "WALL AHEAD: turn with A D"),
        ("bot", replace(ME, x=680), "BOT AHEAD: turn with A D"),
    ],
)
def test_the_reason_and_the_key_that_helps_are_named(why, me, words):
    assert said(why, me) == words


def test_what_does_not_load_by_these_rules_is_not_advised():
    assert said("empty", rules=replace(COUCH, step_charge=0)) == "EMPTY: wait with X to load"
    assert said("empty", rules=replace(COUCH, step_charge=0, rest_charge=0)) == "EMPTY"


def test_without_a_key_bound_the_reason_stands_alone():
    assert said("shield", replace(ME, shield=True), keys={}) == "SHIELD UP"


def test_an_empty_gun_right_before_the_other_bot_is_told_to_bump_it_where_that_spins_it():
    assert said("empty", replace(ME, x=680), config.load("arena").rules) == "EMPTY: bump it with W"
