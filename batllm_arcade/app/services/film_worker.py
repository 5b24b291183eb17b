"""The process that makes a film for the window and reports on standard output: one JSON object a line.

`{"share": 0.4}` is how much is done, `{"words": "..."}` the sentence to show. The film is made in the current folder,
and moved to its place by the window. When standard input ends, the window's program is gone, however it went: the film
is abandoned, and that folder removed where no guard has done so."""

from __future__ import annotations

import argparse
import os
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import free_path
from batllm_arcade.history.reader import read
from batllm_arcade.processes.lines import Output, json_line
from batllm_arcade.video import options as video_options
from batllm_arcade.video import render_job
from batllm_arcade.video.edit import selection
from batllm_arcade.video.encode import formats
from batllm_arcade.video.encode import formats as output_paths
from batllm_arcade.video.film_plan import FilmPlan

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting is no JSON


Report = Callable[[Mapping[str, Any]], None]


class _Abandoned(Exception):
    """Nobody wants the film any more."""


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="film_worker", description=__doc__)
    parser.add_argument("session", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--game", type=int)
    parser.add_argument("--from", dest="first", type=selection.parse_turn)
    parser.add_argument("--to", dest="last", type=selection.parse_turn)
    parser.add_argument("--size", type=formats.parse_size)
    parser.add_argument("--fps", type=int)
    parser.add_argument("--highlights", action="store_true")
    parser.add_argument("--vertical", action="store_true")
    return parser.parse_args(arguments)


def _film(options: argparse.Namespace, gone: threading.Event, report: Report) -> int:

    def report_share(fraction: float, _speed: str) -> None:
        if gone.is_set():
            raise _Abandoned
        report({"share": round(fraction, 3)})

    shape = formats.shape(options.output, options.size, options.fps, vertical=options.vertical)
    output_paths.check(options.output, force=False)
    video_options.check_packages(shape.format)
    out = Path(options.output.name)
    plan = FilmPlan(
        out, shape, game=options.game, first=options.first, last=options.last, highlights=options.highlights
    )
    result = render_job.make(read(options.session), plan, report_share)
    if not result.complete:
        return 1
    report({"words": result.sentence})
    return 0


def _exit_code(options: argparse.Namespace, gone: threading.Event, report: Report) -> int:
    try:
        return _film(options, gone, report)
    except ArcadeError as error:
        report({"words": _with_what_is_kept(str(error), options.output.parent)})
        return 2 if isinstance(error, UsageError) else 1
    except _Abandoned:
        return 1


def _with_what_is_kept(sentence: str, folder: Path) -> str:
    """Move what was filmed until it failed into this folder; return the sentence with its name there."""
    for path in Path().iterdir():
        kept = free_path(folder, path.name)
        path.rename(kept)
        sentence = sentence.replace(repr(path.name), repr(kept.name))
    return sentence


def _watch_input(gone: threading.Event) -> None:
    with suppress(OSError):
        while os.read(0, 64):
            pass
    gone.set()


def main(arguments: list[str]) -> int:
    """Make the film these arguments ask for, as `video` reads them; return the exit code."""
    options, output, gone = _parse(arguments), Output(), threading.Event()
    threading.Thread(target=_watch_input, args=(gone,), daemon=True).start()

    def report(values: Mapping[str, Any]) -> None:
        with suppress(OSError):  # the window may be gone
            output.write(json_line(values))

    code = _exit_code(options, gone, report)
    if gone.is_set():
        folder = Path.cwd()
        os.chdir(options.output.parent)
        shutil.rmtree(folder, ignore_errors=True)
    return code
