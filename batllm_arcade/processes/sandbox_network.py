"""A sandbox's own network, connected with this computer's by pasta: it never has the sockets of this computer itself.

A process of the guard's waits in the sandbox's namespaces: by its id pasta finds them, whatever bubblewrap does next.
It also makes the addresses of this computer the sandbox's own, so that nothing that is sent there goes out.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
import time
from collections.abc import Iterator
from select import select
from typing import NoReturn

from batllm_arcade.processes.descendants import die_with_parent

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
    """Leave the pipes of the bot to it; what goes wrong is written to `errors`."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, to in enumerate((nothing, nothing, errors)):
        os.dup2(to, number)


def _last_line(errors: int) -> str:
    os.lseek(errors, 0, os.SEEK_SET)
    lines = [line for line in os.read(errors, 10_000).decode("utf-8", "replace").splitlines() if "syslog" not in line]
    return f"pasta ended ({lines[-1].strip()[:200]})" if lines else "pasta ended"


def _answer(said: int) -> str:
    """Return the problem that the process inside has, "" if it has done what it was to do."""
    words = os.read(said, 1000)
    return "" if words == b"+" else words.decode("utf-8", "replace") or "its namespaces are gone"


# ------------------------------------------------------------------------------ in the process that waits inside


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
    """Return a line for every address of IPv6, none where there is none of it."""
    with contextlib.suppress(FileNotFoundError), open("/proc/self/net/if_inet6", encoding="ascii") as file:
        return file.readlines()
    return []


def _keep_inside(addresses: list[Address]) -> None:
    """Make addresses local ones of the device that leads out; raise OSError if that cannot be done."""
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


def _asked(link: socket.socket, route: bytes) -> int:
    """Return what the kernel says to a new route: 0, or a number of errno below it."""
    link.send(struct.pack("=IHHII", 16 + len(route), _NEW_ROUTE, _REQUEST_CREATE_ACK, 1, 0) + route)
    reply = link.recv(4096)
    kind, error = struct.unpack_from("=4xH10xi", reply)
    return int(error) if kind == _ERROR else 0
