"""What `batllm-arcade --help` costs, as a multiple of `python -c pass`, and that it loads nothing heavy.

    python benchmarks/startup.py [--runs 15]

The median of the runs of each, taken in turn so that a busy machine slows both. Fails if the multiple
is above 6, or if pygame, requests, numpy or a model's engine was imported.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

from common import BenchmarkParser

MOST = 6.0
HEAVY = ("pygame", "requests", "numpy", "xllamacpp", "yaml", "pluggy")
BARE = [sys.executable, "-c", "pass"]
HELP = [sys.executable, "-m", "batllm_arcade", "--help"]


def seconds(command: list[str]) -> float:
    """How long the command takes from start to end."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def heavy_imports() -> list[str]:
    """The heavy modules that --help imports."""
    command = [sys.executable, "-X", "importtime", *HELP[1:]]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stderr.splitlines()
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in lines}
    assert "batllm_arcade" in imported
    return [name for name in HEAVY if name in imported]


def main() -> int:
    parser = BenchmarkParser(__doc__, runs=1)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse()
    seconds(BARE), seconds(HELP)
    pairs = [(seconds(BARE), seconds(HELP)) for _ in range(options.runs)]
    bare, help_ = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    heavy = heavy_imports()
    print("| python -c pass | --help | multiple | heavy imports |")
    print("| ---: | ---: | ---: | --- |")
    print(f"| {bare * 1000:.0f} ms | {help_ * 1000:.0f} ms | {help_ / bare:.1f} | {', '.join(heavy) or 'none'} |")
    slow = help_ / bare > MOST and not options.smoke  # one run says nothing about time
    return 1 if heavy or slow else 0


if __name__ == "__main__":
    sys.exit(main())
