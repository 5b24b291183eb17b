"""The moment at which a sandbox is there and what runs in it has not begun: limits are set that count inside only."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, Any

from batllm_arcade.processes.cgroup import ChildCgroup

if TYPE_CHECKING:
    from batllm_arcade.processes.sandbox_network import SandboxNetwork

_KEYCTL = {
    "x86_64": 250, "aarch64": 219, "riscv64": 219, "loongarch64": 219, "armv7l": 311, "armv6l": 311, "i686": 288,
    "ppc64le": 271, "s390x": 280,
}  # fmt: skip
"""The number of the system call `keyctl`, by machine."""
_JOIN_SESSION = 1
WRITTEN = ("/tmp", "/dev/shm")
"""Where what is inside can write, each with files of its own."""


class SandboxGate:
    """The pipes by which bwrap tells its first process inside, and waits until that may go on."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._told, self._tell = os.pipe()
        self._wait, self._go = os.pipe()
        self._tasks: int = settings["tasks"]
        self._cgroup = ChildCgroup(settings["total_mb"], self._tasks)
        self._seccomp = bytes.fromhex(settings["sandbox"]["seccomp"])
        self._network = _network(settings)
        self._inside = 0
        self._written: list[int] = []

    @property
    def helpers(self) -> set[int]:
        """Return the processes that belong to the sandbox and not to what is in it."""
        return self._network.helpers if self._network is not None else set()

    def through(self, command: list[str]) -> list[str]:
        """Return bwrap's command with these pipes; in the process that becomes bwrap, which leaves this user's keys."""
        _leave_keys()
        for number in (self._tell, self._wait):
            os.set_inheritable(number, True)
        words = ["--info-fd", str(self._tell), "--block-fd", str(self._wait)]
        if self._seccomp:
            words += ["--seccomp", _to_be_read(self._seccomp)]
        if self._network is not None:
            words += ["--ro-bind-data", _to_be_read(self._network.resolver), "/etc/resolv.conf"]
        return [command[0], *words, *command[1:]]

    def open(self) -> str:
        """Limit what is inside as a whole, and let it begin; one that has ended meanwhile stays so.

        Return why it may not begin, "" if it has.
        """
        os.close(self._tell)
        os.close(self._wait)
        with open(self._told, "rb") as pipe:
            inside = re.search(rb'"child-pid": *([0-9]+)', pipe.read())
        if inside:
            self._inside = int(inside[1])
            self._cgroup.take(self._inside)
            with contextlib.suppress(OSError, ValueError):
                _limit_tasks(self._inside, self._tasks)
            if self._network is not None and (problem := self._network.connect(self._inside)):
                return problem
        with contextlib.suppress(OSError):
            os.write(self._go, b"!")
        os.close(self._go)
        return ""

    def files(self) -> int:
        """Return how many files and folders there are in what can be written inside."""
        if not self._written:
            with contextlib.suppress(OSError):
                self._written = _mounted(f"/proc/{self._inside}/root")
        return sum(found.f_files - found.f_ffree for found in map(os.fstatvfs, self._written))

    def close(self) -> None:
        """Tidy up, once all that was inside is gone."""
        self._cgroup.remove()


def _network(settings: dict[str, Any]) -> SandboxNetwork | None:
    """Return what connects a sandbox with the network, None for one that has none."""
    sandbox = settings["sandbox"]
    if not sandbox["pasta"]:
        return None
    from batllm_arcade.processes.sandbox_network import SandboxNetwork

    return SandboxNetwork(sandbox["pasta"], sandbox["loopback"], settings["mark"])


def _to_be_read(data: bytes) -> str:
    """Return the number of a pipe from which a process that takes this one's place can read this, and no more."""
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    os.set_inheritable(read, True)
    return str(read)


def _mounted(root: str) -> list[int]:
    """Return descriptors of what can be written in a sandbox with this root, [] until all is there; raise OSError."""
    places = [root + path for path in WRITTEN]
    if os.path.samestat(os.stat(root), os.stat("/")) or not all(map(os.path.ismount, places)):
        return []
    return [os.open(place, os.O_PATH) for place in places]


def _leave_keys() -> None:
    """Join an empty session keyring: the kernel's keys are handed on to children, and no namespace hides them."""
    import ctypes

    if number := _KEYCTL.get(os.uname().machine):
        ctypes.CDLL(None).syscall(number, _JOIN_SESSION, None, 0, 0, 0)


def _limit_tasks(pid: int, tasks: int) -> None:
    import resource

    # Not before: outside, all that the user runs would be counted.
    resource.prlimit(pid, resource.RLIMIT_NPROC, (tasks, tasks))
