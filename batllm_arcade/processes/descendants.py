"""All processes below this one: counted, asked to end, ended, with nothing of ours but the system's calls."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Collection

ENDING_S = 5.0
"""Seconds after which processes that do not even end when killed (stuck in the kernel) are given up."""
LINUX = sys.platform == "linux"
_SUBREAPER, _DEATH_SIGNAL = 36, 1
"""Numbers of prctl's PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG."""


def adopt_orphans() -> None:
    """Become the parent of every process below whose own parent has died, where the system can do that."""
    if LINUX:
        _prctl(_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent has died, where the system can do that."""
    if LINUX:
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)


def descendants(apart: Collection[int] = ()) -> set[int]:
    """Return all processes below this one, as far as the system tells them, without those `apart` and below these."""
    found: set[int] = set()
    looking = [os.getpid()] if LINUX else []
    while looking:
        for pid in _children(looking.pop()):
            if pid not in found and pid not in apart:
                found.add(pid)
                looking.append(pid)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def reap(child: int) -> int | None:
    """Forget processes that have ended; return the child's status once it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == child:
                found = status
    return found


def end_all(child: int) -> None:
    """Kill the child's group and all below this process, again and again: one that starts others must not get ahead."""
    ends = time.monotonic() + ENDING_S
    while time.monotonic() < ends:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for pid in descendants():
            send(pid, signal.SIGKILL)
        reap(child)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        time.sleep(0.001)


def end_marked(mark: str) -> bool:
    """Kill every process of this user whose environment or name began with `mark`; return whether there was one."""
    found, ends = False, time.monotonic() + ENDING_S
    while (pids := _marked(mark.encode())) and time.monotonic() < ends:
        found = True
        for pid in pids:
            send(pid, signal.SIGKILL)
        time.sleep(0.01)
    return found


def _marked(mark: bytes) -> list[int]:
    found = []
    for name in os.listdir("/proc") if LINUX else ():
        if name.isdecimal() and int(name) != os.getpid():
            named = _read(f"/proc/{name}/cmdline").startswith(mark)
            if named or mark in _read(f"/proc/{name}/environ").split(b"\0"):
                found.append(int(name))
    return found


def _read(path: str) -> bytes:
    """Return what is in a file of /proc, b"" where it cannot be read, as of a process that has ended."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read()
    return b""


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may have ended."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _prctl(option: int, value: int) -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
