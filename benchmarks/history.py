"""What recording a session writes: the bytes written while it is played, for the bytes that are left.

    python benchmarks/history.py [--games 25 50 100]

Plays sessions of so many games without a window and reads from the system (Linux: /proc/self/io) how many
bytes the program wrote. Fails if the last session writes more than three times its file.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import BenchmarkParser

MOST = 3.0
PLAYERS = ("--left", "scripted:dancer", "--right", "scripted:turtle", "--seed", "1", "--quiet")
PROGRAM = """
import runpy
try:
    runpy.run_module("batllm_arcade", run_name="__main__")
except SystemExit as left:
    assert not left.code, left.code
with open("/proc/self/io") as lines:
    print(next(line.split()[1] for line in lines if line.startswith("wchar")))
"""


def measured(games: int, path: Path) -> tuple[int, float]:
    """Bytes written by a session of so many games, and the seconds it took."""
    command = [sys.executable, "-c", PROGRAM, "run", "--games", str(games), *PLAYERS, "--history", str(path)]
    began = time.perf_counter()
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return int(said), time.perf_counter() - began


def main() -> int:
    parser = BenchmarkParser(__doc__, games=[1, 2])
    parser.add_argument("--games", type=int, nargs="+", default=[25, 50, 100])
    options = parser.parse()
    print("| games | session file | written | times the file | seconds |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    share = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for games in options.games:
            path = Path(folder) / f"{games}.json"
            written, seconds = measured(games, path)
            share = written / path.stat().st_size
            left = path.stat().st_size / 1e6
            print(f"| {games} | {left:.2f} MB | {written / 1e6:.2f} MB | {share:.1f} | {seconds:.1f} |")
    return 1 if share > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
