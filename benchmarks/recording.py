"""What filming the window costs the game: the same match in the window without it, with clips kept, and filmed.

    python benchmarks/recording.py [--seconds 20] [--runs 3]

Each run is a process of its own with two scripted bots; the three kinds take turns, and a row is the medians of its
runs. With a display (`DISPLAY`, such as Xvfb's) the window is a real one, otherwise SDL's dummy. `frame` is what a
frame costs the game's thread from drawing to showing it, in its own processor time, and `copy` the part of it that is
for the recorder; `left out` the pictures that the film misses; `core` the share of a core that the program takes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import BenchmarkParser, progress

if "DISPLAY" not in os.environ:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

FIRST = 20
"""Frames that do not count."""
KINDS = ("neither", "clips", "film and clips")
COLUMNS = ("frame ms", "99%", "copy ms", "frames/s", "left out", "core", "peak MiB", "kept MB")


def played(kind: str, seconds: float, folder: Path) -> dict[str, float]:
    """One match in a window, and what it cost."""
    from dataclasses import replace

    from batllm_arcade.app.application import App
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.plugin import manager
    from batllm_arcade.session.live_session import SessionPlan
    from batllm_arcade.settings import config

    seats = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
    plan = SessionPlan(config=config.load("couch"), seats=seats, seed=7, games=9, history=folder / "match.json")
    app = App(plan, manager.load(), record=folder / "film.mp4" if kind == "film and clips" else None)
    app.ui.settings = replace(app.ui.settings, clips=kind != "neither")
    recording = app._recording
    costs: list[float] = []
    copies: list[float] = []
    frames: list[float] = []
    app._draw = _timed(app._draw, costs)  # type: ignore[method-assign]
    recording.recorder.add_frame = _timed(recording.recorder.add_frame, copies)  # type: ignore[method-assign]
    found: dict[str, float] = {}

    def each_frame(app: App) -> None:
        frames.append(time.monotonic())
        if frames[-1] - began > seconds and min(len(costs), len(copies)) > FIRST + 1 and not found:
            used = resource.getrusage(resource.RUSAGE_SELF)
            recorder_thread = recording.recorder._recorder_thread
            usual = sorted(costs[FIRST:])  # the first ones load what the others find
            found.update({
                "frame ms": statistics.median(usual) * 1000,
                "99%": usual[int(len(usual) * 0.99)] * 1000,
                "copy ms": statistics.median(copies[FIRST:]) * 1000,
                "frames/s": (len(frames) - 1) / (frames[-1] - frames[0]),
                "left out": recording.recorder.dropped,
                "core": (used.ru_utime + used.ru_stime - cpu) / (time.monotonic() - began),
                "kept MB": recorder_thread._ring.bytes / 1e6 if recorder_thread else 0.0,
            })  # fmt: skip
            app.go.quit()

    began = time.monotonic()
    before = resource.getrusage(resource.RUSAGE_SELF)
    cpu = before.ru_utime + before.ru_stime
    app.run(lambda app: app.go.start(plan), each_frame)
    found["peak MiB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def _timed(work: Any, costs: list[float]) -> Any:
    def timed(*args: Any) -> None:
        began = time.thread_time()
        work(*args)
        costs.append(time.thread_time() - began)

    return timed


def measured(kind: str, seconds: float) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--seconds", str(seconds), "--kind", kind]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = BenchmarkParser(__doc__, seconds=1.5, runs=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--kind", choices=KINDS, help=argparse.SUPPRESS)
    wanted = parser.parse()
    if wanted.kind:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(played(wanted.kind, wanted.seconds, Path(folder))))
        return
    runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    for number in range(wanted.runs):
        for kind in KINDS:
            progress(f"run {number + 1} of {wanted.runs}: {kind}")
            runs[kind].append(measured(kind, wanted.seconds))
    rows = {kind: {name: statistics.median(run[name] for run in runs[kind]) for name in COLUMNS} for kind in KINDS}
    print(f"| kept | {' | '.join(COLUMNS)} | frame, times neither |")
    print(f"| --- | {' | '.join('---:' for _ in range(len(COLUMNS) + 1))} |")
    for kind, row in rows.items():
        figures = " | ".join(f"{row[name]:.2f}" if row[name] < 10 else f"{row[name]:.0f}" for name in COLUMNS)
        print(f"| {kind} | {figures} | {row['frame ms'] / rows['neither']['frame ms']:.2f} |")


if __name__ == "__main__":
    main()
