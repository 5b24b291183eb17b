"""Reading a recorded session for the replay and for the picture in the list of sessions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.app.services.background_task import BackgroundTask, Report
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play, Record
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex

_AFTER_S = 0.22
"""How long after its beginning a decisive moment looks best."""


@dataclass(frozen=True, slots=True, eq=False)
class LoadedSession:
    """A session that can be watched, and the scene of its decisive moment."""

    path: Path
    timeline: Timeline
    decisive: Scene


def load_session(path: Path, display: DisplayOptions, report: Report = lambda share: None) -> LoadedSession:
    """Read and re-simulate a session; raise UsageError if it cannot be read or holds no game.

    `report` is called with the share of its plays that are done.
    """
    timeline = Timeline.of(_reported(read(path), report), display)
    if not timeline.segments:
        raise UsageError("this session holds no game to watch")
    return LoadedSession(path, timeline, timeline.at(decisive_moment(timeline)))


def _reported(session: SessionTape, report: Report) -> Iterator[Record]:
    plays = sum(len(tape.plays) for game in session.games for tape in game.rounds)
    done = 0
    for record in replay(session):
        report(done / plays if plays else 0.0)
        yield record
        done += isinstance(record, Play)


def decisive_moment(timeline: Timeline) -> float:
    """Return when the last knock-out happens, else the last hit, else the middle, in seconds."""
    moments = TimelineIndex(timeline).moments
    for kind in ("knockout", "hit"):
        times = [moment.t for moment in moments if moment.kind == kind]
        if times:
            return min(timeline.end, times[-1] + _AFTER_S)
    return timeline.end / 2


class SessionPreview(BackgroundTask[LoadedSession]):
    """A session being loaded on a thread; `close` may be called at any moment."""

    def __init__(self, path: Path, display: DisplayOptions) -> None:
        super().__init__("session preview", lambda report: load_session(path, display, report))
        self.path = path
