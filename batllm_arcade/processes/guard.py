"""Starts one child and leaves none of its processes behind: `SETTINGS COMMAND...` as arguments, SETTINGS as JSON.

A program of its own that imports nothing but its neighbours here. It ends when the child does, or when the pipe
`control` is closed, which happens however the program ends. On Linux it inherits every process whose parent has died
(a child subreaper), so that neither `setsid` nor a double fork hides one; elsewhere it ends the child's group.

It is two processes: the guard, and above it a watch that ends everything when the guard is killed or stopped.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from select import select
from typing import Any

from batllm_arcade.processes.descendants import LINUX, adopt_orphans, descendants, die_with_parent, end_all, reap, send
from batllm_arcade.processes.removal import hold, remove
from batllm_arcade.processes.sandbox_gate import SandboxGate

TICK_S = 0.05
"""Seconds between two counts of the child's processes."""
IDLE_S = 2.0
"""Seconds between two looks at the program where nothing is counted."""
WRAPPERS = 2
"""Processes of bwrap around a child in a sandbox: the one that waits for it, and the first one inside."""
SIGNALLED = 128
"""What bwrap adds to the number of the signal that has ended its child, and ends with itself."""


def main() -> None:
    """Start the child and watch it; its id and what became of it are written to the pipe `status`, a line each."""
    settings = json.loads(sys.argv[1])
    for number in (settings["control"], settings["status"]):
        os.set_inheritable(number, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    folder = hold(settings["folder"]) if settings["folder"] else -1
    adopt_orphans()
    guard = os.fork()
    if guard == 0:
        _guard(settings, sys.argv[2:], folder)
    else:
        _watch_guard(guard, settings, folder)
    os._exit(0)  # at once: the program waits for it, and there is nothing to tidy up


def _watch_guard(guard: int, settings: dict[str, Any], folder: int) -> None:
    """Wait for the guard; if it did not end by itself, end it and all that is left, and say so."""
    _let_go_of_pipes()
    os.close(settings["control"])
    _, status = os.waitpid(guard, os.WUNTRACED)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
        return
    send(guard, signal.SIGKILL)
    end_all(guard)
    if settings["folder"]:
        remove(settings["folder"], folder)
    _say(settings, "guard stopped" if os.WIFSTOPPED(status) else "guard ended")


def _guard(settings: dict[str, Any], command: list[str], folder: int) -> None:
    adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    gate = SandboxGate(settings) if settings["sandbox"] else None
    child, problem = _start(settings, command, gate)
    _let_go_of_pipes()
    if not problem:
        _say(settings, f"pid {child}")
    said = f"start {problem}" if problem else _watch(child, settings, woken, gate)
    end_all(child)
    if gate is not None:
        gate.close()
    if settings["folder"] and not (settings["keep"] and said == "exit 0"):
        remove(settings["folder"], folder)
    _say(settings, said)


def _let_go_of_pipes() -> None:
    """Leave its pipes to the child alone, so that their ends are seen."""
    with open(os.devnull, "r+b") as nothing:
        for number in range(3):
            os.dup2(nothing.fileno(), number)


def _say(settings: dict[str, Any], line: str) -> None:
    with contextlib.suppress(OSError):
        os.write(settings["status"], f"{line}\n".encode("utf-8", "replace"))


def _start(settings: dict[str, Any], command: list[str], gate: SandboxGate | None) -> tuple[int, str]:
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
            die_with_parent()
            if LINUX and os.getppid() != guard:
                os._exit(127)
            command = command if gate is None else gate.through(command)
            os.execvp(command[0], command)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the guard's own code
            os.write(tell, f"{getattr(error, 'strerror', None) or error}".encode())
        finally:
            os._exit(127)
    os.close(tell)
    with open(told, "rb") as pipe:
        problem = pipe.read().decode("utf-8", "replace")
    if gate is not None:
        problem = gate.open() or problem
    return child, problem


def _limit(settings: dict[str, Any]) -> None:
    import resource

    data, size = (settings[name] * 1024 * 1024 for name in ("memory_mb", "file_mb"))
    limits = [(resource.RLIMIT_NOFILE, settings["files"]), (resource.RLIMIT_DATA, data)]
    limits += [(resource.RLIMIT_FSIZE, size), (resource.RLIMIT_CPU, settings["cpu_s"])]
    for what, most in [(resource.RLIMIT_CORE, 0), *((what, most) for what, most in limits if most)]:
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))
    os.nice(settings["nice"])


def _watch(child: int, settings: dict[str, Any], woken: int, gate: SandboxGate | None) -> str:
    """Wait until the child has ended or is unwanted, or the watch has gone; return which.

    `exit 3`, `signal 9`, `processes 12`, `files 10001`, `unwanted`, `guard ended`.
    """
    parent, control = os.getppid(), settings["control"]
    tick = TICK_S if settings["processes"] else IDLE_S
    around, helpers = (0, set[int]()) if gate is None else (WRAPPERS, gate.helpers)
    while True:
        readable, _, _ = select([control, woken], [], [], tick)
        if woken in readable:
            os.read(woken, 4096)
        if control in readable:
            if not os.read(control, 64):
                return "unwanted"
            for pid in {child, *descendants(helpers)} - (
                {child} if around else set()
            ):  # without bwrap they die unasked
                send(pid, signal.SIGTERM)
        if os.getppid() != parent:
            return "guard ended"
        status = reap(child)
        if status is not None:
            return _ended(status, around)
        counted = LINUX and settings["processes"]
        if counted and (count := len(descendants(helpers)) - around) > settings["processes"]:
            return f"processes {count}"
        if gate is not None and (count := gate.files()) > settings["written"]:
            return f"files {count}"


def _ended(status: int, around: int) -> str:
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    code = os.WEXITSTATUS(status)
    return f"signal {code - SIGNALLED}" if around and SIGNALLED < code < SIGNALLED + 65 else f"exit {code}"
