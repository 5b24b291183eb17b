"""Ctrl-C, SIGTERM and SIGHUP while a match is played or a film is made: the first ends it in order, the next now."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from queue import SimpleQueue
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask a program to end; Windows has no SIGHUP."""
HANGUP = tuple(number for number in ENDING if number not in (signal.SIGINT, signal.SIGTERM))
"""SIGHUP, where there is one: a window gets the others as the wish to close it."""


class Interrupt:
    """Which signal has come, `number`, 0 before any."""

    number = 0

    @property
    def exit_code(self) -> int:
        """Return the program's exit code, as shells count it: 130 for ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
        return 128 + self.number if self.number else 0


@contextmanager
def on_interrupt(
    stop: Callable[[], None], signals: Sequence[int] = (signal.SIGINT,), *, in_handler: bool = False
) -> Iterator[Interrupt]:
    """Call `stop` once at the first of these signals and yield which one it was; the second one acts as usual.

    It is called on a thread of its own, as it may take locks that the interrupted thread holds; `in_handler` calls
    it in the signal's handler, for a `stop` that takes none. Outside the main thread, where Python takes no
    signals, nothing happens. A SIGHUP that is ignored (`nohup`) stays so.
    """
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    handled = [each for each in signals if not _is_ignored_hangup(each)]
    with _calling(stop) if not in_handler else nullcontext(stop) as request, _handling(handled, request, interrupt):
        yield interrupt


def _is_ignored_hangup(number: int) -> bool:
    return number == getattr(signal, "SIGHUP", None) and signal.getsignal(number) is signal.SIG_IGN


@contextmanager
def _handling(signals: Sequence[int], request: Callable[[], None], interrupt: Interrupt) -> Iterator[None]:
    def handle(came: int, _frame: FrameType | None) -> None:
        interrupt.number = came
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
