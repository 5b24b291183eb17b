"""Opening a recorded session for a command."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.summary import journal_note


def open_recorded(path: Path, notice: Callable[[str], None] | None = None) -> SessionTape:
    """Read a session; raise HistoryError if it cannot be read.

    `notice` (a line on standard error, unless it is given) gets a sentence if its journal is read instead.
    """
    session = read(path)
    if note := journal_note(session, path):
        (notice or _print)(note)
    return session


def _print(sentence: str) -> None:
    print(f"batllm-arcade: {sentence}", file=sys.stderr)
