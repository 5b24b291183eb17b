"""Anchors, one table of several leagues, and every game on a row."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from leagues import InstantEngine

from batllm_arcade.cli.main import main
from batllm_arcade.league import run as running

SHORT = ["--rounds", "1", "--turns", "6", "--sessions", "none", "--quiet"]
A, B, C = "a=scripted:dancer", "b=scripted:turtle", "c=scripted:random"


@pytest.fixture(autouse=True)
def instant(monkeypatch, tmp_path):
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)
    monkeypatch.chdir(tmp_path)


def league(out, *arguments):
    assert main(["league", *SHORT, *arguments, "--out", out]) == 0


def board(capsys, *arguments):
    capsys.readouterr()
    code = main(["league", "board", *arguments, "--json"])
    said = capsys.readouterr()
    return json.loads(said.out) if not code else said.err


def test_leagues_of_the_same_program_and_rules_become_one_table_with_each_player_and_pair_once(capsys):
    league("one", A, B, "--pairs", "4")
    league("two", "x=scripted:turtle", C, "a=scripted:sharpshooter", "--pairs", "3")  # x is b, and this a another one
    league("three", B, A, "--pairs", "6")
    found = board(capsys, "one", "two", "three", "-o", "board", "--anchor", "c=500")
    rows = {row["name"]: row for row in found["players"]}
    assert {*rows} == {"a", "b", "c", "a (two)"}
    met = {frozenset(pairing["players"]): sum(pairing["pairs"]) for pairing in found["matrix"]}
    assert [met[frozenset(two)] for two in (("a", "b"), ("b", "c"), ("b", "a (two)"), ("a", "c"))] == [6, 3, 3, 0]
    assert (rows["c"]["rating"], rows["c"]["low"], rows["c"]["high"], found["anchor"]) == (500, 500, 500, "c")
    alone = board(capsys, "three")
    for row in alone["players"]:
        assert (rows[row["name"]]["games"] >= row["games"], row["games"]) == (True, 12)
    league("other", A, B, "--turns", "7", "--pairs", "1")
    said = board(capsys, "one", "other")
    assert "cannot stand in one table with" in said
    assert "its rules is another one" in said


def test_an_anchor_moves_all_ratings_and_no_difference(capsys):
    league("plain", A, B, C, "--pairs", "5")
    league("set", A, B, C, "--pairs", "5", "--anchor", "b=1000")
    plain, moved = (json.loads(Path(name, "table.json").read_text()) for name in ("plain", "set"))
    assert moved["matrix"] == plain["matrix"]
    shift = [one["rating"] - other["rating"] for one, other in zip(moved["players"], plain["players"], strict=True)]
    assert shift == pytest.approx([shift[0]] * 3, abs=0.11)
    assert next(row["rating"] for row in moved["players"] if row["name"] == "b") == 1000
    assert "B is set to 1000" in Path("set", "table.md").read_text()
    assert main(["league", "--resume", "set", "--anchor", "nobody=3"]) == 2
    assert "the anchor 'nobody' is no player" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_every_game_is_a_row_with_no_player_as_a_column(form):
    league("out", "+SUM(1)=scripted:dancer", B, "--pairs", "3", "--export", f"games.{form}")
    with open(f"games.{form}", encoding="utf-8") as file:
        rows = list(csv.DictReader(file)) if form == "csv" else list(map(json.loads, file))
    assert [int(row["game"]) for row in rows] == [1, 2] * 3
    assert all({row["left"].lstrip("'"), row["right"].lstrip("'")} == {"+SUM(1)", "b"} for row in rows)
    assert {row["won"] for row in rows} <= {"left", "right", "nobody"}
    assert not [column for row in rows for column in row if "SUM" in column or column.endswith("_b")]
    assert all(row["left_faults_error"] in (0, "0") and "right_latency_s_median" in row for row in rows)
    assert rows[0]["left"] == ("'+SUM(1)" if form == "csv" else "+SUM(1)"), "no spreadsheet takes it for a formula"
    assert f'data_files: "games.{form}"' in Path(f"games.{form}.card.md").read_text()


@pytest.mark.parametrize(("name", "why"), [("games.xml", "is none of them"), ("games.csv", "exists")])
def test_a_file_of_games_that_cannot_be_written_is_told_before_anything_is_played(name, why, capsys, tmp_path):
    (tmp_path / "games.csv.card.md").touch()
    assert main(["league", A, B, *SHORT, "--out", "out", "--export", name]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
