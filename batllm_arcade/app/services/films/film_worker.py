"""The process that makes a film for the window and reports on standard output: one JSON object a line.

`{"share": 0.4}` is how much is done, `{"words": "..."}` the sentence to show. When standard input ends, the window's
program is gone, however it went: the film is stopped and nothing of it is kept.
"""

from __future__ import annotations

import _thread
import argparse
import json
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # its greeting is no JSON

from batllm_arcade.errors import ArcadeError, UsageError
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


def _report_share(fraction: float, speed: str) -> None:
    _report(share=round(fraction, 3))


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="film_worker", description=__doc__)
    parser.add_argument("session", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--game", type=int)
    parser.add_argument("--from", dest="first", type=selection.parse_turn)
    parser.add_argument("--to", dest="last", type=selection.parse_turn)
    parser.add_argument("--size", type=formats.parse_size)
    parser.add_argument("--fps", type=int)
    return parser.parse_args(arguments)


def _film(options: argparse.Namespace) -> int:
    """Make the film; return 0, or 1 if it was stopped before its end; raise ArcadeError if it cannot be made."""
    shape = formats.shape(options.output, options.size, options.fps)
    output_paths.check(options.output, force=False)
    video_options.check_packages(shape.format)
    plan = render_job.FilmPlan(options.output, shape, game=options.game, first=options.first, last=options.last)
    result = render_job.make(read(options.session), plan, _report_share)
    _report(words=result.sentence)
    return 0 if result.complete else 1


def _exit_code(options: argparse.Namespace) -> int:
    """Make the film and return the exit code, 2 if nothing was begun; an expected failure is reported."""
    try:
        return _film(options)
    except ArcadeError as error:
        _report(words=str(error))
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        return 130


def _watch_input(gone: threading.Event, done: threading.Event) -> None:
    """Stop the film when standard input ends."""
    with suppress(OSError):
        while os.read(0, 64):
            pass
    if not done.is_set():
        gone.set()
        _thread.interrupt_main()


def main(arguments: list[str]) -> int:
    """Make the film these arguments ask for, as `video` reads them; return the exit code."""
    options = _parse(arguments)
    others = _partials(options.output)
    gone, done = threading.Event(), threading.Event()
    threading.Thread(target=_watch_input, args=(gone, done), daemon=True).start()
    code = _exit_code(options)
    done.set()
    if gone.is_set() and code != 2:  # 2 is before any work: what is there is somebody else's
        for path in {options.output, *_partials(options.output)} - others:
            path.unlink(missing_ok=True)
    return code


def _partials(out: Path) -> set[Path]:
    """Return the partial films of this name that are there."""
    stem = f"{out.stem}.partial"
    with suppress(OSError):
        return {path for path in out.parent.iterdir() if path.stem.startswith(stem) and path.suffix == out.suffix}
    return set()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    sys.exit(main(sys.argv[1:]))
