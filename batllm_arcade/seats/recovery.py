"""A model that has lost its seat to the fallback: got ready again each round, and asked until it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from batllm_arcade.brains.protocol import BrainKind, Spec, View
from batllm_arcade.match.runner import Answer
from batllm_arcade.seats.brain_thread import BrainThread
from batllm_arcade.seats.pending_brain import PendingBrain, PendingStatus

RECOVERY_S = 10.0
"""Seconds for which a round waits for a model to get ready again; one that takes longer comes in the middle of it."""


def may_recover(kind: BrainKind) -> bool:
    """Return whether a brain that failed may do better later: a model, whose server was away, not a bot's file."""
    return kind.prompted and not kind.files


class Recovery:
    """Gets the model of `spec` ready again, in each round anew if that failed; `close` it at any moment."""

    def __init__(self, spec: Spec, make: Callable[[], BrainThread]) -> None:
        self.spec, self._make = spec, make
        self._pending: PendingBrain | None = None

    def begin(self) -> PendingBrain:
        """Begin to get ready, unless that is under way; return what to wait for."""
        if self._pending is None or (self._pending.settled.is_set() and not self._pending.ready):
            self._pending = PendingBrain(self.spec, self._make)
        return self._pending

    @property
    def status(self) -> PendingStatus | None:
        """How far it is, None while it is not being got ready."""
        return self._pending.status if self._pending is not None else None

    def take(self) -> BrainThread | None:
        """Return the model if it is ready to be asked, which is the caller's to close; it is got ready anew later."""
        pending = self._pending
        brain_thread = pending.take() if pending is not None and pending.ready else None
        if brain_thread is not None:
            self._pending = None
        return brain_thread

    def close(self) -> None:
        """Give it up."""
        if self._pending is not None:
            self._pending.close()


class KeptAnswer(NamedTuple):
    """The answer with which a model has got its seat back, until the match asks for it again at its new seat."""

    brain_thread: BrainThread
    play: tuple[int, int, int]
    answer: Answer
    stream: tuple[Any, ...]
    """The state of the seat's random stream after it."""


def play_of(view: View) -> tuple[int, int, int]:
    """Return what tells a play from every other: its game, round and number."""
    return view.game, view.round, view.number
