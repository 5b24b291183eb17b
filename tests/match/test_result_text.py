"""A result has one wording, wherever it is read."""

from __future__ import annotations

import pytest

from batllm_arcade.core.model import Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.result_text import describe_result, explain_result, reason_text, winner_text

RESULTS = [
    (Result(0, "knockout"), "Ann wins by knock-out", "Ann wins", "by knock-out"),
    (Result(1, "points"), "Bob wins on points", "Bob wins", "on points"),
    (Result(1, "forfeit"), "Bob wins by forfeit", "Bob wins", "the other side failed to answer too often"),
    (Result(None, "draw"), "draw", "Nobody wins", "a draw: both kept the same share of health"),
    (Result(None, "aborted"), "abandoned", "Nobody wins", "the game was abandoned"),
]


@pytest.mark.parametrize(("result", "line", "winner", "reason"), RESULTS)
def test_a_result_on_one_line_and_as_a_title_with_its_reason(result, line, winner, reason):
    names = ("Ann", "Bob")
    assert (describe_result(result, names), winner_text(result, names), reason_text(result)) == (line, winner, reason)


def test_two_of_the_same_name_are_told_apart_by_their_seats():
    assert describe_result(Result(1, "points"), ("twin", "twin")) == "twin (right) wins on points"
    assert winner_text(Result(0, "knockout"), ("twin", "twin")) == "twin (left) wins"


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result(0, "knockout"), "Knock-out: Bob has no health left, in round 2 after one turn"),
        (Result(1, "knockout"), "Knock-out: Ann has no health left, in round 2 after one turn"),
        (Result(0, "points"), "On points after the last round: 40 of 80 health to 25 of 100"),
        (Result(1, "forfeit"), "By forfeit: left and its stand-in failed to answer too often"),
        (Result(None, "draw"), "A draw: 40 of 80 health and 25 of 100, the same share"),
        (Result(None, "aborted"), "The game was left before its end"),
    ],
)
def test_a_result_is_explained_with_figures(result, words):
    rules = Rules(initial_health=(80, 100))
    assert explain_result(result, ("Ann", "Bob"), (0.5, 0.25), rules, 2, 1) == words


def test_a_draw_of_equal_starts_says_its_health_once():
    told = explain_result(Result(None, "draw"), ("Ann", "Bob"), (0.76, 0.76), Rules(), 1, 4)
    assert told == f"A draw: {0.76 * Rules().initial_health[0]:g} of {Rules().initial_health[0]:g} health each"


def test_who_fell_is_told_apart_from_a_winner_of_the_same_name():
    told = explain_result(Result(1, "knockout"), ("Ann", "ANN"), (0.5, 0.25), Rules(), 2, 3)
    assert told.startswith("Knock-out: Ann (left) has no health left")
