"""A child's life behind its guard: what is heard of it, how it ends, and that nothing is left, also by kill -9."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from links import Heard
from resources import SOON, nothing_left

from batllm_arcade.processes import child as child_module
from batllm_arcade.processes.child import Bounds, Child, ChildLog, Ended, GuardedProcess, Launch, Limits, Unreadable

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(autouse=True)
def leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(child_module, "QUIT_S", 0.2)
    monkeypatch.setattr(child_module, "TERM_S", 0.05)
    with nothing_left():
        yield


def command(text: str, *arguments: str) -> list[str]:
    # Without the packages of the installation, so that it is there in an instant.
    return [sys.executable, "-I", "-S", "-c", f"import os, signal, sys, time\n{text}", *arguments]


FREE = Bounds()


@pytest.mark.parametrize("unwanted", [False, True])
def test_a_program_that_writes_no_bytecode_starts_guards_that_write_none(monkeypatch, unwanted):
    monkeypatch.setattr(sys, "dont_write_bytecode", unwanted)
    commands: list[list[str]] = []
    monkeypatch.setattr(child_module, "_popen", lambda _launch, command, **_more: commands.append(command))
    _, *pipes = child_module._guarded(Launch(["true"]), "MARK=1")
    for pipe in pipes:
        os.close(pipe)
    assert ("-B" in commands[0]) is unwanted
    assert ("-B" in child_module.python_command("pass")) is unwanted


def started(text: str, heard: Heard, bounds: Bounds = FREE, **launch: object) -> Child:
    return Child(Launch(command(text), **launch), heard, "child", bounds)


def test_everything_it_says_is_heard_before_its_end_and_its_log_is_complete():
    heard, log = Heard(), ChildLog()
    script = "print(input(), flush=True)\nprint('alas', file=sys.stderr)\nprint('last words')\nsys.exit(3)"
    child = Child(Launch(command(script)), heard, "child", log=log.write)
    child.send(b"hello\n")
    child.join()
    assert heard.lines == [b"hello", b"last words"]
    assert heard.ended == Ended("it ended with exit code 3", 3)
    assert log.last_words() == "alas"
    assert not child.alive
    child.send(b"anybody there?\n")
    child.kill()


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ("os.kill(os.getpid(), 11)", Ended("it used memory that is not its own (SIGSEGV)", -11)),
        ("os.kill(os.getpid(), 4)", Ended("it needs an instruction that this processor does not have (SIGILL)", -4)),
        ("os.kill(os.getpid(), 9)", Ended("it was killed, mostly because memory was short (SIGKILL)", -9)),
        ("os.kill(os.getpid(), 15)", Ended("it was ended by SIGTERM", -15)),
        ("print('nonsense', flush=True)\ntime.sleep(99)", Ended("what it said made no sense", -9)),
        ("os.close(1)\ntime.sleep(99)", Ended("it closed its output", -9)),
    ],
)
def test_how_it_has_ended_is_told(text, ended, monkeypatch):
    monkeypatch.setattr(child_module, "CLOSED_S", 0.2)
    heard = Heard()
    started(text, heard).join()
    assert heard.ended == ended


def test_what_cannot_be_started_is_told_and_its_folder_is_gone(tmp_path):
    heard, folder = Heard(), tmp_path / "own"
    folder.mkdir()
    Child(Launch(["/no/such/program"], folder=str(folder)), heard, "child").join()
    assert heard.ended == Ended("it could not be started: No such file or directory", 127)
    assert not folder.exists()


def test_a_number_of_processes_is_a_limit_for_who_has_one():
    fork = "for _ in range(5):\n  if os.fork() == 0: time.sleep(99)\nprint('forked', flush=True)\ntime.sleep(99)"
    limited, free = Heard(), Heard()
    started(fork, limited, limits=Limits(processes=3)).join()
    assert limited.ended.problem.endswith("processes, and 3 are allowed")
    child = started(fork, free)
    free.wait_for(1)
    assert child.alive
    child.kill()
    assert free.ended == Ended("it was ended", -9)


STUBBORN = "signal.signal(signal.SIGTERM, lambda *_: print('no', flush=True))\nprint('up', flush=True)\n"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("print('up', flush=True)\nprint(input(), flush=True)", b"bye"),
        (f"{STUBBORN}while True: time.sleep(99)", b"no"),
        ("print('up', flush=True)\ntime.sleep(99)", b"up"),
    ],
)
def test_it_is_told_to_quit_then_asked_and_then_killed(text, last):
    heard = Heard()
    child = started(text, heard)
    heard.wait_for(1)
    child.quit(b"bye\n")
    assert heard.lines[-1] == last
    assert not child.alive


def test_one_that_reads_nothing_is_ended_although_what_it_is_sent_fills_its_pipe():
    heard = Heard()
    child = started("print('up', flush=True)\ntime.sleep(99)", heard)
    heard.wait_for(1)
    child.quit(b"x" * 1_000_000)
    assert heard.ended is not None


def test_its_id_is_its_own_and_not_its_guard_s():
    heard = Heard()
    child = started("print(os.getpid(), flush=True)\ninput()", heard)
    assert heard.wait_for(1) == [b"%d" % child.pid]
    child.close_input()
    child.join()
    assert heard.ended.code == 1


class Looking(Heard):
    """Notes what is in a folder when the child is gone."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def gone(self, ended: Ended) -> None:
        self.found = sorted(path.name for path in self.folder.iterdir()) if self.folder.exists() else None
        super().gone(ended)


@pytest.mark.parametrize(
    ("code", "keep", "found"), [(0, True, ["made"]), (0, False, None), (3, True, None), (-9, True, None)]
)
def test_its_folder_goes_with_it_and_what_it_made_there_is_kept_until_it_is_taken(code, keep, found, tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    looking = Looking(folder)
    end = "time.sleep(99)" if code == -9 else f"sys.exit({code})"
    child = started(
        f"open('made', 'w').close()\nprint('up', flush=True)\n{end}", looking, folder=str(folder), keep=keep
    )
    looking.wait_for(1)
    if code == -9:
        child.abandon()
    child.join()
    assert (looking.ended.code, looking.found) == (code, found)
    assert not folder.exists()


FLOOD = "while True: print('x' * 99)"


def test_one_that_floods_is_told_and_ended():
    heard = Heard()
    child = started(FLOOD, heard, Bounds(1000, 64 * 1024, 100))
    child.listen()
    child.join()
    assert heard.lines[-1] == Unreadable("it wrote more than 0 MiB or 100 lines for one answer")
    assert len(heard.lines) == 101


def test_one_that_floods_while_nobody_listens_stands_still_until_somebody_does():
    heard = Heard()
    child = started(FLOOD, heard, Bounds(1000, 1024 * 1024, 100))
    child.listen()
    child.rest()
    while child._wanted.is_set():
        time.sleep(0.01)
    assert heard.lines == [b"x" * 99] * 100
    assert child.alive
    child.listen()
    child.join()
    assert heard.lines[-1] == Unreadable("it wrote more than 1 MiB or 100 lines for one answer")


PROGRAM = """
import sys
from batllm_arcade.processes.child import Child
from batllm_arcade.processes.child import Launch
sys.path.insert(0, sys.argv[1])
from links import Heard
heard = Heard()
child = Child(Launch([sys.executable, "-I", "-S", "-c", sys.argv[2]], folder=sys.argv[3], keep=True), heard, "child")
print(*(int(line) for line in heard.wait_for(2)), flush=True)
sys.stdin.read()
"""
DEAF = """
import os, signal, time
for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)
print(os.getpid(), flush=True)
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
time.sleep(999)
"""


def test_a_child_that_reads_nothing_ends_with_the_program_that_is_killed_and_its_folder_goes(tmp_path):
    (tmp_path / "own").mkdir()
    support = Path(__file__).parents[1] / "support"
    line = [sys.executable, "-c", PROGRAM, str(support), DEAF, str(tmp_path / "own")]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        pids = program.stdout.readline().split()
        assert len(pids) == 2
        program.send_signal(signal.SIGKILL)
    ends = time.monotonic() + 6 * SOON
    while any(os.path.exists(f"/proc/{pid}") for pid in pids) or (tmp_path / "own").exists():
        assert time.monotonic() < ends
        time.sleep(0.01)


AT_ITS_GUARD = """
import ctypes
guard = os.getppid()
watch = int(open(f"/proc/{guard}/stat").read().rpartition(")")[2].split()[1])
ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
if os.fork() == 0:
    os.setsid()
    if sys.argv[2] == "quiet":
        for number in range(3): os.close(number)
    time.sleep(99)
print("up", flush=True)
input()
for number in sys.argv[1].split(","):
    who, what = number.split(":")
    os.kill({"guard": guard, "watch": watch}[who], int(what))
open(sys.argv[3], "x").close()
if sys.argv[2] == "quiet": os._exit(0)
print("still here", flush=True)
time.sleep(99)
"""


@pytest.mark.parametrize("quiet", ["quiet", "loud"])
@pytest.mark.parametrize(
    ("signals", "problem"),
    [
        ("guard:9", "its guard was ended"),
        ("guard:19", "its guard was stopped"),
        ("watch:9,guard:9", "its guard was ended"),
        ("watch:9,guard:19", "its guard was ended"),
        ("watch:19,guard:19", "its guard was ended"),
    ],
)
def test_one_that_ends_or_stops_its_guard_is_ended_with_all_it_has_started(signals, problem, quiet, tmp_path):
    folder, sent, heard = tmp_path / "own", tmp_path / "sent", Heard()
    folder.mkdir()
    marker = f"marker-{os.urandom(8).hex()}"
    line = [*command(AT_ITS_GUARD, signals, quiet, str(sent)), marker]
    child = Child(Launch(line, folder=str(folder)), heard, "child")
    heard.wait_for(1)
    child.send(b"now\n")
    ends, both = time.monotonic() + SOON, "," in signals
    # The program looks at it before each play, and when it ends it; between both signals the guard ends all by itself.
    while not child.unguarded or (both and not sent.exists()):
        assert time.monotonic() < ends
        time.sleep(0.005)
    assert not child.alive
    child.kill()
    assert (heard.ended.problem, heard.ended.unguarded) == (problem, True)
    assert not running(marker)
    assert not folder.exists()


def test_a_guard_whose_watch_is_killed_says_so_even_where_it_ends_the_child_first():
    process = GuardedProcess(Launch(command("print('up', flush=True)\ntime.sleep(99)"), limits=Limits(processes=9)))
    process.stdout.readline()
    guard = parent(process.pid)
    os.kill(parent(guard), signal.SIGKILL)
    assert process.stdout.read() == b""
    ends = time.monotonic() + SOON
    while Path(f"/proc/{guard}").exists():
        assert time.monotonic() < ends
        time.sleep(0.005)
    assert process.wait(SOON)
    assert (process.unguarded, process.unwanted) == (True, False)
    process.end_unguarded()
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    process.close()


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def running(marker: str) -> list[str]:
    """The processes with this word in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path.parent.name] if marker in path.read_text("utf-8", "replace") else []
    return found
