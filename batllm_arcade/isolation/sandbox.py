"""The sandbox around a bot: bubblewrap's command line, and whether bubblewrap can make one on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from batllm_arcade.isolation.readable import given_paths, without_covered
from batllm_arcade.isolation.seccomp import seccomp_filter
from batllm_arcade.processes.launch import MARK

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
_NAMESPACES = ("user", "pid", "ipc", "uts", "cgroup", "net")


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
        found.program, *(f"--unshare-{space}" for space in _NAMESPACES), "--disable-userns",
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
