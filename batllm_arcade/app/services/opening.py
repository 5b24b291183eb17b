"""Opens recorded sessions for the replay: reads the file and plays its games again, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from batllm_arcade.app.services.background import Report
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.timeline import Timeline


def read_games(path: Path) -> SessionTape:
    """Return a recorded session; raise UsageError if it cannot be read or holds no game."""
    session = read(path)
    if not session.games:
        raise UsageError("this session holds no game to watch")
    return session


def open_timeline(path: Path, display: DisplayOptions, report: Report) -> Timeline:
    """Return a session's timeline, reporting how far it is; raise UsageError if it cannot be read or holds no game."""
    report("reading the file")
    return timeline_of(read_games(path), display, report)


def timeline_of(session: SessionTape, display: DisplayOptions, report: Report) -> Timeline:
    """Return the timeline of a session with games, reporting each game that is played again."""
    return Timeline.of(_reported(replay(session), len(session.games), report), display)


def _reported(records: Iterator[Record], games: int, report: Report) -> Iterator[Record]:
    number = 0
    for record in records:
        if isinstance(record, GameStarted):
            number += 1
            report(f"{number} of {games} games" if games > 1 else "playing the game again")
        yield record
