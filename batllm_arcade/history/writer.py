"""Writing a session: every record goes to the journal at once, the session file is replaced after every game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, TextIO

from batllm_arcade.errors import UsageError
from batllm_arcade.history import schema
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SessionEnded


def journal_of(path: Path) -> Path:
    """The journal that belongs to a session file."""
    return path.parent / f"{path.name}.journal"


def check_way(path: Path, *, force: bool) -> None:
    """Make sure a session can be written there; UsageError for an existing file or journal without `force`."""
    try:
        if path.is_dir():
            raise UsageError(f"{str(path)!r} is a folder; name a file to write the session to")
        journal = journal_of(path)
        for existing in (path, journal):
            if existing.exists() and not force:
                left = " (it is of a session that never ended: verify and replay read it)" if journal.exists() else ""
                raise UsageError(f"{str(existing)!r} exists already; name another file or add --force{left}")
        if not path.parent.is_dir():
            raise UsageError(f"the folder {str(path.parent)!r} does not exist; create it or name another file")
        if not os.access(path.parent, os.W_OK):
            raise UsageError(f"the folder {str(path.parent)!r} cannot be written to; name a file somewhere else")
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from None


def make_way(path: Path, *, force: bool) -> None:
    """Like `check_way`, and with `force` remove what is there; called only when a session is about to begin."""
    check_way(path, force=force)
    try:
        path.unlink(missing_ok=True)
        journal_of(path).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be replaced: {error.strerror}") from None


class SessionWriter:
    """An observer that writes a session file; a program killed in mid game leaves all that was told in the journal.

    Raises OSError when the disk does not take it.
    """

    required = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._journal: TextIO | None = None
        self._session: dict[str, Any] = {}
        self._finished: list[str] = []
        self._battery = False

    def notify(self, record: Record) -> None:
        """Journal the record; write the session file where a game or the session ends."""
        if self._journal is None:  # not before: a session that never begins leaves nothing behind
            self._journal = open(journal_of(self._path), "x", encoding="utf-8")  # noqa: SIM115 - kept for the session
        if isinstance(record, GameStarted):
            self._battery = bool(record.rules.battery)
        line = schema.entry(record, battery=self._battery)
        self._journal.write(_compact(line) + "\n")
        self._journal.flush()
        schema.add(self._session, line)
        if isinstance(record, GameEnded):
            self._finished.append(_compact(self._session["games"].pop()))
            self._save()
        elif isinstance(record, SessionEnded):
            self._save()
            self._journal.close()
            journal_of(self._path).unlink()

    def _save(self) -> None:
        # Finished games are kept as text, so that a long session is not turned into text again and again.
        head = _compact({**self._session, "games": []}).removesuffix("]}")
        write_atomically(self._path, head + "\n" + ",\n".join(self._finished) + "\n]}\n")


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def write_atomically(path: Path, text: str) -> None:
    """Replace the file in one step: a reader sees the old or the new text, never a part."""
    beside = path.parent / f"{path.name}.tmp"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
