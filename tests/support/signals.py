"""Signals as programs in a terminal have them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def heard(*numbers: int) -> Iterator[None]:
    """Within it these signals do what they usually do, here and in programs that are started within.

    Whoever starts the tests may have had them ignored (`nohup`: SIGHUP; a script's `&`: SIGINT), which is inherited.
    """
    usual = {number: signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL for number in numbers}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
