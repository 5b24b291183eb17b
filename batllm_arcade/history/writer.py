"""Writing a live session: every record goes to the journal at once, the session file is written at the end.

So the bytes written are linear in the plays: each play is written twice, however many games there are.
"""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path
from typing import TextIO

from batllm_arcade.files import lock
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager, compact, write_session
from batllm_arcade.history.paths import journal_of
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SessionEnded


class SessionWriter:
    """An observer that records a session; a program killed in mid game leaves everything in the journal.

    Raises OSError if the disk does not take it; the journal then stays.
    """

    required = True

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # a bot may change the current folder
        self._journal: TextIO | None = None
        self._history = HistoryManager()
        self._battery = False  # of the game that is played
        self._finished: list[str] = []  # games as JSON, a tenth of what they take as objects

    def notify(self, record: Record) -> None:
        """Append the record to the journal; at the session's end write the session file and remove the journal."""
        if self._journal is None:  # not before: a session that never begins leaves nothing behind
            self._journal = _new_journal(journal_of(self._path))
            weakref.finalize(self, self._journal.close)  # also where the session never ends, or the writer is dropped
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        entry = schema.entry(record, battery=self._battery)
        self._journal.write(compact(entry) + "\n")
        self._journal.flush()
        self._history.append(entry)
        if isinstance(record, GameEnded):
            os.fsync(self._journal.fileno())  # a finished game survives a power cut, too
            self._finished.append(compact(self._history.session["games"].pop()))
        elif isinstance(record, SessionEnded):
            self._finish(self._journal)

    def _finish(self, journal: TextIO) -> None:
        unfinished = map(compact, self._history.session["games"])
        write_session(self._path, self._history.session, [*self._finished, *unfinished])
        if os.name == "nt":  # which removes no open file; elsewhere the lock is held to the end
            journal.close()
        journal_of(self._path).unlink(missing_ok=True)
        journal.close()


def _new_journal(path: Path) -> TextIO:
    """Return a new journal, locked; raise OSError if there is one, or if another program took it in this moment."""
    journal = open(path, "x", encoding="utf-8")  # noqa: SIM115 - kept for the session
    try:
        lock.lock(journal.fileno())
        if not lock.is_still_at(journal.fileno(), path):
            raise FileExistsError(errno.EEXIST, "another program writes this session", str(path))
    except BaseException:
        journal.close()
        raise
    return journal
