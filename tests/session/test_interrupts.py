"""The first signal stops in good order, on another thread; the second one acts as it does anywhere."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
from signals import heard

from batllm_arcade.session.interrupts import ENDING, on_interrupt

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to oneself")


def test_the_first_one_stops_on_a_thread_of_its_own_and_the_second_one_interrupts():
    stopped, threads = threading.Event(), []

    def stop() -> None:
        threads.append(threading.current_thread())
        stopped.set()

    def interrupted_twice() -> None:
        with on_interrupt(stop):
            os.kill(os.getpid(), signal.SIGINT)
            assert stopped.wait()
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait()  # the second one arrives here at the latest

    with pytest.raises(KeyboardInterrupt):
        interrupted_twice()
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


def test_a_lock_the_interrupted_thread_holds_does_not_hang_the_stop():
    lock, stopped = threading.Lock(), threading.Event()

    def stop() -> None:
        with lock:
            stopped.set()

    with on_interrupt(stop):
        with lock:
            os.kill(os.getpid(), signal.SIGINT)
        assert stopped.wait()


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_any_of_the_signals_named_stops_has_its_exit_code_and_all_are_set_back_at_the_end(name, code):
    stopped = threading.Event()
    with heard(*ENDING):
        mine = [signal.getsignal(each) for each in ENDING]
        with on_interrupt(stopped.set, ENDING) as interrupt:
            assert interrupt.exit_code == 0
            os.kill(os.getpid(), getattr(signal, name))
            assert stopped.wait()
            assert interrupt.exit_code == code
        assert [signal.getsignal(each) for each in ENDING] == mine


def test_in_the_handler_it_has_stopped_when_the_interrupted_thread_goes_on():
    stopped = []
    with on_interrupt(lambda: stopped.append(threading.current_thread()), in_handler=True):
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped == [threading.main_thread()]


def test_without_a_signal_nothing_is_stopped_and_no_thread_is_left():
    count, stopped = threading.active_count(), []
    with on_interrupt(lambda: stopped.append(True)):
        pass
    assert (threading.active_count(), stopped) == (count, [])


def test_outside_the_main_thread_nothing_is_touched():
    before, seen = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with on_interrupt(lambda: None):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_hangup_that_is_ignored_as_nohup_does_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    stopped: list[bool] = []
    try:
        with on_interrupt(lambda: stopped.append(True), ENDING, in_handler=True):
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert stopped == []
