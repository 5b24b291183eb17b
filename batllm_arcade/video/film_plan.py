"""What film is to be made: its file, its shape, and what of a session it shows; from the options of a command."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from batllm_arcade.errors import UsageError, one_line
from batllm_arcade.files.reading import argument_text
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.highlights import LONGEST_S
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.video.encode import formats
from batllm_arcade.video.encode.formats import Shape

CaptionMode = Literal["none", "srt"]
_UNMADE = Path("film.mp4")
"""What a film is like of which the script alone is asked for."""
_T = TypeVar("_T")


class Compared(NamedTuple):
    """A game of a recorded session, counted from 1, that is filmed beside another one."""

    session: SessionTape
    game: int


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """The film to be made.

    `sign` stands on the end card in place of how to play; `game` None means all games. Beside the film go the `text` to
    post with it, and a `poster`. A `fast` film does not wait for words to be read. It has at most `most` bytes, and
    plays `pace` times faster than it would.
    """

    out: Path
    shape: Shape
    title: str = ""
    sign: str = ""
    game: int | None = None
    first: Turn | None = None
    last: Turn | None = None
    highlights: bool = False
    longest: float = LONGEST_S
    """Seconds that highlights have at most."""
    ends: bool = True
    """Whether it has an end card, if it has cards."""
    fast: bool = False
    cards: bool = True
    captions: CaptionMode = "none"
    sound: bool = True
    music: bool | Path = True
    """Whether it has the arcade's music, or the file of another one."""
    text: Path | None = None
    poster: Path | None = None
    most: float = math.inf
    pace: float = 1.0
    force: bool = False

    @property
    def part(self) -> bool:
        """Return whether a game or turns were chosen."""
        return bool(self.game or self.first or self.last)

    @property
    def srt(self) -> Path | None:
        """Return the file of its captions, None if it has none."""
        return self.out.with_suffix(".srt") if self.captions == "srt" else None


def plan_of(options: argparse.Namespace, notice: Callable[[str], object] = lambda sentence: None) -> FilmPlan:
    """Return the film that the options of `arguments.py` ask for; raise UsageError for what cannot be made."""
    out: Path = options.output or _UNMADE
    size = _parsed("--size", formats.parse_size, options.size)
    shape = formats.shape(out, size, options.fps, vertical=options.vertical, overlay=options.overlay)
    if options.poster is not None and options.poster.suffix.lower() != ".png":
        raise UsageError(f"--poster: {options.poster.name!r} is no name of a PNG; end it with .png")
    if size is not None and sorted(size) != sorted(shape.size):
        width, height = shape.size
        notice(f"films have even sides; this one gets {width}x{height}")
    first, last = (selection.parse_turn_option("--" + name, getattr(options, name)) for name in ("from", "to"))
    most = _parsed("--max-size", formats.parse_bytes, options.max_size)
    return FilmPlan(
        out=out,
        shape=shape,
        title=shortened(argument_text(options.title), 120),
        sign=shortened(argument_text(options.sign), 80),
        game=options.game,
        first=first,
        last=last,
        highlights=options.highlights,
        fast=options.fast,
        cards=not (options.no_cards or options.overlay),
        captions=options.captions,
        sound=not options.no_sound,
        music=options.music or not options.no_music,
        text=out.with_suffix(".txt") if shape.format.chapters else None,
        poster=options.poster,
        most=shape.format.most if most is None else most,
        force=options.force,
    )


def _parsed(name: str, parse: Callable[[str], _T], text: str | None) -> _T | None:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None


def check(plan: FilmPlan, sources: Sequence[Path]) -> None:
    """Raise UsageError, before anything is read, if a film's files cannot be written or are among its `sources`, or if
    what it needs is missing."""
    files = [file for file in (plan.out, plan.srt, plan.text, plan.poster) if file is not None]
    for source in sources:
        if any(os.path.realpath(file) == os.path.realpath(source) for file in files):
            raise UsageError(f"{str(source)!r} is the session that is filmed; name another file to write")
    for file in files:
        formats.check(file, force=plan.force)
    check_packages(plan.shape.format)
    if isinstance(plan.music, Path):
        _check_music(plan.music)


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


def _check_music(path: Path) -> None:
    import av

    from batllm_arcade.audio.mixer import decoded

    try:
        first = next(decoded(path), None)
    except (OSError, av.error.FFmpegError):
        first = None
    if first is None:
        raise UsageError(f"{str(path)!r} has no music that can be played; name an mp3, ogg, flac, m4a or wav")
