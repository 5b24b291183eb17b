"""The options of `video`, checked before any work begins."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec

from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.video import formats


def film(options: argparse.Namespace) -> int:
    """Make the film that was asked for; the exit code of `video`."""
    for needed in ("av", "numpy"):
        if find_spec(needed) is None:
            raise UsageError(f"films need the package {needed!r}; install it with: pip install 'batllm-arcade[video]'")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from batllm_arcade.video import film as films

    plan = films.FilmPlan(
        out=options.output,
        shape=_shape(options),
        title=options.title,
        force=options.force,
    )
    films.check_way(plan.out, force=plan.force)
    return films.make(read(options.file), plan)


def _shape(options: argparse.Namespace) -> formats.Shape:
    try:
        size = formats.size_of(options.size) if options.size is not None else None
    except ValueError as error:
        raise UsageError(str(error)) from None
    shape = formats.shape(options.output, size, options.fps, vertical=options.vertical)
    if size is not None and sorted(size) != sorted(shape.size):
        width, height = shape.size
        print(f"batllm-arcade: films have even sides; this one gets {width}x{height}", file=sys.stderr)
    return shape
