"""Closing brains without waiting for them: a plugin's `close` may block."""

from __future__ import annotations

import threading
import time
from typing import Protocol

from batllm_arcade.brains.protocol import Spec


class Closing(Protocol):
    """A brain at a seat or on its way to one."""

    spec: Spec

    def close(self) -> None:
        """End whatever it does, now or soon."""
        ...


class Closer:
    """Closes each brain on a thread of its own; one that never returns is left behind."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def close(self, brain: Closing | None) -> None:
        """Close a brain that is no longer needed, without waiting for it."""
        if brain is not None:
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            name = f"closing {brain.spec.short}"
            thread = threading.Thread(target=brain.close, daemon=True, name=name)
            thread.start()  # before anybody can wait for it: a thread cannot be joined before
            self._threads.append(thread)

    def wait(self, seconds: float) -> None:
        """Wait at most `seconds` until all of them are closed."""
        ends = time.monotonic() + seconds
        for thread in tuple(self._threads):
            thread.join(max(0.0, ends - time.monotonic()))
