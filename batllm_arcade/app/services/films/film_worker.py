"""The process that makes a film for the window and reports on standard output: one JSON object a line.

`{"share": 0.4}` is how much is done, `{"words": "..."}` the sentence to show. The film is made in `--folder`, and moved
to its place by the window. When standard input ends, the window's program is gone, however it went: the film is
abandoned, and its folder removed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import threading
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting is no JSON

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import free_path
from batllm_arcade.history.reader import read
from batllm_arcade.terminal.output import OutputError, write_line
from batllm_arcade.video import options as video_options
from batllm_arcade.video import render_job
from batllm_arcade.video.edit import selection
from batllm_arcade.video.encode import formats, output_paths

_NICENESS = 5
"""How far this process stands back behind the window, as `nice` counts."""


def _report(**values: object) -> None:
    with suppress(OutputError):  # the window may be gone
        write_line(json.dumps(values), sys.stdout)


class _Abandoned(Exception):
    """Nobody wants the film any more."""


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="film_worker", description=__doc__)
    parser.add_argument("session", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--game", type=int)
    parser.add_argument("--from", dest="first", type=selection.parse_turn)
    parser.add_argument("--to", dest="last", type=selection.parse_turn)
    parser.add_argument("--size", type=formats.parse_size)
    parser.add_argument("--fps", type=int)
    return parser.parse_args(arguments)


def _film(options: argparse.Namespace, gone: threading.Event) -> int:
    """Make the film; return 0, or 1 if it was stopped before its end; raise ArcadeError if it cannot be made."""

    def report_share(fraction: float, _speed: str) -> None:
        if gone.is_set():
            raise _Abandoned
        _report(share=round(fraction, 3))

    shape = formats.shape(options.output, options.size, options.fps)
    output_paths.check(options.output, force=False)
    video_options.check_packages(shape.format)
    out = options.folder / options.output.name
    plan = render_job.FilmPlan(out, shape, game=options.game, first=options.first, last=options.last)
    result = render_job.make(read(options.session), plan, report_share)
    if not result.complete:
        return 1
    _report(words=result.sentence)
    return 0


def _exit_code(options: argparse.Namespace, gone: threading.Event) -> int:
    """Make the film and return the exit code, 2 if nothing was begun; an expected failure is reported."""
    try:
        return _film(options, gone)
    except ArcadeError as error:
        _report(words=_with_what_is_kept(str(error), options))
        return 2 if isinstance(error, UsageError) else 1
    except _Abandoned:
        return 1


def _with_what_is_kept(sentence: str, options: argparse.Namespace) -> str:
    """Move what was filmed until it failed beside the place of the film; return the sentence with its name there."""
    for path in options.folder.iterdir():
        kept = free_path(options.output.parent, path.name)
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
    options = _parse(arguments)
    gone = threading.Event()
    threading.Thread(target=_watch_input, args=(gone,), daemon=True).start()
    code = _exit_code(options, gone)
    if gone.is_set():
        shutil.rmtree(options.folder, ignore_errors=True)
    return code


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    sys.exit(main(sys.argv[1:]))
