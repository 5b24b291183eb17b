"""A series: who leads, when it is won, and that it is kept in the session and shown by whoever plays it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fakes import aim, played, session_values, written

from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, GameStarted, SessionStarted
from batllm_arcade.match.series import Series, SeriesScore, score_text
from batllm_arcade.view.timeline import Timeline

LEFT, RIGHT, DRAW = Result(0, "knockout"), Result(1, "points"), Result(None, "draw")
NAMES = ("Human", "SmolLM2")


def after(series: Series, *results: Result) -> Series:
    for result in results:
        series = series.after(result)
    return series


@pytest.mark.parametrize(
    ("best_of", "results", "words"),
    [
        (5, (), "HUMAN 0 : 0 SMOLLM2, first to 3"),
        (5, (RIGHT, LEFT, RIGHT), "HUMAN 1 : 2 SMOLLM2, first to 3"),
        (3, (RIGHT, DRAW, Result(None, "aborted"), RIGHT), "HUMAN 0 : 2 SMOLLM2, SMOLLM2 wins the series"),
        (3, (LEFT, LEFT, RIGHT), "HUMAN 2 : 0 SMOLLM2, HUMAN wins the series"),
        (7, (LEFT,), "HUMAN 1 : 0 SMOLLM2, first to 4"),
        (1, (LEFT,), ""),
        (None, (), ""),
        (None, (LEFT,) * 9, "HUMAN 9 : 0 SMOLLM2"),
    ],
)
def test_the_score_is_told_and_draws_count_for_nobody(best_of, results, words):
    assert score_text(after(Series(best_of), *results), NAMES) == words


def test_after_a_series_the_next_one_begins_from_nothing():
    assert after(Series(3), LEFT).next().wins == (1, 0)
    assert after(Series(3), LEFT, LEFT).next() == Series(3)


def test_who_changes_places_keeps_what_they_won_and_others_begin_anew():
    assert Series(5, (2, 0)).swapped() == Series(5, (0, 2))
    score = SeriesScore(Series(7))
    for names, result, wins in (
        (NAMES, LEFT, (1, 0)), (NAMES, LEFT, (2, 0)), (NAMES[::-1], LEFT, (1, 2)), (NAMES, RIGHT, (2, 2)),
        (NAMES, LEFT, (3, 2)), (("Human", "turtle"), LEFT, (1, 0)),
    ):  # fmt: skip
        score.begin_game(names)
        score.end_game(result)
        assert score.series.wins == wins


def match(series: Series | None):
    """Three games that left wins, two turns each."""
    rules = Rules(initial_shield=False, initial_health=(20, 5), total_rounds=1, turns_per_round=2)
    records = played([aim, "B"] * 3, ["M"] * _right_plays(rules), rules=rules, games=3)
    return [replace(each, series=series) if isinstance(each, SessionStarted) else each for each in records]


def _right_plays(rules: Rules) -> int:
    from batllm_arcade.core.rules import acting_order, start
    from batllm_arcade.core.streams import game_stream

    plays = 0
    for game in (1, 2, 3):
        stream = game_stream(1, game)
        start(stream, rules)
        plays += 1 if acting_order(stream) == (0, 1) else 2
    return plays


@pytest.mark.parametrize("series", [Series(3), Series(None), None])
def test_a_series_is_kept_in_the_session_replayed_and_shown(series, tmp_path: Path):
    records = match(series)
    values = session_values(records)
    assert values.get("series", "none") == ("none" if series is None else {"best_of": series.best_of})
    session = read(written(records, tmp_path / "a.json"))
    assert session.series == series
    assert list(replay(session)) == records
    assert not list(verify(session))
    timeline = Timeline.of(replay(session))
    shown = [each.board.score for each in timeline.segments if isinstance(each.record, GameEnded)]
    assert (
        shown
        == {
            None: ["", "", ""],
            Series(3): [
                "LEFT 1 : 0 RIGHT, first to 2",
                "LEFT 2 : 0 RIGHT, LEFT wins the series",
                "LEFT 1 : 0 RIGHT, first to 2",
            ],
            Series(None): ["LEFT 1 : 0 RIGHT", "LEFT 2 : 0 RIGHT", "LEFT 3 : 0 RIGHT"],
        }[series]
    )


def test_a_series_that_begins_with_a_later_game_is_kept_there(tmp_path: Path):
    records = [
        replace(each, series=Series(7)) if isinstance(each, GameStarted) and each.game == 2 else each
        for each in match(Series(3))
    ]
    games = session_values(records)["games"]
    assert [game.get("series", "none") for game in games] == ["none", {"best_of": 7}, "none"]
    session = read(written(records, tmp_path / "a.json"))
    assert list(replay(session)) == records
    assert not list(verify(session))
    shown = [each.board.score for each in Timeline.of(records).segments if isinstance(each.record, GameEnded)]
    assert shown == [f"LEFT {won} : 0 RIGHT, first to {most}" for won, most in ((1, 2), (1, 4), (2, 4))]


@pytest.mark.parametrize("wrong", [{"best_of": 4}, {"best_of": "3"}, {"best_of": True}, {}, 3, None])
def test_a_series_that_is_none_is_refused(wrong):
    values = {**session_values(match(None)), "series": wrong}
    with pytest.raises(HistoryError, match=r"best_of|series"):
        session_of(values)
