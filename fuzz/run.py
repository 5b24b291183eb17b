"""Fuzz some targets or all, one after the other, each in a process of its own: `run.py [TARGET...] [--seconds N]`.

Exit code 1 where something was found: its input then is in fuzz/found, and `run.py --again FILE` shows it again.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
NAMES = tuple(sorted(path.name for path in (HERE / "corpus").iterdir()))


def main() -> int:
    """Run what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(NAMES)}; all without one")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--again", type=Path, metavar="FILE", help="run one input that was found, its name TARGET-...")
    options = parser.parse_args()
    unknown = [name for name in options.targets if name not in NAMES]
    if unknown:
        parser.error(f"there is no target {unknown[0]!r}; there are {', '.join(NAMES)}")
    if options.again:
        return again(options.again)
    bad = [name for name in options.targets or NAMES if not fuzzed(name, options.seconds)]
    print(f"fuzz: {'failed: ' + ', '.join(bad) if bad else 'nothing found'}")
    return 1 if bad else 0


def again(path: Path) -> int:
    """Run one input; a failure shows its traceback."""
    from targets import TARGETS

    TARGETS[path.name.partition("-")[0]](path.read_bytes())
    print("nothing happens any more")
    return 0


def fuzzed(name: str, seconds: int) -> bool:
    """Fuzz one target; return whether nothing was found. New inputs are not kept: the seeds stay small."""
    found = HERE / "found"
    found.mkdir(exist_ok=True)
    print(f"fuzz: {name}, {seconds} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="batllm-fuzz-") as folder:
        corpus = Path(shutil.copytree(HERE / "corpus" / name, Path(folder) / "corpus"))
        command = [sys.executable, str(HERE / "one.py"), name, str(seconds), str(corpus), str(found)]
        return subprocess.run(command, env={**os.environ, "TMPDIR": folder}, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
