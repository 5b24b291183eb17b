"""A brain that gets ready for a seat on a thread of its own, so that nobody has to wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.seats.brain_thread import BrainThread


@dataclass(frozen=True)
class PendingStatus:
    """How far a pending brain is: `ready` for the next turn's end, failed with a `problem`, or still loading.

    `progress` is the line it last reported, `since` is `time.monotonic()`.
    """

    spec: Spec
    ready: bool
    problem: str
    progress: str
    since: float


class PendingBrain:
    """Makes and prepares a brain at once; it can be taken when it is ready, and closed at any moment."""

    def __init__(self, spec: Spec, make: Callable[[], BrainThread]) -> None:
        self.spec = spec
        self.settled = threading.Event()
        """Set when it is ready, has failed or was closed; who waits for it may set it, too."""
        self.replaces_person = False
        """Whether it was asked for while a person had taken the seat over, and so ends that."""
        self._make, self._since = make, time.monotonic()
        self._brain_thread: BrainThread | None = None
        self._problem, self._progress = "", "getting ready"
        self._lifetime = Lifetime(self._release)
        threading.Thread(target=self._run, daemon=True, name=f"pending brain {spec.short}").start()

    @property
    def status(self) -> PendingStatus:
        """How far it is."""
        return PendingStatus(self.spec, self.ready, self._problem, self._progress, self._since)

    @property
    def ready(self) -> bool:
        """Whether it can play."""
        return self._lifetime.state == "ready"

    def take(self) -> BrainThread | None:
        """Return the brain, which is the caller's to close from now on; None unless it is ready and still here."""
        return self._brain_thread if self._lifetime.hand_over() else None

    def close(self) -> None:
        """Give it up: what is still being prepared is cut short and closed."""
        self._lifetime.close()
        self.settled.set()

    def _release(self) -> None:
        if self._brain_thread is not None:
            self._brain_thread.close()

    def _report(self, text: str) -> None:
        self._progress = text

    def _run(self) -> None:
        try:
            with self._lifetime.start():
                self._brain_thread = self._make()
                if not self._lifetime.ended:
                    self._brain_thread.prepare(self._report)
        except Cancelled:
            pass
        except ArcadeError as error:
            self._fail(one_line(error, 1000))
        except BaseException as error:  # noqa: BLE001 - ctrl-C out of a plugin, on a thread that is nobody's
            self._fail(f"{self.spec.short} could not start: {one_line(error)}")
        self.settled.set()

    def _fail(self, problem: str) -> None:
        self._problem = without_folders(problem)
        self._lifetime.close()
