"""What a league costs over the games themselves, what a second worker brings, and whether its memory grows.

    python benchmarks/league.py [--pairs 30] [--simulated 100000]

The four scripted characters under `couch`, without sessions. `bare` plays the same games with the match runner alone,
in one process. Processor time is that of all processes together; `without start` is what is left when that of the same
program with a single pair a pairing is taken off. The last table has a coordinator with an engine that answers at once
with made-up pairs: what it holds in memory, and the processor time a pair.
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
from collections.abc import Sequence
from pathlib import Path
from random import Random

PLAYERS = ("scripted:sharpshooter", "scripted:turtle", "scripted:dancer", "scripted:random")


def bare(pairs: int) -> None:
    """Play the games of a league with the match runner and a table for each, and nothing else."""
    from itertools import combinations

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
    """Print what a coordinator holds while it takes in so many made-up pairs."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
    from leagues import begun, line, small

    from batllm_arcade.league.coordinator import Coordinator
    from batllm_arcade.league.engines.engine import EngineReport
    from batllm_arcade.league.engines.pair_play import PlayedPair
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

        def close(self) -> None:
            pass

    marks = [total // 100, total // 10, total // 2, total - 1]
    print("| pairs | held, KiB | processor ms a pair |\n| ---: | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.fsync = lambda handle: None  # the disk is not what is measured
        begun(Path(folder) / "league", plan)
        store = LeagueStore(Path(folder) / "league", plan)
        began = time.process_time()
        tracemalloc.start(1)

        def shown() -> None:
            if marks and store.played >= marks[0]:
                marks.pop(0)
                held = tracemalloc.get_traced_memory()[0] / 1024
                print(f"| {store.played:,} | {held:,.0f} | {1000 * (time.process_time() - began) / store.played:.2f} |")

        limits = PairLimits(names, {})
        Coordinator(plan, store, Instant(), limits, RunOptions(), shown, clock=lambda: 0.0).play()  # type: ignore[arg-type]
        store.close()


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--simulated", type=int, default=100_000)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.bare:
        bare(options.pairs)
        return
    rows, starts = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, more in (
            ("bare", []),
            ("one worker", ["--sessions", "none", "--workers", "1"]),
            ("two workers", ["--sessions", "none", "--workers", "2"]),
            ("one worker, sessions kept", ["--workers", "1"]),
        ):
            for pairs, found in ((1, starts), (options.pairs, rows)):
                if name == "bare":
                    command = [sys.executable, __file__, "--bare", "--pairs", str(pairs)]
                else:
                    command = [sys.executable, "-m", "batllm_arcade", "league", *PLAYERS, "--pairs", str(pairs)]
                    command += ["--quiet", *more, "--out", f"{folder}/{name}-{pairs}"]
                found[name] = measured(command)
    print(f"{12 * options.pairs:,} games\n\n| | seconds | processor seconds | without start | to bare |")
    print("| --- | ---: | ---: | ---: | ---: |")
    games = {name: rows[name][1] - starts[name][1] for name in rows}
    for name, (took, processor) in rows.items():
        ratio = games[name] / games["bare"]
        print(f"| {name} | {took:.1f} | {processor:.1f} | {games[name]:.1f} | {ratio:.2f} |")
    print(f"\ntwo workers are {rows['one worker'][0] / rows['two workers'][0]:.2f} times as fast as one\n", flush=True)
    simulated(options.simulated)


if __name__ == "__main__":
    main()
