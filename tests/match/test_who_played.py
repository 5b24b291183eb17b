"""Who played where seats changed hands, and whom such a game counts for."""

from __future__ import annotations

import pytest
from plays import ANN, BOB, SEATS, bot, game

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import SeatSwapped, counts
from batllm_arcade.match.series import Series, SeriesScore
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

TURTLE = SeatInfo("turtle", "scripted:turtle")


def change(number, seat=TURTLE, why="swap", bot=ANN):
    return SeatSwapped(1, 1, number, bot, seat, why)


def changed(*changes, commands=("A B",)):
    """The records of a game that Ann wins, with these changes of seats behind its first record."""
    first, *rest = game(*commands, bots=(bot(200, 0), bot(800, 180, health=10)))
    return [first, *changes, *rest]


def test_each_change_of_a_seat_is_told_but_not_where_there_are_many():
    def told(*changes):
        return len(report(changed(*changes)).who_played)

    assert told() == 0
    assert told(change(15, why="fallback")) == 1
    assert told(change(5, SEATS[0], "wheel", BOB), change(9, SEATS[1], "wheel", BOB)) == 2
    assert told(*[change(number, why="fallback") for number in (3, 5, 7)]) == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([change(3)], True),
        ([change(3, why="wheel"), change(5, SEATS[0], "wheel")], True),
        ([change(3, bot=BOB)], False),
        ([change(3, why="fallback")], False),
        ([change(3, why="recovered")], False),
    ],
)
def test_a_win_of_a_seat_that_a_person_gave_to_somebody_else_counts_for_nobody(changes, told):
    records = changed(*changes)
    assert len(report(records).who_played) == len(changes) + told
    timeline = Timeline(series=Series(3))
    for record in records:
        timeline.append(record)
    assert timeline.series.wins == ((0, 0) if told else (1, 0))


def test_the_next_game_of_the_series_counts_again():
    score = SeriesScore(Series(5))
    for _ in range(2):
        score.begin_game(("Ann", "Bob"))
        score.end_game(Result(0, "points"))
    score.begin_game(("Ann", "Bob"))
    score.change_seat(0)
    score.end_game(Result(0, "points"))
    assert score.series.wins == (2, 0)
    score.begin_game(("Ann", "Bob"))
    score.end_game(Result(0, "points"))
    assert score.series.wins == (3, 0)


def test_draws_and_abandoned_games_count_for_nobody():
    assert counts(Result(0, "points"), ())
    assert not counts(Result(None, "draw"), ())
    assert not counts(Result(1, "points"), {1})
