"""A copy of the tree in which a mutant is tried: nothing it does reaches the tree itself."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

LINKS = {"batllm_arcade/assets": "../assets", "batllm_arcade/configs": "../configs", "batllm_arcade_plugins": "plugins"}
"""What the installed package calls otherwise than the tree does."""
MOST_MEMORY, LARGEST_FILE = 4 << 30, 256 << 20
"""Bytes that a mutant may take, so that one which never stops growing does not stop the machine."""
_WALL = 8
"""How many times its processor time a run may last, on a machine that is busy otherwise."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run of tests ended: `passed`, `failed` or `timeout`, the end of its output, its seconds."""

    how: str
    output: str
    seconds: float

    @property
    def failed_test(self) -> str:
        """Return the test that failed, "" if none did."""
        lines = (line for line in self.output.splitlines() if line.startswith(("FAILED ", "ERROR ")))
        return next(lines, "").partition(" ")[2].partition(" - ")[0]


def snapshot(root: Path, to: Path) -> Path:
    """Copy a repository's files as they are now, with changes not committed; return the copy."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, to / name)
    for link, target in LINKS.items():
        (to / link).symlink_to(target)
    return to


class Copy:
    """A copy of a snapshot, in which tests run; nothing of it is left after the `with`."""

    def __init__(self, taken: Path) -> None:
        self._taken, self._folder = taken, Path(tempfile.mkdtemp(prefix="batllm-mutants-"))
        self.tree = self._folder / "tree"
        self._running: subprocess.Popen[str] | None = None

    def __enter__(self) -> Copy:
        self._fill()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _fill(self) -> None:
        shutil.rmtree(self.tree, ignore_errors=True)
        shutil.copytree(self._taken, self.tree, symlinks=True)
        self._before = self._stamps()

    def _stamps(self) -> dict[str, tuple[int, int]]:
        """Return size and time of every file that is no product of a run."""
        found = {}
        for folder, folders, names in os.walk(self.tree):
            folders[:] = [name for name in folders if name not in ("__pycache__", ".pytest_cache", ".hypothesis")]
            for name in names:
                stat = os.lstat(os.path.join(folder, name))
                found[os.path.join(folder, name)] = (stat.st_size, stat.st_mtime_ns)
        return found

    def durations(self, tests: list[str], cpu_s: int) -> tuple[dict[str, float], Outcome]:
        """Return the seconds of each test file without a mutant, and how that run ended."""
        report = self._folder / "report.xml"
        outcome = self._run([*tests, f"--junitxml={report}"], cpu_s)
        seconds: dict[str, float] = defaultdict(float)
        if outcome.how == "passed":
            for case in ElementTree.parse(report).iter("testcase"):
                seconds[_file_of(self.tree, case.get("classname", ""))] += float(case.get("time", 0))
        return dict(seconds), outcome

    def tried(self, module: str, text: str, tests: list[str], cpu_s: int) -> Outcome:
        """Return how these tests end, up to the first that fails, while a module has this text."""
        path, original = self.tree / module, (self._taken / module).read_bytes()
        self._write(path, text.encode())
        try:
            return self._run(["-x", *tests], cpu_s)
        finally:
            self._write(path, original)
            shutil.copystat(self._taken / module, path)
            if self._stamps() != self._before:
                self._fill()  # a mutant has changed something: the next one begins with the tree as it is

    def end(self) -> None:
        """End what runs in it now, if anything does."""
        if (running := self._running) is not None:
            _end(running)

    @staticmethod
    def _write(path: Path, text: bytes) -> None:
        """Write a module and remove what was compiled of it, which may have the same size and second."""
        path.write_bytes(text)
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            compiled.unlink()

    def _run(self, arguments: list[str], cpu_s: int) -> Outcome:
        home = self._folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        (home / "tmp").mkdir(parents=True)
        own = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        environment = {**os.environ, **own, "TMPDIR": str(home / "tmp"), "PYTHONPATH": str(self.tree)}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
        began = time.monotonic()
        process = self._running = subprocess.Popen(
            command, cwd=self.tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True, preexec_fn=lambda: _limit(cpu_s),
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=cpu_s * _WALL)
        except subprocess.TimeoutExpired:
            output = ""
        finally:
            self._running = None
            _end(process)
        late = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        how = "timeout" if late else "failed" if process.returncode else "passed"
        return Outcome(how, output[-2000:], time.monotonic() - began)


def _limit(cpu_s: int) -> None:
    """Limit this process: an endless loop ends by the processor time it takes, however busy the machine is."""
    os.nice(15)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))


def _end(process: subprocess.Popen[str]) -> None:
    """End a run with everything it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _file_of(tree: Path, classname: str) -> str:
    """Return the test file that a report's class name is of, `tests.core.test_rules` or a class in it."""
    parts = classname.split(".")
    while parts and not (tree / "/".join(parts)).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py"
