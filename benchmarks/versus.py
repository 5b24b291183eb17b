"""What a film of two games side by side costs, beside an ordinary film of one of them.

    python benchmarks/versus.py [--size 1920x1080] [--seconds 20] [--runs 3]

Both are made whole, from the sessions' files to an mp4 with sound, and their frames are encoded alone, ready as
yuv420p in memory; of each film the first seconds. The three take turns; the ratio is encoding alone over the whole
way, the median of those of each turn. "Of an ordinary film's" is the ratio beside the ordinary film's.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from common import BenchmarkParser, progress
from video import encode_alone, ready, recorded, timed

from batllm_arcade.history.reader import read
from batllm_arcade.video.edit.edit_list import EditList, frame_count
from batllm_arcade.video.encode.formats import FORMATS, Shape, parse_size
from batllm_arcade.video.film_job import FilmJob, make
from batllm_arcade.video.film_plan import Compared, FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.video.versus_job import VersusJob


def shortened(job: RenderJob | VersusJob, seconds: float) -> FilmJob:
    """The film without its cards, at most so long."""
    found, room = [], seconds
    for cut in job.edit_list.cuts:
        if room > 0:
            found.append(replace(cut, end=min(cut.end, cut.start + room * cut.speed)))
            room -= found[-1].seconds
    job.edit_list = EditList(found)
    job.frames = frame_count(job.edit_list.seconds, job.plan.shape.fps)
    return job


def whole_way(job: Callable[[], FilmJob]) -> None:
    """From the sessions' files to the film's."""
    assert make(job()).complete


def measured(folder: Path, size: tuple[int, int], seconds: float, runs: int) -> None:
    """Print a row for the ordinary film and one for that of both games."""
    tape = read(recorded(folder / "match.json", 2))
    plan = FilmPlan(folder / "film.mp4", Shape(FORMATS[".mp4"], size, 60), force=True)
    made: dict[str, Callable[[], FilmJob]] = {
        "one game": lambda: shortened(RenderJob(tape, replace(plan, game=1)), seconds),
        "two side by side": lambda: shortened(VersusJob(Compared(tape, 1), Compared(tape, 2), plan), seconds),
    }
    given = {name: ready(job(), job().frames) for name, job in made.items()}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in made}
    for number in range(runs):
        progress(f"run {number + 1} of {runs}")
        for name, job in made.items():
            alone = timed(partial(encode_alone, given[name], plan)).passed
            taken[name].append((alone, timed(partial(whole_way, job)).passed))
    print("| film | frames | encode alone, frames/s | end to end, frames/s | ratio | of an ordinary film's |", end=" ")
    print("times real time |\n| --- |" + 6 * " ---: |")
    ratios = {name: statistics.median(alone / whole for alone, whole in times) for name, times in taken.items()}
    for name, times in taken.items():
        count = len(given[name])
        alone, whole = (statistics.median(each) for each in zip(*times, strict=True))
        beside = ratios[name] / ratios["one game"]
        print(f"| {name}, {size[0]} x {size[1]} | {count} | {count / alone:.0f} | {count / whole:.0f} |", end=" ")
        print(f"{ratios[name]:.2f} | {beside:.2f} | {count / 60 / whole:.1f} |")


def main() -> None:
    parser = BenchmarkParser(__doc__, size=(320, 180), seconds=0.5, runs=1)
    parser.add_argument("--size", type=parse_size, default=(1920, 1080))
    parser.add_argument("--seconds", type=float, default=20.0, help="at most so much of each film")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse()
    with tempfile.TemporaryDirectory() as folder:
        measured(Path(folder), options.size, options.seconds, options.runs)


if __name__ == "__main__":
    main()
