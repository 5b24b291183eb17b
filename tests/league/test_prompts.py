"""Prompts as players: what a file says once for all of them, the sentence a league ends with, the exit code for CI."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from leagues import InstantEngine, line, small

from batllm_arcade.cli.main import main
from batllm_arcade.league import run as running
from batllm_arcade.league.output.words import verdict
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally

COMMON = """
brain: ollama:model=llama3.2
orders: Attack.
price: 1/2
players:
  - {name: mine, orders: "@mine.txt"}
  - {name: theirs}
  - other=ollama:model=qwen3
  - {brain: "scripted:dancer", orders: "", price: 3/4}
"""


def test_what_a_file_says_once_is_for_all_players_without_their_own(tmp_path):
    (tmp_path / "mine.txt").write_text("Hide.")
    (tmp_path / "prompts.yaml").write_text(COMMON)
    plan, run = load_plan(tmp_path / "prompts.yaml")
    assert [(player.name, player.brain, player.orders) for player in plan.players] == [
        ("mine", "ollama:model=llama3.2", "Hide."),
        ("theirs", "ollama:model=llama3.2", "Attack."),
        ("other", "ollama:model=qwen3", "Attack."),
        ("dancer", "scripted:dancer", ""),
    ]
    assert run.prices == {"mine": "1/2", "theirs": "1/2", "other": "1/2", "dancer": "3/4"}


PLAN = small("B=scripted:dancer", "A=scripted:turtle", pairs=206)


@pytest.fixture(scope="module")
def played():
    """A league in which B has won 9 of 16 games, with a price."""
    tally = LeagueTally(PLAN)
    for number in range(1, 207):
        tally.add(line(number, PLAN, ("B", "B") if number % 8 == 0 else ("A", "B")))
    found = table(PLAN, tally, complete=True)
    return replace(found, players=[replace(row, cost=0.155) for row in found.players])


def compared(played, *, chance, low, high, cost=0.155):
    """The table with another difference between the two."""
    (pairing,) = played.matrix
    rows = [replace(row, cost=cost) for row in played.players]
    return replace(played, players=rows, matrix=[replace(pairing, chance=chance, low=low, high=high)])


@pytest.mark.parametrize(
    ("figures", "sentence"),
    [
        ({"chance": 0.983, "low": 38.4, "high": 91.7},
         "B is better than A by 38 to 92 Elo, 98.3%; 412 games, $0.31"),
        ({"chance": 0.99999, "low": 242.0, "high": None, "cost": None},
         "B is better than A by 242 Elo or more, over 99.9%; 412 games"),
        ({"chance": 0.81, "low": -12.0, "high": 58.2},
         "B may be better than A, which is not sure: -12 to +58 Elo, 81.0%; 412 games, $0.31"),
        ({"chance": 0.5, "low": None, "high": None, "cost": 0.002},
         "B may be better than A, which is not sure: unknown Elo, 50.0%; 412 games, $0.004"),
    ],
)  # fmt: skip
def test_a_league_comes_to_one_sentence(played, figures, sentence):
    assert verdict(compared(played, **figures)) == sentence


def test_the_sentence_agrees_with_the_interval(played):
    (pairing,) = played.matrix
    assert pairing.low > 0
    assert verdict(played).startswith(f"B is better than A by {pairing.low:.0f} to {pairing.high:.0f} Elo, ")


def test_before_the_first_pair_nothing_is_said():
    assert verdict(table(PLAN, LeagueTally(PLAN), complete=False)) == "no pair has been played yet"


@pytest.fixture
def league(tmp_path, capsys, monkeypatch):
    """Plays a league of new against old in which `wins` always wins; returns the exit code and what was said."""
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)

    def play(wins, *options, text=""):
        monkeypatch.setattr("leagues.winners_of", lambda pair, plan: (wins, wins) if wins else ("new", "old"))
        players = "players: [{name: new, brain: 'scripted:dancer'}, {name: old, brain: 'scripted:turtle'}]"
        (tmp_path / "prompts.yaml").write_text(f"{players}\n{text}\n")
        where = ["--out", str(tmp_path / "out"), "--pairs", "40", "--quiet", "--workers", "1", "--sessions", "none"]
        code = main(["league", str(tmp_path / "prompts.yaml"), *where, *options])
        return code, capsys.readouterr()

    return play


@pytest.mark.parametrize(
    ("wins", "options", "code"),
    [
        ("new", ["--fail-below", "0"], 0),
        ("old", ["--fail-below", "0"], 1),
        ("old", [], 0),
        ("old", ["--fail-below", "-2000"], 0),
        ("new", ["--fail-below", "2000"], 0),  # it may be 2000 better: nothing bounds it
        ("", ["--fail-below", "0"], 0),  # equals: nothing is sure
        ("", ["--fail-below", "300"], 1),  # equals are surely not 300 better
        ("old", ["--sprt=-30,0", "--fail-below", "0"], 1),
        ("new", ["--sprt=-30,0", "--fail-below", "0"], 0),
        ("old", ["--sprt=0,30", "--fail-below", "0"], 0),  # the test took 0, which is not below 0
        ("old", ["--sprt=0,30", "--fail-below", "30"], 1),
    ],
)
def test_the_exit_code_tells_whether_the_first_player_holds_its_own(league, wins, options, code):
    got, said = league(wins, *options)
    assert got == code, said.err
    assert ("new falls short" in said.err) == bool(code)


def test_the_file_may_say_it_and_going_on_keeps_it(league, tmp_path, capsys):
    assert league("old", text="fail_below: 0")[0] == 1
    assert main(["league", "--resume", str(tmp_path / "out"), "--quiet"]) == 1
    assert "new falls short: " in capsys.readouterr().err
    assert main(["league", "--resume", str(tmp_path / "out"), "--quiet", "--fail-below", "-2000"]) == 0


def test_the_sentence_is_where_people_and_programs_look(league, tmp_path):
    _, said = league("new")
    sentence = said.out.splitlines()[-1]
    assert sentence.startswith("new is better than old by ")
    assert json.loads((tmp_path / "out" / "table.json").read_text())["verdict"] == sentence
    assert f"**{sentence}.**" in (tmp_path / "out" / "table.md").read_text()
    assert f'<p class="lead">{sentence}.</p>' in (tmp_path / "out" / "report.html").read_text()


def test_elo_that_nobody_has_is_refused(league, capsys):
    assert league("new", "--fail-below", "9999")[0] == 2
