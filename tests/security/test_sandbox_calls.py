"""The system calls that a sandbox refuses, as a bot in it meets them, and as the filter for each machine decides."""

from __future__ import annotations

import errno
import json
import platform
import sys

import pytest
from resources import nothing_left
from sandboxing import bot_program, log_of, process_brain, require_sandbox

from batllm_arcade.isolation.sandbox import REFUSED, program, seccomp_filter

BOT = """
import ctypes, errno, socket, subprocess, threading
library = ctypes.CDLL(None, use_errno=True)
def tell(name, found):
    print(json.dumps([name, found]), file=sys.stderr, flush=True)
def call(name, number, *values):
    ctypes.set_errno(0)
    library.syscall(number, *(ctypes.c_long(value) for value in values))
    tell(name, errno.errorcode.get(ctypes.get_errno(), "nothing"))
def connected(name, *values):
    try:
        socket.socket(*values).close()
        tell(name, "nothing")
    except OSError as error:
        tell(name, errno.errorcode[error.errno])
for name, number in NUMBERS.items():
    call(name, number, 0, 0, 0, 0, 0)
for name, values in {
    "tcp": (2, 1), "udp6": (10, 2), "unix": (1, 1), "sctp": (2, 1, 132), "raw": (2, 3, 1), "netlink": (16, 3, 0),
    "alg": (38, 5), "vsock": (40, 1), "packet": (17, 2), "can": (29, 3),
}.items():
    connected(name, *values)
call("clone with a namespace", CLONE, 0x10000011)
call("another personality", PERSONALITY, 0x0400000)
thread = threading.Thread(target=tell, args=("thread", "nothing"))
thread.start(); thread.join()
tell("process", subprocess.run(["/bin/sh", "-c", "echo nothing"], capture_output=True, text=True).stdout.strip())
tell("pair", "nothing" if socket.socketpair() else "")
"""
AT = {"x86_64": 0, "aarch64": 1}
ONE = {"clone": (56, 220), "personality": (135, 92), "ioctl": (16, 29), "socket": (41, 198), "socketpair": (53, 199)}


@pytest.mark.skipif(platform.machine() not in AT or sys.platform != "linux", reason="the filter is for others")
def test_a_bot_is_refused_what_no_bot_needs_and_given_what_bots_do(tmp_path):
    require_sandbox()
    at = AT[platform.machine()]
    # Not those that end it when they are granted, or could do harm where there is no filter.
    names = [
        "io_uring_setup", "userfaultfd", "bpf", "perf_event_open", "keyctl", "add_key", "request_key", "ptrace", "kcmp",
        "process_vm_readv", "pidfd_getfd", "unshare", "setns", "clone3", "name_to_handle_at", "vmsplice",
        "memfd_secret", "move_pages", "quotactl", "fsopen", "open_tree", "syslog", "mount", "fanotify_init",
    ]  # fmt: skip
    numbers = {name: REFUSED[name][at] for name in names}
    text = BOT.replace("NUMBERS", repr(numbers)).replace("CLONE", str(ONE["clone"][at]))
    bot = bot_program(tmp_path / "bot.py", text.replace("PERSONALITY", str(ONE["personality"][at])))
    with nothing_left():
        found = dict(json.loads(line) for line in log_of(process_brain(bot)) if line.startswith("["))
    absent = ("io_uring_setup", "clone3", "memfd_secret")
    assert {name: found[name] for name in names} == {name: "ENOSYS" if name in absent else "EPERM" for name in names}
    families = ("netlink", "alg", "vsock", "packet", "can")
    assert {name: found[name] for name in families} == dict.fromkeys(families, "EAFNOSUPPORT")
    assert (found["sctp"], found["raw"]) == ("EPROTONOSUPPORT", "EPERM")
    assert (found["clone with a namespace"], found["another personality"]) == ("EPERM", "EPERM")
    given = ("tcp", "udp6", "unix", "thread", "process", "pair")
    assert {name: found[name] for name in given} == dict.fromkeys(given, "nothing")


def decided(machine: str, number: int, *values: int, kind: int = 0, network: bool = False) -> int | str:
    """What the filter of a machine says to a call: `allowed`, `killed` or the error."""
    kind = kind or {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}[machine]
    data = {0: number, 4: kind} | {16 + 8 * at: value for at, value in enumerate(values)}
    loaded, at, filter = 0, 0, program(machine, network=network)
    while True:
        code, so, else_, value = filter[at]
        at += 1
        if code == 0x20:
            loaded = data.get(value, 0)
        elif code == 0x54:
            loaded &= value
        elif code == 0x06:
            return {0x7FFF0000: "allowed", 0x80000000: "killed"}.get(value, value & 0xFFFF)
        else:
            test = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
            at += so if test else else_


@pytest.mark.parametrize("machine", AT)
def test_the_filter_of_each_machine_refuses_the_same(machine):
    at = AT[machine]
    for name, numbers in REFUSED.items():
        if numbers[at]:
            absent = name == "clone3" or name.startswith(("io_uring", "memfd"))
            assert decided(machine, numbers[at]) == (errno.ENOSYS if absent else errno.EPERM), name
    socket, clone, ioctl = (ONE[name][at] for name in ("socket", "clone", "ioctl"))
    assert decided(machine, socket, 2, 0x80001, 6) == decided(machine, socket, 1, 5, 0) == "allowed"
    assert decided(machine, socket, 2, 1, 262) == errno.EPROTONOSUPPORT
    assert decided(machine, socket, 16, 3, 0) == errno.EAFNOSUPPORT
    assert decided(machine, socket, 16, 3, 0, network=True) == "allowed"
    assert decided(machine, socket, 16, 3, 12, network=True) == errno.EPROTONOSUPPORT
    assert decided(machine, ONE["socketpair"][at], 40, 1, 0) == errno.EAFNOSUPPORT
    assert (decided(machine, clone, 0x3D0F00), decided(machine, clone, 0x40000011)) == ("allowed", errno.EPERM)
    assert (decided(machine, ioctl, 0, 0x5401), decided(machine, ioctl, 0, 0x5412)) == ("allowed", errno.EPERM)
    assert decided(machine, ONE["personality"][at], 0xFFFFFFFF) == "allowed"
    assert decided(machine, 0, kind=0x40000003) == "killed", "of another kind of machine"
    assert decided(machine, 0x40000000 + 41, 2, 1, 0) == errno.ENOSYS
    assert {decided(machine, number) for number in (0, 1, 3, 63, 64, 80, 90, 95, 202, 230)} == {"allowed"}


def test_an_unknown_machine_has_no_filter(monkeypatch):
    monkeypatch.setattr("os.uname", lambda: type("Uname", (), {"machine": "riscv64"}))
    assert seccomp_filter(network=False) == b""
