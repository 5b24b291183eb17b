"""Where a bot runs (in the program, as a process, in a sandbox), and what its process is given."""

from __future__ import annotations

import errno
import os
import re
import shutil
import site
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files.bot_folder import holds_more, is_bot_folder, is_shared
from batllm_arcade.files.paths import whole_path
from batllm_arcade.processes.child import MARK, Launch, Limits, Sandbox, handed_on

OWN_PACKAGES = ("batllm_arcade", "batllm_arcade_plugins", "batllm_arcade.assets", "batllm_arcade.configs")
"""What of this program a bot may import or read."""
MOST_SHARED = 500
"""What of a plugins folder is called `_NAME`: each is a word of a command line, which has an end."""
MOST_SHOWN = 100_000
"""Files and folders in a folder that is shown."""


def bot_files(path: Path) -> tuple[str, ...]:
    """Return what the bot in this file may read: the file, or its folder if that is a bot's own and holds files alone.

    A file that is a link is shown as what it leads to, but in a folder that is shown: there links that lead out of it
    lead nowhere.
    """
    named = str(whole_path(path))
    folder = os.path.dirname(named)
    return (folder if is_bot_folder(folder) and _holds_files_alone(folder) else named,)


def shared_files(folder: str) -> tuple[str, ...]:
    """Return what all bots of a plugins folder may read: what is called `_NAME` there, such as a module they import.

    These are files and folders of files alone: a link would show what it leads to, wherever that is, and a socket
    takes what is sent to it also through a folder that can only be read.
    """
    shared = [] if holds_more(folder) else sorted(filter(is_shared, _names(folder)))
    if len(shared) > MOST_SHARED:
        raise UsageError(
            f"{folder!r} has {len(shared)} files whose names begin with _, and {MOST_SHARED} are allowed; put them "
            "into one folder whose name does"
        )
    return tuple(path for name in shared if _is_plain(path := os.path.join(folder, name)))


def _is_plain(path: str) -> bool:
    return not os.path.islink(path) and (os.path.isfile(path) or (os.path.isdir(path) and _holds_files_alone(path)))


def _holds_files_alone(folder: str) -> bool:
    waiting, seen = [folder], 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listing:
                for entry in listing:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif seen > MOST_SHOWN or not (entry.is_symlink() or entry.is_file(follow_symlinks=False)):
                        return False
        except OSError:
            return False
    return True


def files_of(command: Sequence[str]) -> list[str]:
    """Return what a command needs: its program and every argument that is a file; of a Python its packages as well."""
    found = [word for word in command if os.path.isabs(word) and os.path.isfile(word)]
    if command and os.path.realpath(command[0]) == os.path.realpath(sys.executable):
        return [*found, *python_paths(), *own_packages()]
    # A command of one word is a bot's own file, which proves nothing of the folder that it is in.
    runs = len(command) > 1
    return [*found, *(_prefixes(command[0], interpreter=runs) if found[:1] == [command[0]] else ())]


@cache
def python_paths() -> tuple[str, ...]:
    """Return the folders of the Python that runs this program, with its packages."""
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *_prefixes(sys.executable)]
    sites = [*site.getsitepackages(), *(given_paths())]
    if site.ENABLE_USER_SITE:
        sites.append(site.getusersitepackages())
    return tuple(dict.fromkeys(path for path in (*prefixes, *sites) if os.path.isdir(path) and not holds_more(path)))


def given_paths() -> list[str]:
    """Return the folders of PYTHONPATH, in which a person keeps packages."""
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]


@cache
def own_packages() -> tuple[str, ...]:
    """Return the folders of this program's own packages, which may lie anywhere."""
    return tuple(dict.fromkeys(path for name in OWN_PACKAGES for path in package_paths(name)))


def package_paths(name: str) -> list[str]:
    """Return where a module or package is that can be imported, [] if there is none."""
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    places = found.submodule_search_locations or ([found.origin] if found.origin else [])
    return [os.path.abspath(place) for place in places if os.path.exists(place)]


def _prefixes(program: str, *, interpreter: bool = True) -> Iterator[str]:
    """Yield the folders that a program cannot run without: those of a Python, a virtual environment, one in /opt.

    Only an `interpreter` can be a Python, and lies in a folder `bin` then.
    A link is followed hop by hop, for each hop is looked up in the sandbox, too.
    """
    for hop in _hops(program):
        prefix = os.path.dirname(os.path.dirname(hop))
        library = os.path.isfile(os.path.join(prefix, "pyvenv.cfg")) or any(
            name.startswith("python3") for name in _names(os.path.join(prefix, "lib"))
        )
        parts = Path(hop).parts
        if parts[:2] == ("/", "opt") and len(parts) > 3:
            yield os.path.join("/opt", parts[2])
        elif interpreter and library and _is_python(hop) and not holds_more(prefix):
            yield prefix
        yield hop


def _is_python(program: str) -> bool:
    folder, name = os.path.split(program)
    return name.startswith("python") and os.path.basename(folder) == "bin"


def _hops(path: str) -> Iterator[str]:
    for _ in range(40):
        yield path
        if not os.path.islink(path):
            break
        path = str(whole_path(Path(os.path.dirname(path), os.readlink(path))))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def without_covered(paths: Iterable[str], covered: Sequence[str]) -> list[str]:
    """Return the paths that exist and lie in none of the `covered` folders nor in each other, outer ones first."""
    kept: list[str] = []
    for path in sorted({str(whole_path(Path(path))) for path in paths if os.path.exists(path)}):
        if not any(path == outer or path.startswith(outer.rstrip("/") + "/") for outer in (*covered, *kept)):
            kept.append(path)
    return kept


# -- The system calls that a sandbox refuses

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


# -- The sandbox around a bot

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


UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""Lets a Python bot's lines out at once, also where it does not flush them."""


def sandbox_environment() -> dict[str, str]:
    """Return all that a bot in a sandbox finds in its environment: nothing of this program's own."""
    given = {"PYTHONPATH": os.pathsep.join(given_paths())} if given_paths() else {}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **UNBUFFERED,
        **_user_site(), **given,
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

    So a link is for whoever names `readable` to look at: `bot_files` and `shared_files` take none out of a folder.
    """
    covered = [path for path in (*_SYSTEM, *(f"/etc/{name}" for name in _SETTINGS)) if os.path.isdir(path)]
    paths = without_covered(readable, covered)
    return [part for path in paths for part in ("--ro-bind", os.path.realpath(path), path)]


# -- How a bot is isolated

Mode = Literal["auto", "sandbox", "process", "none"]
"""`auto` is a sandbox where one can be made, else a process; `none` is inside the program."""
MODES: tuple[Mode, ...] = get_args(Mode)
AUTO: Mode = "auto"
ISOLATION_OPTIONS = ("isolation", "network")
"""The options of every bot that can be isolated."""
MEANING: Mapping[str, str] = {
    "sandbox": "in a sandbox: it can do nothing but play",
    "process": "in a process of its own, no sandbox: it can read your files and use the network",
    "none": "inside the program: it can do what the program can",
}
Network = Literal["no", "yes", "loopback"]
"""What network a sandbox has: none, that outside this computer, or also what this computer serves to itself."""
NETWORKS: tuple[Network, ...] = get_args(Network)
NETWORK: Mapping[str, str] = {
    "yes": "in a sandbox with the network: it can reach every server but those of this computer",
    "loopback": "in a sandbox with the network: it can reach every server, and what this computer serves to itself",
}
SHORT: Mapping[str, str] = {
    "sandbox": "in a sandbox", "process": "in a process, no sandbox", "none": "inside the program",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BotIsolation:
    """How one bot is isolated: `mode` is `sandbox` or `process`; `network` is what a sandbox leaves it of that."""

    mode: Mode
    network: Network = "no"

    def __str__(self) -> str:
        return NETWORK.get(self.network if self.mode == "sandbox" else "no", MEANING[self.mode])


PROCESS = BotIsolation("process")


def bot_isolation(spec: Spec) -> BotIsolation:
    """Return how the bot of this spec runs in a process here; raise UsageError if it cannot run as it asks to."""
    mode = mode_of(spec.text("isolation", AUTO), f"isolation of {spec.name}")
    if mode == "none":
        raise UsageError(
            "a bot of proc is a program of its own and cannot run inside this one: isolation none is for Python files "
            "of --plugins-dir; write isolation=process"
        )
    network = spec.text("network", "no").lower()
    if network not in NETWORKS:
        raise UsageError(f"network of {spec.name} must be no, yes or loopback, not {spec.text('network')!r}")
    mode = here(mode)
    if network != "no" and mode == "sandbox" and not pasta():
        raise UsageError(
            f"network={network} of {spec.name} needs the program pasta, which gives a sandbox a network of its own and "
            "is not installed; install passt (apt install passt), or leave the option out"
        )
    return BotIsolation(mode, network)


def mode_of(text: str, what: str) -> Mode:
    """Return the mode of this name; raise UsageError that names `what` it is for if there is none."""
    if text not in MODES:
        raise UsageError(f"{what} must be {', '.join(MODES[:-1])} or {MODES[-1]}, not {text!r}")
    return text


def here(mode: Mode) -> Mode:
    """Return what a mode comes to on this machine, never `auto`; raise UsageError if it asks for a sandbox in vain."""
    if mode == AUTO:
        return "process" if sandboxes().problem else "sandbox"
    if mode == "sandbox" and (problem := sandboxes().problem):
        raise UsageError(
            f"no sandbox can be made: {problem}; mend that, or allow bots to read your files and use the network with "
            "--isolation process (of one bot: isolation=process)"
        )
    return mode


def in_words(mode: str, options: Mapping[str, str], *, short: bool = False) -> str:
    """Return where a bot of this mode and these options runs, "" for a brain that is never isolated.

    What it asks for in vain is told when it is made.
    """
    mode = options.get("isolation") or mode
    if mode in (AUTO, "sandbox"):
        mode = "process" if sandboxes().problem else "sandbox"
    network = options.get("network", "").lower() if mode == "sandbox" else ""
    if short:
        return f"{SHORT[mode]} with the network" if network in NETWORK else SHORT.get(mode, "")
    return NETWORK.get(network, MEANING.get(mode, ""))


def no_sandbox() -> str:
    """Return a sentence that says why `auto` means a process here, "" where it means a sandbox."""
    problem = sandboxes().problem
    return f"bots run as processes, which can read your files and use the network: {problem}" if problem else ""


# -- What a bot's process is given

INTERPRETERS: Mapping[str, str] = {".py": sys.executable, ".js": "node", ".mjs": "node", ".sh": "sh"}
"""What runs a file with this ending."""


BOT_LIMITS = Limits(memory_mb=512, processes=8, files=256, nice=10)
"""What a bot may use unless its options say otherwise."""
MOST_CPU_S = 4 * 3600
"""Seconds of processor time that each process of a bot in a sandbox has; one that needs more is started again."""
THREADS = 32
"""Threads that a bot in a sandbox may have for each process it may have."""
MOST_FILES = 10_000
"""Files and folders that a bot in a sandbox may have in /tmp and /dev/shm: each takes memory, also an empty one."""


def bot_launch(
    command: Sequence[str],
    limits: Limits = BOT_LIMITS,
    isolation: BotIsolation = PROCESS,
    readable: Iterable[str] = (),
) -> Launch:
    """Return how a bot is started: in an empty folder and an environment of its own, within its limits.

    In a sandbox it reads nothing but the system, what its command needs and what is `readable`.
    """
    command = [_whole_path(word) if os.path.isabs(word) else word for word in command]
    if isolation.mode != "sandbox":
        try:
            folder = tempfile.mkdtemp(prefix="batllm-bot-")
        except FileNotFoundError:
            raise OSError(errno.ENOENT, "no folder takes temporary files; set TMPDIR to one of yours") from None
        return Launch(command, {**handed_on(), **UNBUFFERED}, limits, folder)
    network = isolation.network != "no"
    wrapped = sandbox_command(command, [*files_of(command), *readable], sandboxes(), network=network)
    total_mb = limits.memory_mb * limits.processes + TMP_MB + SHM_MB
    limits = replace(
        limits, file_mb=TMP_MB, cpu_s=MOST_CPU_S, tasks=THREADS * limits.processes, total_mb=total_mb,
        written=MOST_FILES,
    )  # fmt: skip
    sandbox = Sandbox(
        seccomp_filter(network=network).hex(), pasta() if network else "", isolation.network == "loopback"
    )
    return Launch(wrapped, sandbox_environment(), limits, sandbox=sandbox)


def bot_file_command(path: Path) -> list[str]:
    """Return the command that runs a bot's file; raise UsageError if there is none."""
    path = whole_path(path)  # the bot gets an empty folder to work in
    if not path.is_file():
        raise UsageError(f"there is no bot {path.name!r}; proc:PATH takes the file of a bot")
    interpreter = INTERPRETERS.get(path.suffix.lower())
    if interpreter is not None:
        return [_program(interpreter, f"{path.name} needs it"), str(path)]
    if not os.access(path, os.X_OK):
        known = ", ".join(INTERPRETERS)
        raise UsageError(
            f'{path.name!r} cannot be run; make it executable (chmod +x), name it {known}, or write proc:cmd="..."'
        )
    return [str(path)]


def split_command(text: str) -> list[str]:
    """Return a command line as its words, files of the current folder by their whole paths; raise UsageError."""
    import shlex

    try:
        words = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise UsageError(f"the command {text!r} cannot be read: {error}") from None
    if not words:
        raise UsageError('cmd of proc names no program; write proc:cmd="node bot.js"')
    return [_program(words[0], "cmd of proc names it"), *(_whole_path(word) for word in words[1:])]


def _program(name: str, why: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise UsageError(f"the program {name!r} is not installed, and {why}")
    return str(whole_path(Path(found)))


def _whole_path(word: str) -> str:
    return str(whole_path(Path(word))) if os.path.isfile(word) else word
