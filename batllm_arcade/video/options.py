"""The options of `video`: checked before any work begins, then the film is made."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from batllm_arcade.errors import UsageError, one_line
from batllm_arcade.files.reading import argument_text
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.video.encode import concessions, formats, output_paths
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.progress import MessageCallback, ProgressCallback, TerminalReport

_T = TypeVar("_T")


def film(
    options: argparse.Namespace,
    progress: ProgressCallback | None = None,
    message: MessageCallback | None = None,
) -> int:
    """Make the film and return the exit code: 0, or 130, 143, 129 if a signal cut it short; raise ArcadeError.

    `progress` gets the share that is done, `message` each sentence for the user, the result's last; both go to
    standard error unless given.
    """
    terminal = TerminalReport(sys.stderr)
    notice = message or terminal.notice
    shape = _shape(options, notice)
    first, last = (selection.parse_turn_option("--" + name, getattr(options, name)) for name in ("from", "to"))
    most = _parsed("--max-size", concessions.parse_bytes, options.max_size)
    for path in _output_files(options, shape):
        output_paths.check(path, force=options.force)
    check_packages(shape.format)
    session = open_recorded(options.file, notice)
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from batllm_arcade.video import size_limit

    plan = FilmPlan(
        out=options.output,
        shape=shape,
        title=shortened(argument_text(options.title), 120),
        game=options.game,
        first=first,
        last=last,
        keep_thinking=options.keep_thinking,
        highlights=options.highlights,
        fast=options.fast,
        cards=not options.no_cards,
        captions=options.captions,
        sound=not options.no_sound,
        music=not options.no_music,
        loudness=options.loudness,
        manifest=options.manifest,
        text=_text_of(options.output, shape),
        poster=options.poster,
        most=shape.format.most if most is None else most,
        force=options.force,
    )
    result = size_limit.make_within(session, plan, progress or terminal.progress, notice)
    (message or terminal.message)(result.sentence)
    return 0 if result.complete else result.interrupted or 1


def _parsed(name: str, parse: Callable[[str], _T], text: str | None) -> _T | None:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None


def _shape(options: argparse.Namespace, notice: MessageCallback) -> formats.Shape:
    size = _parsed("--size", formats.parse_size, options.size)
    shape = formats.shape(options.output, size, options.fps, vertical=options.vertical)
    if options.poster is not None and options.poster.suffix.lower() != ".png":
        raise UsageError(f"--poster: {options.poster.name!r} is no name of a PNG; end it with .png")
    if options.captions == "soft" and not shape.format.text:
        raise UsageError(f"a {shape.format.suffix[1:]} has no text track; choose --captions burn or srt")
    if size is not None and sorted(size) != sorted(shape.size):
        width, height = shape.size
        notice(f"films have even sides; this one gets {width}x{height}")
    return shape


def _output_files(options: argparse.Namespace, shape: formats.Shape) -> list[Path]:
    """Return all files that will be written; raise UsageError if two are the same or one is the session's."""
    out: Path = options.output
    files = [out]
    if options.captions == "srt":
        files.append(out.with_suffix(".srt"))
    text = _text_of(out, shape)
    files += [file for file in (text, options.manifest, options.poster) if file is not None]
    if any(os.path.realpath(file) == os.path.realpath(options.file) for file in files):
        raise UsageError(f"{str(options.file)!r} is the session that is filmed; name another file to write")
    if len({file.absolute() for file in files}) < len(files):
        raise UsageError(f"{str(_twice(files))!r} would be written twice; name another file")
    return files


def _twice(files: Sequence[Path]) -> Path:
    return next(
        file for at, file in enumerate(files) if file.absolute() in {each.absolute() for each in files[at + 1 :]}
    )


def _text_of(out: Path, shape: formats.Shape) -> Path | None:
    """Return where the words to post with a film go: beside those that have chapters."""
    return out.with_suffix(".txt") if shape.format.text else None


def check_packages(form: formats.Format) -> None:
    """Raise UsageError if what films of this format need is not installed or does not load."""
    for package in ("av", "numpy"):
        if find_spec(package) is None:
            raise UsageError(f"films need the package {package!r}; install it with: pip install 'batllm-arcade[video]'")
    try:
        import av
    except ImportError as error:
        raise UsageError(
            f"films need the package 'av', which does not load here ({one_line(error)}); install it anew"
        ) from None
    for codec in (form.picture, form.sound):
        if codec and codec not in av.codecs_available:
            raise UsageError(f"this PyAV comes without {codec!r}; install its wheel or choose another suffix")
