"""What the embedded model costs: its process, loading, reading orders, memory.

    python benchmarks/embedded.py [--plays 20]

Prints the rows of the table in docs/embedded.md, medians where there are several. Memory is that of the model's own
process (/proc, so Linux alone); `files` is the part of it that is the model's file and can be given back at any time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from batllm_arcade_plugins.embedded import Raw, Tactics, missing
from common import BenchmarkParser, progress

from batllm_arcade.brains.protocol import Spec

ORDERS = "keep your distance and shoot whenever"


def megabytes(pid: int | None) -> tuple[float, float]:
    """The memory a process holds now, and how much of that are files."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssFile"))  # type: ignore[return-value]


def seconds(work: Callable[[int], object], times: int = 1) -> float:
    """The median of what a call takes."""
    taken = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - began)
    return median(taken)


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, plays=1)
    parser.add_argument("--plays", type=int, default=20)
    plays = parser.parse().plays
    spec = Spec.parse("embedded")
    if problem := missing(spec):
        raise SystemExit(problem)
    progress("the reader of orders")
    brain = Tactics(spec)
    loading = seconds(lambda _: brain.engine.start())
    questions = seconds(lambda _: brain.reader.prepare(lambda _: None))
    three = seconds(lambda number: brain.read_orders(f"count to {number}"), plays)
    ten = seconds(lambda number: brain.read_orders(f"{ORDERS} and count to {number}"), plays)
    forty = seconds(lambda number: brain.read_orders(f"{number} " + f"{ORDERS} " * 5), plays)
    held, files = megabytes(brain.engine.pid)
    brain.close()
    progress("the model itself")
    raw = Raw(Spec.parse("embedded:raw"))
    raw.prepare(lambda _: None)
    raw_held, _ = megabytes(raw.engine.pid)
    raw.close()
    print("| | |\n| --- | --- |")
    print(f"| starting its process and loading the model | {loading:.1f} s |")
    print(f"| making it ready to read orders | {questions:.1f} s |")
    print(f"| reading three words, ten, forty | {three:.2f}, {ten:.2f}, {forty:.2f} s |")
    print(f"| memory, `tactics` | {held:.0f} MB, of which {files:.0f} MB are files |")
    print(f"| memory, `raw` with 8192 tokens | {raw_held:.0f} MB |")


if __name__ == "__main__":
    main()
