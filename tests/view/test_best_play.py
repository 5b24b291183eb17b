"""The best play as it is drawn, and what is said of plays and of where a game tipped."""

from __future__ import annotations

import pytest
from fakes import eventful, plays
from plays import COUCH, bot

from batllm_arcade.analysis.judgement import Judgement, judgements, tipping
from batllm_arcade.core.model import Arena
from batllm_arcade.view.telegraph.best_play import best_play
from batllm_arcade.view.words.judged_words import NOBODY, judged, tipping_sentence

ARENA = Arena(bot(300, 0, charge=9), bot(700, 90))


@pytest.mark.parametrize(
    ("token", "words", "corners", "stays"),
    [
        ("M", "best: step ahead, +18", 2, False),
        ("C45", "best: turn right 45\u00b0, +18", 2, False),
        ("B", "best: fire, +18", 2, True),
        ("S1", "best: raise the shield, +18", 0, True),
        ("ERR", "best: wait, +18", 0, True),
    ],
)
def test_a_best_play_is_a_ghost_an_arrow_and_words(token, words, corners, stays):
    best = best_play(ARENA, 0, token, 18, COUCH)
    assert (best.words, len(best.path), best.stays) == (words, corners, stays)
    assert best.shield == (token == "S1")


def test_the_ghost_of_a_step_stands_where_the_step_ends_and_its_arrow_points_there():
    best = best_play(ARENA, 0, "M", None, COUCH)
    assert best.ghost.x == 300 + COUCH.step_length
    assert best.path[0] == (300, ARENA.left.y)
    assert best.path[1][0] > best.ghost.x + COUCH.bot_radius
    assert best.words == "best: step ahead"


def test_words_say_what_a_play_lost_and_where_the_game_tipped():
    some = plays(eventful())[:3]
    found = [Judgement(each.bot, "B", 0.5, "M", 0.5, 0.0, "") for each in some]
    assert tipping_sentence(some, found, ("Ann", "Bob"), COUCH) == (NOBODY, None)
    bot_ = some[1].bot
    left = 0.2 if bot_ == 0 else 0.8
    found[1] = Judgement(bot_, "B", left, "M", 0.6 if bot_ == 0 else 0.4, 0.4, "??")
    found[2] = Judgement(1 - bot_, "B", left, "M", left, 0.0, "")
    words, index = tipping_sentence(some, found, ("Ann", "Bob"), COUCH)
    assert index == tipping(found) == 1
    who = ("Ann", "Bob")[bot_]
    assert words.startswith(f"It tipped in round {some[1].round}, turn {some[1].turn}: {who} ")
    assert words.endswith("60% to win became 20%; best was to step ahead.")
    assert judged(some[1], found[1], COUCH).endswith("40 points lost; best: step ahead")


def judgement(bot_, chance, loss):
    return Judgement(bot_, "B", chance, "M", 0.5, loss, "")


@pytest.mark.parametrize(
    ("plays_", "index"),
    [
        ([], None),
        ([judgement(0, 0.4, 0.04)], None),
        ([judgement(0, 0.1, 0.4), judgement(1, 0.6, 0.3), judgement(0, 0.3, 0.2), judgement(1, 0.1, 0.0)], 2),
        ([judgement(0, 0.1, 0.4), judgement(1, 0.6, 0.3), judgement(0, 0.4, 0.05), judgement(1, 0.1, 0.3)], 2),
        ([judgement(0, 0.3, 0.2), judgement(1, 0.5, 0.3), judgement(0, 0.5, 0.0)], None),
    ],
)
def test_a_game_tips_at_the_gravest_play_after_which_the_winner_was_never_behind_again(plays_, index):
    assert tipping(plays_) == index


@pytest.mark.parametrize("values", [{}, {"plays": [{}]}, {"plays": 3}, {"plays": [{"best": [], "chance": []}]}])
def test_values_that_are_no_analysis_are_refused(values):
    with pytest.raises(ValueError, match="no analysis"):
        judgements(values)
