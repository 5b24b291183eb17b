"""What orders say outright is kept by every command, and fought as it says."""

from __future__ import annotations

from random import Random

import pytest

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import View
from batllm_arcade.brains.styles import WAYS
from batllm_arcade.brains.tactician import FIRST, Tactician
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import start, step
from batllm_arcade.settings import config

ARENA, COUCH = config.load("arena").rules, config.load("couch").rules


def read(style="attack", *rules, then=None):
    return Reading({each: float(each == style) for each in STYLES}, rules=rules, then=then)


def view(arena, rng, rules, turn=2, prompt="go"):
    return View(
        seat=0, rules=rules, game=1, round=1, turn=turn, number=2 * turn - 1, acting_order=(0, 1), prompts=(prompt, ""),
        arena=arena, initial=arena, rng=rng,
    )  # fmt: skip


def played(reading, rules=ARENA, seeds=(1, 2), plays=30):
    """What is played against a foe that turns about with its shield up half of the time, with both bots before it."""
    given = []
    for seed in seeds:
        arena, rng, tactician = start(Random(seed), rules), Random(seed), Tactician()
        for turn in range(1, plays + 1):
            me, foe = BotView.pair(arena, 0, rules)
            play = tactician.play(view(arena, rng, rules, turn), reading)
            given.append((play, me, foe))
            arena, _ = step(arena, 0, parse(play.command), rules)
            right, left = BotView.pair(arena, 1, rules)
            answer = "B" if right.menaces(left) else "S1" if turn % 6 == 0 else "S0" if turn % 6 == 3 else "C50"
            arena, _ = step(arena, 1, parse(answer), rules)
            if min(arena.left.health, arena.right.health) <= 0:
                break
    return given


BROKEN = {
    "stand": lambda command, me, foe: command in ("M", me.back),
    "no_shield": lambda command, me, foe: command == "S1",
    "open": lambda command, me, foe: command == "B" and foe.is_shielded_from(me) and me.faces(foe),
    "spare": lambda command, me, foe: command == "B" and foe.menaces(me) and me.strikes(foe) == "front",
}


@pytest.mark.parametrize("rule", BROKEN)
@pytest.mark.parametrize("style", ["attack", "charge", "shield", "retreat", "snipe", "counter"])
def test_no_command_of_any_style_breaks_what_was_said(rule, style):
    given = played(read(style, rule))
    assert not any(BROKEN[rule](play.command, me, foe) for play, me, foe in given)
    if style == "attack":
        assert any(play.command == "B" for play, _, _ in given)


def test_going_round_it_finds_sides_and_backs():
    shots = [(me, foe) for play, me, foe in played(read("charge", "flank"), seeds=range(4)) if play.command == "B"]
    bare = [me.strikes(foe) != "front" for me, foe in shots]
    assert sum(bare) > 0.6 * len(bare) > 3


def test_off_the_walls_bullets_bounce_and_where_they_cannot_it_says_so():
    shots = [me.strike(foe).off_wall for play, me, foe in played(read("attack", "bank")) if play.command == "B"]
    assert sum(shots) > 0.7 * len(shots) > 1
    told = {play.command: play.why for play, _, _ in played(read("attack", "bank"), COUCH)}
    assert told["B"] == "walls stop bullets, firing straight"
    assert all(why.startswith("walls stop bullets, ") for why in told.values())


def test_a_way_is_named_and_hiding_stays_hiding():
    play = played(read("attack", "flank"))[0][0]
    assert (play.style, play.sentence.partition(":")[0]) == ("flank", WAYS["flank"])
    assert play.thought.startswith("flank 1.00 · attack 1.00 — going round it: ")
    assert played(read("camp", "flank"))[0][0].style == "camp"


def test_the_first_thing_lasts_some_plays_and_begins_again_with_new_orders():
    tactician, arena = (
        Tactician(),
        Arena(BotState(300.0, 500.0, 0.0, 100.0, False, 9), BotState(800, 500, 0, 100, True)),
    )
    first = read("idle", then=read("retreat"))
    styles = [tactician.play(view(arena, Random(1), ARENA), first).style for _ in range(FIRST + 3)]
    assert styles == ["idle"] * FIRST + ["retreat"] * 3
    assert tactician.play(view(arena, Random(1), ARENA, prompt="again"), first).style == "idle"


def given(reading, me, foe, rules=COUCH):
    """The command of one play between two bots as they stand."""
    return Tactician().play(view(Arena(me, foe), Random(1), rules), reading)


def test_a_shield_that_a_full_gun_would_hammer_is_left_alone():
    me, foe = BotState(300, 500, 0, 100, False, 9), BotState(700, 500, 180, 100, True, 9)
    assert given(read("attack"), me, foe).command == "B"
    assert given(read("attack", "open"), me, foe).command is None


def test_who_stands_beside_it_takes_aim():
    me, foe = BotState(500, 300, 0, 100, False, 6), BotState(500, 700, 180, 100, False, 6)
    play = given(read("attack", "flank"), me, foe)
    assert (play.command, play.why) == ("C90", "at its side, taking aim")
