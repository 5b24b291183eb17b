"""A game's records become the figures that the pages between rounds and after the game show."""

from __future__ import annotations

from random import Random

import pytest
from fakes import FAILED, aim, eventful, played

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.view.statistics import joined, report

DUEL = Rules(initial_health=(40, 20), bullet_damage=(10, 10), initial_shield=False, total_rounds=1, turns_per_round=4)


def duel():
    """Left turns to the right bot, fires twice and wins; right steps forward once."""
    return played([aim, "B", aim, "B"], ["S0", "M", "S0", "S0"][: 4 - _left_first()], rules=DUEL, seed=1)


def _left_first() -> int:
    """Whether left acts first under seed 1: then right is not asked any more after the knock-out."""
    stream = Random("1/1")
    game_rules.start(stream, DUEL)
    return int(game_rules.acting_order(stream) == (0, 1))


def test_the_curves_of_several_games_are_joined_with_their_marks():
    one = report(duel())
    both = joined([one, None, one])
    assert both.curve == one.curve * 2
    assert both.starts == (0, len(one.curve))
    assert [mark.at for mark in both.marks] == [
        *(mark.at for mark in one.marks), *(mark.at + len(one.curve) for mark in one.marks)
    ]  # fmt: skip
    assert joined([None, one]) is one
    assert joined([]) is None


def test_before_a_game_there_is_nothing_to_report():
    assert report([]) is None


def test_the_figures_of_a_knock_out():
    told = report(duel())
    left, right = told.seats
    assert (left.shots, left.hits, left.damage) == (2, 2, 20)
    assert left.accuracy == 1.0
    assert (right.shots, right.accuracy) == (0, None)
    assert right.health == 0.0
    assert right.steps == pytest.approx(1.0)
    assert told.result.winner == 0
    assert [mark.kind for mark in told.marks if mark.bot == 1] == ["hit", "hit", "knockout"]


def test_the_curve_is_both_healths_as_shares_before_the_first_and_after_every_play():
    records = duel()
    told = report(records)
    plays = [record for record in records if isinstance(record, Play)]
    assert len(told.curve) == len(plays) + 1
    assert told.curve[0] == (1.0, 1.0)
    assert told.curve[-1] == (1.0, 0.0)
    hits = [mark.at for mark in told.marks if mark.kind == "hit"]
    assert all(told.curve[at][1] < told.curve[at - 1][1] for at in hits)


def test_one_round_alone_counts_only_what_happened_in_it():
    records = eventful()
    told, first = report(records), report(records, only_round=1)
    assert first.turns <= told.turns
    assert len(first.seats[0].latencies) <= len(told.seats[0].latencies)
    assert first.rounds >= 1
    assert first.starts == (0,)


def test_fumbles_latencies_and_tokens_are_kept_per_seat():
    rich = Decision("M", "M", tokens={"prompt": 100, "completion": 7})
    queued = Decision("", "M", queued_from=1)
    told = report(played([rich, queued, "nonsense"], ["M", FAILED, "M"], rules=DUEL_SHORT))
    left, right = told.seats
    assert left.tokens == {"prompt": 100, "completion": 7}
    assert len(left.latencies) == 2  # a play from the queue was not asked for
    assert (left.fumbles, right.fumbles) == (1, 1)
    assert (right.median_s, right.longest_s) == (0.125, 0.5)


DUEL_SHORT = Rules(initial_shield=True, total_rounds=1, turns_per_round=3)


def test_several_games_report_the_last_one():
    records = eventful()
    assert report(records).game == [record.game for record in records if isinstance(record, GameStarted)][-1]
