"""Work on threads beside the window: its progress, its result, and waiting for it when the window closes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from batllm_arcade.errors import ArcadeError

T = TypeVar("T")
Report = Callable[[str], None]
"""Takes a line of progress."""


class TaskCancelled(Exception):
    """Raised out of `report` when a task's result is no longer wanted."""


class BackgroundTask(Generic[T]):
    """Work on a thread of its own; when it is `done` there is a `result` or an `error`.

    `work(report)` does it and reports its progress in words; `discard` gets a result that came after `cancel`. It is
    begun at once, or (not `begun`) by `start`.
    """

    def __init__(
        self, name: str, work: Callable[[Report], T], discard: Callable[[T], None] | None = None, *, begun: bool = True
    ) -> None:
        self.progress = ""
        self.result: T | None = None
        self.error: ArcadeError | None = None
        """Why there is no result, in one sentence."""
        self.bug: BaseException | None = None
        """The unexpected exception that ended the work, if any."""
        self._work, self._discard = work, discard
        self._lock = threading.Lock()
        self._cancelled = self._done = False
        self._thread = threading.Thread(target=self._run, daemon=True, name=name)
        if begun:
            self.start()

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether it is known what became of it."""
        return self._done

    @property
    def problem(self) -> str:
        """Why there is no result, "" if there is one, and as long as nothing went wrong."""
        return str(self.error or "")

    @property
    def alive(self) -> bool:
        """Whether its thread is still running."""
        return self._thread.is_alive()

    def join(self, seconds: float | None = None) -> None:
        """Wait for its thread, at most so long."""
        self._thread.join(seconds)

    def cancel(self) -> None:
        """Give it up: it stops at its next report, and a result is discarded."""
        with self._lock:
            self._cancelled, result = True, self.result
            self.result = None
        if result is not None and self._discard is not None:  # may take its time, too
            self._thread = threading.Thread(target=self._discard, args=(result,), daemon=True, name="discarding")
            self._thread.start()

    def _report(self, words: str) -> None:
        if self._cancelled:
            raise TaskCancelled
        self.progress = words

    def _run(self) -> None:
        try:
            self._keep(self._work(self._report))
        except TaskCancelled:
            pass
        except ArcadeError as error:
            self.error = error
        except BaseException as error:  # noqa: BLE001 - shown by the window, raised when it closes
            self.bug, self.error = error, ArcadeError(f"the program failed: {type(error).__name__}: {error}")
        self._done = True

    def _keep(self, result: T) -> None:
        with self._lock:
            unwanted = self._cancelled
            if not unwanted:
                self.result = result
        if unwanted and self._discard is not None:
            self._discard(result)


Leftover = BackgroundTask[Any]
"""Work whose screen is gone."""


class Leftovers:
    """Work of screens that were left, which may still be running."""

    def __init__(self) -> None:
        self._works: list[Leftover] = []

    def add(self, work: Leftover) -> None:
        """Wait for this at the end; what is over and went well is forgotten."""
        others = [other for other in self._works if other is not work and (other.alive or other.bug)]
        self._works = [*others, work]

    def close(self, seconds: float) -> BaseException | None:
        """Wait for everything, `seconds` altogether; return the first thing that went wrong unexpectedly."""
        ends = time.monotonic() + seconds
        for work in self._works:
            work.join(max(0.0, ends - time.monotonic()))
        return next((work.bug for work in self._works if work.bug is not None), None)
