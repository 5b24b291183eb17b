"""The moment at which a sandbox is there and what runs in it has not begun: limits are set that count inside only."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any

from batllm_arcade.processes.cgroup import ChildCgroup


class SandboxGate:
    """The pipes by which bwrap tells its first process inside, and waits until that may go on."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._told, self._tell = os.pipe()
        self._wait, self._go = os.pipe()
        self._tasks: int = settings["tasks"]
        self._cgroup = ChildCgroup(settings["total_mb"], self._tasks)

    def through(self, command: list[str]) -> list[str]:
        """Return bwrap's command with these pipes; in the process that becomes bwrap."""
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


def _limit_tasks(pid: int, tasks: int) -> None:
    import resource

    # Not before: outside, all that the user runs would be counted.
    resource.prlimit(pid, resource.RLIMIT_NPROC, (tasks, tasks))
