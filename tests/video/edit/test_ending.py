"""What stands over the arena at the end of a page: who won, and the score, of a game and of several."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import played

from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import GameEnded, GameStarted, Record
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit.cards import ending, standings
from batllm_arcade.view.timeline import Timeline

LEFT, RIGHT, DRAW = Result(0, "knockout"), Result(1, "points"), Result(None, "draw")
ANN, BOB, EVE = "Ann", "Bob", "Eve"


def shown(*games: tuple[str, str, Result | None]) -> dict:
    """The ending of games between these two, left first, with these results (None: the end is not shown)."""
    rules = Rules(total_rounds=1, turns_per_round=1)
    moves = ["M"] * len(games)
    records, number = list[Record](), -1
    for record in played(moves, moves, rules=rules, games=len(games)):
        if isinstance(record, GameStarted):
            number += 1
            seats = tuple(replace(seat, name=name) for seat, name in zip(record.seats, games[number][:2], strict=True))
            record = replace(record, seats=seats)
        if isinstance(record, GameEnded):
            result = games[number][2]
            if result is None:
                break
            record = replace(record, result=result)
        records.append(record)
    return ending(Timeline.of(records).segments, games[-1][:2])


def test_each_game_of_a_series_has_its_number_and_what_was_won_before_it():
    rules = Rules(total_rounds=1, turns_per_round=1)
    results, records = iter((LEFT, DRAW, RIGHT)), []
    for record in played(["M"] * 3, ["M"] * 3, rules=rules, games=3):
        records.append(replace(record, result=next(results)) if isinstance(record, GameEnded) else record)
    told = standings(Timeline.of(records))
    before = {(1, False): "GAME 1   0 : 0", (2, False): "GAME 2   1 : 0", (3, False): "GAME 3   1 : 0"}
    after = {(1, True): "GAME 1   1 : 0", (2, True): "GAME 2   1 : 0", (3, True): "GAME 3   1 : 1"}
    assert told == before | after
    assert standings(Timeline.of(played(["M"], ["M"], rules=rules))) == {}


@pytest.mark.parametrize(
    ("games", "winner", "bot", "score", "of"),
    [
        ([(ANN, BOB, LEFT)], ANN, 0, [100, 100], "health"),
        ([(ANN, ANN, RIGHT)], "Orange", 1, [100, 100], "health"),
        ([(ANN, BOB, DRAW)], "Nobody", None, [100, 100], "health"),
        ([(ANN, BOB, None)], "", None, [100, 100], "health"),
        ([(ANN, BOB, LEFT), (ANN, BOB, RIGHT), (ANN, BOB, LEFT)], ANN, 0, [2, 1], "games"),
        ([(ANN, BOB, LEFT), (ANN, BOB, DRAW)], ANN, 0, [1, 0], "games"),
        ([(ANN, BOB, LEFT), (ANN, BOB, RIGHT)], "Nobody", None, [1, 1], "games"),
        ([(ANN, BOB, LEFT), (BOB, ANN, LEFT)], "Nobody", None, [1, 1], "games"),
        ([(ANN, BOB, LEFT), (BOB, ANN, RIGHT)], ANN, 1, [0, 2], "games"),
        ([(ANN, BOB, LEFT), (ANN, BOB, LEFT), (ANN, EVE, RIGHT)], EVE, 1, [100, 100], "health"),
    ],
)
def test_the_end_says_who_won_and_the_score_of_the_game_or_of_the_games(games, winner, bot, score, of):
    found = shown(*games)
    title = say("wins", winner=winner) if winner else say("unfinished")
    assert [found[name] for name in ("title", "bot", "score", "of")] == [title, bot, score, of]


def test_the_end_says_why_the_game_ended_so_and_nothing_where_it_goes_on():
    assert shown((ANN, BOB, DRAW))["decided"].endswith(".")
    assert shown((ANN, BOB, None))["decided"] == ""
    assert shown((ANN, BOB, LEFT), (ANN, BOB, DRAW))["decided"].count("100\u2013100") == 2
