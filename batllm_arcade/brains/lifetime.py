"""The lifetime of what several threads start, use and close: one lock, one state."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from batllm_arcade.brains.live import Cancelled

State = Literal["new", "starting", "ready", "closing", "closed"]


class Lifetime:
    """One state that may be closed at any moment from any thread, also before and while it starts.

    `release` frees whatever is held and must not raise. `close` calls it at once, which cuts short what is
    under way; if something was under way, it is called again when the last of that has ended, for what has
    been opened meanwhile. It is never called twice at the same time.
    """

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        self._lock = threading.Lock()
        self._state: State = "new"
        self._uses = 0
        self._released = False

    @property
    def state(self) -> State:
        """Where in its life it is."""
        return self._state

    @property
    def ended(self) -> bool:
        """Whether it is closing or closed: nothing may be opened any more."""
        return self._state in ("closing", "closed")

    @contextmanager
    def start(self) -> Iterator[None]:
        """Be `starting` within and `ready` afterwards, `new` after a failure; raise Cancelled as `use` does."""
        with self._used("ready", "new"):
            with self._lock:
                if self._state == "new":
                    self._state = "starting"
            yield

    @contextmanager
    def use(self) -> Iterator[None]:
        """Let nothing that is opened within outlive `close`; raise Cancelled if it was closed, before or meanwhile."""
        with self._used():
            yield

    def close(self) -> None:
        """Close it; a second call does nothing."""
        with self._lock:
            if self.ended:
                return
            self._state, busy = "closing", self._uses > 0
        self._release()
        with self._lock:
            self._released, idle = True, self._uses == 0
        if idle:
            self._finish(again=busy)

    def hand_over(self) -> bool:
        """Give what is held to the caller, once; return whether it was ready, and is the caller's to close now."""
        with self._lock:
            ready = self._state == "ready"
            if ready:
                self._state = "closed"
            return ready

    @contextmanager
    def _used(self, success: State | None = None, failure: State | None = None) -> Iterator[None]:
        with self._lock:
            if self.ended:
                raise Cancelled
            self._uses += 1
        try:
            yield
        except Exception:
            if self._leave(failure):
                raise Cancelled from None  # what goes wrong in something that was closed is of no interest
            raise
        except BaseException:
            self._leave(failure)
            raise
        if self._leave(success):
            raise Cancelled

    def _leave(self, then: State | None) -> bool:
        """End one use, release again if `close` came meanwhile and this was the last; return whether it is closed."""
        with self._lock:
            self._uses -= 1
            closed = self.ended
            if then is not None and not closed:
                self._state = then
            last = self._state == "closing" and self._released and self._uses == 0
        if last:
            self._finish(again=True)
        return closed

    def _finish(self, *, again: bool) -> None:
        if again:
            self._release()
        with self._lock:
            self._state = "closed"
