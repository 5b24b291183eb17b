"""How a process is started: its command, limits and environment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from batllm_arcade.processes.descendants import LINUX, end_marked

# -- Starting a child process: behind its guard where the system has what that needs, else in a

GUARD = "import sys; sys.path.append({place!r}); from batllm_arcade.processes.guard import main; main()"
"""What the guard's Python runs, which has this package in `place` and no other."""
MARK = "BATLLM_CHILD"
"""The variable in a child's environment that tells its processes from all others."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use: MiB of memory and open files of each process, how many processes; 0 means no limit."""

    memory_mb: int = 0
    processes: int = 0
    files: int = 0
    nice: int = 0
    """How far it gives way to the window when all processors are busy."""
    file_mb: int = 0
    """MiB of the largest file that it may write."""
    cpu_s: int = 0
    """Seconds of processor time of each process."""
    tasks: int = 0
    """Threads and processes in a sandbox, counted by the system itself."""
    total_mb: int = 0
    """MiB of memory of all that is in a sandbox, its files included, where the user may make a cgroup."""
    written: int = 0
    """Files and folders that may be in what a sandbox lets be written."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What the guard gives to a command that begins with bwrap.

    `seccomp` is the filter of its system calls as the kernel reads it, in hexadecimal, "" for none. `pasta` is the
    program that connects it to the network, "" if nothing does; with `loopback` it reaches this computer's own servers.
    """

    seccomp: str = ""
    pasta: str = ""
    loopback: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started, and with what.

    `folder` is where the child works, and is removed with it, also when this program is killed; with `keep` not if
    the child ends well, for what is in it is its result then. "" is this program's own folder, which stays. `errors`
    is the descriptor of a file for its standard error, -1 for a pipe. `sandbox` if the command begins with bwrap.
    """

    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    limits: Limits = Limits()
    folder: str = ""
    keep: bool = False
    errors: int = subprocess.PIPE
    sandbox: Sandbox | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A child has ended, or can say nothing more: `problem` says how, `code` is its exit code, -9 if it was killed.

    `unguarded` if it was ended because its guard had been killed or stopped.
    """

    problem: str
    code: int
    unguarded: bool = False


def python_command(code: str, *arguments: str) -> list[str]:
    """Return the command of a Python that runs `code` and can import this package, whatever folder it is in."""
    place = _place()
    start = f"import sys; sys.path[0:1] = []; {place!r} in sys.path or sys.path.append({place!r}); {code}"
    return [sys.executable, *_no_bytecode(), "-c", start, *arguments]


def _no_bytecode() -> list[str]:
    """Return the option without which a child would write `__pycache__` where this program must not."""
    return ["-B"] if sys.dont_write_bytecode else []


def _place() -> str:
    """Return the folder that this package is in."""
    return str(Path(__file__).parents[2])


class GuardedProcess:
    """A child behind its guard, or alone where there is none (Windows); raise OSError if it cannot be started."""

    def __init__(self, launch: Launch) -> None:
        self._limits, self._mark = launch.limits, f"{MARK}={os.urandom(16).hex()}"
        self._said = b""
        self._lock = threading.Lock()
        self._process, self._control, self._status = (
            _guarded(launch, self._mark) if os.name == "posix" else (_popen(launch, launch.command), -1, -1)
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.stdin: IO[bytes] = self._process.stdin
        self.stdout: IO[bytes] = self._process.stdout
        self.stderr = self._process.stderr
        """None where its errors go to a file."""

    @property
    def pid(self) -> int:
        """Return the child's own process id, its guard's where it could not be started."""
        with self._lock:
            if not self._said:
                self._read_status()
        word, _, number = self._said.split(b"\n")[0].partition(b" ")
        return int(number) if word == b"pid" else self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended and is guarded, as far as is known."""
        return self._process.poll() is None and not self._stopped()

    @property
    def unguarded(self) -> bool:
        """Whether its guard was killed or stopped, so that what it has started might still run."""
        if os.name != "posix":
            return False
        if self._stopped():
            return True
        return self._process.poll() is not None and self._last_word().partition(" ")[0] in ("", "guard")

    @property
    def unwanted(self) -> bool:
        """Whether it was running when it was ended, once it is gone."""
        return os.name != "posix" or self._last_word() == "unwanted"

    def _stopped(self) -> bool:
        if not hasattr(os, "waitid") or self._process.returncode is not None:
            return False
        with suppress(ChildProcessError):  # it has just ended
            return os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        return False

    def wait(self, seconds: float) -> bool:
        """Return whether it is gone, with all it has started, after so many seconds at most."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def terminate(self) -> None:
        """Ask it and what it has started to end (SIGTERM); Windows ends it."""
        with self._lock, suppress(OSError):
            if self._control >= 0:
                os.write(self._control, b"t")
            elif os.name != "posix":
                self._process.terminate()

    def abandon(self) -> None:
        """End it and what it has started, without waiting for that."""
        with self._lock:
            control, self._control = self._control, -1
            if control >= 0:
                os.close(control)
        if os.name != "posix":
            with suppress(OSError):
                self._process.kill()

    def kill(self, seconds: float) -> None:
        """End it and what it has started; return when they are gone, after so many seconds at most."""
        self.abandon()
        if self._stopped() or not self.wait(seconds):  # a guard that does not do so is ended, too
            with suppress(OSError):
                self._process.kill()
            self.wait(seconds)
        self.end_unguarded()

    def end_unguarded(self) -> None:
        """End what it has left if its guard was killed, once that is gone."""
        if self.unguarded and LINUX:
            end_marked(self._mark)
        elif self.unguarded and self.pid != self._process.pid:
            with suppress(OSError):  # processes cannot be told by their marks: the child's group
                os.killpg(self.pid, signal.SIGKILL)

    def how_it_ended(self) -> Ended:
        """Return how it has ended, once it is gone."""
        word, _, what = self._last_word().partition(" ")
        code = self._process.returncode
        if word == "start":
            return Ended(f"it could not be started: {what}", 127)
        if word == "processes":
            return Ended(f"it had {what} processes, and {self._limits.processes} are allowed", -signal.SIGKILL)
        if word == "files":
            allowed = f"{self._limits.written} are allowed"
            return Ended(f"it had {what} files in /tmp and /dev/shm, and {allowed}", -signal.SIGKILL)
        if word == "signal":
            return Ended(f"it was ended by {_signal_name(int(what))}", -int(what))
        if word == "exit" or os.name != "posix":
            return Ended(f"it ended with exit code {what or code}", int(what or code or 0))
        if word == "guard":
            return Ended(f"its guard was {what}", -signal.SIGKILL, unguarded=True)
        if self.unguarded:
            return Ended("its guard was ended", -signal.SIGKILL, unguarded=True)
        return Ended("it was ended together with its guard", -signal.SIGKILL)

    def close(self) -> None:
        """Close the pipes to the guard that are still open, once it is gone."""
        with self._lock:
            numbers, self._control, self._status = (self._control, self._status), -1, -1
        for number in numbers:
            if number >= 0:
                os.close(number)

    def _last_word(self) -> str:
        """Return the last line that a guard has said which is gone, "" if it did not come to that."""
        with self._lock:
            if self._status >= 0:
                os.set_blocking(self._status, False)  # a guard that was stopped holds it open for ever
            self._read_status()
        said = self._said.decode("utf-8", "replace").splitlines()[-1:]
        return "" if not said or said[0].startswith("pid ") else said[0]

    def _read_status(self) -> None:
        if self._status >= 0:
            with suppress(OSError):
                self._said += os.read(self._status, 1000)


def _guarded(launch: Launch, mark: str) -> tuple[subprocess.Popen[bytes], int, int]:
    """Return the guard with the pipes to it: one whose end it waits for, and one in which it says what became."""
    watched, control = os.pipe()
    status, told = os.pipe()
    values = {**asdict(launch.limits), "folder": launch.folder, "keep": launch.keep, "mark": mark}
    sandbox = None if launch.sandbox is None else asdict(launch.sandbox)
    settings = json.dumps({**values, "sandbox": sandbox, "control": watched, "status": told})
    # Without the packages of the installation: the guard is there in an instant.
    start = GUARD.format(place=_place())
    command = [sys.executable, "-I", "-S", *_no_bytecode(), "-c", start, settings, *launch.command]
    name, _, value = mark.partition("=")
    marked = replace(launch, environment={**launch.environment, name: value})
    try:
        return _popen(marked, command, start_new_session=True, pass_fds=(watched, told)), control, status
    except BaseException:
        os.close(control)
        os.close(status)
        raise
    finally:
        os.close(watched)
        os.close(told)


def _popen(launch: Launch, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=launch.errors, creationflags=flags,
        cwd=launch.folder or None, env=launch.environment, **more,
    )  # fmt: skip


def _signal_name(number: int) -> str:
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


# -- What of this program's environment is handed on to a process that is a stranger's, or needs

HANDED_ON = frozenset({
    # What a program needs to find programs, libraries, a place for temporary files, and its language,
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "TZ", "TERM", "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME",
    # and what none starts without on Windows.
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "HOMEDRIVE",
    "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "COMMONPROGRAMFILES",
    "OS", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
})  # fmt: skip
"""The variables that are handed on, besides LC_*; names are told apart by more than their case nowhere."""


def handed_on(*beginnings: str) -> dict[str, str]:
    """Return the variables that are handed on, and those whose names begin so."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.upper() in HANDED_ON or name.startswith(("LC_", *beginnings))
    }
