"""`reel`: a film of the best moments of many sessions."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.video.arguments import ONE_FILM, add_film

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.history.reader import SessionTape


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("reel", help="make a film of the best moments of many sessions, at most a minute")
    what = "sessions, or folders: all sessions in it, of a league those that it kept"
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE|DIR", help=what)
    add_film(parser)
    parser.set_defaults(run=run, **ONE_FILM)


def run(options: argparse.Namespace) -> int:
    """Make the film; return 0, or what cut it short."""
    from batllm_arcade.video import options as video_options

    files = [file for named in options.files for file in _files(named)]
    plan = video_options.plan_of(options, files)
    sessions = _sessions(files, {named for named in options.files if not named.is_dir()})
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.video.reel_job import ReelJob, best_moments

    shown, games = best_moments(sessions, plan), sum(len(session.games) for session in sessions)
    return video_options.make_film(lambda smaller: ReelJob(shown, smaller, games), plan)


def _files(named: Path) -> list[Path]:
    """Return the session files that a name stands for, those of a folder by their names."""
    if not named.is_dir():
        return [named]
    folder = named / "sessions" if (named / "sessions").is_dir() else named
    return sorted(folder.glob("*.json"))


def _sessions(files: list[Path], named: set[Path]) -> list[SessionTape]:
    """Return the sessions of these files; what is none in a folder is counted, and named on its own is an error."""
    from batllm_arcade.errors import UsageError
    from batllm_arcade.history.node import HistoryError
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.terminal.output import complain

    found, others = [], 0
    for file in files:
        try:
            found.append(open_recorded(file))
        except HistoryError as error:
            if file in named:
                raise UsageError(f"{str(file)!r}: {error}") from None
            others += 1
    if others:
        complain(f"{others} of {len(files)} files are no sessions and were left out")
    if not found:
        raise UsageError("there is no session in what you named; name session files, or a folder of them")
    return found
