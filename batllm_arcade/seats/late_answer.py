"""Waiting for one answer until its deadline; an answer that comes later is dropped."""

from __future__ import annotations

import threading
from typing import Protocol

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.match.runner import Answer

POLL_S = 0.2
"""Seconds after which the deadline is looked at again: a person's window may hold it."""


class ReplySlot:
    """Where one answer is put; nobody reads the slot of a question that was given up, so a late answer is dropped."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.decision: Decision | None = None
        self.problem = ""

    def fill(self, decision: Decision | None, problem: str) -> None:
        """Set the answer, or why there is none: None, or what was received all the same."""
        self.decision, self.problem = decision, problem
        self.ready.set()


def wait_for_answer(slot: ReplySlot, live: Live) -> None:
    """Wait until the answer is there or the deadline has passed."""
    left = live.seconds_left()
    while not slot.ready.wait(None if left is None else min(left, POLL_S)):
        left = live.seconds_left()
        if not left:
            return


class Asked(Protocol):
    """A brain that was asked: its deadline in seconds, and how it is shown and recorded by now."""

    deadline_s: float | None

    @property
    def info(self) -> SeatInfo:
        """Return who it is."""
        ...


def answer_of(decision: Decision | None, problem: str, waited: float, brain: Asked, live: Live, now: str) -> Answer:
    """Return what came of asking a brain; without a decision and a problem it was too late.

    With a problem the decision is what was received all the same. `waited` is the time it took, in seconds; `live` has
    what was thought until then, and what came in place of an answer. `now` is the time, ISO 8601.
    """
    nothing, limit, adapted = Decision("", None), brain.deadline_s, brain.info.adapted
    if problem:
        return Answer(decision or nothing, "error", problem, waited, now, adapted)
    if decision is not None:
        return Answer(decision, "ok", "", waited, now, adapted)
    late = "it gave its answer up" if limit is None else f"no answer within {limit:g} s"
    late += f"; {live.reason}" if live.reason else ""
    return Answer(Decision("", None, thought=live.thought.strip()), "timeout", late, waited, now, adapted)
