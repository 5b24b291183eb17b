"""The sessions that a film is made of: files, and folders of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.league.kept_files import SESSIONS, check_files
from batllm_arcade.session.recorded import open_recorded
from batllm_arcade.video.progress import MessageCallback


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
