"""Swaps and take-overs asked for by the window, made on a thread: a brain's factory may take its time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError
from batllm_arcade.seats.table import Table


@dataclass
class SeatRequest:
    """A change of who sits at a seat: `done` as soon as the table has taken or refused (`problem`) it."""

    bot: int
    spec: Spec | None = None
    problem: str = ""
    done: bool = False


class SeatChanges:
    """Passes requests on to the table, one after the other; every call returns at once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._refused: deque[str] = deque()
        self._queue: SimpleQueue[tuple[SeatRequest, Callable[[], None]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def swap(self, bot: int, spec: Spec) -> SeatRequest:
        """Ask for another brain at this seat from the end of a turn on."""
        return self._put(SeatRequest(bot, spec), lambda: self._table.swap(bot, spec))

    def take_over(self, bot: int) -> SeatRequest:
        """Ask for a person at this seat from its very next play on."""
        return self._put(SeatRequest(bot), lambda: self._table.take_over(bot))

    def refused(self) -> list[str]:
        """Return why requests were refused since the last call, one sentence each."""
        return [self._refused.popleft() for _ in range(len(self._refused))]

    def close(self) -> None:
        """Take no further requests; the thread ends after those made before."""
        if self._thread is not None:
            self._queue.put(None)

    def _put(self, request: SeatRequest, change: Callable[[], None]) -> SeatRequest:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="seat changes")
            self._thread.start()
        self._queue.put((request, change))
        return request

    def _work(self) -> None:
        while (entry := self._queue.get()) is not None:
            request, change = entry
            try:
                change()
            except ArcadeError as error:
                request.problem = str(error)
                self._refused.append(request.problem)
            request.done = True
