"""Loads a recorded session for its picture in the list of sessions, and for the replay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.opening import open_timeline
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


def load_session(path: Path, display: DisplayOptions, report: Report) -> LoadedSession:
    """Return a session to be watched, reporting how far it is; raise UsageError if it cannot be read or has no game."""
    timeline = open_timeline(path, display, report)
    report("")
    return LoadedSession(path, timeline, timeline.at(decisive_moment(timeline)))


def decisive_moment(timeline: Timeline) -> float:
    """Return when the last knock-out happens, else the last hit, else the middle, in seconds."""
    moments = TimelineIndex(timeline).moments
    for kind in ("knockout", "hit"):
        times = [moment.t for moment in moments if moment.kind == kind]
        if times:
            return min(timeline.end, times[-1] + _AFTER_S)
    return timeline.end / 2


class SessionPreview(BackgroundTask[LoadedSession]):
    """A session being loaded on a thread; it may be cancelled at any moment."""

    def __init__(self, path: Path, display: DisplayOptions) -> None:
        self.path = path
        super().__init__("session preview", lambda report: load_session(path, display, report))
