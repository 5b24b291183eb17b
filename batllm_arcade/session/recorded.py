"""Opening a recorded session for a command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.summary import journal_note
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
