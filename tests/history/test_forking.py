"""Forks: a recorded game is played on from any turn of it, and what was played before is taken over as recorded."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from fakes import FAILED, LATE, FakeTable, Sits, aim, played, plays, session_values, swaps
from sessions import every_kind
from turners import LATER, Turners

from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.history import original_import, reader
from batllm_arcade.history.forking import TurnPlace, fork_at, parse_place
from batllm_arcade.history.reader import session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, SessionEnded, SessionStarted
from batllm_arcade.match.runner import MatchPlan


def forked(session, place, *, new=(True, False), prompts=(None, None)):
    """The JSON values of a fork of a session, played to its end."""
    fork = replace(fork_at(session, TurnPlace(*place)), new=new, prompts=prompts)
    plan = MatchPlan(fork.started.rules, fork.started.seed, prompts=fork.orders)
    game = list(runner.records(plan, Turners(), fork))
    return session_values([SessionStarted(plan.seed, LATER, "test"), *game, SessionEnded(LATER)])


def values_of(path):
    values = reader.load(path)
    return original_import.convert(values).session if original_import.is_original(values) else values


def taken(values, game, rounds, turn):
    """The plays of a game up to the end of a turn, as its file holds them."""
    found = [play for entry in values["games"][game - 1]["rounds"][:rounds] for play in entry["turns"]]
    last = values["games"][game - 1]["rounds"][rounds - 1]["turns"]
    return json.dumps(found[: len(found) - len(last) + 2 * turn])


def places(session):
    """Every turn that a session can be played on from."""
    for game in session.games:
        for entry in game.rounds:
            for turn in range(1, len(entry.plays) // 2 + 1):
                play = entry.plays[2 * turn - 1]
                whole = entry.number == game.rules.total_rounds and turn == game.rules.turns_per_round
                over = whole or play.status == "forfeit"
                if not over and min(play.post_state.health, play.opponent_state.health) > 0:
                    yield game.number, entry.number, turn


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    return {name: values_of(path) for name, path in every_kind(tmp_path_factory.mktemp("kinds")).items()}


def test_every_kind_of_session_is_played_on_from_any_turn_and_so_is_its_fork(kinds):
    count, rng = 0, Random(1)
    for name, values in kinds.items():
        session = session_of(values)
        there = list(places(session))
        assert there or name in ("told turn by turn", "armour"), name
        for place in rng.sample(there, min(4, len(there))):
            for new in ((True, rng.random() < 0.5), (False, False)):
                fork = forked(session, place, new=new)
                again = session_of(fork)
                assert [str(each) for each in verify(again)] == [], (name, place, new)
                assert taken(fork, 1, *place[1:]) == taken(values, *place), (name, place)
                count += 1
            count += 1
            further = rng.choice(list(places(again)))
            twice = forked(again, further)
            assert [str(each) for each in verify(session_of(twice))] == [], (name, place, further)
            assert taken(twice, 1, *further[1:]) == taken(fork, 1, *further[1:])
            assert twice["games"][0]["initial_state"] == values["games"][place[0] - 1]["initial_state"]
    assert count >= 200


TWO = Rules(total_rounds=3, turns_per_round=3)


def test_a_fork_says_where_it_comes_from_and_who_is_new_with_which_orders():
    values = session_values(played(["M"] * 18, ["C5"] * 18, rules=TWO, seed=9, games=2, prompts=("win", "hide")))
    fork = forked(session_of(values), (2, 2, 1), new=(True, False), prompts=(None, "run"))
    (game,) = fork["games"]
    assert (game["game_number"], fork["seed"]) == (1, 9)
    assert game["forked_from"] == {
        "session_start": values["session_start"], "game_number": 2, "round_number": 2, "turn": 1,
    }  # fmt: skip
    assert game["seats"] == values["games"][1]["seats"]
    assert [entry["acting_order"] for entry in game["rounds"]] == [
        entry["acting_order"] for entry in values["games"][1]["rounds"]
    ]
    swapped = {swap["order"]: swap for swap in game["rounds"][1]["swaps"]}
    assert (swapped[0]["why"], swapped[0]["brain"], "prompt" in swapped[0]) == ("fork", "fake:left", False)
    assert (swapped[1]["why"], swapped[1]["prompt"]) == ("fork", "run")
    assert {swap["turn_number"] for swap in swapped.values()} == {3, 4}
    assert [entry["prompts"] for entry in game["rounds"]] == [["win", "hide"], ["win", "hide"], ["win", "run"]]
    drawn = Random("9/2/left/2.1").randrange(1, 20)
    first = next(play for play in game["rounds"][1]["turns"][2:] if play["order"] == 0)
    assert first["cmd"] == f"C{drawn}"


def test_orders_given_by_a_fork_hold_for_the_rest_of_the_round_in_its_forks_too():
    values = session_values(played(["M"] * 9, ["C5"] * 9, rules=TWO, seed=9, prompts=("win", "hide")))
    fork = forked(session_of(values), (1, 1, 1), prompts=("", None))
    again = fork_at(session_of(fork), TurnPlace(1, 1, 2))
    assert again.orders == ("", "hide")


@pytest.mark.parametrize(
    ("left", "turn", "why"),
    [
        ([LATE, FAILED, LATE], 3, ["fallback"]),  # nobody has played for it yet
        ([LATE, FAILED], 2, []),
    ],
)
def test_failures_before_a_fork_count_for_a_brain_that_plays_on(left, turn, why):
    records = played([*left, *["M"] * (9 - len(left))] if len(left) < 3 else left, ["C5"] * 9, rules=TWO,
                     fallbacks={0: ["M"] * 6} if len(left) == 3 else None)  # fmt: skip
    session = session_of(session_values(records))
    fork = session_of(forked(session, (1, 1, turn), new=(False, False)))
    assert [swap.why for swap in swaps(replay(fork))] == why
    assert [str(each) for each in verify(fork)] == []


def test_the_seats_of_a_fork_are_those_of_the_moment():
    left = ["M", Sits("a:b"), "M", "M", Sits("keyboard", "wheel"), *["S"] * 6]
    session = session_of(session_values(played(left, ["C5"] * 9, rules=TWO)))
    assert [fork_at(session, TurnPlace(1, 1, turn)).seats[0].brain for turn in (1, 2, 3)] == [
        "fake:left", "a:b", "a:b",
    ]  # fmt: skip
    assert fork_at(session, TurnPlace(1, 2, 1)).seats[0].brain == "keyboard"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ((3, 1, 1), "there is no game 3; the session holds 1"),
        ((1, 4, 1), "there is no round 4; the game has 3"),
        ((1, 1, 4), "there is no turn 4 in round 1; it has 3"),
        ((1, 1, 0), "there is no turn 0"),
        ((1, 3, 3), "the game is over with round 3, turn 3"),
    ],
)
def test_where_nobody_can_play_on_is_said(place, said):
    session = session_of(session_values(played(["M"] * 9, ["C5"] * 9, rules=TWO)))
    with pytest.raises(UsageError, match=said):
        fork_at(session, TurnPlace(*place))


def test_a_knock_out_and_half_a_turn_cannot_be_played_on_from():
    rules = replace(TWO, initial_health=(5, 5), initial_shield=False)
    records = played([aim, "B"], [None, None], rules=rules, seed=2)
    session = session_of(session_values(records))
    last = plays(records)[-1]
    with pytest.raises(UsageError, match=r"the game is over|not played to its end"):
        fork_at(session, TurnPlace(1, last.round, last.turn))


def test_a_forfeit_cannot_be_played_on_from():
    fails = FakeTable(["M", LATE, LATE, LATE], ["S"] * 8, {0: [FAILED] * 3})
    records = list(runner.play(MatchPlan(TWO, 5), fails))
    last = plays(records)[-1]
    assert last.status == "forfeit"
    with pytest.raises(UsageError, match="the game is over"):
        fork_at(session_of(session_values(records)), TurnPlace(1, last.round, last.turn))


def test_a_session_that_does_not_verify_is_not_played_on_from():
    values = session_values(played(["M"] * 9, ["C5"] * 9, rules=TWO))
    values["games"][0]["rounds"][0]["turns"][1]["post_state"]["x"] = 17
    with pytest.raises(UsageError, match="does not verify: game 1, round 1, play 2"):
        fork_at(session_of(values), TurnPlace(1, 1, 2))


@pytest.mark.parametrize(("text", "place"), [("2.3", (1, 2, 3)), ("4.2.3", (4, 2, 3)), ("7", None), ("a.b", None)])
def test_a_place_is_written_as_turns_are_everywhere(text, place):
    if place is None:
        with pytest.raises(UsageError, match=r"is no turn; write ROUND\.TURN"):
            parse_place(text)
    else:
        assert parse_place(text) == place


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game_number", 2, "as drawn from the seed"),
        ("turn", 1, "must not be before"),
    ],
)
def test_a_forged_origin_is_found(field, value, said):
    values = session_values(played(["M"] * 9, ["C5"] * 9, rules=TWO))
    fork = forked(session_of(values), (1, 2, 2))
    fork["games"][0]["forked_from"][field] = value
    assert any(said in str(each) for each in verify(session_of(fork)))
    assert any(isinstance(record, GameEnded) for record in replay(session_of(fork)))
