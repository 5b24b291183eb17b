"""A plugin's call is waited for only so long, and ends in a value or one sentence."""

from __future__ import annotations

import threading

import pytest
from sentences import without_place

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.errors import UsageError
from batllm_arcade.seats.plugin_calls import PluginCall


def test_it_returns_what_the_call_returns_from_another_thread():
    assert PluginCall(threading.current_thread, "x failed").result(10) is not threading.current_thread()


@pytest.mark.parametrize(
    ("error", "kind", "sentence"),
    [
        (SystemExit(0), BrainError, "x failed: SystemExit: 0"),
        (GeneratorExit(), BrainError, "x failed: GeneratorExit"),
        (
            OSError("at https://bob:hunter2@a.example/v1?key=zzz"),
            BrainError,
            "x failed: OSError: at https://a.example/v1",
        ),
        (UsageError("set this"), UsageError, "set this"),
        (KeyboardInterrupt(), KeyboardInterrupt, ""),
    ],
)
def test_whatever_it_raises_is_one_sentence(error, kind, sentence):
    def call() -> None:
        raise error

    with pytest.raises(kind) as raised:
        PluginCall(call, "x failed").result(10)
    placed = kind is BrainError  # something unexpected: its author is told where
    assert (without_place(str(raised.value)) if placed else str(raised.value)) == sentence


def test_a_call_that_is_late_is_an_error_and_its_value_is_thrown_away_properly():
    go_on, thrown = threading.Event(), threading.Event()
    call = PluginCall(lambda: go_on.wait(10), "x failed", lambda value: thrown.set())
    with pytest.raises(BrainError, match=r"^x failed within 0.01 s; give it more with prepare_s$"):
        call.result(0.01)
    go_on.set()
    assert thrown.wait(10)


def test_a_call_that_is_given_up_is_waited_for_no_more():
    running, never = threading.Event(), threading.Event()

    def work() -> None:
        running.set()
        never.wait(10)

    call = PluginCall(work, "x failed")
    threading.Thread(target=lambda: running.wait(10) and call.give_up(), daemon=True).start()
    with pytest.raises(Cancelled):
        call.result(10)
    never.set()
