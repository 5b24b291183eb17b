"""A brain on its way to a seat: made and prepared on a thread of its own, so that it can hold nobody up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.seats.brain_thread import BrainThread


@dataclass(frozen=True)
class PendingStatus:
    """What waits to take a seat: `ready` for the next turn's end, or failed with a `problem`, else still loading.

    `progress` is the line it last showed, `since` is `time.monotonic()`.
    """

    spec: Spec
    ready: bool
    problem: str
    progress: str
    since: float


class PendingBrain:
    """Gets a brain ready at once; it is taken when it is ready, or dropped at any time."""

    def __init__(self, spec: Spec, make: Callable[[], BrainThread]) -> None:
        self.spec = spec
        self.made, self.settled = threading.Event(), threading.Event()
        """Set when it is known whether it can be made, and whether it can play; whoever waits may set them, too."""
        self.takes_wheel = False
        """Whether it was wanted while a person was at the wheel, and so takes the seat from them."""
        self._make, self._since = make, time.monotonic()
        self._brain_thread: BrainThread | None = None
        self._problem, self._progress = "", "getting ready"
        self._lock = threading.Lock()
        self._done = self._gone = False
        threading.Thread(target=self._get_ready, daemon=True, name=f"pending brain {spec.short}").start()

    @property
    def pending(self) -> PendingStatus:
        """How far it is."""
        return PendingStatus(self.spec, self.ready, self._problem, self._progress, self._since)

    @property
    def ready(self) -> bool:
        """Whether it can play."""
        return self._done and not self._problem

    @property
    def refused(self) -> bool:
        """Whether it could not even be made."""
        return self._done and self._brain_thread is None

    def take(self) -> BrainThread | None:
        """The chair once it is ready, for one taker; None before, after, and where it failed or was dropped."""
        with self._lock:
            if self._gone or not self.ready:
                return None
            self._gone = True
            return self._brain_thread

    def drop(self) -> BrainThread | None:
        """Give it up; what has been made of it, for the caller to close, unless it closes itself when it is ready."""
        with self._lock:
            gone, self._gone = self._gone, True
            return self._brain_thread if not gone and self._done else None

    @property
    def unfinished(self) -> BrainThread | None:
        """What is still being prepared: at the end of a match not even that may go on."""
        return self._brain_thread

    def _report(self, text: str) -> None:
        self._progress = text

    def _get_ready(self) -> None:
        try:
            self._brain_thread = self._make()
            self.made.set()
            self._brain_thread.prepare(self._report)
        except ArcadeError as error:
            self._problem = without_folders(one_line(error, 1000))
        except BaseException as error:  # noqa: BLE001 - ctrl-C out of a plugin, on a thread that is nobody's
            self._problem = without_folders(f"{self.spec.short} could not start: {one_line(error)}")
        with self._lock:
            self._done = True
            unwanted = self._brain_thread if self._gone else None
        self.made.set()
        self.settled.set()
        if unwanted is not None:
            unwanted.close()
