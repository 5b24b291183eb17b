"""The sandbox of bots: bubblewrap's command and the system calls it allows."""

from __future__ import annotations

import errno
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from batllm_arcade.isolation.readable import given_paths, without_covered
from batllm_arcade.processes.launch import MARK

# -- The system calls that a sandbox refuses, as a filter that the kernel runs (seccomp): what no

REFUSED = {
    # What programs do without where it is not there: they take the older call.
    "clone3": (435, 435), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "memfd_secret": (447, 447),
    # Other processes, and the kernel's own objects.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "move_pages": (279, 239), "migrate_pages": (256, 238),
    "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241), "lookup_dcookie": (212, 18),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "vmsplice": (278, 75), "syslog": (103, 116),
    # Namespaces, mounts, files by other ways than their names.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "statmount": (457, 457), "listmount": (458, 458), "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # The machine itself.
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "sethostname": (170, 161), "setdomainname": (171, 162), "nfsservctl": (180, 42),
    # Of old programs only.
    "iopl": (172, 0), "ioperm": (173, 0), "modify_ldt": (154, 0), "uselib": (134, 0), "ustat": (136, 0),
    "sysfs": (139, 0), "_sysctl": (156, 0),
}  # fmt: skip
"""Calls by name with their numbers on x86_64 and on aarch64, 0 where there is none."""
ABSENT = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_secret")
"""Those of them that are said not to be there; the others are not permitted."""
_PARTLY = {
    "clone": (56, 220),
    "personality": (135, 92),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "socketpair": (53, 199),
}
"""Calls of which some arguments are refused."""
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which number is a machine's, and how the kernel calls it."""
_X32 = 0x40000000
"""What the numbers of x86_64's other interface have in common."""
_NAMESPACES = 0x7E020000
_TERMINAL = (0x5412, 0x541C, 0x5423)
"""Requests of ioctl that type into a terminal or change what drives it: TIOCSTI, TIOCLINUX, TIOCSETD."""
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_STREAM, _DATAGRAM = 1, 2
_USUAL = (0, 6, 17)
"""Protocols of the internet that a bot may use: what is usual, TCP, UDP."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
Program = list[tuple[int, int, int, int]]


def seccomp_filter(*, network: bool) -> bytes:
    """Return the filter for this machine as bubblewrap takes it, b"" where its numbers are not known.

    With `network` a bot can also ask which addresses the sandbox has.
    """
    wide = sys.maxsize > 2**32 and sys.byteorder == "little"
    machine = os.uname().machine if wide else ""
    return b"".join(struct.pack("=HBBI", *each) for each in program(machine, network=network))


def program(machine: str, *, network: bool) -> Program:
    """Return the filter as instructions, [] for an unknown machine."""
    if machine not in _MACHINES:
        return []
    at, architecture = _MACHINES[machine]
    partly = {
        "clone": [_argument(0), (_ANY_BIT, 0, 1, _NAMESPACES), _refuse(errno.EPERM), _allow()],
        "personality": [_argument(0), *_only((0, 0xFFFFFFFF), errno.EPERM)],
        "ioctl": [_argument(1), *_none_of(_TERMINAL), _allow()],
        "socket": _socket(network),
        "socketpair": [_argument(0), *_only((_UNIX,), errno.EAFNOSUPPORT)],
    }
    found: Program = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    found += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), _refuse(errno.ENOSYS)]
    for name, numbers in REFUSED.items():
        if numbers[at]:
            found += _if(numbers[at], [_refuse(errno.ENOSYS if name in ABSENT else errno.EPERM)])
    for name, body in partly.items():
        found += _if(_PARTLY[name][at], body)
    return [*found, _allow()]


def _socket(network: bool) -> Program:
    usual = [_argument(2), *_only(_USUAL, errno.EPROTONOSUPPORT)]
    internet = [_argument(1), (_AND, 0, 0, 15), *_if(_STREAM, usual), *_if(_DATAGRAM, usual), _refuse(errno.EPERM)]
    addresses = [_argument(2), *_only((0,), errno.EPROTONOSUPPORT)]
    return [
        _argument(0), *_if(_UNIX, [_allow()]), *_if(_INET, internet), *_if(_INET6, internet),
        *(_if(_NETLINK, addresses) if network else ()), _refuse(errno.EAFNOSUPPORT),
    ]  # fmt: skip


def _if(value: int, body: Program) -> Program:
    """Return what runs `body`, which has to return, if the value loaded is this one."""
    return [(_EQUAL, 0, len(body), value), *body]


def _only(values: Iterable[int], number: int) -> Program:
    return [*(each for value in values for each in _if(value, [_allow()])), _refuse(number)]


def _none_of(values: Iterable[int]) -> Program:
    return [each for value in values for each in _if(value, [_refuse(errno.EPERM)])]


def _argument(at: int) -> tuple[int, int, int, int]:
    """Return what loads the lower half of an argument: no more of those that are looked at counts."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * at


def _allow() -> tuple[int, int, int, int]:
    return _RETURN, 0, 0, _ALLOW


def _refuse(number: int) -> tuple[int, int, int, int]:
    return _RETURN, 0, 0, _REFUSE | number


# -- The sandbox around a bot: bubblewrap's command line, and whether bubblewrap can make one on

OLDEST = (0, 8)
"""The first bubblewrap that keeps a bot from making user namespaces of its own."""
TMP_MB, SHM_MB = 64, 16
"""MiB that a bot can write to /tmp, its working folder, and to /dev/shm."""
TRIAL_S = 10.0
"""Seconds in which the trial has to end."""
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "timezone", "ssl/openssl.cnf")
"""What of /etc programs need to start."""
_NETWORK = (
    "hosts", "host.conf", "nsswitch.conf", "gai.conf", "services", "protocols", "ssl/certs",
    "ca-certificates", "pki/tls/certs", "pki/ca-trust/extracted",
)  # fmt: skip
"""What of it those need besides that find servers by name and check their certificates; the guard adds resolv.conf."""
_UNSHARED = ("user", "pid", "ipc", "uts", "cgroup", "net")


@dataclass(frozen=True, slots=True)
class Sandboxes:
    """What bubblewrap can do here: `problem` says why it can do nothing, "" if it can; `program` is its path.

    `proc` is False where the machine lets nobody mount /proc, as some containers do: it is empty then.
    """

    program: str = ""
    problem: str = ""
    proc: bool = True


@cache
def sandboxes() -> Sandboxes:
    """Return what was found by a trial, once for the whole run of the program."""
    if sys.platform != "linux":
        return Sandboxes(problem="there is a sandbox for Linux only")
    program = shutil.which("bwrap")
    if program is None:
        return Sandboxes(problem="bubblewrap (the program bwrap) is not installed")
    version = _run([program, "--version"])
    numbers = re.search(r"(\d+)\.(\d+)", version.said)
    if version.code or numbers is None:
        return Sandboxes(problem=f"bwrap does not tell its version{version.why}")
    if (int(numbers[1]), int(numbers[2])) < OLDEST:
        return Sandboxes(problem=f"bwrap {numbers[0]} is too old; it takes {'.'.join(map(str, OLDEST))} or newer")
    return _tried(os.path.abspath(program))


def _tried(program: str) -> Sandboxes:
    calls = seccomp_filter(network=False)
    for found in (Sandboxes(program), Sandboxes(program, proc=False)):
        command = sandbox_command([shutil.which("true") or "/bin/true"], (), found)
        trial = _run([command[0], *(("--seccomp", "0") if calls else ()), *command[1:]], calls)
        if not trial.code:
            return found
    return Sandboxes(problem=f"bwrap cannot make a sandbox here{trial.why}")


@dataclass(frozen=True, slots=True)
class _Ran:
    code: int
    said: str

    @property
    def why(self) -> str:
        last = self.said.strip().splitlines()[-1:]
        return f" ({last[0].removeprefix('bwrap: ')[:200]})" if last else ""


def _run(command: Sequence[str], given: bytes = b"") -> _Ran:
    try:
        ran = subprocess.run(
            command, input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TRIAL_S,
            env=sandbox_environment(), check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return _Ran(1, str(getattr(error, "strerror", "") or f"it did not answer within {TRIAL_S:g} s"))
    return _Ran(ran.returncode, ran.stdout.decode("utf-8", "replace"))


def pasta() -> str:
    """Return the path of the program that connects a sandbox with the network, "" where it is not installed."""
    return os.path.abspath(found) if (found := shutil.which("pasta")) else ""


def sandbox_environment() -> dict[str, str]:
    """Return all that a bot in a sandbox finds in its environment: nothing of this program's own."""
    given = {"PYTHONPATH": os.pathsep.join(given_paths())} if given_paths() else {}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **_user_site(),
        **given,
    }  # fmt: skip


def _user_site() -> Mapping[str, str]:
    import site

    # Its own would be looked for in the bot's empty home.
    return {"PYTHONUSERBASE": site.getuserbase()} if site.ENABLE_USER_SITE else {}


def sandbox_command(
    command: Sequence[str], readable: Iterable[str], found: Sandboxes, *, network: bool = False
) -> list[str]:
    """Return the command in its sandbox, in which it can read the system and what is `readable`, and write to /tmp.

    The guard adds what lets it set limits before the bot begins.
    """
    return [
        found.program, *(f"--unshare-{space}" for space in _UNSHARED), "--disable-userns",
        "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL", "--hostname", "bot",
        "--die-with-parent", "--new-session", "--unsetenv", MARK,
        *_system(network), *(("--proc", "/proc", "--remount-ro", "/proc") if found.proc else ("--dir", "/proc")),
        "--dev", "/dev", *_folder("/dev/shm", SHM_MB), *_folder("/tmp", TMP_MB), *_shown(readable),
        "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--", *command,
    ]  # fmt: skip


def _folder(path: str, megabytes: int) -> tuple[str, ...]:
    return ("--size", str(megabytes * 1024 * 1024), "--perms", "0700", "--tmpfs", path)


def _system(network: bool) -> list[str]:
    found: list[str] = []
    for path in _SYSTEM:
        if os.path.islink(path):
            found += ("--symlink", os.readlink(path), path)
        elif os.path.isdir(path):
            found += ("--ro-bind", path, path)
    for name in (*_SETTINGS, *(_NETWORK if network else ())):
        found += ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    return found


def _shown(readable: Iterable[str]) -> list[str]:
    """Return what shows these paths as they are named; what a link at their end points to is shown in its place.

    So a link is for whoever names `readable` to look at: `isolation/readable.py` takes none out of a folder.
    """
    covered = [path for path in (*_SYSTEM, *(f"/etc/{name}" for name in _SETTINGS)) if os.path.isdir(path)]
    paths = without_covered(readable, covered)
    return [part for path in paths for part in ("--ro-bind", os.path.realpath(path), path)]
