"""A class: names and orders in a table, how they are read, as many pairs as a lesson has time for."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from leagues import InstantEngine, small

from batllm_arcade.brains.orders import Reading
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.league import run as running
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.league.readings import readings

WRITTEN = [("Zoë", "Stay back; then shoot, always"), ("Ünal", "@everyone attack\nand hide"), ("Li", "")]


@pytest.mark.parametrize("heading", [True, False])
@pytest.mark.parametrize(
    ("mark", "encoding"), [(",", "utf-8"), (",", "utf-8-sig"), (";", "cp1252"), ("\t", "utf-16"), (";", "utf-8-sig")]
)
def test_a_table_of_names_and_orders_is_a_league_whatever_has_written_it(tmp_path, mark, encoding, heading):
    rows = [("Name", "Orders")] * heading + WRITTEN
    text = "\r\n".join(mark.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    (tmp_path / "players.csv").write_bytes(f"{text}\r\n\r\n".encode(encoding))
    plan, _ = load_plan(tmp_path / "players.csv")
    assert [(player.name, player.orders, player.brain) for player in plan.players] == [
        (name, orders, "embedded") for name, orders in WRITTEN
    ]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.csv", "Ann,attack, then hide\nBob,hide", "put orders in quotation marks"),
        ("a.csv", "Ann,attack\nAnn,hide", "two players are called 'Ann'; give one of them another name"),
        ("a.csv", "name,orders,colour\nAnn,attack,red", "a player has no 'colour'"),
        ("a.csv", "", "a league needs two players"),
        ("a.yaml", "players:\n  - {name: A, orders: Stay back: shoot}", "put orders in quotation marks"),
        (
            "a.yaml",
            "players:\n  - {name: A, orders: hide, then shoot}",
            "put orders in quotation marks",
        ),
        ("a.yaml", "brain: embedded\nplayers:\n  - {name: A, orders: yes}", "put orders in quotation marks"),
    ],
)
def test_what_is_wrong_with_orders_is_one_sentence(tmp_path, name, text, why):
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=why) as error:
        load_plan(tmp_path / name)
    assert "\n" not in str(error.value)


class Reader:
    """Reads orders by their first word; "lost" fails."""

    def prepare(self, report):
        pass

    def read_orders(self, text):
        if text == "lost":
            raise BrainError("the model is gone")
        word, _, share = text.partition(" ")
        styles = {"attack": float(share or 0.9), "hide": 0.0}
        return Reading({**styles, word: styles.get(word, 0.9)}, rules=("no_fire",) if word == "hide" else ())

    def close(self):
        pass


@pytest.mark.parametrize(
    ("orders", "alike"),
    [
        (("attack", "attack 0.95", "hide"), ["a and b are read alike (attack 90%) and will play alike"]),
        (("attack", "attack 0.5", ""), []),
        (("hide", "hide 0.9", "hide"), ["a, b and c are read alike (no_fire; attack 90%) and will play alike"]),
        (("attack", "lost", "attack"), []),
    ],
)
def test_who_is_read_alike_is_told(orders, alike):
    plan = small("a=embedded", "b=embedded", "c=embedded")
    players = [replace(player, orders=text) for player, text in zip(plan.players, orders, strict=True)]
    read, said = readings(players, {"embedded": SimpleNamespace(orders_reader=lambda spec: Reader())})
    assert [sentence.replace("attack 90%, hide 0%", "attack 90%") for sentence in said] == alike
    assert ([*read] == [name for name, text in zip("abc", orders, strict=True) if text]) or "lost" in orders


def test_without_a_number_of_pairs_a_league_fits_its_minutes(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)
    monkeypatch.setattr("batllm_arcade.league.estimate.ASKED_S", 5.0)
    two = ["a=openai:model=m,base_url=http://127.0.0.1:9", "b=scripted:turtle"]
    pairs = {}
    for more in ([], ["--minutes", "30"], ["--minutes", "1", "--pairs", "50"], ["--minutes", "1"]):
        assert main(["league", *two, *more, "--turns", "6", "--rounds", "1", "--workers", "1", "--dry-run"]) == 0
        pairs[" ".join(more)] = int(capsys.readouterr().out.split("pairings of ")[1].split(" ")[0])
    assert (pairs[""], pairs["--minutes 1 --pairs 50"], pairs["--minutes 1"]) == (50, 50, 1)
    assert 10 < pairs["--minutes 30"] < 40  # 1,440 s, 5 s for each of some six plays of two games
