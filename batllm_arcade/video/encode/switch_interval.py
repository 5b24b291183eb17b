"""How soon Python lets another thread run: sooner than usual while one beside it must not wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_usual: list[float] = []
"""The interval before the first of the blocks that are being run."""
_asked: list[float] = []
"""What the blocks that are being run ask for."""


@contextmanager
def short_switch_interval(seconds: float) -> Iterator[None]:
    """Switch threads after so many seconds instead of 5 ms, Python's default.

    Blocks on several threads may end in any order: the shortest of those that are left holds, then what was before.
    """
    with _lock:
        if not _asked:
            _usual[:] = [sys.getswitchinterval()]
        _asked.append(seconds)
        sys.setswitchinterval(min(_asked))
    try:
        yield
    finally:
        with _lock:
            _asked.remove(seconds)
            sys.setswitchinterval(min(_asked, default=_usual[0]))
