"""Films from the options of a command: their sessions, how they are made to fit, and what is said meanwhile."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from batllm_arcade.cup.folder import KeptCup, is_cup
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.kept_files import SESSIONS, check_files
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.terminal.output import redraw, write_line
from batllm_arcade.video import film_plan
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.video.encode import formats
from batllm_arcade.video.encode.formats import TooLarge, ladder
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.timeline import Timeline

if TYPE_CHECKING:
    from batllm_arcade.video.edit.script import ScriptRow
    from batllm_arcade.video.film_job import FilmJob, FilmResult, MessageCallback, ProgressCallback
    from batllm_arcade.video.render_job import HighlightsJob, RenderJob

MOST_OF_SERIES = 12
"""Games of a series of which half a minute shows how each ended; of more the best are shown, as of many sessions."""
_BAR_WIDTH = 24  # characters


def film(
    options: argparse.Namespace, progress: ProgressCallback | None = None, message: MessageCallback | None = None
) -> int:
    """Make the film of `video` and return the exit code: 0, or 130, 143, 129 if a signal cut it short.

    Raise ArcadeError if it cannot be made. `progress` gets the share that is done, `message` each sentence for the
    user, the result's last; both go to standard error unless given.
    """
    notice = message or TerminalReport(sys.stderr).notice
    named: Sequence[Path] = options.files
    script: Path | None = options.script
    if options.output is None and script is None:
        raise UsageError("a film needs a file; name it: -o OUT (or --script FILE for what it says)")
    plan = film_plan.plan_of(options, notice)
    if script is None:
        film_plan.check(plan, session_files(named))
    else:
        film_plan.check_packages(plan.shape.format)
        if str(script) != "-":
            formats.check(script, force=plan.force)
    job_of = film_of(named, plan, notice)
    if script is None:
        return make_film(job_of, plan, progress, message)
    _write_script(job_of(plan).script(), script, force=plan.force)
    return 0


def film_of(
    named: Sequence[Path], plan: FilmPlan, notice: MessageCallback
) -> Callable[[FilmPlan], HighlightsJob | RenderJob]:
    """Return what makes the film of the sessions that are `named`, by a plan as large as this one or smaller.

    Raise ArcadeError if there is none.
    """
    if not plan.highlights and (len(named) > 1 or named[0].is_dir()):
        raise UsageError("a film of many sessions has their best moments; add --highlights, or name one session")
    of_cup = len(named) == 1 and is_cup(named[0])
    sessions = [] if of_cup else open_sessions(named, notice)
    if plan.part and (of_cup or len(sessions) > 1):
        raise UsageError("--game, --from and --to are of one session; name one")
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video import render_job
    from batllm_arcade.video.cup_film import cup_film

    if of_cup:
        return cup_film(KeptCup.read(named[0]), notice)
    is_long = len(sessions[0].games) > MOST_OF_SERIES and not plan.part
    games = render_job.games_of(sessions, notice) if plan.highlights and (len(sessions) > 1 or is_long) else ()
    return lambda it: render_job.HighlightsJob(games, it) if games else render_job.RenderJob(sessions[0], it)


def make_film(
    job_of: Callable[[FilmPlan], FilmJob],
    plan: FilmPlan,
    progress: ProgressCallback | None = None,
    message: MessageCallback | None = None,
) -> int:
    """Make a film, of what `job_of` says is shown under a plan, as `film` does; return the exit code."""
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video import film_job

    terminal = TerminalReport(sys.stderr)
    notice = message or terminal.notice
    result = within(plan, lambda it: film_job.make(job_of(it), progress or terminal.progress, notice), notice)
    (message or terminal.message)(result.sentence)
    return 0 if result.complete else result.interrupted or 1


def within(plan: FilmPlan, make: Callable[[FilmPlan], FilmResult], notice: MessageCallback) -> FilmResult:
    """Make a film in at most `plan.most` bytes by `make`, which raises TooLarge; `notice` gets what it gave up.

    Raise ArcadeError if no film that shows all of it is so small.
    """
    asked, most, share = plan.shape, _size_text(plan.most), 1.0
    for rung in ladder(asked):
        if rung.bytes_of(asked) > share:
            continue
        try:
            result = make(replace(plan, shape=rung.shape, pace=rung.pace))
        except TooLarge as problem:
            share = rung.bytes_of(asked) * plan.most / problem.least
            continue
        if given_up := rung.words(asked):
            notice(f"to fit into {most} the film has {given_up} (--max-size for another size)")
        return result
    raise ArcadeError(
        f"{plan.out.name!r} does not fit into {most}, however small its pictures are; "
        "film a part of it (--highlights, --from, --to) or allow more (--max-size)"
    )


def _size_text(size: float) -> str:
    return f"{size / 1e6:g} MB" if size >= 1e6 else f"{size / 1e3:g} kB"


def _write_script(rows: Sequence[ScriptRow], out: Path, *, force: bool) -> None:
    from batllm_arcade.files.atomic import write_text
    from batllm_arcade.video.edit.script import as_lines

    if str(out) != "-":
        write_text(out, as_lines(rows), new=not force)
        return
    for line in as_lines(rows):
        write_line(line.rstrip("\n"), sys.stdout)


def session_files(named: Iterable[Path]) -> list[Path]:
    """Return the session files that names stand for: those of a folder by their names, of a league those it kept, of a
    cup those of its games in the order in which they were played."""
    return [file for path in named for file in (_files_in(path) if path.is_dir() else [path])]


def _files_in(folder: Path) -> list[Path]:
    if is_cup(folder):
        return KeptCup.read(folder).sessions
    kept = folder / SESSIONS
    if kept.is_dir():  # of a league, which somebody else may have filled
        check_files(folder)
    return sorted((kept if kept.is_dir() else folder).glob("*.json"))


def open_sessions(named: Sequence[Path], notice: MessageCallback) -> list[SessionTape]:
    """Return the sessions of the files and folders that are `named`.

    What is no session is counted in a folder; raise HistoryError or UsageError where it is a file that was named, or
    there is no session at all.
    """
    sessions, others, files = [], 0, session_files(named)
    for file in files:
        try:
            sessions.append(open_recorded(file, notice))
        except HistoryError as error:
            if file in named:
                raise error if len(files) == 1 else UsageError(f"{str(file)!r}: {error}") from None
            others += 1
    if others:
        notice(f"{others} of {len(files)} files are no sessions and were left out")
    if not sessions:
        raise UsageError("there is no session in what you named; name session files, or a folder of them")
    return sessions


class TerminalReport:
    """Shows progress as a bar where `out` is a terminal, and messages as lines everywhere."""

    def __init__(self, out: TextIO | None) -> None:
        self._out, self._terminal = out, out is not None and out.isatty()

    def progress(self, fraction: float, text: str) -> None:
        """Redraw the bar; nothing is written to what is no terminal."""
        if self._terminal:
            filled = int(_BAR_WIDTH * fraction)
            bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
            redraw(f"[{bar}] {fraction:4.0%}  {text}", self._out)

    def message(self, sentence: str) -> None:
        """Write a line in place of the bar."""
        if self._terminal:
            redraw("", self._out)
        write_line(sentence, self._out)

    def notice(self, sentence: str) -> None:
        """Write a line that names the program, as its errors do."""
        self.message(f"batllm-arcade: {sentence}")


# Pictures of games that a league keeps

POSTER = (960, 504)
"""Width and height of a picture."""


def poster_writer(folder: Path) -> Callable[[tuple[int, int], Path], object] | None:
    """Return what writes the picture of a game kept in a league's folder to a file, None without the extra `video`.

    The game is given by its pair and its number in it, 1 or 2. What is returned raises ArcadeError or OSError if it
    cannot.
    """
    return None if find_spec("av") is None else lambda number, out: _write(folder, number, out)


def _write(folder: Path, number: tuple[int, int], out: Path) -> None:
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video.draw.cards import write_opening

    timeline = Timeline()
    for record in told_apart(replay(read(folder / "sessions" / f"{number[0]}-{number[1]}.json"))):
        timeline.append(record)
    start, _ = selection.time_span(timeline, None, None)
    write_opening(timeline, start, "", POSTER, out, force=False)
