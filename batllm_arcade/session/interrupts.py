"""Ctrl-C and SIGTERM while a match is played or a film is made: the first ends it in good order, the second at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType


@contextmanager
def on_interrupt(stop: Callable[[], None], signals: Sequence[int] = (signal.SIGINT,)) -> Iterator[None]:
    """Call `stop` once, on a thread of its own, at the first of these signals; the second one acts as usual.

    Outside the main thread, where Python takes no signals, nothing happens.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    requests: SimpleQueue[bool] = SimpleQueue()  # a handler may put into it whatever it interrupts

    def handle(_signal: int, _frame: FrameType | None) -> None:
        # Stopping takes locks, which the interrupted thread may hold: so it is left to the other thread.
        for number in signals:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        requests.put(True)

    def wait() -> None:
        if requests.get():
            stop()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    before = {number: signal.signal(number, handle) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        requests.put(False)
        waiting.join()
