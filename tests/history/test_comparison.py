"""Where two sessions part."""

from __future__ import annotations

import json

import pytest
from fakes import played, session_values, written

from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.history.comparison import compare
from batllm_arcade.history.reader import session_of

TWO = Rules(total_rounds=2, turns_per_round=2)


def match(left="MMMM", right="SSSS", **how):
    return played(list(left), list(right), **{"rules": TWO, "seed": 5, **how})


def tape(*given, **how):
    return session_of(session_values(match(*given, **how)))


@pytest.mark.parametrize(
    ("left", "place", "differs"),
    [
        ("MMMM", None, ()),
        ("MSMM", (1, 2), ("llm_response", "cmd", "post_state")),
        ("MM?M", (2, 1), ("llm_response", "cmd", "status", "post_state")),
        ("MMmM", (2, 1), ("llm_response",)),
    ],
)
def test_the_first_play_that_differs_is_found(left, place, differs):
    (game,) = compare(tape(), tape(left))
    if place is None:
        assert (game.equal, game.same, game.parting) == (True, 8, None)
    else:
        found = game.parting
        assert (found.one.round.number, found.one.play.turn, found.differs) == (*place, differs)
        assert not game.equal


def test_other_rules_another_seed_and_other_orders_are_differences_too():
    (game,) = compare(tape(), tape(seed=6))
    assert (game.start, game.same) == (("initial_state",), 0)
    (game,) = compare(tape(), tape(rules=Rules(total_rounds=2, turns_per_round=2, step_length=40)))
    assert "rules" in game.start
    (game,) = compare(tape(), tape(prompts=("win", "")))
    assert game.parting.differs == ("prompts",)


def test_a_session_that_is_shorter_ends_where_the_other_goes_on():
    whole = session_values(match())
    cut = json.loads(json.dumps(whole))
    del cut["games"][0]["rounds"][1]["turns"][1:]
    (game,) = compare(session_of(whole), session_of(cut))
    assert (game.same, game.parting.one.play.number, game.parting.other) == (5, 2, None)
    games = compare(tape(), tape("M" * 8, "S" * 8, games=2))
    assert [(game.numbers, game.equal) for game in games] == [((1, 1), True), ((None, 2), False)]


def test_a_fork_is_compared_with_the_game_it_comes_from():
    two = session_values(match("M" * 8, "S" * 8, games=2))
    fork = session_values(match("M" * 8, "S" * 8, games=2))
    fork["session_start"], fork["games"] = "2031-01-01T00:00:00Z", fork["games"][1:]
    fork["games"][0] |= {
        "game_number": 1,
        "forked_from": {"session_start": two["session_start"], "game_number": 2, "round_number": 1, "turn": 1},
    }
    for pair in ((two, fork), (fork, two)):
        (game,) = compare(*map(session_of, pair))
        assert game.equal
        assert sorted(game.numbers) == [1, 2]


def test_the_command_prints_a_table_or_one_object(tmp_path, capsys):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    written(match(), one)
    written(match("MSMM"), other)
    assert main(["compare", str(one), str(one)]) == 0
    assert capsys.readouterr().out == "game 1: the same in all 8 plays\n"
    assert main(["compare", str(one), str(other)]) == 1
    printed = capsys.readouterr().out
    assert "they part in round 1, turn 2 (left)" in printed
    assert [line.split() for line in printed.splitlines() if "command" in line] == [["command", "M", "S", "*"]]
    assert "one.json ended: draw" in printed
    assert main(["compare", str(one), str(other), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (game,) = found["games"]
    assert (found["equal"], game["game_number"], game["results"][0]) == (
        False, [1, 1], {"winner": None, "reason": "draw"},
    )  # fmt: skip
    first = game["first"]
    assert (first["a"]["cmd"], first["b"]["cmd"], first["order"]) == ("M", "S", 0)
    assert first["a"]["before"] == first["b"]["before"]
    assert first["a"]["after"] != first["b"]["after"]


def test_a_file_that_is_none_is_refused(tmp_path, capsys):
    assert main(["compare", str(tmp_path / "no.json"), str(tmp_path / "no.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
