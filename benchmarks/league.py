"""What a league costs over the games themselves, what a second worker brings, and whether its memory grows.

    python benchmarks/league.py [--pairs 30] [--times 3] [--simulated 100000]

Four of the scripted characters under `couch`, without sessions. `bare` plays the same games with
the match runner alone, in one process. Processor time is that of all processes together; `without start` is what is
left when that of the same program with a single pair a pairing is taken off. All of them are run in turn, so many
times, and added up. The last table has a coordinator with an engine that answers at once with made-up pairs: the
processor time a pair, and, in a second run that is traced, what it holds in memory.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random

from common import BenchmarkParser, progress

PLAYERS = ("scripted:sharpshooter", "scripted:turtle", "scripted:dancer", "scripted:random")

LEAGUES: dict[str, list[str] | None] = {
    "bare": None,
    "one worker": ["--sessions", "none", "--workers", "1"],
    "two workers": ["--sessions", "none", "--workers", "2"],
    "one worker, sessions kept": ["--workers", "1"],
}
"""What is compared, with its options; None for the bare match runner."""


def bare(pairs: int) -> None:
    """Play the games of a league with the match runner and a table for each, and nothing else."""
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.match import runner
    from batllm_arcade.plugin import manager
    from batllm_arcade.seats.table import Table
    from batllm_arcade.settings import config as configuration

    config, kinds = configuration.load("couch"), manager.load().kinds
    for seed in range(1, pairs + 1):
        for one, other in combinations([Spec.parse(player) for player in PLAYERS], 2):
            for seats in ((one, other), (other, one)):
                table = Table(kinds, seats, fallback=config.fallback, deadline_s=config.deadline_s)
                for _ in runner.play(runner.MatchPlan(config.rules, seed, 1), table):
                    pass
                table.close()


def measured(command: Sequence[str]) -> tuple[float, float]:
    """Return the seconds a program took, and the processor seconds of it and all its children."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def simulated(total: int) -> None:
    """Print what a coordinator takes for made-up pairs, and what it holds while it takes in so many."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
    os.fsync = lambda fd: None  # the disk is not what is measured
    used = coordinate(total // 10, lambda played: None)
    print(f"{1000 * used / (total // 10):.3f} ms of processor time for a made-up pair\n", flush=True)
    marks = [total // 100, total // 10, total // 2, total - 1]

    def looked(played: int) -> None:
        if marks and played >= marks[0]:
            marks.pop(0)
            print(f"| {played:,} | {tracemalloc.get_traced_memory()[0] / 1024:,.0f} |", flush=True)

    print("| pairs | held, KiB |\n| ---: | ---: |", flush=True)
    coordinate(total, looked, traced=True)


def coordinate(total: int, shown: Callable[[int], None], *, traced: bool = False) -> float:
    """Return the processor seconds of a coordinator for so many made-up pairs; `shown` gets their number on the way."""
    from leagues import begun, line, small

    from batllm_arcade.league.coordinator import Coordinator
    from batllm_arcade.league.engines.pair_play import EngineReport, PlayedPair
    from batllm_arcade.league.plan import PairLimits
    from batllm_arcade.league.plan_file import RunOptions
    from batllm_arcade.league.store import LeagueStore

    plan = small(*PLAYERS, pairs=-(-total // 6))
    names, stream = [player.name for player in plan.players], Random(1)

    class Instant:
        workers = 2

        def __init__(self) -> None:
            self.waiting: dict[int, list[object]] = {}

        def submit(self, chunk: int, pairs: Sequence[object]) -> None:
            self.waiting[chunk] = list(pairs)

        def reports(self, timeout_s: float) -> list[EngineReport]:
            chunk = next(iter(self.waiting))
            found = []
            for pair in self.waiting.pop(chunk):
                winners = tuple(stream.choice((names[pair.first], names[pair.second], None)) for _ in (0, 1))  # type: ignore[attr-defined]
                found.append(EngineReport(chunk, PlayedPair(line(pair.number, plan, winners), {})))  # type: ignore[attr-defined, arg-type]
            return [*found, EngineReport(chunk, ended=True)]

        def late(self, chunk: int) -> str:
            return ""

        def close(self) -> None:
            pass

    with tempfile.TemporaryDirectory() as folder:
        begun(Path(folder) / "league", plan)
        store = LeagueStore(Path(folder) / "league", plan)
        if traced:
            tracemalloc.start(1)
        limits, began = PairLimits(names, {}), time.process_time()
        Coordinator(
            plan, store, Instant(), limits, RunOptions(), lambda: shown(store.played)
        ).play()  # fmt: skip
        shown(store.played)
        store.close()
        return time.process_time() - began


def main() -> None:
    """Print all tables."""
    parser = BenchmarkParser(__doc__, pairs=2, times=1, simulated=600)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--simulated", type=int, default=100_000)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse()
    if options.bare:
        bare(options.pairs)
        return
    seconds, processor, starts = (dict.fromkeys(LEAGUES, 0.0) for _ in range(3))
    with tempfile.TemporaryDirectory() as folder:
        for time_, (name, more) in product(range(options.times), LEAGUES.items()):
            progress(f"time {time_ + 1} of {options.times}: {name}")
            for pairs in (1, options.pairs):
                if more is None:
                    command = [sys.executable, __file__, "--bare", "--pairs", str(pairs)]
                else:
                    command = [sys.executable, "-m", "batllm_arcade", "league", *PLAYERS, "--pairs", str(pairs)]
                    command += ["--quiet", *more, "--out", f"{folder}/{time_}-{name}-{pairs}"]
                took, used = measured(command)
                if pairs == 1:
                    starts[name] += used
                else:
                    seconds[name] += took
                    processor[name] += used
    print(f"{12 * options.pairs * options.times:,} games\n")
    print("| | seconds | processor seconds | without start | to bare |\n| --- | ---: | ---: | ---: | ---: |")
    games = {name: processor[name] - starts[name] for name in LEAGUES}
    for name, used in games.items():
        print(f"| {name} | {seconds[name]:.1f} | {processor[name]:.1f} | {used:.1f} | {used / games['bare']:.2f} |")
    print(f"\ntwo workers are {seconds['one worker'] / seconds['two workers']:.2f} times as fast as one\n", flush=True)
    simulated(options.simulated)


if __name__ == "__main__":
    main()
