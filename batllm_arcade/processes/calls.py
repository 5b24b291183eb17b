"""What is asked of a child: exchanges, whose states have names, and numbered calls in lines of JSON."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Generic, Literal, TypeVar

from batllm_arcade.processes.child import Link
from batllm_arcade.processes.launch import Ended
from batllm_arcade.processes.lines import Line, json_line, message_of

State = Literal["new", "waiting", "given up", "done"]
Message = TypeVar("Message")
Outcome = TypeVar("Outcome")


class GivenUp(Exception):
    """Nobody wants the outcome any more."""


class Exchange(Generic[Message, Outcome]):
    """One thing asked of a child, from `start` to its outcome, which is `Ended` where the child has gone first.

    A protocol starts it and hands it what the child says; `cancel` and `wait` may be called by any thread.
    """

    def __init__(self) -> None:
        self.state: State = "new"
        self._lock = threading.Lock()
        # A Future takes a quarter of a bot's play: who it wakes has to wait for its lock at once.
        self._outcome: SimpleQueue[Outcome | Ended | GivenUp] = SimpleQueue()

    def start(self, link: Link) -> None:
        """Ask the child behind this link."""
        self._link = link
        if self.state == "new":  # else it was given up before
            self.state = "waiting"

    def received(self, message: Message) -> bool:
        """Take a message; return False if it is none that this exchange waits for."""
        raise NotImplementedError

    def gone(self, ended: Ended) -> None:
        """Take it that the child has ended."""
        self.settle(ended)

    def settle(self, outcome: Outcome | Ended) -> bool:
        """End with this outcome; return False if it was over already."""
        with self._lock:
            return self._over("done", outcome)

    def cancel(self) -> None:
        """Give it up, unless it is over: nobody waits any more."""
        with self._lock:
            given_up = self._over("given up", GivenUp())
        if given_up:
            self.given_up()

    def given_up(self) -> None:
        """Tell the child, where it can be told."""
        return

    def _over(self, state: State, outcome: Outcome | Ended | GivenUp) -> bool:
        """End with the lock held; return False if it was over already."""
        if self.state in ("given up", "done"):
            return False
        self.state = state
        self._outcome.put(outcome)
        return True

    def wait(self, seconds: float | None) -> Outcome | Ended:
        """Return the outcome; raise TimeoutError after so many seconds, GivenUp if nobody wants it."""
        try:
            outcome = self._outcome.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        self._outcome.put(outcome)  # for others who wait
        if isinstance(outcome, GivenUp):
            raise outcome
        return outcome


class Call(Exchange[Mapping[str, Any], Mapping[str, Any]]):
    """A request with a number, and its answer with the same; without a `body` the child answers unasked."""

    def __init__(self, number: int, body: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._number, self._body = number, body

    def start(self, link: Link) -> None:
        """Send the request."""
        super().start(link)
        if self._body is not None:
            link.send(json_line({"id": self._number, "body": self._body}))

    def received(self, message: Mapping[str, Any]) -> bool:
        """Take the answer."""
        return self.settle(message)

    def given_up(self) -> None:
        """Tell the child its number without a body."""
        self._link.send(json_line({"id": self._number}))


class Calls:
    """A child that answers numbered requests, several at once; its first line, numbered 0, says that it is `ready`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._ended: Ended | None = None
        self.ready = Call(0)
        self._calls = {0: self.ready}

    @property
    def busy_in_vain(self) -> bool:
        """Whether it is still at work on what was given up."""
        with self._lock:
            return any(call.state == "given up" for call in self._calls.values())

    def ask(self, body: Mapping[str, Any]) -> Call:
        """Send a request and return it."""
        with self._lock:
            number = next(self._numbers)
            call = self._calls[number] = Call(number, body)
        call.start(self._link)
        if self._ended is not None:
            self.gone(self._ended)
        return call

    def connected(self, link: Link) -> None:
        """Wait for the first line."""
        self._link = link
        self.ready.start(link)

    def received(self, line: Line) -> None:
        """Hand an answer to its request; raise ValueError if it is none."""
        message = message_of(line)
        if type(message.get("id")) is not int:
            raise ValueError(line)
        with self._lock:
            call = self._calls.pop(message["id"], None)
        if call is not None:
            call.received(message)

    def gone(self, ended: Ended) -> None:
        """End all requests, and those to come."""
        self._ended = ended
        with self._lock:
            calls, self._calls = self._calls, {}
        for call in calls.values():
            call.gone(ended)
