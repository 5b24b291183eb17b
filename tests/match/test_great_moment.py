"""A seat's best moment is the rarest of what it did, and true."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plays import ANN, BOB, COUCH, FACED, bot, game

from batllm_arcade.core.model import BotState
from batllm_arcade.match.records import Play, RoundStarted
from batllm_arcade.view.statistics import report

NEAR = (bot(400, 0), bot(560, 180))
BACK = (bot(400, 0), bot(560, 0))
BELOW = (bot(200, 90), BotState(800, 380, 90, 100, False, 9))
"""Bob steps down into the line that Ann turns to; there she strikes its side."""


def best(*commands, who=ANN, bots=FACED, rules=COUCH):
    """What is told of somebody's best moment in a game of these plays."""
    records = game(*commands, bots=bots, rules=rules)
    start = RoundStarted(1, 1, (0, 1), records[0].arena, ("", ""), False, False, ("", ""))
    return report([records[0], start, *records[1:]]).seats[who].best


@pytest.mark.parametrize(
    ("commands", "bots", "words"),
    [
        (("A B",), NEAR, ""),
        (("A B",), (bot(300, 0), bot(800, 180)), "hit it from a good distance in round 1, turn 1"),
        (("A B",), (bot(60, 0), bot(940, 180)), "hit it from right across the arena in round 1, turn 1"),
        (("A B",), BACK, "hit it in the back in round 1, turn 1"),
        (("A A90", "B M", "A B"), BELOW, "hit it where it would step in round 1, turn 3"),
        (("A A90", "B M", "A B"), (BELOW[0], BotState(700, 575, 315, 100, False, 9)),
         "hit it where it would step, in the back in round 1, turn 3"),
    ],
)  # fmt: skip
def test_what_a_hit_was(commands, bots, words):
    assert best(*commands, bots=bots) == words


def test_a_shot_off_the_wall_is_rarer_than_one_in_the_back():
    bounces = replace(COUCH, ricochet=1, bounce_cap=1)
    bots = (bot(200, 300.96), bot(800, 0))
    assert best("A B", bots=bots, rules=bounces).startswith("hit it off the wall")
    assert best("A B", "A C59", "A B", bots=bots, rules=bounces).startswith("hit it off the wall")


def test_the_rarer_of_two_is_told_whichever_came_first():
    assert best("A B", "B C180", "A B", bots=BACK) == "hit it in the back in round 1, turn 1"
    assert best("A B", "B C180", "A B", bots=NEAR) == "hit it in the back in round 1, turn 3"
    led = ("A A90", "B M", "A B", "B C270", "A B")
    assert best(*led, bots=BELOW) == "hit it where it would step in round 1, turn 3"


def test_a_knock_out_is_the_best_where_no_hit_was_rare():
    weak = replace(NEAR[1], health=10)
    assert best("A B", bots=(NEAR[0], weak)) == "the knock-out in round 1, turn 1"
    assert best("A B", "B C180", "A B", bots=(BACK[0], replace(BACK[1], health=40))) == (
        "hit it in the back in round 1, turn 1"
    )
    assert best("A B", bots=(BACK[0], replace(BACK[1], health=20))) == "the knock-out in the back in round 1, turn 1"


@pytest.mark.parametrize(
    "commands",
    [
        ("B M", "A A90", "A B"),  # it stood there already
        ("A A80", "A A10", "A B"),  # the gun met it before it moved
        ("A A90", "A M", "B M", "A B"),  # no gun waited: Ann walked
    ],
)
def test_a_hit_that_did_not_wait_for_a_step_was_not_led(commands):
    assert "would step" not in best(*commands, bots=(BELOW[0], replace(BELOW[1], y=400)))


def test_a_shield_that_blocks_and_one_that_breaks():
    assert best("B S1", "A B", who=BOB, bots=NEAR) == "blocked a shot in round 1, turn 2"
    empty = (NEAR[0], replace(NEAR[1], charge=2))
    assert best("B S1", "A B", bots=empty) == "broke its shield in round 1, turn 2"
    last = replace(empty[1], health=10)
    assert best("B S1", "A B", "A B", bots=(NEAR[0], last)) == "broke its shield in round 1, turn 2"


def test_turns_of_another_round_do_not_count():
    records = game("A A90", "B M", "A B", bots=BELOW)
    rounds = [RoundStarted(1, n, (0, 1), records[0].arena, ("", ""), False, False, ("", "")) for n in (1, 2)]
    first, *others = (record for record in records if isinstance(record, Play))
    later = [replace(play, round=2) for play in others]
    told = report([records[0], rounds[0], first, rounds[1], *later, records[-1]])
    assert told.seats[ANN].best == "hit it from a good distance in round 2, turn 3"
