"""Slow work on a thread of its own, which a screen looks at once per frame and may give up at any moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, Literal, TypeVar

from batllm_arcade.errors import ArcadeError

T = TypeVar("T")
Report = Callable[[float], None]
"""Takes the share of the work that is done, 0 to 1; ends the work by an exception once the task was closed."""
UNEXPECTED = "an error in the arcade stopped this; its traceback is in the terminal"
"""The problem of a task whose work raised anything but an ArcadeError."""


class _Closed(BaseException):
    """Nobody waits for the work any more; no `except Exception` on the way may keep it."""


class BackgroundTask(Generic[T]):
    """Calls `work(report)` once; `result` or `problem`, one sentence, is set when `done` becomes true.

    Any thread may call any method at any time. After `close` nothing becomes of the work: its thread ends with the
    next `report`, `done` stays false.
    """

    def __init__(self, name: str, work: Callable[[Report], T]) -> None:
        self.share = 0.0
        self.result: T | None = None
        self.problem = ""
        self._work, self._lock = work, threading.Lock()
        self._state: Literal["new", "running", "done", "closed"] = "new"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    @property
    def done(self) -> bool:
        """Return whether the work has ended, well or badly."""
        return self._state == "done"

    def start(self) -> None:
        """Begin, unless it has begun or was closed already."""
        with self._lock:
            if self._state == "new":
                self._state = "running"
                self._thread.start()

    def close(self) -> None:
        """Give up the work and its result; returns at once."""
        with self._lock:
            self._state, self.result = "closed", None

    def _report(self, share: float) -> None:
        if self._state == "closed":
            raise _Closed
        self.share = share

    def _run(self) -> None:
        result, problem = None, UNEXPECTED
        try:
            self._report(0.0)
            result, problem = self._work(self._report), ""
        except _Closed:
            pass
        except ArcadeError as error:
            problem = str(error)
        finally:  # an unexpected exception goes on to the terminal, but nobody waits for ever because of it
            with self._lock:
                if self._state == "running":
                    self.result, self.problem, self._state = result, problem, "done"
