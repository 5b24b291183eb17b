"""A cgroup for what a sandbox holds, where this user may make one: it counts memory that no limit of a process does.

Only of version 2, and beside this program's own: that is what systemd leaves to a user.
"""

from __future__ import annotations

import contextlib
import os

TOP = "/sys/fs/cgroup"
CONTROLLERS = frozenset({"memory", "pids"})


class ChildCgroup:
    """A cgroup of its own with these limits; `path` is "" where none can be made, and nothing is limited by it then."""

    def __init__(self, megabytes: int, tasks: int, top: str = TOP, own: str = "/proc/self/cgroup") -> None:
        self.path = ""
        with contextlib.suppress(OSError):
            parent = _parent(top, own)
            if parent and set(_read(f"{parent}/cgroup.subtree_control").split()) >= CONTROLLERS:
                path = f"{parent}/batllm-{os.getpid()}-{os.urandom(4).hex()}"
                os.mkdir(path)
                self.path = path
                _write(f"{path}/memory.max", megabytes * 1024 * 1024)
                _write(f"{path}/pids.max", tasks)

    def take(self, pid: int) -> None:
        """Put a process into it, and all that it will start."""
        if self.path:
            with contextlib.suppress(OSError):
                _write(f"{self.path}/cgroup.procs", pid)

    def remove(self) -> None:
        """Remove it, once nothing of it is left."""
        if self.path:
            with contextlib.suppress(OSError):
                os.rmdir(self.path)


def _parent(top: str, own: str) -> str:
    """Return the folder of the cgroup that this program's is in, "" without version 2."""
    for line in _read(own).splitlines():
        if line.startswith("0::/") and os.path.exists(f"{top}/cgroup.controllers"):
            return os.path.normpath(f"{top}/{os.path.dirname(line[4:].rstrip('/'))}")
    return ""


def _read(path: str) -> str:
    with open(path, encoding="ascii") as file:
        return file.read()


def _write(path: str, number: int) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(str(number))
