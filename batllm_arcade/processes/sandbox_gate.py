"""The moment at which a sandbox is there and what runs in it has not begun: limits are set that count inside only."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from batllm_arcade.processes.cgroup import ChildCgroup

_KEYCTL = {
    "x86_64": 250, "aarch64": 219, "riscv64": 219, "loongarch64": 219, "armv7l": 311, "armv6l": 311, "i686": 288,
    "ppc64le": 271, "s390x": 280,
}  # fmt: skip
"""The number of the system call `keyctl`, by machine."""
_JOIN_SESSION = 1


class SandboxGate:
    """The pipes by which bwrap tells its first process inside, and waits until that may go on."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._told, self._tell = os.pipe()
        self._wait, self._go = os.pipe()
        self._tasks: int = settings["tasks"]
        self._cgroup = ChildCgroup(settings["total_mb"], self._tasks)

    def through(self, command: list[str]) -> list[str]:
        """Return bwrap's command with these pipes; in the process that becomes bwrap, which leaves this user's keys."""
        _leave_keys()
        for number in (self._tell, self._wait):
            os.set_inheritable(number, True)
        return [command[0], "--info-fd", str(self._tell), "--block-fd", str(self._wait), *command[1:]]

    def open(self) -> None:
        """Limit what is inside as a whole, and let it begin; one that has ended meanwhile stays so."""
        os.close(self._tell)
        os.close(self._wait)
        with open(self._told, "rb") as pipe:
            inside = re.search(rb'"child-pid": *([0-9]+)', pipe.read())
        if inside:
            self._cgroup.take(int(inside[1]))
            with contextlib.suppress(OSError, ValueError):
                _limit_tasks(int(inside[1]), self._tasks)
        with contextlib.suppress(OSError):
            os.write(self._go, b"!")
        os.close(self._go)

    def close(self) -> None:
        """Tidy up, once all that was inside is gone."""
        self._cgroup.remove()


def _leave_keys() -> None:
    """Join an empty session keyring: the kernel's keys are handed on to children, and no namespace hides them."""
    import ctypes

    if number := _KEYCTL.get(os.uname().machine):
        ctypes.CDLL(None).syscall(number, _JOIN_SESSION, None, 0, 0, 0)


def _limit_tasks(pid: int, tasks: int) -> None:
    import resource

    # Not before: outside, all that the user runs would be counted.
    resource.prlimit(pid, resource.RLIMIT_NPROC, (tasks, tasks))
