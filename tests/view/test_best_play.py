"""The best play as it is drawn, and what is said of plays and of where a game tipped."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import plays
from plays import COUCH, bot, game

from batllm_arcade.analysis.game import Judgement, judgements
from batllm_arcade.analysis.tipping import doubtful, first_to_know, tipped
from batllm_arcade.core.model import Arena
from batllm_arcade.view.reading_words import judged
from batllm_arcade.view.telegraph.person_turn import best_play

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


def test_words_say_what_a_play_lost():
    play = plays(game("A C120"))[0]
    found = Judgement(0, "C120", 0.2, "M", 0.6, 0.4, "??")
    assert judged(play, found, COUCH) == "?? blue turns right 120\u00b0, 40 points lost; best: step ahead"


def tip_of(*commands, bots, loss=0.0, rules=COUCH):
    """The index of the play at which a game tipped, None where no play decided it."""
    some = plays(game(*commands, bots=bots, rules=rules))
    tip = tipped(some, [Judgement(each.bot, "B", 0.5, "M", 0.5, loss, "") for each in some], rules)
    return None if tip is None else tip.play


FACED = (bot(200, 0), bot(800, 180))


@pytest.mark.parametrize(
    ("commands", "bots", "index"),
    [
        (["A B", "B B"], FACED, None),
        (["A B", "B C100", "A B", "B M", "A C5", "B M"], FACED, 1),
        (["A M", "B S0", "A B"], (bot(200, 0, health=12), bot(800, 180, True, health=12)), 1),
        (["A B", "B M"], FACED, 0),
        (["B M", "A S1", "A S0", "A B", "A B"], FACED, 4),
    ],
)
def test_a_game_tips_at_the_loser_s_play_before_the_gravest_hit(commands, bots, index):
    assert tip_of(*commands, bots=bots, loss=0.1) == index


@pytest.mark.parametrize(
    ("first", "chances", "index"),
    [("A S1", (0.4, 0.02, 0.02, 0.02), 0), ("A S1", (0.5, 0.5, 0.5, 0.1), 2)],
)
def test_a_game_tips_where_the_chance_falls_though_no_hit_follows(first, chances, index):
    some = plays(game(first, "B M", "A S0", "B B", bots=FACED))
    found = [Judgement(each.bot, "B", chance, "M", 0.6, 0.1, "") for each, chance in zip(some, chances, strict=True)]
    assert tipped(some, found, COUCH).play == index


def test_what_was_lost_before_the_loser_was_ahead_again_did_not_decide_it():
    turned = (bot(200, 100), bot(800, 180))
    early = ["B B", "A C260", "B C100", "A B", "B C260", "A B", "B C5", "A B"]
    assert tip_of(*early, bots=turned) == 2  # 24 at once, and 12 and 12 behind it
    some = plays(game("B B", "A B", bots=turned))
    assert tipped(some, [Judgement(each.bot, "B", 0.5, "M", 0.5, 0.0, "") for each in some], COUCH).hit == 0
    assert tipped([], [], COUCH) is None


def test_what_was_lost_before_the_loser_drew_level_again_did_not_decide_it():
    plays = ["A B", "B C90", "A S0", "B B", "A S0", "B B", "A B"]
    assert tip_of(*plays, bots=(bot(200, 0), bot(800, 90))) == 5  # answered by 12 from 76:76, not the 24 at first


def test_no_chance_from_before_the_first_to_know_says_where_a_game_tipped():
    some = plays(
        game("B B", "A C260", "B C100", "A B", "B C260", "A B", "B C5", "A B", bots=(bot(200, 100), bot(800, 180)))
    )
    first = first_to_know(some, COUCH)
    for at, told_apart in ((first - 1, 1), (first, 2)):
        chances = [[chance if each == at else 0.5 for each in range(len(some))] for chance in (0.0, 1.0)]
        found = [
            [Judgement(each.bot, "", left, "", left, 0.0, "") for each, left in zip(some, row, strict=True)]
            for row in chances
        ]
        assert len({tipped(some, judged, COUCH) for judged in found}) == told_apart
    assert first_to_know([], COUCH) == 0


@pytest.mark.parametrize(
    ("chances", "losses", "judged"),
    [
        ((0.45, 0.4, 0.4, 0.3), {2: 0.0, 0: 0.1}, [2, 0]),  # either may have lost the most of what was left to win
        ((0.45, 0.4, 0.4, 0.3), {2: 0.6}, [2]),  # the other one had no more than 0.55 to lose
        ((0.9, 0.9, 0.9, 0.0), {}, []),  # nothing left to win can outweigh that
        ((0.0, 0.9, 0.95, 0.95), {0: 0.3}, [0]),
        ((1.0, 0.5, 0.0, 0.9), {2: 0.0, 0: 0.0}, [2, 0]),  # without a loss none would be said to tip it
    ],
)
def test_plays_whose_loss_may_tell_where_a_game_tipped_are_looked_at_and_no_others(chances, losses, judged):
    some, seen = plays(game("A S1", "B M", "A S0", "B B", bots=FACED)), []
    found = [Judgement(each.bot, "", chance, "", chance, 0.0, "") for each, chance in zip(some, chances, strict=True)]
    while (at := doubtful(some, found, COUCH, seen)) is not None:
        seen.append(at)
        found[at] = replace(found[at], loss=losses[at])
    assert seen == judged
    assert doubtful(some[:3], found[:3], COUCH) is None


@pytest.mark.parametrize("values", [{}, {"plays": [{}]}, {"plays": 3}, {"plays": [{"best": [], "chance": []}]}])
def test_values_that_are_no_analysis_are_refused(values):
    with pytest.raises(ValueError, match="no analysis"):
        judgements(values)
