"""What a film costs: the whole way from a session to an mp4 against encoding alone, and memory against length.

    python benchmarks/video.py [--size 1920x1080] [--turns 18] [--runs 9] [--memory]

Encoding alone takes the very frames of the film (its first turns), ready as yuv420p in memory, with the
same settings and no sound; end to end reads the session, simulates, draws, converts, encodes, mixes and
muxes the sound and puts the file in place. The two take turns, and the ratio is the median of those of each
turn, so that a machine that is slower for a while does not count: once of the time that passed and once of the
processor time of all threads.
`--memory` films a match of one minute and one of ten, each in a process of its own, and compares the most
memory they held.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import av
from common import BenchmarkParser, progress

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.history.reader import read
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config
from batllm_arcade.video.edit.edit_list import frame_count
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.encode.film_files import StreamFile, YuvFrames
from batllm_arcade.video.encode.formats import FORMATS, Shape, parse_size
from batllm_arcade.video.film_job import FilmJob, make
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob


def recorded(path: Path, games: int) -> Path:
    """A couch match of two scripted bots as a session file."""
    couch = config.load("couch")
    seats = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))
    table = Table(manager.load().kinds, seats, fallback=seats[0])
    plan = runner.MatchPlan(couch.rules, seed=7, games=games, prompts=("rush it", "dance"), header_template="$commands")
    writer = SessionWriter(path)
    for record in runner.play(plan, table):
        writer.notify(record)
    return path


def ready(film: FilmJob, count: int) -> list[av.VideoFrame]:
    """The film's frames, converted."""
    stage, size = film.frame_renderer(), film.plan.shape.size
    yuv = YuvFrames(size)
    taken = []
    for number in range(count):
        changed = stage.draw(number / film.plan.shape.fps)
        picture, copy = yuv.join(yuv.take(stage.surface, changed)), av.VideoFrame(*size, "yuv420p")
        for plane, theirs in zip(copy.planes, picture.planes, strict=True):
            plane.update(theirs)
        copy.colorspace, copy.color_range = picture.colorspace, picture.color_range
        taken.append(copy)
    return taken


class Took(NamedTuple):
    """Seconds that passed, and seconds of the processor over all threads."""

    passed: float
    busy: float


def timed(work: Callable[[], object]) -> Took:
    """What this takes."""
    began, busy = time.perf_counter(), time.process_time()
    work()
    return Took(time.perf_counter() - began, time.process_time() - busy)


def encode_alone(given: list[av.VideoFrame], plan: FilmPlan) -> None:
    """Encode these frames."""
    file = StreamFile(plan.out, plan.shape, sound=False)
    for number, frame in enumerate(given):
        file.add_frame(frame, number)
    file.finish()


def whole_way(session: Path, plan: FilmPlan) -> None:
    """From the session's file to the film's."""
    assert make(RenderJob(read(session), plan)).complete


def speed(folder: Path, size: tuple[int, int], turns: int, runs: int) -> None:
    """Print encoding alone, end to end, their ratio, and how many times real time the whole way is."""
    session = recorded(folder / "match.json", 1)
    plays = sum(len(tape.plays) for tape in read(session).games[0].rounds)
    last = Turn(min(turns, (plays + 1) // 2))
    plan = FilmPlan(folder / "film.mp4", Shape(FORMATS[".mp4"], size, 60), last=last, force=True)
    film = RenderJob(read(session), plan)
    count = frame_count(film.edit_list.seconds, 60)
    given = ready(film, count)
    alone, whole = [], []
    for number in range(runs):
        progress(f"run {number + 1} of {runs}")
        alone.append(timed(lambda: encode_alone(given, plan)))
        whole.append(timed(lambda: whole_way(session, plan)))
    a, w = medians(alone), medians(whole)
    pairs = list(zip(alone, whole, strict=True))
    passed = statistics.median(a.passed / w.passed for a, w in pairs)
    busy = statistics.median(a.busy / w.busy for a, w in pairs)
    name, real = f"{size[0]} x {size[1]}", film.edit_list.seconds / w.passed
    print("| size | frames | encode alone, frames/s | end to end, frames/s | ratio | times real time |", end=" ")
    print("processor ms a frame, alone | end to end | ratio |\n| --- |" + 8 * " ---: |")
    print(f"| {name} | {count} | {count / a.passed:.0f} | {count / w.passed:.0f} |", end=" ")
    print(f"{passed:.2f} | {real:.1f} |", end=" ")
    print(f"{1000 * a.busy / count:.2f} | {1000 * w.busy / count:.2f} | {busy:.2f} |")


def medians(taken: list[Took]) -> Took:
    """The medians of both."""
    return Took(statistics.median(one.passed for one in taken), statistics.median(one.busy for one in taken))


def memory(folder: Path, size: tuple[int, int], lengths: Iterable[float]) -> None:
    """Print the most memory that films of so many minutes took."""
    print("| film, minutes | most memory, MB |")
    print("| ---: | ---: |")
    for minutes in lengths:
        progress(f"a film of {minutes:g} minutes")
        sized = ["--size", f"{size[0]}x{size[1]}"]
        command = [sys.executable, __file__, "--film", str(minutes), "--folder", str(folder), *sized]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        print(f"| {said.split()[0]} | {said.split()[1]} |", flush=True)


def one_film(folder: Path, minutes: float, size: tuple[int, int]) -> None:
    """Film that many minutes and print how many they were, and the most memory this process held."""
    session = recorded(folder / f"{minutes}.json", max(1, round(minutes * 60 / 24)))
    plan = FilmPlan(folder / f"{minutes}.mp4", Shape(FORMATS[".mp4"], size, 60))
    seconds = RenderJob(read(session), plan).edit_list.seconds
    assert make(RenderJob(read(session), plan)).complete
    print(f"{seconds / 60:.1f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}")


def main() -> None:
    parser = BenchmarkParser(__doc__, size=(320, 180), turns=1, runs=1, minutes=[0.1])
    parser.add_argument("--size", type=parse_size, default=(1280, 720))
    parser.add_argument("--turns", type=int, default=18, help="at most so many turns of the match")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--minutes", type=float, nargs="+", default=[1, 10], help="how long the films of --memory are")
    parser.add_argument("--film", type=float, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse()
    if options.film:
        one_film(options.folder, options.film, options.size)
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.memory:
            memory(Path(folder), options.size, options.minutes)
        else:
            speed(Path(folder), options.size, options.turns, options.runs)


if __name__ == "__main__":
    main()
