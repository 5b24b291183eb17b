"""A child process: how it is started, its pipes and lines, what is asked of it, its log and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, Generic, Literal, Protocol, TypeVar

from batllm_arcade.processes.descendants import LINUX, end_marked, hold, remove
from batllm_arcade.terminal.output import printable


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for what was too much to be read, and is gone; `problem` says what it was."""

    problem: str


Line = bytes | Unreadable


class LineSplitter:
    """Cuts what it is fed into lines of at most `limit` bytes; keeps no more than one unfinished line."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[Line]:
        """Return the lines that end in `data`, without their ends; one that is too long is told once."""
        *ended, rest = data.split(b"\n")
        lines: list[Line] = []
        for part in ended:
            self._take(part, lines)
            if not self._skipping:
                lines.append(self._rest.removesuffix(b"\r"))
            self._rest, self._skipping = b"", False
        self._take(rest, lines)
        return lines

    def _take(self, part: bytes, lines: list[Line]) -> None:
        if self._skipping:
            return
        if len(self._rest) + len(part) > self._limit:
            self._rest, self._skipping = b"", True
            lines.append(Unreadable(f"a line of more than {self._limit // 1024} KiB"))
        else:
            self._rest += part


def json_line(values: Mapping[str, Any]) -> bytes:
    """Return the values as a line of JSON."""
    return json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n"


def message_of(line: Line) -> dict[str, Any]:
    """Return what a line of JSON holds; raise ValueError if it is none, or no object."""
    try:
        values = json.loads(line) if isinstance(line, bytes) else None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(values, dict):
        raise ValueError(line)
    return values


class Output:
    """The pipe to the program; whatever else is printed goes to standard error from now on."""

    def __init__(self) -> None:
        self._pipe = os.dup(1)
        self._writing = threading.Lock()
        os.dup2(2, 1)

    def write(self, line: bytes) -> None:
        """Write a line; raise OSError if the program is gone. Threads may write at once."""
        with self._writing:
            while line:
                line = line[os.write(self._pipe, line) :]

    def report(self, values: Mapping[str, Any]) -> None:
        """Write plain values as a line, unless the program is gone."""
        with suppress(OSError):
            self.write(json_line(values))


def when_input_ends(do: Callable[[], object]) -> None:
    """Call this on a thread when standard input ends: then nobody waits for this process any more."""

    def wait() -> None:
        with suppress(OSError):
            while os.read(0, 64):
                pass
        do()

    threading.Thread(target=wait, daemon=True).start()


def messages() -> Iterator[dict[str, Any]]:
    """Yield what the program says, until it closes the pipe or is gone."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


# -- Starting a child process

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
    return ["-B"] if sys.dont_write_bytecode else []


def _place() -> str:
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
            return _ended_by(int(what))
        if code in _FAULTS_OF_WINDOWS:
            return _ended_by(_FAULTS_OF_WINDOWS[code])
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


_FAULTS = {
    "SIGILL": "it needs an instruction that this processor does not have",
    "SIGKILL": "it was killed, mostly because memory was short",
    "SIGSEGV": "it used memory that is not its own",
    "SIGBUS": "it used memory that is not there",
    "SIGFPE": "it divided by zero",
    "SIGABRT": "it gave up after an error of its own",
    "SIGSYS": "it made a system call that is not allowed",
    "SIGXCPU": "it used all the processor time that it may",
    "SIGXFSZ": "it wrote a larger file than it may",
}
"""What it means that a signal ended a program."""
_FAULTS_OF_WINDOWS = {0xC000001D: signal.SIGILL, 0xC0000005: signal.SIGSEGV, 0xC0000409: signal.SIGABRT}


def _ended_by(number: int) -> Ended:
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    return Ended(f"{_FAULTS[name]} ({name})" if name in _FAULTS else f"it was ended by {name}", -number)


# -- The environment of a child

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


# -- One life of a child process

QUIT_S = 1.0
"""Seconds in which a child that was told to quit has to end."""
TERM_S = 0.3
"""Seconds that it has when it was asked once more, by SIGTERM."""
KILL_S = 6.0
"""Seconds within which a process that was killed is gone."""
CLOSED_S = 0.5
"""Seconds in which a child that has closed its output may end by itself, with its own exit code."""
SOON_S = 0.1
"""Seconds after which who writes to a child is taken to be stuck."""
CHUNK = 64 * 1024
LOG_PAUSE_S = 0.02
"""The pause after a piece of the log: a child that floods it waits, and the program has time for other things."""


class Link(Protocol):
    """What carries lines to a child; every method is thread-safe."""

    def send(self, line: bytes) -> None:
        """Write lines; a child that has ended is told nothing."""

    def listen(self) -> None:
        """Read what it says from now on, as much as it may say for one answer."""

    def rest(self) -> None:
        """Wait for nothing until the next `listen`: a child that goes on writing without end then stands still."""


class LineProtocol(Protocol):
    """What is said with a child, whatever carries it; `received` and `gone` come on one thread and must not block."""

    def connected(self, link: Link) -> None:
        """The child is there; nothing of it has been read yet."""

    def received(self, line: Line) -> None:
        """Take a line that the child has written; raise ValueError if it is none: the child is then ended."""

    def gone(self, ended: Ended) -> None:
        """The child has ended, and everything that it wrote was received; a folder that it keeps goes afterwards."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a child may write: bytes of a line, and bytes and lines for one answer (0: any number)."""

    line: int = 64 * 1024 * 1024
    answer: int = 0
    lines: int = 0
    closed_s: float | None = None
    """Seconds in which it may end by itself when its output is closed, None for the usual ones."""


class Child:
    """A running child; every method may be called at any time from any thread. Raise OSError if none can be started.

    It is read from the start; where its answers are bounded, from the first `listen`, and while it shall `rest` no
    further than to that bound. `log` gets what it writes to its standard error. `name` is that of its threads.
    """

    def __init__(
        self,
        launch: Launch,
        protocol: LineProtocol,
        name: str,
        bounds: Bounds = Bounds(),
        log: Callable[[bytes], None] | None = None,
    ) -> None:
        self._launch, self._protocol, self._name, self._bounds, self._log = launch, protocol, name, bounds, log
        try:
            self._process = GuardedProcess(launch)
        except BaseException:
            self._remove_folder()
            raise
        self._splitter = LineSplitter(bounds.line)
        self._wanted, self._bytes, self._lines = threading.Event(), 0, 0
        self._writing, self._killing = threading.Lock(), threading.Lock()
        self._killed = self._resting = False
        self._logger = threading.Thread(target=self._read_log, daemon=True, name=f"{name}'s log")
        self._reader = threading.Thread(target=self._read_lines, daemon=True, name=f"{name}'s answers")
        if not bounds.answer:
            self._wanted.set()
        try:
            self._protocol.connected(self)
            self._logger.start()
            self._reader.start()
        except BaseException:  # without its readers nobody would ever end it
            self._wanted.set()
            self._process.kill(KILL_S)
            raise

    @property
    def pid(self) -> int:
        """Return the child's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it is running, as far as is known."""
        return not self._killed and self._reader.is_alive() and self._process.running

    @property
    def unguarded(self) -> bool:
        """Whether its guard was killed or stopped: it may run, but nothing would end what it has started."""
        return self._process.unguarded

    def listen(self) -> None:
        """Read what it says, as much as it may say for one answer."""
        self._resting, self._bytes, self._lines = False, 0, 0
        if not self._wanted.is_set():
            self._wanted.set()

    def rest(self) -> None:
        """Read no more than it may say for one answer until the next `listen`."""
        self._resting = True  # the reader goes on waiting in its pipe: to stop and wake it takes longer than a bot

    def send(self, line: bytes, patience_s: float = -1) -> None:
        """Write lines to the child, unless somebody else is stuck writing; one that has ended is told nothing."""
        if self._writing.acquire(timeout=patience_s):
            try:
                with suppress(OSError, ValueError):
                    self._process.stdin.write(line)
                    self._process.stdin.flush()
            finally:
                self._writing.release()

    def send_soon(self, line: bytes) -> None:
        """Write a line unless somebody else is stuck writing one: the child then reads nothing anyway."""
        self.send(line, SOON_S)

    def join(self, seconds: float | None = None) -> None:
        """Read it to its end; return when its protocol knows that it is gone, after so many seconds at most."""
        self.listen()
        if threading.current_thread() is not self._reader:
            self._reader.join(seconds)

    def close_input(self, goodbye: bytes = b"") -> None:
        """Say a last word and close its input; returns at once, however long that takes."""
        # On a thread: a child that reads nothing may hold the pipe up, and is ended all the same.
        threading.Thread(target=self._close_input, args=(goodbye,), daemon=True, name=f"{self._name}'s goodbye").start()

    def quit(self, goodbye: bytes = b"", patience_s: float | None = None) -> None:
        """Tell it to quit, ask it again with SIGTERM, then kill it with all it has started; return when it is gone."""
        self.listen()  # what it still writes must not hold it up
        if self.alive:
            self.close_input(goodbye)
            if not self._process.wait(QUIT_S if patience_s is None else patience_s):
                self._process.terminate()
                self._process.wait(TERM_S)
        self.kill()

    def abandon(self) -> None:
        """End it and all it has started, without waiting for that."""
        self._killed = True
        self._wanted.set()
        self._process.abandon()

    def kill(self) -> None:
        """End it and all it has started at once; return when they are gone and its pipes are closed."""
        self.abandon()
        self._end_process()
        self.join(KILL_S)

    def _end_process(self) -> None:
        with self._killing:
            self._process.kill(KILL_S)

    def _close_input(self, goodbye: bytes = b"") -> None:
        self.send(goodbye)
        with self._writing, suppress(OSError, ValueError):
            self._process.stdin.close()

    def _read_lines(self) -> None:
        problem = ""
        try:
            with self._process.stdout as pipe:
                while self._wanted.wait() and (data := _read(pipe)) and self._take(data):
                    pass
        except ValueError:  # of its protocol
            problem = "what it said made no sense"
            self._end_process()
        finally:
            self._end(problem)

    def _take(self, data: bytes) -> bool:
        """Hand on the lines in it; return False if the child has written more than it may."""
        most, lines = self._bounds.answer, self._bounds.lines
        self._bytes += len(data)
        for line in self._splitter.feed(data):
            self._lines += 1
            if not lines or self._lines <= lines:
                self._protocol.received(line)
        if not most or (self._bytes <= most and self._lines <= lines):
            return True
        if self._resting:
            self._wanted.clear()
            if not self._resting:  # meanwhile somebody listens
                self._wanted.set()
            return True
        if not self._killed:
            size = f"{most // 1024 // 1024} MiB or {lines} lines"
            self._protocol.received(Unreadable(f"it wrote more than {size} for one answer"))
        return False

    def _end(self, problem: str) -> None:
        """See it end, and tell its protocol how: by itself, or for that `problem`."""
        patience_s = self._bounds.closed_s
        if self._killed:
            problem = "it was ended"
        if not self._process.wait(CLOSED_S if patience_s is None else patience_s):
            self._end_process()
            if not problem and self._process.unwanted:  # else it had ended, and its guard had much to tidy up
                problem = "it closed its output"
        self._process.end_unguarded()
        unguarded = self._process.unguarded
        ended = Ended(problem, -9) if problem and not unguarded else self._process.how_it_ended()
        self._logger.join(KILL_S)
        self._close_input()
        self._process.close()
        if ended.code or not self._launch.keep:
            self._remove_folder()
        self._protocol.gone(ended)
        self._remove_folder()

    def _remove_folder(self) -> None:
        if self._launch.folder and os.path.lexists(self._launch.folder):  # where no guard has done so
            remove(self._launch.folder, hold(self._launch.folder))

    def _read_log(self) -> None:
        if self._process.stderr is None:
            return
        with self._process.stderr as pipe:
            while data := _read(pipe):
                if self._log is not None:
                    self._log(data)
                if len(data) > 4096 and not self._killed:
                    time.sleep(LOG_PAUSE_S)


def _read(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), CHUNK)
    except (OSError, ValueError):
        return b""


# -- What a child wrote to its log

KEPT = 64 * 1024
"""Bytes of a log that are kept."""
LONGEST = 500
"""Characters of a line of the log that are shown."""
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_]?)|\x9b[0-?]*[ -/]*[@-~]"
)
"""Control sequences, strings such as a window's title, and single escapes."""


class ChildLog:
    """The last 64 KiB of a log; every method is thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept, self._begun = bytearray(), bytearray()
        self.cut = False
        """Whether there was more than is kept."""
        self.listener: Callable[[str], None] | None = None
        """Gets every line as it is shown, on the thread that writes it; a long one in pieces."""

    def write(self, data: bytes) -> None:
        """Add some bytes."""
        self._keep(data)
        if self.listener is not None:
            with self._lock:
                self._begun += data
                end = len(self._begun) if len(self._begun) > KEPT else self._begun.rfind(b"\n") + 1
                whole = bytes(self._begun[:end])
                del self._begun[:end]
            self._tell(whole)

    def end(self) -> None:
        """Tell the listener of a last line that nothing ends."""
        with self._lock:
            whole = bytes(self._begun)
            self._begun.clear()
        self._tell(whole)

    def _tell(self, data: bytes) -> None:
        listener = self.listener
        if listener is not None:
            for line in _shown_lines(data):
                listener(line)

    def _keep(self, data: bytes) -> None:
        with self._lock:
            self._kept += data[-KEPT:]
            if len(self._kept) > KEPT:
                self.cut = True
                del self._kept[:-KEPT]

    def note(self, sentence: str) -> None:
        """Add a line of the program's own."""
        with self._lock:
            start = b"" if not self._kept or self._kept.endswith(b"\n") else b"\n"
        self._keep(start + f"-- {sentence}\n".encode("utf-8", "replace"))

    def lines(self) -> list[str]:
        """Return the lines, each printable and at most 500 characters long."""
        with self._lock:
            data = bytes(self._kept)
        return _shown_lines(data)

    def last_words(self) -> str:
        """Return the last line that names an error, with the place in a file that goes with it; else the last line.

        "" if nothing was said that is no note.
        """
        spoken = [line for line in self.lines() if line.strip() and not line.startswith("-- ")]
        number = next((n for n in reversed(range(len(spoken))) if _NAMES_ERROR.match(spoken[n])), len(spoken) - 1)
        if number < 0:
            return ""
        nearest = (*reversed(spoken[: number + 1]), *spoken[number + 1 :])
        place = next((found for line in nearest if not _OTHERS.search(line) and (found := _PLACE.search(line))), None)
        said = spoken[number].strip()[:200]
        return f"{said} ({place[1]}, line {place[2]})" if place and _NAMES_ERROR.match(said) else said


_OTHERS = re.compile(r"batllm_arcade/|/lib/|node_modules/")
_NAMES_ERROR = re.compile(r"\s*(?:Uncaught |fatal |panic: )?[\w.]*(?:Error|Exception|panicked|error:)", re.ASCII)
_PLACE = re.compile(r"(?<!node:)\b([\w-]+\.(?:py|mjs|cjs|js|ts|rb|lua|c|rs|go))(?:\", line |:)(\d+)", re.ASCII)
"""A place in a file, as tracebacks of Python and of other languages name one."""


def _shown_lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    return [shown_line(line) for line in re.split(r"\r\n|\n", text.removesuffix("\n"))] if text else []


def shown_line(line: str) -> str:
    """Return a line of a log without escape sequences, other controls shown as such."""
    return printable(_ESCAPES.sub("", line.expandtabs(4)))[:LONGEST]


# -- What is asked of a child

State = Literal["new", "waiting", "given up", "done"]
Message = TypeVar("Message")
Outcome = TypeVar("Outcome")


class GivenUp(Exception):
    """Nobody wants the outcome any more."""


class Exchange(Generic[Message, Outcome]):
    """One thing asked of a child, from `start` to its outcome, which is `Ended` where the child has gone first.

    A protocol starts it and hands it what the child says; `cancel` and `wait` may be called by any thread.
    """

    def __init__(self) -> None:
        self.state: State = "new"
        self._lock = threading.Lock()
        # A Future takes a quarter of a bot's play: who it wakes has to wait for its lock at once.
        self._outcome: SimpleQueue[Outcome | Ended | GivenUp] = SimpleQueue()

    def start(self, link: Link) -> None:
        """Ask the child behind this link."""
        self._link = link
        if self.state == "new":  # else it was given up before
            self.state = "waiting"

    def received(self, message: Message) -> bool:
        """Take a message; return False if it is none that this exchange waits for."""
        raise NotImplementedError

    def gone(self, ended: Ended) -> None:
        """Take it that the child has ended."""
        self.settle(ended)

    def settle(self, outcome: Outcome | Ended) -> bool:
        """End with this outcome; return False if it was over already."""
        with self._lock:
            return self._over("done", outcome)

    def cancel(self) -> None:
        """Give it up, unless it is over: nobody waits any more."""
        with self._lock:
            given_up = self._over("given up", GivenUp())
        if given_up:
            self.given_up()

    def given_up(self) -> None:
        """Tell the child, where it can be told."""
        return

    def _over(self, state: State, outcome: Outcome | Ended | GivenUp) -> bool:
        if self.state in ("given up", "done"):
            return False
        self.state = state
        self._outcome.put(outcome)
        return True

    def wait(self, seconds: float | None) -> Outcome | Ended:
        """Return the outcome; raise TimeoutError after so many seconds, GivenUp if nobody wants it."""
        try:
            outcome = self._outcome.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        self._outcome.put(outcome)  # for others who wait
        if isinstance(outcome, GivenUp):
            raise outcome
        return outcome


class Call(Exchange[Mapping[str, Any], Mapping[str, Any]]):
    """A request with a number, and its answer with the same; without a `body` the child answers unasked."""

    def __init__(self, number: int, body: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._number, self._body = number, body

    def start(self, link: Link) -> None:
        """Send the request."""
        super().start(link)
        if self._body is not None:
            link.send(json_line({"id": self._number, "body": self._body}))

    def received(self, message: Mapping[str, Any]) -> bool:
        """Take the answer."""
        return self.settle(message)

    def given_up(self) -> None:
        """Tell the child its number without a body."""
        self._link.send(json_line({"id": self._number}))


class Calls:
    """A child that answers numbered requests, several at once; its first line, numbered 0, says that it is `ready`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._ended: Ended | None = None
        self.ready = Call(0)
        self._calls = {0: self.ready}

    @property
    def busy_in_vain(self) -> bool:
        """Whether it is still at work on what was given up."""
        with self._lock:
            return any(call.state == "given up" for call in self._calls.values())

    def ask(self, body: Mapping[str, Any]) -> Call:
        """Send a request and return it."""
        with self._lock:
            number = next(self._numbers)
            call = self._calls[number] = Call(number, body)
        call.start(self._link)
        if self._ended is not None:
            self.gone(self._ended)
        return call

    def connected(self, link: Link) -> None:
        """Wait for the first line."""
        self._link = link
        self.ready.start(link)

    def received(self, line: Line) -> None:
        """Hand an answer to its request; raise ValueError if it is none."""
        message = message_of(line)
        if type(message.get("id")) is not int:
            raise ValueError(line)
        with self._lock:
            call = self._calls.pop(message["id"], None)
        if call is not None:
            call.received(message)

    def gone(self, ended: Ended) -> None:
        """End all requests, and those to come."""
        self._ended = ended
        with self._lock:
            calls, self._calls = self._calls, {}
        for call in calls.values():
            call.gone(ended)
