"""Ctrl-C while a film is made: the first one ends it in good order, the second one at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that the first ctrl-C sets; outside the main thread nothing does."""
    stopped = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stopped.set()

    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before: Any = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)
