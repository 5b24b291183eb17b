"""A result has one wording, wherever it is read."""

from __future__ import annotations

import pytest

from batllm_arcade.core.rules import Result
from batllm_arcade.match.series import describe_result, reason_text, winner_text

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
    assert describe_result(Result(1, "points"), ("twin", "twin")) == "twin (orange) wins on points"
    assert winner_text(Result(0, "knockout"), ("twin", "twin")) == "twin (blue) wins"
