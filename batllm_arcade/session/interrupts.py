"""Ctrl-C and SIGTERM while a match is played or a film is made: the first ends it in good order, the second at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from queue import SimpleQueue
from types import FrameType


@contextmanager
def on_interrupt(
    stop: Callable[[], None], signals: Sequence[int] = (signal.SIGINT,), *, in_handler: bool = False
) -> Iterator[None]:
    """Call `stop` once at the first of these signals; the second one acts as usual.

    It is called on a thread of its own, as it may take locks that the interrupted thread holds; `in_handler` calls
    it in the signal's handler, for a `stop` that takes none. Outside the main thread, where Python takes no
    signals, nothing happens.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with _calling(stop) if not in_handler else nullcontext(stop) as request, _handling(signals, request):
        yield


@contextmanager
def _handling(signals: Sequence[int], request: Callable[[], None]) -> Iterator[None]:
    def handle(_signal: int, _frame: FrameType | None) -> None:
        for number in signals:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        request()

    before = {number: signal.signal(number, handle) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _calling(stop: Callable[[], None]) -> Iterator[Callable[[], None]]:
    """Yield a function that has `stop` called by another thread, and may itself be called in a signal handler."""
    requests: SimpleQueue[bool] = SimpleQueue()  # whose put is reentrant

    def wait() -> None:
        if requests.get():
            stop()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield lambda: requests.put(True)
    finally:
        requests.put(False)
        waiting.join()
