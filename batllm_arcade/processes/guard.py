"""Starts one child and leaves none of its processes behind: `guard.py SETTINGS COMMAND...`, SETTINGS as JSON.

A program of its own that imports nothing of ours. It ends when the child does, or when the pipe `control` is
closed, which happens however the program ends. On Linux it inherits every process whose parent has died
(a child subreaper), so that neither `setsid` nor a double fork hides one; elsewhere it ends the child's group.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from select import select
from typing import Any

TICK_S = 0.05
"""Seconds between two counts of the child's processes."""
IDLE_S = 2.0
"""Seconds between two looks at the program where nothing is counted."""
ENDING_S = 5.0
"""Seconds after which processes that do not even end when killed (stuck in the kernel) are given up."""
_LINUX = sys.platform == "linux"
_SUBREAPER, _DEATH_SIGNAL = 36, 1
"""Numbers of prctl's PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG."""


def main() -> None:
    """Start the child and watch it; its id and what became of it are written to the pipe `status`, a line each."""
    settings = json.loads(sys.argv[1])
    for number in (settings["control"], settings["status"]):
        os.set_inheritable(number, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if _LINUX:
        _prctl(_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child, problem = _start(settings, sys.argv[2:])
    with open(os.devnull, "r+b") as nothing:  # the child alone holds its pipes, so that their ends are seen
        for number in range(3):
            os.dup2(nothing.fileno(), number)
    if not problem:
        _say(settings, f"pid {child}")
    said = f"start {problem}" if problem else _watch(child, settings, woken)
    _end_all(child)
    if settings["folder"] and not (settings["keep"] and said == "exit 0"):
        _remove(settings["folder"])
    _say(settings, said)


def _say(settings: dict[str, Any], line: str) -> None:
    with contextlib.suppress(OSError):
        os.write(settings["status"], f"{line}\n".encode("utf-8", "replace"))


def _start(settings: dict[str, Any], command: list[str]) -> tuple[int, str]:
    """Return the child's process id, and why it cannot be started, "" if it runs."""
    told, tell = os.pipe()
    guard = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            _limit(settings)
            if _LINUX:
                _prctl(_DEATH_SIGNAL, signal.SIGKILL)
                if os.getppid() != guard:
                    os._exit(127)
            os.execvp(command[0], command)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the guard's own code
            os.write(tell, f"{getattr(error, 'strerror', None) or error}".encode())
        finally:
            os._exit(127)
    os.close(tell)
    with open(told, "rb") as pipe:
        return child, pipe.read().decode("utf-8", "replace")


def _limit(settings: dict[str, Any]) -> None:
    import resource

    data = settings["memory_mb"] * 1024 * 1024
    limits = [(resource.RLIMIT_NOFILE, settings["files"]), (resource.RLIMIT_DATA, data)]
    for what, most in [(resource.RLIMIT_CORE, 0), *((what, most) for what, most in limits if most)]:
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))
    os.nice(settings["nice"])


def _watch(child: int, settings: dict[str, Any], woken: int) -> str:
    """Wait until the child has ended or is unwanted; return which: `exit 3`, `signal 9`, `processes 12`, `unwanted`."""
    parent, control = os.getppid(), settings["control"]
    tick = TICK_S if settings["processes"] else IDLE_S
    while True:
        readable, _, _ = select([control, woken], [], [], tick)
        if woken in readable:
            os.read(woken, 4096)
        if control in readable:
            if not os.read(control, 64):
                return "unwanted"
            for pid in {child, *(_descendants() if _LINUX else ())}:
                _kill(pid, signal.SIGTERM)
        if os.getppid() != parent:
            return "unwanted"
        status = _reap(child)
        if status is not None:
            return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
        if _LINUX and settings["processes"] and (count := len(_descendants())) > settings["processes"]:
            return f"processes {count}"


def _reap(child: int) -> int | None:
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


def _descendants() -> set[int]:
    """Return all processes below this one."""
    found: set[int] = set()
    looking = [os.getpid()]
    while looking:
        for pid in _children(looking.pop()):
            if pid not in found:
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


def _end_all(child: int) -> None:
    """Kill the child and all below it, again and again: one that is starting others must not get ahead."""
    ends = time.monotonic() + ENDING_S
    while time.monotonic() < ends:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for pid in _descendants() if _LINUX else ():
            _kill(pid, signal.SIGKILL)
        _reap(child)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        time.sleep(0.001)


def _kill(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _remove(folder: str) -> None:
    """Remove the child's working folder and what it has written there."""
    for path, folders, files in os.walk(folder, topdown=False):
        for name in files:
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(path, name))
        for name in folders:
            with contextlib.suppress(OSError):
                each = os.path.join(path, name)
                os.unlink(each) if os.path.islink(each) else os.rmdir(each)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _prctl(option: int, value: int) -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
