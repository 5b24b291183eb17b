"""Whether films are as loud and as small as they should be, and the same twice, in films that are made.

    python benchmarks/film_limits.py [--films 20] [--limits 20]

Of the matches of `benchmarks/films.py`, `--films` are made with small pictures and heard by FFmpeg's ebur128, and
`--limits` are made as gif, webp and mp4 that may have LIMIT of the bytes of the free film. One is made twice, each time
in a process of its own, and both films' pictures are compared. Prints a Markdown table.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

import av
from common import BenchmarkParser, progress
from films import matches, planned

from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.reader import read
from batllm_arcade.video.encode.formats import FORMATS, Shape, parse_size, shape
from batllm_arcade.video.film_job import FilmResult, make
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.films import within
from batllm_arcade.video.render_job import RenderJob

LIMIT = 0.45


def heard(folder: Path, sessions: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the loudness and the highest true peak of films, as FFmpeg measures them."""
    if not sessions or shutil.which("ffmpeg") is None:
        return
    levels, peaks = [], []
    for number, session in enumerate(sessions):
        progress(f"sound of film {number + 1} of {len(sessions)}")
        small = Shape(FORMATS[".mp4"], (128, 128), 5)
        plan = replace(planned(folder, "wide", highlights=number % 2 == 0), shape=small, force=True)
        make(RenderJob(read(session), plan))
        asked = ["ffmpeg", "-hide_banner", "-nostats", "-i", str(plan.out), "-af", "ebur128=peak=true"]
        said = subprocess.run([*asked, "-f", "null", "-"], capture_output=True, text=True, check=True).stderr
        summary = said[said.rindex("Summary:") :]
        levels.append(_figure(r"I:\s+(-?[\d.]+) LUFS", summary))
        peaks.append(_figure(r"Peak:\s+(-?[\d.]+) dBFS", summary))
    yield f"loudness of {len(levels)} films, LUFS", f"{min(levels):.1f} to {max(levels):.1f}"
    yield "their highest true peak, dB", f"{max(peaks):.1f}"


def _figure(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    return float(found[1]) if found else math.nan


def _made(session: Path, plan: FilmPlan) -> FilmResult:
    return make(RenderJob(read(session), plan))


def limited(
    folder: Path, sessions: Sequence[Path], formats: Sequence[str], size: tuple[int, int] | None
) -> Iterator[tuple[str, str]]:
    """Yield how many films fit into LIMIT of the bytes of the free one, and what they gave up."""
    for suffix in formats if sessions else ():
        fits, told, used = 0, Counter[str](), list[float]()
        for number, session in enumerate(sessions):
            progress(f"{suffix} {number + 1} of {len(sessions)}")
            plan = FilmPlan(folder / f"film{suffix}", shape(Path(suffix[1:] + suffix), size, None), highlights=True)
            plan = replace(plan, force=True)
            make(RenderJob(read(session), plan))
            most, said = LIMIT * plan.out.stat().st_size, list[str]()
            try:
                within(replace(plan, most=most), partial(_made, session), said.append)
            except ArcadeError:
                continue
            fits += plan.out.stat().st_size <= most
            used.append(plan.out.stat().st_size / most)
            told[said[-1].split(" has ")[1].split(" (--max")[0] if said else "nothing"] += 1
        given = "; ".join(f"{words}: {times}" for words, times in told.most_common())
        used_up = f"{min(used):.0%} to {max(used):.0%} of the room used" if used else ""
        yield f"{suffix[1:]} films that fit", f"{fits} of {len(sessions)}; {used_up}; {given}"


def twice(folder: Path, session: Path) -> Iterator[tuple[str, str]]:
    """Yield whether two processes make the same film."""
    pictures = []
    for number in (1, 2):
        progress(f"the same film, {number} of 2")
        out = folder / f"twice{number}.mp4"
        made = ["video", str(session), "-o", str(out), "--highlights", "--size", "320x180"]
        subprocess.run([sys.executable, "-m", "batllm_arcade", *made], capture_output=True, check=True)
        with av.open(str(out)) as film:
            pictures.append([bytes(plane) for frame in film.decode(video=0) for plane in frame.planes])
    same = "the same" if pictures[0] == pictures[1] else "different"
    yield "pictures of one film made by two processes", f"{same}, {len(pictures[0]) // 3} pictures"


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, films=1, limits=1, size=(160, 128), scripted=True, formats=[".webp"])
    parser.add_argument("--films", type=int, default=20)
    parser.add_argument("--limits", type=int, default=20)
    parser.add_argument("--formats", nargs="+", default=[".gif", ".webp", ".mp4"])
    parser.add_argument("--size", type=parse_size, help="of the films with a limit")
    parser.add_argument("--scripted", action="store_true", help="scripts alone, without the embedded model")
    wanted = parser.parse()
    print("| | |\n| --- | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sessions = matches(folder, max(wanted.films, wanted.limits), scripted=wanted.scripted)
        for what, figure in chain(
            heard(folder, sessions[: wanted.films]),
            limited(folder, sessions[: wanted.limits], wanted.formats, wanted.size),
            twice(folder, sessions[0]),
        ):
            print(f"| {what} | {figure} |", flush=True)


if __name__ == "__main__":
    main()
