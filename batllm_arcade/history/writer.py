"""Writing a live session: every record goes to the journal at once, the session file is written at the end.

So the bytes written are linear in the plays: each play is written twice, however many games there are.
"""

from __future__ import annotations

import errno
import os
import weakref
from contextlib import suppress
from io import FileIO
from pathlib import Path

from batllm_arcade.errors import ArcadeError
from batllm_arcade.files import lock
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager, compact, write_session
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import read
from batllm_arcade.history.summary import finished
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SessionEnded


class SessionWriter:
    """An observer that records a session; a program killed in mid game leaves everything in the journal.

    Raises ArcadeError if the disk does not take it, with a sentence that says what is kept; the journal then stays.
    """

    required = True

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # a bot may change the current folder
        self._journal: FileIO | None = None
        self._history = HistoryManager()
        self._battery = False  # of the game that is played
        self._finished: list[str] = []  # games as JSON, a tenth of what they take as objects

    def notify(self, record: Record) -> None:
        """Append the record to the journal; at the session's end write the session file and remove the journal."""
        try:
            self._record(record)
        except OSError as error:
            raise ArcadeError(self._what_failed(error)) from None

    def _record(self, record: Record) -> None:
        if self._journal is None:  # not before: a session that never begins leaves nothing behind
            if self._path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            self._journal = _new_journal(journal_of(self._path))
            weakref.finalize(self, _close, self._journal)  # also where the session never ends, or the writer is dropped
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        entry = schema.entry(record, battery=self._battery)
        _write(self._journal, f"{compact(entry)}\n".encode())
        self._history.append(entry)
        if isinstance(record, GameEnded):
            os.fsync(self._journal.fileno())  # a finished game survives a power cut, too
            if not self._path.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, "its folder is gone")
            self._finished.append(compact(self._history.session["games"].pop()))
        elif isinstance(record, SessionEnded):
            self._finish(self._journal)

    def _finish(self, journal: FileIO) -> None:
        unfinished = map(compact, self._history.session["games"])
        write_session(self._path, self._history.session, [*self._finished, *unfinished], new=True)
        if os.name == "nt":  # which removes no open file; elsewhere the lock is held to the end
            _close(journal)
        journal_of(self._path).unlink(missing_ok=True)
        _close(journal)

    def _what_failed(self, error: OSError) -> str:
        if self._journal is None:  # there is none of ours
            return f"the session {str(self._path)!r} cannot be recorded ({error.strerror}); name another file"
        journal = journal_of(self._path)
        try:
            kept = f"the journal {str(journal)!r} keeps {finished(read(journal))}, which verify and replay read"
        except HistoryError:
            kept = "nothing of it is kept"
        again = "make room there, or name another file, and start again"
        return f"the session cannot be recorded any more ({error.strerror}); {kept}; {again}"


def _write(journal: FileIO, line: bytes) -> None:
    """Write a whole line; nothing waits in a buffer, which would be written, and fail, once more at the end."""
    while line:
        line = line[journal.write(line) :]


def _close(journal: FileIO) -> None:
    with suppress(OSError):  # what could not be written was told when it was
        journal.close()


def _new_journal(path: Path) -> FileIO:
    """Return a new journal, locked; raise OSError if there is one, or if another program took it in this moment."""
    journal = open(path, "xb", buffering=0)  # noqa: SIM115 - kept for the session
    try:
        lock.lock(journal.fileno())
        if not lock.is_still_at(journal.fileno(), path):
            raise FileExistsError(errno.EEXIST, "another program writes this session", str(path))
    except BaseException:
        journal.close()
        raise
    return journal
