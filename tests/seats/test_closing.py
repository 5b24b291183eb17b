"""Brains that are closed at every step of their lives leave no thread, no process and no descriptor behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from fakes import Function, kind
from resources import SOON, nothing_left
from views import view

from batllm_arcade.brains.live import Cancelled, Lifetime, Live
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.errors import UsageError
from batllm_arcade.match.runner import Interruption
from batllm_arcade.seats.brain_thread import BrainThread, ReplySlot
from batllm_arcade.seats.table import PendingBrain, Table

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

TIMES = 5
"""How often each way to close is tried at each step."""


class Steps:
    """Does something when a step is reached for the first time."""

    def __init__(self, step: str, act: Callable[[], None]) -> None:
        self._step, self._act, self.done = step, act, threading.Event()

    def reached(self, step: str) -> None:
        if step == self._step and not self.done.is_set():
            self.done.set()
            self._act()


MAKING = ("make begins", "make ends")
PREPARING = ("prepare begins", "prepare opens", "prepare ends")
DECIDING = ("decide begins", "decide opens", "decide ends")


class Opening:
    """A brain as plugins are written: it opens things when it is prepared and asked, and closes what is open."""

    def __init__(self, steps: Steps, *, process: bool = False) -> None:
        self._steps, self._process = steps, process
        self._files: list[Any] = []
        self._children: list[subprocess.Popen[bytes]] = []

    def prepare(self, report: Callable[[str], None]) -> None:
        self._steps.reached("prepare begins")
        self._files.append(open(os.devnull))  # noqa: SIM115 - that somebody else must close it is the point
        if self._process:
            self._children.append(subprocess.Popen(["sleep", "100"]))
        self._steps.reached("prepare opens")
        self._files.append(open(os.devnull))  # noqa: SIM115
        self._steps.reached("prepare ends")

    def decide(self, view: View) -> Decision:
        self._steps.reached("decide begins")
        self._files.append(open(os.devnull))  # noqa: SIM115
        self._steps.reached("decide opens")
        self._files.append(open(os.devnull))  # noqa: SIM115
        self._steps.reached("decide ends")
        return Decision("M", "M")

    def close(self) -> None:
        while self._files:
            self._files.pop().close()
        while self._children:
            child = self._children.pop()
            child.kill()
            child.wait()


def offer(steps: Steps, **how: bool) -> BrainKind:
    """A kind whose brains are closed at a step."""

    def make(spec: Spec) -> Opening:
        steps.reached("make begins")
        brain = Opening(steps, **how)
        steps.reached("make ends")
        return brain

    return BrainKind("new", "", make)


def here(close: Callable[[], None]) -> None:
    close()


def elsewhere(close: Callable[[], None]) -> None:
    thread = threading.Thread(target=close)
    thread.start()
    thread.join(SOON)
    assert not thread.is_alive(), "closing waited for the brain"


def twice_at_once(close: Callable[[], None]) -> None:
    together = threading.Barrier(2)
    threads = [threading.Thread(target=lambda: (together.wait(), close())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)


WAYS = (here, elsewhere, twice_at_once)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("step", ["new", *PREPARING, "ready", *DECIDING, "answered"])
def test_a_brain_closed_at_any_step_leaves_nothing(step, how):
    for _ in range(TIMES):
        with nothing_left():
            close_at(step, how)


def close_at(step: str, how: Callable[[Callable[[], None]], None]) -> None:
    """Go through the life of a brain that is closed at this step."""
    steps = Steps(step, lambda: how(brain.close))
    brain = BrainThread({"new": offer(steps)}, Spec("new"), SOON)
    steps.reached("new")
    if step in ("new", *PREPARING):
        with pytest.raises(BrainError, match="closed before it was ready"):
            brain.prepare(lambda _: None)
    else:
        brain.prepare(lambda _: None)
    steps.reached("ready")
    slot = ReplySlot()
    brain.submit(view(live=Live(SOON)), slot)
    assert slot.ready.wait(SOON), "a question to a closed brain was never answered"
    assert (slot.decision is None) == (step != "answered"), slot.problem
    steps.reached("answered")
    assert steps.done.is_set()


def test_a_brain_is_closed_exactly_once_and_never_prepared_again():
    called: list[str] = []
    brain = Function(lambda view: Decision("M", "M"))
    brain.close, brain.prepare = lambda: called.append("close"), lambda report: called.append("prepare")
    for ready in (True, False):
        called.clear()
        seated = BrainThread({"a": kind("a", brain)}, Spec("a"), SOON)
        if ready:
            seated.prepare(lambda _: None)
        seated.close()
        seated.close()
        assert called == (["prepare", "close"] if ready else ["close"])
    with pytest.raises(BrainError, match="closed before it was ready"):
        seated.prepare(lambda _: None)
    assert called == ["close"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("step", [*MAKING, *PREPARING, "ready"])
def test_a_pending_brain_closed_at_any_step_leaves_nothing(step, how):
    for _ in range(TIMES):
        with nothing_left():
            close_pending_at(step, how)


def close_pending_at(step: str, how: Callable[[Callable[[], None]], None]) -> None:
    made = threading.Event()
    steps = Steps(step, lambda: made.wait(SOON) and how(pending.close))
    pending = PendingBrain(Spec("new"), lambda: BrainThread({"new": offer(steps)}, Spec("new"), SOON))
    made.set()
    assert pending.settled.wait(SOON)
    steps.reached("ready")
    assert pending.take() is None
    pending.close()


@pytest.mark.parametrize("step", [*MAKING, *PREPARING])
def test_a_pending_brain_that_fails_at_any_step_leaves_nothing_and_says_why(step):
    def fail() -> None:
        raise BrainError("no such model")

    for _ in range(TIMES):
        with nothing_left():
            kinds = {"new": offer(Steps(step, fail))}
            pending = PendingBrain(Spec("new"), lambda kinds=kinds: BrainThread(kinds, Spec("new"), SOON))
            assert pending.settled.wait(SOON)
            assert (pending.ready, pending.status.problem) == (False, "no such model")


def test_a_pending_brain_that_was_taken_is_the_takers_to_close():
    with nothing_left():
        pending = PendingBrain(Spec("new"), lambda: BrainThread({"new": offer(Steps("", here))}, Spec("new"), SOON))
        assert pending.settled.wait(SOON)
        brain = pending.take()
        assert brain is not None
        assert pending.take() is None
        pending.close()
        slot = ReplySlot()
        brain.submit(view(live=Live(SOON)), slot)
        assert slot.ready.wait(SOON)
        assert slot.decision == Decision("M", "M")
        brain.close()


def table_with(steps: Steps, *, new: bool = False, fallback: bool = False) -> Table:
    plain = kind("plain", Function(lambda view: Decision("M", "M")))
    kinds = {"plain": plain, "new": offer(steps, process=True)}
    specs = (Spec("new" if new else "plain"), Spec("plain"))
    return Table(kinds, specs, fallback=Spec("new" if fallback else "plain"), deadline_s=SOON)


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("step", [*PREPARING, "ready", *DECIDING, "answered"])
def test_a_table_closed_while_its_first_brain_starts_or_thinks_leaves_nothing(step, how):
    with nothing_left():
        steps = Steps(step, lambda: how(table.close))
        table = table_with(steps, new=True)
        try:
            table.prepare(lambda _: None)
        except BrainError:
            assert step in PREPARING
        steps.reached("ready")
        answer = table.ask(0, view(live=Live(SOON)))
        assert (answer is Interruption.STOPPED) == (step != "answered")
        steps.reached("answered")


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("step", [*MAKING, *PREPARING])
@pytest.mark.parametrize("ask", ["swap", "fall back"])
def test_a_table_closed_while_another_brain_gets_ready_leaves_nothing(ask, step, how):
    with nothing_left():
        steps = Steps(step, lambda: how(table.close))
        table = table_with(steps, fallback=True)
        if ask == "swap":
            table.swap(0, Spec("new"))
            assert steps.done.wait(SOON)
        else:
            table.fall_back(0, "it failed")
            assert steps.done.is_set()
        assert table.seat(0).brain == "plain"


@pytest.mark.parametrize("step", [*MAKING, *PREPARING])
def test_a_swap_cancelled_while_it_gets_ready_leaves_nothing_even_before_the_match_ends(step):
    swapped = threading.Event()
    steps = Steps(step, lambda: swapped.wait(SOON) and table.cancel_swap(0))
    table = table_with(steps)
    with nothing_left():
        table.swap(0, Spec("new"))
        swapped.set()
        assert steps.done.wait(SOON)
    assert table.pending(0) is None
    table.close()


def test_leaving_a_match_ends_the_loading_of_its_first_brain():
    with nothing_left():
        loading, cut = threading.Event(), threading.Event()

        class Loading(Function):
            def prepare(self, report: Any) -> None:
                loading.set()
                assert cut.wait(SOON), "it was left to load"
                raise BrainError("the download was cut short")

            def close(self) -> None:
                cut.set()

        brains = {"slow": kind("slow", Loading(lambda view: Decision("M", "M")))}
        table = Table(brains, (Spec("slow"), Spec("slow")), fallback=Spec("slow"))
        thread = threading.Thread(target=lambda: (loading.wait(SOON), table.stop()))
        thread.start()
        with pytest.raises(BrainError, match="closed before it was ready"):
            table.prepare(lambda _: None)
        thread.join()
        table.close()


def test_where_the_right_brain_cannot_be_made_the_left_one_is_closed():
    closed = []
    left = Function(lambda view: Decision("M", "M"))
    left.close = lambda: closed.append(True)
    brains = {"left": kind("left", left), "right": BrainKind("right", "", lambda spec: spec.allow())}
    with pytest.raises(UsageError, match="right: "):
        Table(brains, (Spec("left"), Spec.parse("right:depth=3")), fallback=Spec("left"))
    assert closed == [True]


def test_a_table_closed_between_two_rounds_lets_its_match_end():
    table = Table(
        {"a": kind("a", Function(lambda view: Decision("M", "M")))},
        (Spec("a"), Spec("a")),
        fallback=Spec("a"),
        intervals=True,
    )
    given: list[Any] = ["not yet"]
    match = threading.Thread(target=lambda: given.append(table.begin_round(1, 2, ("", ""))))
    match.start()
    while table.intermission is None:
        pass
    table.close()
    match.join(SOON)
    assert given[1:] == [None]
    assert table.intermission is None


def test_a_lifetime_has_one_state_after_the_other_and_a_start_that_fails_can_be_tried_again():
    life = Lifetime(lambda: states.append(life.state))
    with pytest.raises(OSError), life.start():
        raise OSError
    states: list[str] = [life.state]
    with life.start():
        states.append(life.state)
    states.append(life.state)
    life.close()
    states.append(life.state)
    assert states == ["new", "starting", "ready", "closing", "closed"]


def test_whatever_is_closed_takes_no_use_any_more_and_hides_what_went_wrong_in_it():
    life = Lifetime(lambda: None)

    def fail_after_closing() -> None:
        with life.use():
            life.close()
            raise OSError("the pipe was cut")

    with pytest.raises(Cancelled):
        fail_after_closing()
    for begin in (life.use, life.start):
        with pytest.raises(Cancelled), begin():
            raise AssertionError("it was used after it was closed")
    assert not life.hand_over()


def test_what_is_in_use_is_released_again_only_when_its_last_use_ends():
    released: list[str] = []
    life = Lifetime(lambda: released.append(life.state))

    def inner() -> None:
        with life.use():
            life.close()

    def outer() -> None:
        with life.use():
            with pytest.raises(Cancelled):
                inner()
            assert (released, life.state) == (["closing"], "closing")

    with pytest.raises(Cancelled):
        outer()
    assert (released, life.state) == (["closing"] * 2, "closed")
