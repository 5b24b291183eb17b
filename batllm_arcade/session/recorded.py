"""Opening a recorded session for a command."""

from __future__ import annotations

import sys
from pathlib import Path

from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.summary import journal_note


def open_recorded(path: Path) -> SessionTape:
    """Read a session and say on standard error if that was its journal; raise HistoryError if it cannot be read."""
    session = read(path)
    if note := journal_note(session, path):
        print(f"batllm-arcade: {note}", file=sys.stderr)
    return session
