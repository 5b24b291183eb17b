"""What a brain tells while it decides, and how it is stopped."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal

from batllm_arcade.brains.redaction import SECRETS


class Cancelled(Exception):
    """The answer is no longer wanted; a brain need not catch it."""


class Live:
    """The line between a brain that thinks and the host that waits; every method is thread-safe.

    `deadline_s` is the time for the answer in seconds (None: no limit), counted by `clock`; `published` is called with
    every partial text. With `patient` the time for which a server's limit is waited for is no time of the answer's.
    `attended`: somebody looks on, and is asked what to do about a server that is not there.
    """

    # No dict: a brain cannot put methods of its own in place of those the host calls.
    __slots__ = (
        "_callbacks", "_cancelled", "_clock", "_commands", "_ends", "_held_at", "_held_s", "_lock", "_published",
        "_reason", "_text", "_thought", "attended", "patient",
    )  # fmt: skip

    def __init__(
        self,
        deadline_s: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        published: Callable[[str], None] | None = None,
        patient: bool = False,
        attended: bool = False,
    ) -> None:
        self.patient, self.attended = patient, attended
        self._published = published
        self._clock = clock
        self._ends = None if deadline_s is None else clock() + deadline_s
        self._held_at: float | None = None
        self._held_s = 0.0
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []
        self._commands: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._text = self._thought = self._reason = ""

    @property
    def text(self) -> str:
        """The partial text last published, at most 4,000 characters."""
        return self._text

    def publish(self, text: str) -> None:
        """Show `text`, all that is there so far, while the brain is still thinking."""
        self._text = SECRETS.left_out(str.__str__(str(text)))[-4000:]
        if self._published is not None:
            self._published(self._text)

    @property
    def thought(self) -> str:
        """What was thought so far, at most 4,000 characters; it is recorded if no answer comes in time."""
        return self._thought

    def keep_thought(self, text: str) -> None:
        """Keep what was thought so far, all of it; `publish` shows it."""
        self._thought = SECRETS.left_out(str.__str__(str(text)))[-4000:]

    @property
    def reason(self) -> str:
        """Why there may be no answer in time, one sentence; it is told if there is none."""
        return self._reason

    def keep_reason(self, sentence: str) -> None:
        """Keep what to tell if no answer comes in time, such as what came in its place."""
        self._reason = SECRETS.left_out(str.__str__(str(sentence)))[:300]

    def seconds_left(self) -> float | None:
        """Return the seconds until the deadline, not below 0; None without one."""
        with self._lock:
            now = self._clock() if self._held_at is None else self._held_at
            return None if self._ends is None else max(0.0, self._ends - now)

    def hold(self, held: bool) -> None:
        """Stop the deadline or let it go on: a person's clock stands while nothing can be done, or in a pause."""
        with self._lock:
            now = self._clock()
            if held and self._held_at is None:
                self._held_at = now
            elif not held and self._held_at is not None:
                self._ends = None if self._ends is None else self._ends + now - self._held_at
                self._held_s += now - self._held_at
                self._held_at = None

    @property
    def held_s(self) -> float:
        """Return the seconds for which the deadline stood."""
        with self._lock:
            return self._held_s + (0.0 if self._held_at is None else self._clock() - self._held_at)

    @property
    def cancelled(self) -> bool:
        """Whether the answer is no longer wanted."""
        return self._cancelled.is_set()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Call `callback` (from another thread) when the answer is no longer wanted, to cut a wait short."""
        with self._lock:
            if not self._cancelled.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def cancel(self) -> None:
        """Give the answer up; the host calls this at the deadline and when a match is left."""
        with self._lock:
            self._cancelled.set()
            callbacks, self._callbacks = self._callbacks, []
        self._commands.put(None)
        for callback in callbacks:
            # A plugin's callback may block or raise; neither may hold the match up.
            threading.Thread(target=_quietly, args=(callback,), daemon=True).start()

    def submit_command(self, token: str) -> None:
        """Give the person's command, "" to do nothing on purpose; the window calls this."""
        self._commands.put(token)

    def wait_for_command(self) -> str:
        """Return the command a person gives at this seat ("": nothing, on purpose); raise Cancelled when unwanted."""
        token = self._commands.get()
        if token is None:
            raise Cancelled
        return token


def _quietly(callback: Callable[[], None]) -> None:
    with suppress(BaseException):  # a plugin's own clean-up; its answer is dropped anyway
        callback()


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
