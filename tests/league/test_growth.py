"""A league that grows: more pairs, more players, pairs of an earlier league, a test that is undecided."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from leagues import InstantEngine, begun, line, small, winners_of, written

from batllm_arcade.cli.main import main
from batllm_arcade.league import run as running
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.league_file import LEAGUE, open_league
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.reuse import ReusedPairs
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.store import LeagueStore

FOUR = [f"{name}=scripted:{name}" for name in ("sharpshooter", "dancer", "turtle", "random")]
SHORT = ["--rounds", "1", "--turns", "6", "--sessions", "none", "--quiet", "--workers", "1"]


@pytest.fixture(autouse=True)
def instant(monkeypatch):
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)


@pytest.fixture
def league(tmp_path, capsys):
    def play(*arguments, out="out", short=True):
        folder = [] if "--resume" in arguments else ["--out", str(tmp_path / out)]
        code = main(["league", *map(str, arguments), *folder, *(SHORT if short else ["--quiet"])])
        return code, capsys.readouterr().err

    return play


def table(folder):
    values = json.loads((folder / "table.json").read_text())
    for player in values["players"]:
        del player["latency_s"]
    return values


def test_a_fifth_player_plays_its_own_pairs_only_and_the_table_is_that_of_a_league_from_scratch(league, tmp_path):
    league(*FOUR, "--pairs", 2)
    before = written(tmp_path / "out")
    assert league("--resume", tmp_path / "out", "--add", "e=scripted:strategist")[0] == 0
    assert len(InstantEngine.last.played) == 4 * 2
    assert written(tmp_path / "out")[:12] == before
    league(*FOUR, "e=scripted:strategist", "--pairs", 2, out="scratch")
    grown, planned = (table(tmp_path / each) for each in ("out", "scratch"))
    assert (grown["always"], planned["always"]) == (True, False)
    for one, other in zip(grown["players"], planned["players"], strict=True):
        assert {**one, "low": 0, "high": 0, "los": 0, "rank": 0} == {**other, "low": 0, "high": 0, "los": 0, "rank": 0}
    assert league("--resume", tmp_path / "out", short=False)[0] == 0, "there is nothing left to play"


def test_more_pairs_are_played_behind_those_there(league, tmp_path):
    league(*FOUR[:2], "--pairs", 3)
    assert league("--resume", tmp_path / "out", "--pairs", 5)[0] == 0
    assert InstantEngine.last.played == [4, 5]
    league(*FOUR[:2], "--pairs", 5, out="scratch")
    assert written(tmp_path / "out") == written(tmp_path / "scratch")
    assert open_league(tmp_path / "out")[0].plan.pairs == 5


def test_players_of_a_file_are_added_that_the_league_has_not(league, tmp_path):
    league(*FOUR[:2], "--pairs", 2)
    file = tmp_path / "more.yaml"
    file.write_text("players: [dancer=scripted:dancer, {name: me, brain: embedded, orders: Hide.}, scripted:dancer]")
    league("--resume", tmp_path / "out", "--add", file)
    names = [(player.name, player.orders) for player in open_league(tmp_path / "out")[0].plan.players]
    assert names == [("sharpshooter", ""), ("dancer", ""), ("me", "Hide."), ("scripted:dancer", "")]
    file.write_text("players: [dancer=scripted:turtle]")
    code, said = league("--resume", tmp_path / "out", "--add", file)
    assert (code, "dancer is another player in" in said) == (2, True)


def test_the_prices_of_added_players_count_and_stay(league, tmp_path):
    league(*FOUR[:2], "--pairs", 2)
    (tmp_path / "more.yaml").write_text("players: [{brain: 'scripted:dancer', name: dancer, price: 9/9}, "
                                        "{name: paid, brain: 'scripted:turtle', price: 1/2}]")  # fmt: skip
    league("--resume", tmp_path / "out", "--add", tmp_path / "more.yaml")
    league("--resume", tmp_path / "out", "--pairs", 3, short=False)
    assert open_league(tmp_path / "out")[1].prices == {"paid": "1/2"}, "who was there keeps what was agreed on"
    costs = {player["name"]: player["cost"] for player in table(tmp_path / "out")["players"]}
    assert costs == {"sharpshooter": None, "dancer": None, "paid": 0.0}


def test_a_league_is_called_what_it_was_called_last(league, tmp_path):
    league(*FOUR[:2], "--pairs", 1, "--name", "First")
    league("--resume", tmp_path / "out", "--name", "Second", short=False)
    assert table(tmp_path / "out")["name"] == "Second"
    league("--resume", tmp_path / "out", "--pairs", 2, short=False)
    assert table(tmp_path / "out")["name"] == "Second"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pairs", "1"], "has 2 pairs for each two players, and can only grow"),
        (["--add", "dancer=scripted:turtle"], "two players are called 'dancer'"),
        (["--add", "nobody"], "there is no brain 'nobody'"),
        (["--seed", "2", "--pairs", "3"], "has seed 1, not 2"),
    ],
)
def test_a_league_that_cannot_grow_so_stays_as_it_is(league, tmp_path, arguments, said):
    league(*FOUR[:2], "--pairs", 2)
    before = (tmp_path / "out" / LEAGUE).read_text()
    code, error = league("--resume", tmp_path / "out", *arguments, short=False)
    assert (code, said in error) == (2, True), error
    assert (tmp_path / "out" / LEAGUE).read_text() == before


def test_nobody_is_added_to_a_league_that_was_not_begun(league, tmp_path):
    code, said = league(*FOUR[:2], "--add", "scripted:dancer")
    assert (code, "--resume DIR" in said, (tmp_path / "out").exists()) == (2, True, False)


def test_an_undecided_test_ends_with_1_and_goes_on_until_it_has_decided(league, tmp_path, monkeypatch):
    code, said = league(*FOUR[:2], "--pairs", 2, "--sprt", "0,400")
    assert code == 1
    assert "the test is undecided after 2 pairs" in said
    assert f"--resume {tmp_path / 'out'} --pairs 4" in said
    assert league("--resume", tmp_path / "out", short=False)[0] == 1
    assert InstantEngine.last.played == [3, 4], "as many again"
    monkeypatch.setattr("leagues.winners_of", lambda pair, plan: ("sharpshooter", "sharpshooter"))
    assert league("--resume", tmp_path / "out", "--pairs", 900, short=False)[0] == 0
    assert len(written(tmp_path / "out")) < 100
    assert league("--resume", tmp_path / "out", short=False)[0] == 0


# ---------------------------------------------------------------------------------- pairs of an earlier league


@pytest.fixture
def earlier(tmp_path):
    """A league of a, b and c with three pairs each, as played."""
    plan = small("a=scripted:dancer", "b=scripted:turtle", "c=scripted:random", sessions="all")
    begun(tmp_path / "old", plan)
    store, pairs = LeagueStore(tmp_path / "old", plan), list(PairSchedule(plan).from_number(1))
    store.add(
        [PlayedPair(line(pair.number, plan, winners_of(pair, plan)), {0: f"{pair.number}-1", 1: f"{pair.number}-2"})
         for pair in pairs]
    )  # fmt: skip
    store.close()
    return tmp_path / "old"


def acted(value):
    """A made-up line without who acted first in it, which is made up by where the players stand."""
    return {**value, "games": [{**game, "first": ""} for game in value["games"]]}


def test_pairs_of_the_same_players_and_seed_are_taken_over_also_with_the_seats_changed(earlier):
    plan = small("c=scripted:random", "new=scripted:sharpshooter", "a=scripted:dancer", sessions="all", seed=2, pairs=4)
    reused = ReusedPairs(set_up(plan, load_config(plan)), [earlier], {})
    found = {pair.number: reused.get(pair) for pair in PairSchedule(plan).from_number(1)}
    there = {number: played for number, played in found.items() if played is not None}
    assert sorted(there) == [2, 5], "c against a, with seeds 2 and 3"
    assert reused.pairs == 2
    assert reused.notes() == ["2 of 12 pairs come from 'old'"]
    for number, played in there.items():
        pair = PairSchedule(plan).pair(number)
        assert acted(played.line) == acted(line(number, plan, winners_of(pair, plan)))
    assert there[2].sessions == {0: "5-2", 1: "5-1"}


def test_a_player_under_another_name_is_the_same_and_with_other_orders_another(earlier):
    plan = small("x=scripted:dancer", "y=scripted:turtle", sessions="none")
    reused = ReusedPairs(set_up(plan, load_config(plan)), [earlier], {})
    played = reused.get(PairSchedule(plan).pair(1))
    assert (played.line["players"], set(played.line["games"][0]["health"]), played.sessions) == (
        ["x", "y"],
        {"x", "y"},
        {},
    )
    values = [value for game in played.line["games"] for value in game.values()]
    assert {tuple(value) for value in values if isinstance(value, dict)} == {("x", "y")}, "every figure by its new name"
    told = replace(plan, players=(plan.players[0], replace(plan.players[1], orders="Hide.")))
    assert ReusedPairs(set_up(told, load_config(told)), [earlier], {}).pairs == 0


def test_another_plugin_makes_its_brains_others_only(earlier):
    plan = small("a=scripted:dancer", "b=scripted:turtle")
    values = json.loads((earlier / LEAGUE).read_text())
    values["hashes"]["plugins"].update(scripted="0", embedded="0")
    (earlier / LEAGUE).write_text(json.dumps(values))
    setup = set_up(plan, load_config(plan))
    assert ReusedPairs(setup, [earlier], {"scripted": "scripted"}).pairs == 0
    assert ReusedPairs(setup, [earlier], {"scripted": "console_log"}).pairs == 3


def test_a_new_league_plays_only_what_the_earlier_one_has_not(league, earlier, tmp_path):
    players = ["a=scripted:dancer", "b=scripted:turtle", "--pairs", 5, "--isolation", "process"]
    values = json.loads((earlier / LEAGUE).read_text())
    values["run"]["isolation"] = "process"
    (earlier / LEAGUE).write_text(json.dumps(values))
    assert league(*players, "--from", earlier)[0] == 0
    assert sorted(InstantEngine.last.played) == [4, 5]
    league(*players, out="scratch")
    assert list(map(acted, written(tmp_path / "out"))) == list(map(acted, written(tmp_path / "scratch")))
    assert table(tmp_path / "out")["notes"] == ["3 of 5 pairs come from 'old'"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda values: values.update(program="batllm-arcade 0.0.1"), "the program was batllm-arcade 0.0.1"),
        (lambda values: values["hashes"].update(core="0"), "has changed since the league began"),
        (lambda values: values["hashes"].pop("core"), "kept no hash of its program"),
        (lambda values: values["config"]["rules"].update(step_length=7), "its rules is another one"),
    ],
)
def test_a_league_of_another_program_or_rules_is_refused(league, earlier, tmp_path, change, said):
    values = json.loads((earlier / LEAGUE).read_text())
    change(values)
    (earlier / LEAGUE).write_text(json.dumps(values))
    code, error = league("a=scripted:dancer", "b=scripted:turtle", "--from", earlier)
    assert (code, said in error, (tmp_path / "out").exists()) == (2, True, False), error
