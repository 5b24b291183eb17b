"""How soon Python lets another thread run: sooner than usual while one beside it must not wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def short_switch_interval(seconds: float) -> Iterator[None]:
    """Switch threads after so many seconds instead of 5 ms, Python's default."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
