"""Starts one child and leaves none of its processes behind: `SETTINGS COMMAND...` as arguments, SETTINGS as JSON.

A program of its own that imports little: it must be there in an instant. It ends when the child does, or when the pipe
`control` is closed, which happens however the program ends. On Linux it inherits every process whose parent has died
(a child subreaper), so that neither `setsid` nor a double fork hides one; elsewhere it ends the child's group.

It is two processes: the guard, and above it a watch that ends everything when the guard is killed or stopped. A sandbox
begins behind its gate: limits are set and the network is connected when it is there and what runs in it has not begun.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import signal
import struct
import sys
import time
from collections.abc import Iterator
from select import select
from typing import TYPE_CHECKING, Any, NoReturn

from batllm_arcade.processes.descendants import (
    LINUX,
    adopt_orphans,
    descendants,
    die_with_parent,
    end_all,
    hold,
    reap,
    remove,
    send,
)

if TYPE_CHECKING:
    from socket import socket as Socket

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


DNS = "169.254.1.1"
"""Where a sandbox asks for names; pasta hands it on to this computer's own resolver, wherever that listens."""
READY_S = 5.0
"""Seconds in which pasta has to be ready."""
_CONFIGURED = ("-q", "-f", "--config-net", "--no-map-gw", "--dns-forward", DNS, "-t", "none", "-u", "none")
"""Addresses are given to it here, and nothing from outside comes in."""
_ALONE = (
    "-4", "-i", "lo", "-I", "net0", "-a", "10.0.2.100", "-n", "24", "-g", "10.0.2.2", "-M", "52:55:0a:00:02:02",
)  # fmt: skip
"""Addresses of its own, where this computer has no way out of whose addresses pasta could make them."""
_NS_GET_USERNS = 0xB701
_NEW_ROUTE, _REQUEST_CREATE_ACK, _ERROR, _EXISTS = 24, 0x405, 2, -17
_LOCAL_TABLE, _STATIC, _HOST_SCOPE, _LOCAL = 255, 4, 254, 2
_DESTINATION, _OUTPUT = 1, 4
Address = tuple[int, bytes, int]
"""A family, an address, and how many of its bits count."""


class SandboxNetwork:
    """Connects one sandbox; `helpers` are the processes that this takes, which are none of the bot's."""

    resolver = f"nameserver {DNS}\n".encode()
    """The sandbox's /etc/resolv.conf."""

    def __init__(self, pasta: str, loopback: bool, mark: str) -> None:
        self.helpers: set[int] = set()
        self._pasta, self._loopback, self._mark = pasta, loopback, mark

    def connect(self, pid: int) -> str:
        """Connect the sandbox of this process; return why that cannot be done, "" if it is."""
        try:
            own = [] if self._loopback else list(_own_addresses())
            said, say = os.pipe()
            asked, ask = os.pipe()
            ready, tell = os.pipe()
            holder = os.fork()
            if holder == 0:
                _hold(pid, own, say, asked, tell)
            self.helpers.add(holder)
            os.close(say)
            problem = _answer(said) or self._start(holder, ready, tell)
            if not problem:
                os.write(ask, b"!")
                problem = _answer(said)
            for number in (said, asked, ask, ready, tell):
                os.close(number)
        except OSError as error:
            problem = error.strerror or str(error)
        return problem and f"the network cannot be given to it: {problem}"

    def _start(self, holder: int, ready: int, tell: int) -> str:
        """Start pasta for the namespaces of this process; return why it does not run, "" if it does."""
        problem = ""
        for more in ((), _ALONE):
            errors = os.memfd_create("errors")
            number = os.fork()
            if number == 0:
                self._become_pasta(more, holder, tell, errors)
            ends = time.monotonic() + READY_S
            while os.waitpid(number, os.WNOHANG) == (0, 0):
                if select([ready], [], [], 0.01)[0]:
                    self.helpers.add(number)
                    return ""
                if time.monotonic() > ends:
                    return f"pasta is not ready within {READY_S:g} s"
            problem = _last_line(errors)
        return problem

    def _become_pasta(self, more: tuple[str, ...], holder: int, tell: int, errors: int) -> NoReturn:
        try:
            os.setsid()
            _leave_pipes(errors)
            for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
                signal.signal(ignored, signal.SIG_DFL)
            ports = "auto" if self._loopback else "none"
            words = [*_CONFIGURED, *more, "-T", ports, "-U", ports, "--runas", f"{os.getuid()}:{os.getgid()}"]
            words += ["-P", f"/proc/{holder}/fd/{tell}", str(holder)]
            # Its first word tells whose it is: what it can read of its environment, nobody else can.
            os.execv(self._pasta, [f"{self._mark}/pasta", *words])
        finally:
            os._exit(127)


def _leave_pipes(errors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, to in enumerate((nothing, nothing, errors)):
        os.dup2(to, number)


def _last_line(errors: int) -> str:
    os.lseek(errors, 0, os.SEEK_SET)
    lines = [line for line in os.read(errors, 10_000).decode("utf-8", "replace").splitlines() if "syslog" not in line]
    return f"pasta ended ({lines[-1].strip()[:200]})" if lines else "pasta ended"


def _answer(said: int) -> str:
    words = os.read(said, 1000)
    return "" if words == b"+" else words.decode("utf-8", "replace") or "its namespaces are gone"


def _hold(pid: int, own: list[Address], say: int, asked: int, tell: int) -> NoReturn:
    """Enter the namespaces of a process, make these addresses its own when asked, and stay.

    Pasta says that it is ready through this process's end of the pipe `tell`.
    """
    try:
        _leave_pipes(os.open(os.devnull, os.O_RDWR))
        try:
            _enter(pid)
            die_with_parent()  # not before: who gains rights forgets it
            os.write(say, b"+")
            if os.read(asked, 1):
                _keep_inside(own)
                os.write(say, b"+")
        except OSError as error:
            os.write(say, (error.strerror or str(error)).encode())
        os.closerange(3, 1024)
        while True:
            signal.pause()
    finally:
        os._exit(0)


def _enter(pid: int) -> None:
    import ctypes

    network = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
    users = fcntl.ioctl(network, _NS_GET_USERNS)  # those of the process may be others by now
    library = ctypes.CDLL(None, use_errno=True)
    for space in (users, network):
        if library.setns(space, 0):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        os.close(space)


def _own_addresses() -> Iterator[Address]:
    """Yield the addresses at which this computer itself answers; its loopback, too, for a socket may name a device."""
    import socket

    yield socket.AF_INET, bytes([127, 0, 0, 0]), 8
    yield socket.AF_INET6, bytes(15) + b"\1", 128
    with open("/proc/net/fib_trie", encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["|--"]:
                address = words[1]
            elif words[1:] == ["host", "LOCAL"] and not address.startswith("127."):
                yield socket.AF_INET, socket.inet_aton(address), int(words[0][1:])
    for line in _with_ipv6():
        yield socket.AF_INET6, bytes.fromhex(line[:32]), 128


def _with_ipv6() -> list[str]:
    with contextlib.suppress(FileNotFoundError), open("/proc/self/net/if_inet6", encoding="ascii") as file:
        return file.readlines()
    return []


def _keep_inside(addresses: list[Address]) -> None:
    """Make addresses local ones of the device that leads out; raise OSError if that cannot be done."""
    import socket

    device = next(number for number, name in socket.if_nameindex() if name != "lo")
    families = (socket.AF_INET, socket.AF_INET6) if _with_ipv6() else (socket.AF_INET,)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as link:
        for family, address, bits in addresses:
            error = _asked(link, _local_route(family, address, bits, device)) if family in families else 0
            if error not in (0, _EXISTS):
                raise OSError(-error, os.strerror(-error))


def _local_route(family: int, address: bytes, bits: int, device: int) -> bytes:
    header = struct.pack("=8BI", family, bits, 0, 0, _LOCAL_TABLE, _STATIC, _HOST_SCOPE, _LOCAL, 0)
    to = struct.pack("=HH", 4 + len(address), _DESTINATION) + address
    return header + to + struct.pack("=HHI", 8, _OUTPUT, device)


def _asked(link: Socket, route: bytes) -> int:
    link.send(struct.pack("=IHHII", 16 + len(route), _NEW_ROUTE, _REQUEST_CREATE_ACK, 1, 0) + route)
    reply = link.recv(4096)
    kind, error = struct.unpack_from("=4xH10xi", reply)
    return int(error) if kind == _ERROR else 0


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
                import resource

                # Not before: outside, all that the user runs would be counted.
                resource.prlimit(self._inside, resource.RLIMIT_NPROC, (self._tasks, self._tasks))
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
    sandbox = settings["sandbox"]
    if not sandbox["pasta"]:
        return None

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
            if os.WIFSIGNALED(status):
                return f"signal {os.WTERMSIG(status)}"
            code = os.WEXITSTATUS(status)
            return f"signal {code - SIGNALLED}" if around and SIGNALLED < code < SIGNALLED + 65 else f"exit {code}"
        counted = LINUX and settings["processes"]
        if counted and (count := len(descendants(helpers)) - around) > settings["processes"]:
            return f"processes {count}"
        if gate is not None and (count := gate.files()) > settings["written"]:
            return f"files {count}"
