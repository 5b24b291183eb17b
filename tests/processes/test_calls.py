"""Numbered calls without a process: answers in any order, calls that are given up, a child that ends; their states."""

from __future__ import annotations

import json
import threading

import pytest
from links import FakeLink

from batllm_arcade.processes.child import Calls, Ended, GivenUp


def connected() -> tuple[Calls, FakeLink]:
    calls, link = Calls(), FakeLink()
    calls.connected(link)
    return calls, link


def sent(link: FakeLink) -> list[object]:
    return [json.loads(line) for line in link.calls]


def test_answers_go_to_their_calls_in_whatever_order_they_come():
    calls, link = connected()
    assert calls.ready.state == "waiting"
    calls.received(b'{"id":0}')
    one, two = calls.ask({"q": 1}), calls.ask({"q": 2})
    assert sent(link) == [{"id": 1, "body": {"q": 1}}, {"id": 2, "body": {"q": 2}}]
    calls.received(b'{"id":2,"a":"second"}')
    calls.received(b'{"id":9,"a":"nobody asked"}')
    with pytest.raises(TimeoutError):
        one.wait(0.0)
    calls.received(b'{"id":1,"a":"first"}')
    assert (one.wait(0)["a"], two.wait(0)["a"]) == ("first", "second")
    assert [call.state for call in (calls.ready, one, two)] == ["done"] * 3


def test_a_call_that_is_given_up_is_called_off_once_and_keeps_the_child_busy_until_it_has_said_so():
    calls, link = connected()
    call = calls.ask({})
    call.cancel()
    call.cancel()
    assert sent(link)[1:] == [{"id": 1}]
    assert (call.state, calls.busy_in_vain) == ("given up", True)
    calls.received(b'{"id":1,"a":"too late"}')
    assert not calls.busy_in_vain
    for _ in range(2):
        with pytest.raises(GivenUp):
            call.wait(0)


def test_an_answer_that_has_come_is_not_given_up_any_more():
    calls, link = connected()
    call = calls.ask({})
    calls.received(b'{"id":1}')
    call.cancel()
    assert (call.state, len(link.calls)) == ("done", 1)
    assert call.wait(0) == {"id": 1}


def test_all_calls_end_with_the_child_also_those_to_come():
    calls, _ = connected()
    before, ended = calls.ask({}), Ended("it was ended", -9)
    calls.gone(ended)
    assert [call.wait(0) for call in (calls.ready, before, calls.ask({}))] == [ended] * 3


def test_everybody_who_waits_for_the_same_gets_it():
    calls, _ = connected()
    found = []
    threads = [threading.Thread(target=lambda: found.append(calls.ready.wait(60))) for _ in range(3)]
    for thread in threads:
        thread.start()
    calls.received(b'{"id":0}')
    for thread in threads:
        thread.join(60)
    assert found == [{"id": 0}] * 3


@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b'{"a":1}', b'{"id":"1"}'])
def test_what_is_no_answer_is_refused(line):
    with pytest.raises(ValueError):
        connected()[0].received(line)
