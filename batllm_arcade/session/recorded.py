"""Matches out of recorded sessions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.history.reader import GameTape, SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.summary import journal_note
from batllm_arcade.match.records import Record
from batllm_arcade.terminal.output import complain


def open_recorded(path: Path, notice: Callable[[str], None] | None = None) -> SessionTape:
    """Read a session; raise HistoryError if it cannot be read.

    `notice` (a line on standard error, unless it is given) gets a sentence if its journal is read instead.
    """
    session = read(path)
    report_journal(session, path, notice)
    return session


def report_journal(session: SessionTape, path: Path, notice: Callable[[str], None] | None = None) -> None:
    """Say with `notice`, else on standard error, if this session is from the journal of the file at `path`."""
    if note := journal_note(session, path):
        (notice or complain)(note)


def read_session(path: str | Path) -> Iterator[Record]:
    """Return the records of a session file, of its journal or of a shared page; every state is simulated again.

    A journal that is read in place of its file is told in a warning. Raise ArcadeError if it is no session.
    """
    return replay(open_recorded(Path(path), lambda note: warnings.warn(note, stacklevel=4)))


CASSETTE = "cassette"
"""The brain that plays a seat of a recorded session."""


def recorded_game(seats: Iterable[Spec]) -> GameTape | None:
    """Return the game that the first cassette plays first, None without one, and where there is no such game.

    A recording that cannot be read is told where its brain gets ready.
    """
    return next(filter(None, map(_recorded, seats)), None)


def _recorded(spec: Spec) -> GameTape | None:
    file, number = spec.variant or spec.text("file"), spec.text("game", "1")
    if spec.name != CASSETTE or not file:
        return None
    try:
        games = read(Path(file).expanduser()).games
    except HistoryError:
        return None
    return next((game for game in games if str(game.number) == number), None)
