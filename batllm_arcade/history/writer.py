"""Writing a session: every record goes to the journal at once, the session file is replaced after every game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from batllm_arcade.errors import UsageError
from batllm_arcade.history import layout
from batllm_arcade.records import GameEnded, Record, SessionEnded


def journal_of(path: Path) -> Path:
    """The journal that belongs to a session file."""
    return path.with_name(path.name + ".journal")


def make_way(path: Path, *, force: bool) -> None:
    """Make sure a session can be written there; UsageError for an existing file or journal without `force`."""
    for existing in (path, journal_of(path)):
        if not existing.exists():
            continue
        if not force or existing.is_dir():
            raise UsageError(f"{str(existing)!r} exists already; name another file or add --force")
        existing.unlink()
    if not path.parent.is_dir():
        raise UsageError(f"the folder {str(path.parent)!r} does not exist; create it or name another file")


class SessionWriter:
    """An observer that writes a session file; a program killed in mid game leaves all that was told in the journal.

    Raises OSError when the disk does not take it.
    """

    required = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._journal = open(journal_of(path), "x", encoding="utf-8")  # noqa: SIM115 - kept for the session
        self._session: dict[str, Any] = {}
        self._finished: list[str] = []

    def notify(self, record: Record) -> None:
        """Journal the record; write the session file where a game or the session ends."""
        line = layout.entry(record)
        self._journal.write(_compact(line) + "\n")
        self._journal.flush()
        layout.add(self._session, line)
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
    beside = path.with_name(path.name + ".tmp")
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
