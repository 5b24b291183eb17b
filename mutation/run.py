"""Change the rules' code at random and see whether its own tests notice: `run.py [ROOM...] [--mutants N] [--seed N]`.

What was tried is kept in build/mutants.jsonl: a run that was ended goes on, and one with new tests tries again what
had survived; `--fresh` begins anew. Exit code 1 where more survive than may.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from copies import Copy, snapshot
from mutants import Mutant, drawn
from report import Tried, told

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "mutants.jsonl"
ROOMS = {
    "core": ("batllm_arcade/core", "tests/core"),
    "match": ("batllm_arcade/match", "tests/match"),
    "history": ("batllm_arcade/history", "tests/history"),
    "league/statistics": ("batllm_arcade/league/statistics", "tests/league/test_statistics.py"),
    "settings": ("batllm_arcade/settings", "tests/settings"),
}
"""The rooms whose code is changed, each with its own tests: no other room's tests are asked."""
AT_ONCE = 2
"""Mutants tried at the same time, each in a copy of its own."""


@dataclass(frozen=True, slots=True)
class Tests:
    """A room's test files, the quickest first; the processor time a mutant has; what tells these tests from others."""

    files: list[str]
    cpu_s: int
    digest: str


def main() -> int:
    """Run what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all without one")
    parser.add_argument("--mutants", type=int, default=400, help="how many are drawn from all rooms (400)")
    parser.add_argument("--seed", type=int, default=1, help="which are drawn (1)")
    parser.add_argument("--minutes", type=float, default=60, help="the longest it may take (60); run it again to go on")
    parser.add_argument("--fresh", action="store_true", help="try all of them, whatever was tried before")
    options = parser.parse_args()
    unknown = [name for name in options.rooms if name not in ROOMS]
    if unknown:
        parser.error(f"there is no room {unknown[0]!r}; there are {', '.join(ROOMS)}")
    if options.fresh:
        KEPT.unlink(missing_ok=True)
    ends = time.monotonic() + options.minutes * 60
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # which leaves nothing behind
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="batllm-mutants-"))
        tree = snapshot(ROOT, Path(folder) / "tree")  # what is edited meanwhile changes nothing
        modules = {room: sorted((tree / name).rglob("*.py")) for room, (name, _) in ROOMS.items()}
        mutants = drawn(tree, modules, options.seed, options.mutants)
        wanted = [mutant for mutant in mutants if mutant.room in (options.rooms or ROOMS)]
        copies = [stack.enter_context(Copy(tree)) for _ in range(AT_ONCE)]
        tests = {room: clean(room, tree, copies[0]) for room in sorted({mutant.room for mutant in wanted})}
        known = kept(tree, tests)
        try_all([mutant for mutant in wanted if mutant.name not in known], tree, tests, copies, ends)
        return told(wanted, kept(tree, tests), tree)


def clean(room: str, tree: Path, copy: Copy) -> Tests:
    """Return a room's tests, which must pass where nothing was changed; exit with a sentence if they do not."""
    paths = tree / ROOMS[room][1]
    files = sorted(paths.rglob("test_*.py")) if paths.is_dir() else [paths]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, outcome = copy.durations([path.relative_to(tree).as_posix() for path in files], 3600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome.how != "passed":
        sys.exit(f"mutants: the tests of {room} fail where nothing was changed:\n{outcome.output}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"mutants: {room}, its tests take {cpu_s:.1f} s of a processor", flush=True)
    shared = [*(tree / "tests" / "support").rglob("*.py"), *(tree / "tests").glob("conftest.py")]
    return Tests(sorted(seconds, key=seconds.__getitem__), int(10 + 4 * cpu_s), digest([*files, *shared]))


def digest(paths: Iterable[Path]) -> str:
    """Return what tells these files from any others."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def try_all(mutants: list[Mutant], tree: Path, tests: dict[str, Tests], copies: list[Copy], ends: float) -> None:
    """Try the mutants, one after the other in each copy, until that time; keep how each ended."""
    todo, lock, ended = list(reversed(mutants)), threading.Lock(), threading.Event()
    KEPT.parent.mkdir(exist_ok=True)

    def work(copy: Copy) -> None:
        while True:
            with lock:
                if not todo or time.monotonic() > ends:
                    return
                mutant, number = todo.pop(), len(mutants) - len(todo)
            own, source = tests[mutant.room], (tree / mutant.module).read_text("utf-8")
            text = mutant.mutated(source)
            outcome = copy.tried(mutant.module, text, own.files, own.cpu_s)
            entry = {"name": mutant.name, "how": outcome.how, "seconds": round(outcome.seconds, 1)}
            entry |= {"by": outcome.failed_test, "source": digest([tree / mutant.module]), "tests": own.digest}
            if ended.is_set():
                return  # by whoever ended this program, not by its tests
            with lock, KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
                print(f"{number}/{len(mutants)} {outcome.how} {mutant.module}:{mutant.line} {mutant.kind}", flush=True)

    threads = [threading.Thread(target=work, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    finally:
        ended.set()
        with lock:
            todo.clear()
        for copy, thread in zip(copies, threads, strict=True):
            copy.end()
            thread.join()


def kept(tree: Path, tests: dict[str, Tests]) -> dict[str, Tried]:
    """Return what was tried before and still holds.

    A mutant that was killed stays so while tests are added; one that survived is tried again with new tests, and
    either where its module has been edited.
    """
    found: dict[str, Tried] = {}
    digests = {room: own.digest for room, own in tests.items()}
    sources = {digest([path]) for folder, _ in ROOMS.values() for path in (tree / folder).rglob("*.py")}
    for line in KEPT.read_text("utf-8").splitlines() if KEPT.exists() else []:
        entry = json.loads(line)
        if entry["source"] in sources and (entry["how"] != "passed" or entry["tests"] in digests.values()):
            found[entry["name"]] = Tried(entry["how"], entry["seconds"])
        else:
            found.pop(entry["name"], None)
    return found


if __name__ == "__main__":
    sys.exit(main())
