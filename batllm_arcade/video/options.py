"""Films from the options of a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.files.reading import argument_text
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.league.kept_files import SESSIONS, check_files
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.video.encode import formats
from batllm_arcade.video.encode import formats as concessions
from batllm_arcade.video.encode import formats as output_paths
from batllm_arcade.video.encode.formats import Concession, TooLarge, ladder, next_concession
from batllm_arcade.video.film_job import MessageCallback, ProgressCallback, TerminalReport
from batllm_arcade.video.film_plan import FilmPlan

if TYPE_CHECKING:
    from batllm_arcade.video.edit.script import ScriptRow
    from batllm_arcade.video.film_job import FilmJob
    from batllm_arcade.video.render_job import FilmResult

# -- The sessions that a film is made of: files, and folders of them


def session_files(named: Iterable[Path]) -> list[Path]:
    """Return the session files that names stand for: those of a folder by their names, of a league those it kept."""
    return [file for each in named for file in _files(each)]


def _files(named: Path) -> list[Path]:
    if not named.is_dir():
        return [named]
    folder = named / SESSIONS
    if folder.is_dir():  # of a league, which somebody else may have filled
        check_files(named)
    else:
        folder = named
    return sorted(folder.glob("*.json"))


def open_sessions(named: Sequence[Path], notice: MessageCallback) -> list[SessionTape]:
    """Return the sessions of the files and folders that are `named`.

    What is no session is counted in a folder; raise HistoryError or UsageError where it is a file that was named, or
    there is no session at all.
    """
    found, others, files = [], 0, session_files(named)
    for file in files:
        try:
            found.append(open_recorded(file, notice))
        except HistoryError as error:
            if file in named:
                raise error if len(files) == 1 else UsageError(f"{str(file)!r}: {error}") from None
            others += 1
    if others:
        notice(f"{others} of {len(files)} files are no sessions and were left out")
    if not found:
        raise UsageError("there is no session in what you named; name session files, or a folder of them")
    return found


# -- Makes a film that has at most so many bytes: if it has more, it is made again with less, and


def within(plan: FilmPlan, make: Callable[[FilmPlan], FilmResult], notice: MessageCallback) -> FilmResult:
    """Make a film in at most `plan.most` bytes by `make`, which raises TooLarge; `notice` gets what it gave up.

    Raise ArcadeError if no film that shows all of it is so small.
    """
    asked = plan.shape
    rung: Concession | None = next(ladder(asked))
    while rung is not None:
        try:
            result = make(replace(plan, shape=rung.shape, pace=rung.pace))
        except TooLarge as found:
            rung = next_concession(asked, rung, found.size, plan.most, found.seen)
            continue
        if given_up := rung.words(asked):
            notice(f"to fit into {size_text(plan.most)} the film has {given_up} (--max-size for another size)")
        return result
    raise ArcadeError(
        f"{plan.out.name!r} does not fit into {size_text(plan.most)}, however small its pictures are; "
        "film a part of it (--highlights, --from, --to) or allow more (--max-size)"
    )


def size_text(size: float) -> str:
    """Return a number of bytes in words: `10 MB`, `800 kB`."""
    return f"{size / 1e6:g} MB" if size >= 1e6 else f"{size / 1e3:g} kB"


# -- The options of `video`: checked before any work begins, then the film is made

_T = TypeVar("_T")
_UNMADE = Path("film.mp4")
"""What a film is like of which the script is asked for alone."""
MOST_OF_SERIES = 12
"""Games of a series of which half a minute shows how each ended; of more the best are shown, as of many sessions."""


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
    named: Sequence[Path] = options.files
    if options.output is None and options.script is None:
        raise UsageError("a film needs a file; name it: -o OUT (or --script FILE for what it says)")
    plan = plan_of(options, session_files(named), notice)
    if not plan.highlights and (len(named) > 1 or named[0].is_dir()):
        raise UsageError("a film of many sessions has their best moments; add --highlights, or name one session")
    sessions = open_sessions(named, notice)
    if len(sessions) > 1 and (plan.game or plan.first or plan.last):
        raise UsageError("--game, --from and --to are of one session; name one")
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video import highlights_job, render_job

    def job_of(smaller: FilmPlan) -> highlights_job.HighlightsJob | render_job.RenderJob:
        return highlights_job.HighlightsJob(games, smaller) if games else render_job.RenderJob(sessions[0], smaller)

    games: Sequence[highlights_job.Game] = ()
    if plan.highlights and (len(sessions) > 1 or _is_long(sessions[0], plan)):
        games = highlights_job.games_of(sessions, notice)
    if options.script is not None:
        return _write_script(job_of(plan).script(), options.script, force=options.force)
    return _made(job_of, plan, progress or terminal.progress, notice, message or terminal.message)


def _write_script(rows: Sequence[ScriptRow], out: Path, *, force: bool) -> int:
    """Write what a film says to a file, or to standard output if that is called `-`; return 0."""
    from batllm_arcade.files.atomic import write_text
    from batllm_arcade.terminal.output import write_line
    from batllm_arcade.video.edit.script import as_lines

    if str(out) != "-":
        write_text(out, as_lines(rows), new=not force)
        return 0
    for line in as_lines(rows):
        write_line(line.rstrip("\n"), sys.stdout)
    return 0


def make_film(job_of: Callable[[FilmPlan], FilmJob], plan: FilmPlan) -> int:
    """Make another film than a session's, as `film` does: `job_of` says what is shown under a plan."""
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame

    terminal = TerminalReport(sys.stderr)
    return _made(job_of, plan, terminal.progress, terminal.notice, terminal.message)


def _made(
    job_of: Callable[[FilmPlan], FilmJob],
    plan: FilmPlan,
    progress: ProgressCallback,
    notice: MessageCallback,
    message: MessageCallback,
) -> int:
    from batllm_arcade.video import render_job

    result = within(plan, lambda smaller: render_job.make_job(job_of(smaller), progress, notice), notice)
    message(result.sentence)
    return 0 if result.complete else result.interrupted or 1


def _is_long(session: SessionTape, plan: FilmPlan) -> bool:
    """Return whether there are more games to show than half a minute has room for."""
    return len(session.games) > MOST_OF_SERIES and not (plan.game or plan.first or plan.last)


def plan_of(options: argparse.Namespace, sources: Sequence[Path], notice: MessageCallback | None = None) -> FilmPlan:
    """Return the film that is asked for; raise UsageError for what cannot be made, before anything is read.

    None of its files may be one of the `sources`. Of one whose script alone is written, that is the only file.
    """
    alone = getattr(options, "script", None)
    if alone is not None:
        options = argparse.Namespace(**{**vars(options), "output": options.output or _UNMADE, "poster": None})
    shape = _shape(options, notice or TerminalReport(sys.stderr).notice)
    first, last = (selection.parse_turn_option("--" + name, getattr(options, name)) for name in ("from", "to"))
    most = _parsed("--max-size", concessions.parse_bytes, options.max_size)
    for path in _output_files(options, shape, sources) if alone is None else [alone] if str(alone) != "-" else []:
        output_paths.check(path, force=options.force)
    check_packages(shape.format)
    if options.music is not None:
        check_music(options.music)
    return FilmPlan(
        out=options.output,
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
        text=_text_of(options.output, shape),
        poster=options.poster,
        most=shape.format.most if most is None else most,
        force=options.force,
    )


def _parsed(name: str, parse: Callable[[str], _T], text: str | None) -> _T | None:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None


def _shape(options: argparse.Namespace, notice: MessageCallback) -> formats.Shape:
    size = _parsed("--size", formats.parse_size, options.size)
    shape = formats.shape(options.output, size, options.fps, vertical=options.vertical, overlay=options.overlay)
    if options.poster is not None and options.poster.suffix.lower() != ".png":
        raise UsageError(f"--poster: {options.poster.name!r} is no name of a PNG; end it with .png")
    if size is not None and sorted(size) != sorted(shape.size):
        width, height = shape.size
        notice(f"films have even sides; this one gets {width}x{height}")
    return shape


def _output_files(options: argparse.Namespace, shape: formats.Shape, sources: Sequence[Path]) -> list[Path]:
    """Return all files that will be written; raise UsageError if one is a session's."""
    out: Path = options.output
    files = [out]
    if options.captions == "srt":
        files.append(out.with_suffix(".srt"))
    text = _text_of(out, shape)
    files += [file for file in (text, options.poster) if file is not None]
    for source in sources:
        if any(os.path.realpath(file) == os.path.realpath(source) for file in files):
            raise UsageError(f"{str(source)!r} is the session that is filmed; name another file to write")
    return files


def _text_of(out: Path, shape: formats.Shape) -> Path | None:
    """Return where the words to post with a film go: beside those that have chapters."""
    return out.with_suffix(".txt") if shape.format.chapters else None


def check_music(path: Path) -> None:
    """Raise UsageError if a file has no music that can be played."""
    import av

    from batllm_arcade.audio.mixer import decoded

    try:
        first = next(decoded(path), None)
    except (OSError, av.error.FFmpegError):
        first = None
    if first is None:
        raise UsageError(f"{str(path)!r} has no music that can be played; name an mp3, ogg, flac, m4a or wav")


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
