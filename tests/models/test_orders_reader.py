"""The reader of orders against a scripted model: what it asks, what it remembers, which numbers it trusts."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from batllm_arcade.brains.orders import NO_ORDERS, STYLE_WORDS, STYLES, FittedReader, Question, Reading
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models import orders_reader
from batllm_arcade.models.llama import ProcessReply
from batllm_arcade.models.orders_reader import OrdersReader, fit_for, fitted


class Engine:
    """A model that finds every word equally likely, but for those it is told to prefer."""

    def __init__(self, path: Path, likely: str = "") -> None:
        self.path, self.likely = path, likely
        self.notes, self.readings, self.exclusive = {}, {}, threading.Lock()
        self.asked = []

    def start(self):
        pass

    def complete(self, slot, header, prompt, body, live):
        assert self.exclusive.locked(), "another reader could ask in between"
        self.asked.append((slot, prompt))
        weights = {word: 0.001 for word, _ in body.get("logit_bias", ())}
        if self.likely and not prompt.endswith("Orders: n/a Tactic:"):
            weights |= {word: 0.5 for word in weights if word.strip() == self.likely}
        return ProcessReply("", {"prompt": 7, "completion": 1}, weights)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    return path


@pytest.fixture
def fits(file, monkeypatch):
    """Makes the shipped numbers those for the file."""
    shipped = fitted()
    mine = FittedReader(
        "1c7ad1a6c20c1a9a8c5e4a8d9a7c0f9b", 4, shipped.words, shipped.questions, shipped.heat, shipped.bias,
        shipped.weights, shipped.axes,
    )  # fmt: skip
    monkeypatch.setattr(orders_reader, "fitted", lambda: mine)
    monkeypatch.setattr(orders_reader, "_sha256", lambda *_: mine.sha256)
    return mine


def test_orders_are_read_once_by_both_questions(file, fits):
    engine = Engine(file)
    left, right = OrdersReader(engine), OrdersReader(engine)
    first = left.read("Camp there!")
    assert [slot for slot, _ in engine.asked] == [0, 1]
    assert all("camp there" in prompt for _, prompt in engine.asked)
    assert first.tokens == {"prompt": 14, "completion": 2}
    assert right.read("camp  there") is first
    assert len(engine.asked) == 2


def test_no_orders_ask_nothing(file, fits):
    engine = Engine(file)
    assert OrdersReader(engine).read(" ...").weights == {**dict.fromkeys(STYLE_WORDS, 0.0), **NO_ORDERS}
    assert not engine.asked


def test_before_the_first_order_the_questions_are_learnt(file, fits):
    engine, said = Engine(file), []
    OrdersReader(engine).prepare(said.append)
    assert engine.asked == [(slot, question.header) for slot, question in enumerate(fits.questions)]
    assert said == ["the model is warming up"]


def test_a_reader_remembers_only_so_many_orders(file, fits, monkeypatch):
    monkeypatch.setattr(orders_reader, "KEPT", 3)
    engine = Engine(file)
    for number in range(9):
        OrdersReader(engine).read(f"count to {number}")
    assert list(engine.readings) == ["count to 6", "count to 7", "count to 8"]


def test_another_file_is_read_by_examples_and_says_so(file):
    engine, said = Engine(file, "corner"), []
    reader = OrdersReader(engine)
    reader.prepare(said.append)
    assert not reader.fitted
    assert "eleven examples" in said[-1]
    reading = reader.read("Camp there!")
    assert "eleven examples" in reading.note
    asked = len(engine.asked)
    reader.read("Sit there")
    assert len(engine.asked) == asked + 1, "its habits are learnt once"


def test_the_numbers_belong_to_one_file(file, monkeypatch):
    shipped = fitted()
    assert fit_for(file) is None
    sized = FittedReader("0" * 64, 4, ("a",), (Question("", "{}"),), 1.0, (), ())
    monkeypatch.setattr(orders_reader, "fitted", lambda: sized)
    assert fit_for(file) is None, "as long, but another file"
    assert len(shipped.sha256) == 64


def test_a_model_without_the_words_is_refused(file):
    engine = Engine(file)
    engine.complete = lambda *_: ProcessReply("", {}, {})
    with pytest.raises(BrainError, match=r"no single token for 'attack'"):
        OrdersReader(engine).read("shoot")


def test_a_model_is_asked_only_about_what_no_rule_says(file, fits):
    engine = Engine(file)
    reading = OrdersReader(engine).read("Stand still and shoot him!")
    whole, rest = engine.asked[:2], engine.asked[2:]
    assert all("stand still and shoot him" in prompt for _, prompt in whole), "which tells the manner"
    assert all('shoot him"' in prompt or ": shoot him " in prompt for _, prompt in rest)
    assert reading.rules == ("stand",)
    assert reading.manner is not None
    del engine.asked[:]
    reading = OrdersReader(engine).read("First never move but fire, then don't shoot")
    assert len(engine.asked) == 4
    assert (reading.rules, reading.then.rules) == (("stand",), ("no_fire",))
    assert reading.then.ranked[0] == ("hold_fire", 1.0)


def test_who_shall_stand_goes_to_its_place_first_and_idles_where_the_orders_say_no_more(file, fits, monkeypatch):
    read = {"hide in the corner": "camp", "don't move": "idle", "hold your ground": "hold_fire"}
    monkeypatch.setattr(
        OrdersReader, "_ask", lambda _, text, live: Reading({style: float(style == read.get(text)) for style in STYLES})
    )
    reader = OrdersReader(Engine(file))
    assert reader.read("hide in the corner and don't move").rules == ()
    assert reader.read("don't move") == Reading({style: float(style == "idle") for style in STYLES})
    ground = reader.read("hold your ground")
    assert (ground.ranked[0], ground.rules) == (("attack", 1.0), ("stand",))
