"""The deadline of one call to a server, and its cancellation: both shut its socket."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Any, Literal

Why = Literal["", "late", "cancelled"]

LAST_TRY_S = 2.0
"""A try that begins with less than this left and runs out of it is not too slow: what failed before took the time."""
_LONGEST_S = 86_400.0  # a day; sockets and timers refuse much larger numbers


class DeadlineStopped(Exception):
    """The deadline ended the call; whatever was read by then is worth nothing."""


class Deadline:
    """Ends a call after `limit_s` seconds, or when `stop` is called from another thread.

    A socket's own timeout counts from the last byte and so never ends a drip feed; only shutting the
    socket does. What is read from a socket that was shut looks like a clean end, hence `check`. `hold` stops and starts
    the clock of whoever waits for the call, where that is allowed.
    """

    def __init__(self, limit_s: float, hold: Callable[[bool], None] | None = None) -> None:
        self._ends = time.monotonic() + min(limit_s, _LONGEST_S)
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._socket: socket.socket | None = None
        self.why: Why = ""
        self.reused = False
        """Whether the request went out on a connection that had served one before."""
        self.answered = False
        """Whether the headers of an answer have arrived."""
        self._failed: Exception | None = None
        self._begun_with = limit_s
        self._hold = hold
        self.stood_s = 0.0
        """The seconds that `stand` has taken."""

    def __enter__(self) -> Deadline:
        _ALARM.add(self, self._ends)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:  # a cancel that comes now must not cut the connection's next request
            self._socket = None
            self._over.set()

    @property
    def over(self) -> bool:
        """Whether the call has ended, by itself or by this deadline."""
        return self._over.is_set()

    def left(self) -> float:
        """Return the seconds until the limit, not below 0."""
        return max(0.0, self._ends - time.monotonic())

    def begin(self) -> None:
        """Note that another attempt begins."""
        self.reused = self.answered = False
        self._begun_with = self.left()

    def again(self, failed: Exception) -> None:
        """Note that this failure is behind the next attempt; raise as `check` does."""
        self._failed = failed
        self.begin()
        self.check()

    def attach(self, sock: Any) -> None:
        """Note that the call now waits on this socket, which the deadline will shut."""
        with self._lock:
            self._socket = sock
            if self._over.is_set():
                _shut(sock)

    def stop(self, why: Why = "cancelled") -> None:
        """End the call, if it is not over yet."""
        with self._lock:
            if not self._over.is_set():
                self.why = why
                self._over.set()
                _shut(self._socket)

    def check(self) -> None:
        """Raise DeadlineStopped if the call was ended, or the failure before that used up its time."""
        if not self.why and self._ends <= time.monotonic():
            self.stop("late")
        if self.why == "late" and self._failed is not None and self._begun_with < LAST_TRY_S:
            raise self._failed
        if self.why:
            raise DeadlineStopped

    @property
    def patient(self) -> bool:
        """Whether waiting for a server's limit takes no time of the call."""
        return self._hold is not None

    def stand(self, seconds: float) -> None:
        """Wait; where that is allowed the end of the call moves by as much."""
        if self._hold is None or seconds <= 0:
            self.sleep(seconds)
            return
        self._hold(True)
        self._ends, self.stood_s = self._ends + seconds, self.stood_s + seconds
        self._over.wait(seconds)
        _ALARM.add(self, self._ends)
        self._hold(False)

    def sleep(self, seconds: float) -> None:
        """Wait, but not past the end of the call."""
        self._over.wait(seconds)


class _Alarm:
    """Ends every call in time from one thread: starting a thread for each call takes longer than a fast call."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._due: list[tuple[float, int, Deadline]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None

    def add(self, deadline: Deadline, ends: float) -> None:
        with self._changed:
            if len(self._due) > 256:  # most calls end long before their time
                self._due = [entry for entry in self._due if not entry[2].over]
                heapify(self._due)
            heappush(self._due, (ends, next(self._numbers), deadline))
            if self._thread is None or not self._thread.is_alive():  # none yet, or in a process that was forked
                self._thread = threading.Thread(target=self._run, daemon=True, name="deadlines")
                self._thread.start()
            elif self._due[0][2] is deadline:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            deadline = self._next()
            if not deadline.left():  # else its end has moved
                deadline.stop("late")

    def _next(self) -> Deadline:
        with self._changed:
            while not self._due or self._due[0][0] > time.monotonic():
                self._changed.wait(self._due[0][0] - time.monotonic() if self._due else None)
            return heappop(self._due)[2]


_ALARM = _Alarm()


def _shut(sock: Any) -> None:
    sock = getattr(sock, "socket", sock)  # urllib3's TLS inside TLS (an https proxy) wraps the real one
    if isinstance(sock, socket.socket):
        with contextlib.suppress(OSError):
            # The plain socket's method: a TLS socket's own would also forget its encryption state, and
            # a read that is under way would go on with bytes still encrypted.
            socket.socket.shutdown(sock, socket.SHUT_RDWR)


CURRENT: ContextVar[Deadline | None] = ContextVar("CURRENT", default=None)
"""The deadline of the call this thread is making; connections report their socket to it."""
