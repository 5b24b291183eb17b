"""Writing a live session: every record goes to the journal at once, the session file is made of that at the end.

So the bytes written are linear in the plays: each play is written twice, however many games there are. Nothing that was
played is kept in memory, and at the end one game at a time.
"""

from __future__ import annotations

import errno
import json
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, FileIO
from pathlib import Path

from batllm_arcade.errors import ArcadeError
from batllm_arcade.files import atomic
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager, compact, write_session
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import read
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.summary import finished
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SessionEnded

_PLAY = b'{"play":'


class SessionWriter:
    """An observer that records a session; a program killed in mid game leaves everything in the journal.

    Raises ArcadeError if the disk does not take it, with a sentence that says what is kept; the journal then stays.
    """

    required = True

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()  # a bot may change the current folder
        self._journal: FileIO | None = None
        self._battery = False  # of the game that is played

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
            # Also where the session never ends, or the writer is dropped; at the program's end games may still go on.
            weakref.finalize(self, _close, self._journal).atexit = False
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        entry = schema.entry(record, battery=self._battery)
        _write(self._journal, f"{compact(entry)}\n".encode())
        if isinstance(record, GameEnded):
            os.fsync(self._journal.fileno())  # a finished game survives a power cut, too
            if not self._path.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, "its folder is gone")
        elif isinstance(record, SessionEnded):
            self._finish(self._journal, entry)

    def _finish(self, journal: FileIO, end: schema.Entry) -> None:
        with _lines(journal) as lines:
            history = HistoryManager()
            history.append(json.loads(next(lines)))
            history.append(end)
            write_session(self._path, history.session, _games(history, lines), new=True)
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


@contextmanager
def _lines(journal: FileIO) -> Iterator[Iterator[bytes]]:
    """Yield the lines of a journal, which stays open; raise OSError if they are not those that were written."""
    journal.seek(0)
    reader = BufferedReader(journal)
    try:
        yield reader
    except (ValueError, LookupError, TypeError, AttributeError, StopIteration):
        raise OSError(errno.EIO, "another program has changed the journal") from None
    finally:
        reader.detach()


def _games(history: HistoryManager, lines: Iterator[bytes]) -> Iterator[str]:
    """Yield the games of a journal as JSON texts, its first line being read; keep none of them.

    Plays, which are nearly all of it, are taken over as the texts that they are.
    """
    games = history.session["games"]
    for line in lines:
        if line.startswith(_PLAY):
            games[-1]["rounds"][-1]["turns"].append(line[len(_PLAY) : -len(b"}\n")].decode())
            continue
        entry = json.loads(line)
        if "game" in entry and games:
            yield _game(games.pop())
        history.append(entry)
    yield from map(_game, games)


def _game(game: schema.Entry) -> str:
    rounds = [_object(each, "turns", each["turns"]) for each in game["rounds"]]
    return _object(game, "rounds", rounds)


def _object(values: schema.Entry, name: str, texts: list[str]) -> str:
    parts = (f"[{','.join(texts)}]" if key == name else compact(value) for key, value in values.items())
    return f"{{{','.join(f'{compact(key)}:{part}' for key, part in zip(values, parts, strict=True))}}}"


def _write(journal: FileIO, line: bytes) -> None:
    """Write a whole line; nothing waits in a buffer, which would be written, and fail, once more at the end."""
    while line:
        line = line[journal.write(line) :]


def _close(journal: FileIO) -> None:
    with suppress(OSError):  # what could not be written was told when it was
        journal.close()


def _new_journal(path: Path) -> FileIO:
    journal = open(path, "x+b", buffering=0)  # noqa: SIM115 - kept for the session
    try:
        atomic.lock(journal.fileno())
        if not atomic.is_still_at(journal.fileno(), path):
            raise FileExistsError(errno.EEXIST, "another program writes this session", str(path))
    except BaseException:
        journal.close()
        raise
    return journal
