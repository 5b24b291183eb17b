"""What a long session takes of memory: the resident MiB of `run` after so many games, and the most until its end.

    python benchmarks/memory.py [--games 100 1000 2000 3000]

Plays one session of so many games under `couch` without a window and looks at it when they are over (Linux:
/proc/PID/status). Fails if it has ever taken 10 MiB more than after the first of these numbers of games.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import BenchmarkParser, progress

MOST = 10.0
MATCH = ("run", "--config", "couch", "--left", "scripted:turtle", "--right", "scripted:dancer", "--seed", "1", "--json")


def memory(pid: int, name: str) -> float:
    """Return the MiB of a process, now (VmRSS) or at most (VmHWM)."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines[name].split()[0]) / 1024


def main() -> int:
    parser = BenchmarkParser(__doc__, games=[2, 4])
    parser.add_argument("--games", type=int, nargs="+", default=[100, 1000, 2000, 3000])
    options = parser.parse()
    print("| games | MiB | most so far | seconds |\n| ---: | ---: | ---: | ---: |")
    first = most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.json"
        command = [sys.executable, "-m", "batllm_arcade", *MATCH, "--games", str(max(options.games)), "--quiet"]
        began = time.monotonic()
        with subprocess.Popen([*command, "--history", str(path)], stdout=subprocess.PIPE, text=True) as session:
            assert session.stdout is not None
            for number, _line in enumerate(session.stdout, 1):
                if number in options.games:
                    most = memory(session.pid, "VmHWM")
                    first = first or most
                    now, seconds = memory(session.pid, "VmRSS"), time.monotonic() - began
                    print(f"| {number:,} | {now:.1f} | {most:.1f} | {seconds:.0f} |", flush=True)
                    progress(f"{number} games")
            while session.poll() is None:  # the file is written
                try:
                    most = max(most, memory(session.pid, "VmHWM"))
                except (OSError, KeyError):
                    break
                time.sleep(0.02)
        size = path.stat().st_size / 1e6
        print(f"| file of {size:.0f} MB written | | {most:.1f} | {time.monotonic() - began:.0f} |")
    return 1 if session.returncode or most - first > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
