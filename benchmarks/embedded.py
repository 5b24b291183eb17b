"""What the embedded model costs: its process, loading, a play, memory.

    python benchmarks/embedded.py [--plays 20]

Prints the rows of the table in docs/embedded.md, medians where there are several. Memory is that of the model's own
process (/proc, so Linux alone); `files` is the part of it that is the model's file and can be given back at any time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

from batllm_arcade_plugins.embedded import Raw, Tactics, missing

from batllm_arcade.brains.protocol import Spec

ORDERS = "Keep your distance and shoot whenever it is safe"


def megabytes(pid: int | None) -> tuple[float, float]:
    """The memory a process holds now, and how much of that are files."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssFile"))  # type: ignore[return-value]


def seconds(work: object, times: int = 1) -> float:
    """The median of what a call takes."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        work(number)  # type: ignore[operator]
        taken.append(time.perf_counter() - began)
    return median(taken)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plays", type=int, default=20)
    plays = parser.parse_args().plays
    spec = Spec.parse("embedded")
    if problem := missing(spec):
        raise SystemExit(problem)
    brain = Tactics(spec)
    loading = seconds(lambda _: brain.engine.start())
    habits = seconds(lambda _: brain.habits())
    brain.weigh(ORDERS)
    again = seconds(lambda number: brain.weigh(ORDERS, seed=number), plays)
    new = seconds(lambda number: brain.weigh(f"{ORDERS}, then count to {number}"), plays)
    held, files = megabytes(brain.engine.pid)
    brain.close()
    raw = Raw(Spec.parse("embedded:raw"))
    raw.prepare(lambda _: None)
    raw_held, _ = megabytes(raw.engine.pid)
    raw.close()
    print("| | |\n| --- | --- |")
    print(f"| starting its process and loading the model | {loading:.1f} s |")
    print(f"| learning its habits before the first match | {habits:.1f} s |")
    print(f"| a play, orders as before | {again * 1000:.0f} ms ({1 / again:.0f} a second) |")
    print(f"| a play with new orders | {new * 1000:.0f} ms |")
    print(f"| memory, `tactics` | {held:.0f} MB, of which {files:.0f} MB are files |")
    print(f"| memory, `raw` with 8192 tokens | {raw_held:.0f} MB |")


if __name__ == "__main__":
    main()
