"""A league's plan: who meets whom with which seed, players on the command line and in files, shipped examples."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest
from approved import approve
from leagues import InstantEngine, small
from paths import ROOT

from batllm_arcade.brains.kinds import Price
from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.league import run as running
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.output.words import command_of
from batllm_arcade.league.plan import KEPT, LeaguePlan, PairSchedule, ScheduledPair, checked, grown, plan_from
from batllm_arcade.league.plan_file import RunOptions, load_plan, players_of, sprt_of
from batllm_arcade.league.setup import check_budget, limits_of, prices_of

EXAMPLES = sorted((ROOT / "configs" / "leagues").glob("*.yaml"))


def plan(text, tmp_path):
    path = tmp_path / "league.yaml"
    path.write_text(text)
    return load_plan(path)


def test_a_bots_file_in_many_folders_has_a_name_that_fits():
    bots = [
        f"proc:/{'folder/' * 20}duelist.mjs",
        f"proc:/{'other/' * 20}duelist.mjs,isolation=process",
        f"proc:{'x' * 99}",
    ]
    names = [player.name for player in players_of(bots)]
    assert names[:2] == ["duelist.mjs", "duelist.mjs 2"]
    checked(LeaguePlan(players_of(bots)))


def test_every_pairing_gets_the_same_seeds_and_has_its_next_pair_before_any_has_one_more():
    league = LeaguePlan(players_of(["scripted:dancer", "scripted:turtle", "scripted:random"]), seed=7, pairs=2)
    pairs = list(PairSchedule(league).from_number(1))
    assert [(pair.number, pair.first, pair.second, pair.seed) for pair in pairs] == [
        (1, 0, 1, 7), (2, 0, 2, 7), (3, 1, 2, 7), (4, 0, 1, 8), (5, 0, 2, 8), (6, 1, 2, 8),
    ]  # fmt: skip
    gauntlet = LeaguePlan(league.players, schedule="gauntlet")
    assert gauntlet.pairings == [(0, 1), (0, 2)]


def test_what_is_added_to_a_league_is_numbered_on_behind_what_was_planned():
    three = LeaguePlan(players_of(["a=scripted", "b=scripted", "c=scripted"]), seed=7, pairs=2)
    four = grown(three, None, players_of(["d=scripted"]))
    larger = grown(four, 3)
    pairs = [(pair.first, pair.second, pair.seed) for pair in PairSchedule(larger).from_number(1)]
    assert pairs[:6] == [(pair.first, pair.second, pair.seed) for pair in PairSchedule(three).from_number(1)]
    assert pairs[6:12] == [(0, 3, 7), (1, 3, 7), (2, 3, 7), (0, 3, 8), (1, 3, 8), (2, 3, 8)]
    assert [seed for _, _, seed in pairs[12:]] == [9] * 6
    scratch = LeaguePlan(larger.players, seed=7, pairs=3)
    assert sorted(pairs) == sorted(
        (pair.first, pair.second, pair.seed) for pair in PairSchedule(scratch).from_number(1)
    )
    assert plan_from(json.loads(json.dumps(larger.values()))) == larger
    schedule = PairSchedule(larger)
    assert [larger.pairings[schedule.pairing(number)] for number in (7, 8, 13)] == [(0, 3), (1, 3), (0, 1)]


def test_a_league_keeps_the_games_that_it_is_told_to():
    kept = {each: [LeaguePlan((), sessions=each).keeps(winner) for winner in ("a", None)] for each in KEPT}
    assert kept == {"none": [False, False], "decisive": [True, False], "all": [True, True]}


def test_a_gauntlet_that_grows_has_its_first_player_meet_the_new_one():
    two = LeaguePlan(players_of(["a=scripted", "b=scripted"]), pairs=2, schedule="gauntlet")
    pairs = [
        (pair.first, pair.second) for pair in PairSchedule(grown(two, None, players_of(["c=scripted"]))).from_number(1)
    ]
    assert pairs == [(0, 1), (0, 1), (0, 2), (0, 2)]


def test_players_are_named_by_their_brains_unless_they_have_a_name():
    given = [
        "scripted:dancer",
        "scripted:dancer,level=rookie",
        "scripted:dancer",
        "me=ollama:model=llama3.2",
        "ollama:model=x",
    ]
    names = [player.name for player in players_of(given)]
    assert names == ["dancer", "scripted:dancer,level=rookie", "dancer 2", "me", "x"]
    assert [player.brain for player in players_of(given)][3] == "ollama:model=llama3.2"


def test_a_file_holds_players_orders_and_options(tmp_path):
    (tmp_path / "camp.txt").write_text("Stay in the corner.\n")
    league, run = plan(
        """
        config: classic
        pairs: 7
        seed: -3
        schedule: gauntlet
        sprt: [0, 30]
        max_tokens: 5000
        players:
          - scripted:turtle
          - {name: camper, brain: embedded, orders: "@camp.txt", fallback: "scripted:dancer", max_parallel: 2}
        """,
        tmp_path,
    )
    camper = league.players[1]
    assert (camper.name, camper.orders, camper.fallback, camper.max_parallel) == (
        "camper", "Stay in the corner.", "scripted:dancer", 2,
    )  # fmt: skip
    assert (league.config, league.pairs, league.seed, league.schedule) == ("classic", 7, -3, "gauntlet")
    assert (league.sprt.elo1, league.sprt.alpha, run.max_tokens) == (30, 0.05, 5000)
    assert plan_from(league.values()) == league


def test_what_is_wrong_in_a_file_is_said(tmp_path):
    def refusal(text):
        with pytest.raises(UsageError, match=r"^[^\n]*$") as error:
            plan(text, tmp_path)
        return str(error.value).replace(str(tmp_path), "HERE")

    approve(Path(__file__).parent / "approved" / "plans.txt", refusal)


@pytest.mark.parametrize("text", ["", "0", "50,0", "0,50,0.05", "0,50,0,0.05", "a,b", "0,nan"])
def test_a_test_that_cannot_decide_is_refused(text):
    with pytest.raises(UsageError, match="--sprt takes"):
        checked(LeaguePlan(players_of(["a=scripted", "b=scripted"]), sprt=sprt_of(text)))


def test_a_test_has_the_model_it_is_given(tmp_path):
    text = "players: [a=scripted, b=scripted]\nsprt_model: normalized"
    assert plan(f"{text}\nsprt: [0, 5]", tmp_path)[0].sprt.model == "normalized"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_leagues(path):
    league, _ = load_plan(path)
    assert len(league.players) >= 2
    assert league.config == "couch"
    assert load_plan(Path(path.name))[0].players == league.players  # by its name alone, from anywhere


def test_the_same_model_with_four_orders_is_a_file_of_ten_lines():
    path = ROOT / "configs" / "leagues" / "orders.yaml"
    league, _ = load_plan(path)
    assert len(path.read_text().splitlines()) <= 10
    assert {player.brain for player in league.players} == {"embedded"}
    assert len({player.orders for player in league.players}) == 4


def test_a_file_holds_prices_a_budget_and_the_leagues_name(tmp_path):
    league, run = plan(
        """
name: Cheap models
max_cost: 0.5
players:
  - {name: a, brain: "ollama:model=x", price: 0.1/0.4}
  - "b=ollama:model=x,price=1/2"
  - claude=anthropic
  - other=anthropic:model=another
  - scripted:dancer
""",
        tmp_path,
    )
    assert (run.name, run.max_cost, run.prices) == ("Cheap models", 0.5, {"a": "0.1/0.4"})
    prices = prices_of(league, run.prices)
    assert prices == {"a": Price(0.1, 0.4), "b": Price(1, 2), "claude": Price(1, 5)}


def test_money_cannot_be_limited_where_a_price_is_not_known():
    kinds = {
        "ollama": BrainKind("ollama", "", make=None, models=list),
        "scripted": BrainKind("scripted", "", make=None),
    }
    league = LeaguePlan(players_of(["cheap=ollama:model=x", "scripted:dancer"]))
    setup = SimpleNamespace(plan=league)
    check_budget(setup, RunOptions(), kinds)
    check_budget(setup, RunOptions(max_cost=1.0, prices={"cheap": "0/0"}), kinds)
    with pytest.raises(UsageError, match="needs the price of cheap"):
        check_budget(setup, RunOptions(max_cost=1.0), kinds)


def test_players_behind_one_server_share_its_limit_and_every_server_is_waited_for():
    kinds = {
        "ollama": BrainKind("ollama", "", make=None, models=list, max_parallel=1),
        "openai": BrainKind("openai", "", make=None, models=list),
        "scripted": BrainKind("scripted", "", make=None),
    }
    plan = LeaguePlan(players_of(["ollama:model=x", "y=ollama:model=y", "openai:model=z", "scripted:dancer"]))
    limits = limits_of(SimpleNamespace(plan=plan), kinds)
    needs = {pair: limits.needs_of(ScheduledPair(1, *pair, 1)) for pair in plan.pairings}
    assert limits.most[limits.shared[0]] == 1
    assert needs[0, 1] == {limits.shared[0]}
    assert all(needs[pair] for pair in plan.pairings)
    assert limits.needs_of(ScheduledPair(1, 3, 3, 1)) == set()


def test_the_command_on_a_report_plays_the_same_league(monkeypatch, tmp_path):
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)
    whole = small(
        "a=scripted:turtle", "b=scripted:dancer", pairs=1, turns=2, rounds=1, seed=7, schedule="gauntlet",
        on_failure="fallback", shared=True, think="low", temperature="none", accuracy=3, sessions="decisive",
    )  # fmt: skip
    assert main([*shlex.split(command_of(whole))[1:], "--out", str(tmp_path / "new")]) == 0
    assert opened(tmp_path / "new")[0].plan == whole
