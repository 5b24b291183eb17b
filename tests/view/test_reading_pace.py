"""A watched match waits for new words as long as they take to read, and for nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plays import game

from batllm_arcade.view.play_words import PLAY_S, ReadingPace

PLAYS = game("A C0", "B C0")[1:3]
ASIDE = "I step aside before it fires again"


def play(thought, bot=0):
    return replace(PLAYS[bot], decision=replace(PLAYS[bot].decision, thought=thought))


@pytest.mark.parametrize(("thought", "seconds"), [("", 0), ("Closer!", 0.9 - PLAY_S), (ASIDE, 2.1 - PLAY_S)])
def test_new_words_get_the_time_that_reading_them_takes(thought, seconds):
    assert ReadingPace().lead(play(thought), waits=True) == pytest.approx(seconds)


def test_nobody_is_made_to_wait_who_plays_or_wants_it_faster():
    assert ReadingPace().lead(play(ASIDE), waits=False) == 0.0


def test_words_are_waited_for_once_while_they_are_remembered():
    pace, fire = ReadingPace(), "Now I fire"
    said = [(ASIDE, 0), (ASIDE, 0), (ASIDE, 1), (fire, 0), (ASIDE, 0), ("I wait", 0), ("I turn", 0), (ASIDE, 0)]
    waits = [pace.lead(play(words, bot), waits=True) > 0 for words, bot in said]
    assert waits == [True, False, True, True, False, True, True, True]
