"""What a test has left open: threads, child processes and file descriptors of this process (on Linux)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SOON = 10.0
"""Seconds for what ends by itself, also on a busy machine."""
HANGS_S = 60.0
"""Seconds for which what hangs does so: more than any wait takes that was cut short, on however busy a machine."""


def opened() -> set[str]:
    """Everything that is open now, each with a name that says what it is."""
    threads = {f"thread {thread.ident} {thread.name}" for thread in threading.enumerate()}
    return threads | {f"process {pid}" for pid in children()} | _descriptors()


def children() -> set[int]:
    """The process ids of this process's children, also of those that have ended and were not waited for."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            found.update(map(int, (task / "children").read_text().split()))
        except OSError:  # the thread has just ended
            continue
    return found


def _descriptors() -> set[str]:
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(f"descriptor {name} {os.readlink(f'/proc/self/fd/{name}')}")
        except OSError:  # the one that lists them
            continue
    return found


@contextmanager
def small_files(largest: int) -> Iterator[None]:
    """Let this process write no file beyond so many bytes: a disk that is full, in the middle of a write, too."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def nothing_left() -> Iterator[None]:
    """Fail if something that was opened within is still open a while afterwards."""
    before = opened()
    yield
    ends = time.monotonic() + SOON
    while left := opened() - before:
        assert time.monotonic() < ends, f"still open: {sorted(left)}"
        time.sleep(0.001)
