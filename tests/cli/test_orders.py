"""`batllm-arcade orders` with a reader of its own."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import BrainError, BrainKind
from batllm_arcade.cli.main import main
from batllm_arcade.plugin import manager


class Reader:
    def __init__(self, note=""):
        self.note, self.closed = note, False

    def prepare(self, report):
        report("loading")

    def read_orders(self, orders):
        if "fail" in orders:
            raise BrainError("the model's process ended")
        return Reading(dict.fromkeys(STYLES, 0.0) | {"camp": 0.81, "hold_fire": 0.12, "idle": 0.07}, self.note)

    def close(self):
        self.closed = True


@pytest.fixture
def reader(monkeypatch):
    made = Reader()
    kind = BrainKind("embedded", "", make=lambda _: None, orders_reader=lambda _: made)
    monkeypatch.setattr(manager, "load", lambda *_: SimpleNamespace(kinds={"embedded": kind}))
    return made


def test_each_text_is_a_line(reader, capsys):
    assert main(["orders", "Camp in  the corner", "sit"]) == 0
    assert capsys.readouterr().out == (
        "Camp in the corner: camp 81%, hold_fire 12%, idle 7%\nsit: camp 81%, hold_fire 12%, idle 7%\n"
    )
    assert reader.closed


def test_json_has_all_eleven_styles_and_the_text_as_given(reader, capsys):
    reader.note = "read by examples"
    assert main(["orders", "--json", "Geh  in die Ecke \N{FIRE}"]) == 0
    written = capsys.readouterr()
    (line,) = written.out.splitlines()
    told = json.loads(line)
    assert told["orders"] == "Geh  in die Ecke \N{FIRE}"
    assert set(told["weights"]) == set(STYLES)
    assert told["rules"] == []
    assert "read by examples" in written.err


def test_what_is_not_understood_is_told(reader, capsys):
    reader.read_orders = lambda _: Reading(dict.fromkeys(STYLES, 0.0) | {"camp": 1.0}, unread=("sing",), place="middle")
    assert main(["orders", "sing in the middle"]) == main(["orders", "--json", "sing in the middle"]) == 0
    line, told = capsys.readouterr().out.splitlines()
    assert line.endswith('camp (middle) 100%; Not understood: "sing"')
    assert (json.loads(told)["not_understood"], json.loads(told)["place"]) == (["sing"], "middle")


def test_a_model_that_fails_is_one_line_and_is_closed(reader, capsys):
    assert main(["orders", "fail"]) == 1
    assert "the model's process ended" in capsys.readouterr().err
    assert reader.closed


def test_without_a_reader_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(manager, "load", lambda *_: SimpleNamespace(kinds={}))
    assert main(["orders", "camp"]) == 1
    assert "reads orders" in capsys.readouterr().err
