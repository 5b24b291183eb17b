"""Shared by the tests of the table."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest

from batllm_arcade.brains.live import Live


class StoppableClock:
    """The time, while `goes` is set; before and after that it stands, and no deadline passes."""

    def __init__(self) -> None:
        self.goes = threading.Event()
        self._now = 0.0

    def __call__(self) -> float:
        if self.goes.is_set():
            self._now = time.monotonic()
        return self._now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StoppableClock:
    """The clock by which the table's deadlines are counted; it stands until a test lets it go."""
    clock = StoppableClock()
    monkeypatch.setattr("batllm_arcade.seats.table.Live", partial(Live, clock=clock))
    return clock
