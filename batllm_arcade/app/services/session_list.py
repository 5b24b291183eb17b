"""The recorded sessions of a folder, newest first; a thread reads them one by one while the list is shown already."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.summary import Summary, summary
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex

LARGEST_BYTES = 16 * 1024 * 1024
"""A larger file is read when it is opened, not for the list."""
_AFTER_S = 0.22
"""How long after its beginning a decisive moment looks best."""


@dataclass(slots=True)
class SessionEntry:
    """A session file: what is known of it so far, or why it cannot be read."""

    path: Path
    bytes: int
    changed: float
    summary: Summary | None = None
    problem: str = ""

    @property
    def session_file(self) -> Path:
        """Return the session file; for a journal the one that is written when its session ends."""
        return self.path.with_name(self.path.name.removesuffix(".journal"))

    @property
    def known(self) -> bool:
        """Whether it has been read."""
        return self.summary is not None or bool(self.problem)

    def when(self) -> str:
        """When it was played, in this machine's time; when the file was written where that is not known."""
        moment = datetime.fromtimestamp(self.changed)
        if self.summary is not None:
            with suppress(ValueError, OverflowError, OSError):  # another program's way of telling the time
                moment = datetime.fromisoformat(self.summary.start.replace("Z", "+00:00")).astimezone()
        return f"{moment.day} {moment:%b %Y, %H:%M}"


class SessionList:
    """The list; `entries` is complete from the start, each entry is filled in when its turn comes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries = _found(folder)
        self._left = False
        threading.Thread(target=self._read, args=(list(self.entries),), daemon=True).start()

    @property
    def read(self) -> int:
        """How many have been read."""
        return sum(entry.known for entry in self.entries)

    def leave(self) -> None:
        """Read no more."""
        self._left = True

    def remove(self, entry: SessionEntry) -> None:
        """Delete its files; OSError where they cannot be."""
        entry.path.unlink()
        journal_of(entry.path).unlink(missing_ok=True)
        self.entries.remove(entry)

    def _read(self, entries: list[SessionEntry]) -> None:
        for entry in entries:
            if self._left:
                return
            if entry.bytes > LARGEST_BYTES:
                entry.problem = f"{entry.bytes / 1e6:,.0f} MB: it is read when it is opened"
                continue
            try:
                entry.summary = summary(read(entry.path))
            except ArcadeError as error:
                entry.problem = str(error)


def _found(folder: Path) -> list[SessionEntry]:
    """The session files and the journals that have none, newest first."""
    entries, names = [], set()
    try:
        with os.scandir(folder) as listing:
            for found in listing:
                if found.name.endswith((".json", ".json.journal")):
                    status = found.stat()
                    entries.append(SessionEntry(folder / found.name, status.st_size, status.st_mtime))
                    names.add(found.name)
    except OSError:
        return []  # nothing has been recorded yet, or it vanished in this moment
    entries = [entry for entry in entries if entry.path.name.removesuffix(".journal") not in names - {entry.path.name}]
    return sorted(entries, key=lambda entry: (entry.changed, entry.path.name), reverse=True)


@dataclass(slots=True)
class SessionPreview:
    """A session being read by a thread of its own; `done` once `timeline` or `problem` says what became of it."""

    path: Path
    display: DisplayOptions
    done: bool = False
    problem: str = ""
    timeline: Timeline | None = None
    still: Scene | None = None
    """Its decisive moment."""
    rules: Rules = field(default_factory=Rules)

    def begin(self) -> SessionPreview:
        """Read it, in the background."""
        threading.Thread(target=self._open, daemon=True).start()
        return self

    def _open(self) -> None:
        try:
            self._take(read(self.path))
        except ArcadeError as error:
            self.problem = str(error)
        self.done = True

    def _take(self, session: SessionTape) -> None:
        timeline = Timeline.of(replay(session), self.display)
        if not timeline.segments:
            self.problem = "this session holds no game to watch"
            return
        self.still = timeline.at(decisive(timeline))
        self.rules = self.still.board.rules
        self.timeline = timeline


def decisive(timeline: Timeline) -> float:
    """The moment that tells the most: the last knock-out, else the last hit, else the middle."""
    moments = TimelineIndex(timeline).moments
    for kind in ("knockout", "hit"):
        times = [moment.t for moment in moments if moment.kind == kind]
        if times:
            return min(timeline.end, times[-1] + _AFTER_S)
    return timeline.end / 2
