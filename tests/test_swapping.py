"""Seats that change hands during a match: hot swaps, the wheel, abandoned rounds, intervals; the real table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fakes import Hanging, kind, plays, swaps

from batllm_arcade import match
from batllm_arcade.brains import BrainKind, Decision, Spec, View
from batllm_arcade.core.model import Rules
from batllm_arcade.match import MatchPlan
from batllm_arcade.records import Play, RoundStarted
from batllm_arcade.seating import Table

RULES = Rules(total_rounds=2, turns_per_round=4)
SOON = 10.0
"""Seconds a test waits for what happens at once, also on a busy machine."""


class Named:
    """A brain that answers one command; what it was asked, prepared and closed is noted."""

    def __init__(self, token: str = "S", prepare: Callable[[], None] | None = None) -> None:
        self.token, self._prepare = token, prepare
        self.views: list[View] = []
        self.closed = threading.Event()

    def prepare(self, report: Callable[[str], None]) -> None:
        report("warming up")
        if self._prepare is not None:
            self._prepare()

    def decide(self, view: View) -> Decision:
        self.views.append(view)
        return Decision(self.token, self.token)

    def close(self) -> None:
        assert not self.closed.is_set(), "closed twice"
        self.closed.set()


class Person:
    """A person who gives what the test hands in."""

    title = "Human"

    def decide(self, view: View) -> Decision:
        token = view.live.wait_for_hand()
        return Decision(token, token)


@contextmanager
def seated(left: Any = None, right: Any = None, **how: Any) -> Iterator[Any]:
    """A table; its `offer(name, brain)` adds a brain that can be swapped in."""
    offered: dict[str, BrainKind] = {}
    brains = {"left": left or Named("S1"), "right": right or Named("S0"), "fallback": Named("A1")}
    for name, brain in {**brains, **how.pop("brains", {})}.items():
        offered[name] = kind(name, brain)
    offered["keyboard"] = BrainKind("keyboard", "a person", lambda spec: Person(), human=True)
    specs = how.pop("specs", (Spec("left"), Spec("right")))
    table = Table(offered, specs, fallback=Spec("fallback"), **{"deadline_s": 20.0, **how})
    try:
        yield table
    finally:
        table.stop()
        for brain in brains.values():
            if isinstance(brain, Hanging):
                brain.released.set()
        table.close()


def until(true: Callable[[], Any]) -> Any:
    """Wait for what must happen; what it gives."""
    ends = time.monotonic() + SOON
    while not (given := true()):
        assert time.monotonic() < ends, "it did not happen"
        time.sleep(0.002)
    return given


class Live:
    """A match on a thread of its own, a record at a time, as a window shows it."""

    def __init__(self, table: Table, rules: Rules = RULES, seed: int = 2, **plan: Any) -> None:
        self.table, self.records = table, []
        self._go = threading.Semaphore(0)
        self._free = False
        stream = match.play(MatchPlan(rules, seed, **plan), table)

        def run() -> None:
            for record in stream:
                self.records.append(record)
                if isinstance(record, Play) and not self._free:
                    self._go.acquire()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def wait_for(self, count: int) -> None:
        """Let the match go on until so many plays were made; there it waits."""
        for number in range(1, count + 1):
            until(lambda number=number: len(plays(self.records)) >= number or not self.thread.is_alive())
            if number < count:
                self._go.release()

    def step(self, count: int = 1) -> None:
        """So many plays more."""
        have = len(plays(self.records))
        for number in range(have + 1, have + count + 1):
            self._go.release()
            until(lambda number=number: len(plays(self.records)) >= number or not self.thread.is_alive())

    def go(self) -> None:
        """Go on without waiting."""
        self._free = True
        self._go.release(1)

    def ended(self) -> list[Any]:
        """All records, once the match is over."""
        self.go()
        self.thread.join(SOON)
        assert not self.thread.is_alive(), "the match did not end"
        return self.records


def told(records: list[Any]) -> list[tuple[int, int, int, str, str]]:
    return [(swap.round, swap.number, swap.bot, swap.seat.brain, swap.why) for swap in swaps(records)]


def first_bot(records: list[Any]) -> int:
    return next(record for record in records if isinstance(record, RoundStarted)).acting_order[0]


def by(records: list[Any], token: str) -> list[tuple[int, int]]:
    """The plays with this command: round and number."""
    return [(play.round, play.number) for play in plays(records) if play.command.token == token]


def ready(table: Table, bot: int) -> None:
    until(lambda: table.pending(bot) and table.pending(bot).ready)


# ------------------------------------------------------------------------------ hot swaps


@pytest.mark.parametrize("bot", [0, 1])
def test_another_brain_takes_the_seat_when_the_turn_is_over(bot):
    old, new = Named("M"), Named("C5")
    with seated(*((old, None) if bot == 0 else (None, old)), brains={"new": new}) as table:
        game = Live(table)
        game.wait_for(1)
        table.swap(bot, Spec("new"))
        ready(table, bot)
        records = game.ended()
        assert old.closed.wait(SOON), "the brain that had to go was not closed"
        assert not new.closed.is_set()
        assert table.pending(bot) is None
    mine = 3 if first_bot(records) == bot else 4
    assert told(records) == [(1, mine, bot, "new", "swap")]
    assert by(records, "M") == [(1, mine - 2)]
    assert len(by(records, "C5")) == 7
    following = records[records.index(swaps(records)[0]) + 1]
    assert isinstance(following, Play)
    assert (following.bot, following.number) == (bot, mine)
    assert new.closed.is_set()
