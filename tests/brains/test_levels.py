"""Levels: what a rookie does worse, and that `regular` is the brain as it is."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from batllm_arcade_plugins import scripted

from batllm_arcade import STYLES, BotClock, BotView, Reading, Spec, Tactician, UsageError, View, level_of, rookie_lapse
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import start, step
from batllm_arcade.settings import config

COUCH = config.load("couch").rules


def arenas(number):
    return [start(Random(f"{seed}/1"), COUCH) for seed in range(number)]


def view(arena, rng):
    return View(
        seat=0, rules=COUCH, game=1, round=1, turn=1, number=1, acting_order=(0, 1), prompts=("", ""), arena=arena,
        initial=arena, rng=rng,
    )  # fmt: skip


def plays(level, style="attack"):
    reading, rng = Reading(dict.fromkeys(STYLES, 0.0) | {style: 1.0}), Random(1)
    return [Tactician(level=level).play(view(arena, rng), reading).command for arena in arenas(200)]


def test_an_unknown_level_is_refused_with_the_ones_there_are():
    assert level_of(Spec("x")) == "regular"
    with pytest.raises(UsageError, match=r"rookie, regular, merciless, not 'easy'"):
        level_of(Spec.parse("scripted:turtle,level=easy"))


def test_a_rookie_hesitates_and_forgets_its_shield():
    rng = Random(3)
    lapses = Counter(rookie_lapse("S1", rng) for _ in range(1000))
    assert 200 < lapses["hesitating"] < 300
    assert 310 < lapses["forgetting the shield"] < 440
    assert {rookie_lapse("B", rng) for _ in range(200)} == {"", "hesitating"}


@pytest.mark.parametrize("style", ["attack", "camp"])
def test_a_rookie_does_nothing_more_often_and_never_aims_otherwise(style):
    regular, rookie = plays("regular", style), plays("rookie", style)
    assert rookie.count(None) > regular.count(None) + 25
    turns = {command for command in rookie if command and command[0] in "AC"}
    assert turns <= set(regular)


def test_the_merciless_fires_at_what_is_open_unless_orders_forbid_it():
    open_side = Arena(BotState(200, 500, 0, 100, False, 9), BotState(800, 500, 90, 100, False, 0))
    for style, command in (("camp", "B"), ("dodge", "B"), ("hold_fire", "other"), ("idle", None)):
        reading = Reading(dict.fromkeys(STYLES, 0.0) | {style: 1.0})
        given = Tactician(level="merciless").play(view(open_side, Random(1)), reading).command
        assert given != "B" if command == "other" else given == command


def won(level, games=12):
    """Games a turtle of this level wins against a regular sharpshooter, the same starts for every level."""
    turtle, wins = scripted.at_level(scripted.turtle, level), 0
    for seed, arena in enumerate(arenas(games)):
        rng, play = Random(seed), 0
        while play < 108 and min(arena.left.health, arena.right.health) > 0:
            seat = play % 2
            clock = BotClock(1, 1, 1 + play // 2, 3, 18, None, rng)
            token = (turtle if seat else scripted.sharpshooter)(*BotView.pair(arena, seat, COUCH), clock)
            arena, _ = step(arena, seat, parse(token), COUCH)
            play += 1
        wins += arena.right.health > arena.left.health
    return wins


def test_a_merciless_character_is_better_than_a_rookie():
    assert scripted.at_level(scripted.turtle, "regular") is scripted.turtle
    assert won("merciless") >= won("rookie") + 4
