"""How orders read is shown while they are written: on a thread, after a pause, and let go of at the end."""

from __future__ import annotations

import threading

import pytest
from menus import finish
from resources import HANGS_S

from batllm_arcade.app.services.orders_reading import CLEAR, PAUSE_S, OrdersReading
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import BrainError


class Reader:
    """Reads what it is told, when it may go on."""

    def __init__(self) -> None:
        self.read, self.prepared, self.closed, self.cases = [], 0, threading.Event(), ()
        self.may, self.shares, self.note, self.error = threading.Event(), {"camp": 0.81, "hold_fire": 0.19}, "", ""
        self.preparing, self.may_prepare = threading.Event(), threading.Event()
        self.may.set()
        self.may_prepare.set()

    def prepare(self, report):
        report("loading the model")
        self.preparing.set()
        self.may_prepare.wait()
        self.prepared += 1

    def read_orders(self, orders):
        self.read.append(orders)
        self.may.wait()
        if self.closed.is_set():
            raise Cancelled
        if self.error:
            raise BrainError(self.error)
        return Reading(dict.fromkeys(STYLES, 0.0) | self.shares, self.note, cases=self.cases)

    def close(self):
        self.closed.set()
        self.may.set()


@pytest.fixture
def reader():
    return Reader()


@pytest.fixture
def following(reader):
    made = OrdersReading(lambda: reader)
    made.update("", 0.0)
    yield made
    made.close().join(HANGS_S)


def settle(following, orders, now):
    """Go on until what was written by `now` is read."""
    following.update(orders, now)
    following.update(orders, now + PAUSE_S)
    finish("reading orders")
    following.update(orders, now + PAUSE_S)


def test_orders_are_read_after_a_pause_and_only_once(following, reader):
    for moment, written in ((0.1, "c"), (0.3, "ca"), (0.5, "cam"), (0.7, "camp")):
        following.update(written, moment)
    following.update("camp", 0.7 + PAUSE_S / 2)
    assert not reader.read
    assert following.text == "reading ..."
    settle(following, "camp", 0.7)
    assert following.text == "It understands: corner 81%, holds fire 19%"
    settle(following, "camp", 9.0)
    assert reader.read == ["camp"]
    assert reader.prepared == 1


def test_the_window_does_not_wait_and_an_old_reading_is_not_shown(following, reader):
    reader.may.clear()
    following.update("camp", 1.0)
    following.update("camp", 2.0)
    following.update("camp and sing", 2.1)  # returns although the reader is busy
    assert following.text == "reading ..."
    reader.may.set()
    finish("reading orders")
    following.update("camp and sing", 2.2)
    assert following.reading is None
    settle(following, "camp and sing", 2.2)
    assert reader.read == ["camp", "camp and sing"]


def test_orders_nobody_changed_load_no_model(reader):
    following = OrdersReading(lambda: pytest.fail("a reader was made"))
    for moment in range(5):
        following.update("Rush him", float(moment))
    assert following.text == ""
    following.close().join(HANGS_S)


def test_doubt_is_shown_as_doubt_with_what_would_be_clearer(following, reader):
    reader.shares = {"camp": 0.45, "snipe": 0.3, "idle": 0.25}
    settle(following, "hm", 1.0)
    assert following.in_doubt
    assert (
        following.text
        == 'not sure: corner 45%, from afar 30%; clearer would be: "camp in the corner" or "shoot from afar"'
    )
    assert set(CLEAR) == set(STYLES)


def test_what_would_be_clearer_is_said_of_the_part_in_doubt(following, reader):
    hurt = Reading(dict.fromkeys(STYLES, 0.0) | {"retreat": 0.5, "shield": 0.4, "camp": 0.1})
    reader.shares, reader.cases = {"snipe": 1.0}, (("hurt", hurt),)
    settle(following, "snipe; when you are hurt hm", 1.0)
    assert following.text.endswith('clearer would be: "run away from him" or "hide behind your shield"')


def test_what_is_not_understood_stands_instead_of_what_would_be_clearer(following, reader):
    hurt = Reading(dict.fromkeys(STYLES, 0.0) | {"retreat": 0.5, "shield": 0.5}, unread=("sing a song",))
    reader.shares, reader.cases = {"snipe": 1.0}, (("hurt", hurt),)
    settle(following, "snipe; when you are hurt sing a song", 1.0)
    assert following.in_doubt
    assert following.text.startswith('Not understood: "sing a song"')
    assert "clearer" not in following.text


def test_it_says_that_forty_words_are_read_also_before_it_has_read_them(following):
    following.update("go " * 45, 1.0)
    assert following.text == "reading ...; only the first 40 of 45 words are read"
    settle(following, "go " * 45, 1.0)
    assert following.text.endswith("; only the first 40 of 45 words are read")


def test_while_the_model_is_made_ready_it_says_what_it_waits_for(following, reader):
    reader.may_prepare.clear()
    following.update("camp", 1.0)
    following.update("camp", 2.0)
    assert reader.preparing.wait()
    assert following.text == "loading the model ..."
    reader.may_prepare.set()
    settle(following, "camp", 2.0)
    assert following.text.startswith("It understands: ")


def test_what_goes_wrong_is_one_sentence_and_the_next_try_may_work(following, reader):
    reader.error = "the model's process ended"
    settle(following, "camp", 1.0)
    assert following.text == "the model's process ended"
    reader.error = ""
    settle(following, "camp!", 3.0)
    assert "corner" in following.text


def test_closing_lets_go_of_the_model_also_while_it_reads(reader):
    following = OrdersReading(lambda: reader)
    following.update("", 0.0)
    reader.may.clear()
    following.update("camp", 1.0)
    following.update("camp", 2.0)
    following.close().join(HANGS_S)
    assert reader.closed.is_set()
