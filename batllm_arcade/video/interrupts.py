"""Ctrl-C and SIGTERM while a film is made: the first one ends the film early, the second one the program."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Yield an event that the first ctrl-C or SIGTERM sets; outside the main thread nothing sets it."""
    stopped = threading.Event()
    before: dict[int, Any] = {}

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        stopped.set()

    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    for handled in (signal.SIGINT, signal.SIGTERM):
        before[handled] = signal.signal(handled, stop)
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
