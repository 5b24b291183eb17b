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
from dataclasses import replace
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import free_path
from batllm_arcade.processes.child import Output, when_input_ends
from batllm_arcade.video import films
from batllm_arcade.video.arguments import parsed
from batllm_arcade.video.encode.formats import check as check_output
from batllm_arcade.video.film_job import make
from batllm_arcade.video.film_plan import check, plan_of

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting is no JSON


Report = Callable[[Mapping[str, Any]], None]


class _Abandoned(Exception):
    """Nobody wants the film any more."""


def _film(options: argparse.Namespace, gone: threading.Event, report: Report) -> int:
    def report_share(fraction: float, _speed: str) -> None:
        if gone.is_set():
            raise _Abandoned
        report({"share": round(fraction, 3)})

    check_output(options.output, force=False)
    options.output = Path(options.output.name)  # in the current folder
    plan = replace(plan_of(options), text=None)
    check(plan, ())
    job_of = films.film_of(options.files, plan, _ignore)
    result = films.within(plan, lambda it: make(job_of(it), report_share), _ignore)
    if not result.complete:
        return 1
    report({"words": result.sentence})
    return 0


def _ignore(notice: str) -> None:
    """Say nothing: the window shows one sentence."""


def _exit_code(options: argparse.Namespace, gone: threading.Event, report: Report) -> int:
    folder = options.output.parent
    try:
        return _film(options, gone, report)
    except ArcadeError as error:
        report({"words": _with_what_is_kept(str(error), folder)})
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


def main(arguments: list[str]) -> int:
    """Make the film these arguments ask for, as `video` reads them; return the exit code."""
    options, output, gone = parsed(arguments), Output(), threading.Event()
    when_input_ends(gone.set)
    elsewhere = options.output.parent
    code = _exit_code(options, gone, output.report)
    if gone.is_set():
        folder = Path.cwd()
        os.chdir(elsewhere)
        shutil.rmtree(folder, ignore_errors=True)
    return code
