"""Runs every benchmark with `--smoke`: each must end well and print its figures.

    python benchmarks/smoke.py [NAME...]

Those of the real window get a virtual screen (Xvfb). Those of the embedded model are left out where it is not
installed, unless BATLLM_REQUIRE_MODEL is set.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent

PROGRAMS = ("bouts", "common", "smoke")
"""What is no benchmark."""
WINDOWS = {"window": [], "recording": [], "isolation": ["--window", "1"]}
"""What is run in a real window, with its options."""
MORE = {
    "video": ["--memory"],
    "rules": ["--battery", "--bounce"],
    "isolation": ["--games", "1"],
    "couch": ["--exploiters", "--only", ""],
}
"""What else a benchmark does if it is told to."""
MODEL = ("embedded", "prompt_matters", "prefix_cache", "ready_orders", "orders_obeyed", "class_prompts", "tactician")
FIGURES = re.compile(r"^\| ?-[-:| ]*\|\n\|.*\d.*\|$|median \d", re.MULTILINE)
"""The first row of a table below its head, or a line with a median."""


Run = tuple[str, list[str], bool]
"""A benchmark's name, its options, and whether it needs a screen."""


def runs(names: list[str]) -> list[Run]:
    """Return what is run; raise SystemExit if a name is unknown."""
    every = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in PROGRAMS)
    if unknown := set(names) - set(every):
        raise SystemExit(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    chosen = [name for name in names or every if name not in MODEL or has_model()]
    plain: list[Run] = [(name, [], False) for name in chosen if WINDOWS.get(name, ["beside"])]
    more = [(name, options, False) for name, options in MORE.items() if name in chosen]
    return [*plain, *more, *((name, options, True) for name, options in WINDOWS.items() if name in chosen)]


def has_model() -> bool:
    """Return whether the embedded model is there or must be."""
    from batllm_arcade_plugins.embedded import missing

    from batllm_arcade.brains.protocol import Spec

    return bool(os.environ.get("BATLLM_REQUIRE_MODEL")) or not missing(Spec("embedded"))


def problem(name: str, options: list[str], environment: Mapping[str, str]) -> str:
    """Run a benchmark and say how long it took; return what is wrong with what it did, "" if nothing is."""
    began, called = time.monotonic(), " ".join([name, *options])
    command = [sys.executable, str(HERE / f"{name}.py"), "--smoke", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    print(f"{called}: {time.monotonic() - began:.1f} s", flush=True)
    if done.returncode:
        return f"{called} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    if not FIGURES.search(done.stdout) or "nan" in done.stdout.split():
        return f"{called} printed no figures:\n{done.stdout}{done.stderr}"
    return ""


def main() -> int:
    """Run them; return 1 if one of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a benchmark; all without one")
    chosen = runs(parser.parse_args().names)
    sys.path.insert(0, str(HERE.parent / "tests" / "support"))
    from display import virtual_screen

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as together:
        off_screen = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "XDG_DATA_HOME": folder}
        with virtual_screen(Path(folder)) as screen:
            found = together.map(
                lambda run: problem(run[0], run[1], screen.environment if run[2] else off_screen), chosen
            )
            problems = [each for each in found if each]
    print(*problems, sep="\n", end="", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
