"""Matches behind the title."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.sessions import find_sessions, open_timeline
from batllm_arcade.brains.protocol import PayloadStyle, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Table
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.edit import highlights
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline

_PAIRS = (
    ("sharpshooter", "dancer"), ("turtle", "sharpshooter"), ("dancer", "turtle"), ("sharpshooter", "random"),
    ("random", "dancer"), ("sharpshooter", "turtle"),
)  # fmt: skip
_REST_S = 1.6
"""Seconds for which a match's end stays."""


class AttractMatch:
    """Plays the next match on a thread while one is shown; nothing without scripted bots."""

    def __init__(self, plugins: Plugins, rules: Rules, display: DisplayOptions) -> None:
        self._plugins, self._display = plugins, display
        self._rules = replace(rules, total_rounds=min(2, rules.total_rounds), turns_per_round=14)
        self._played = 0
        self._shown: Timeline | None = None
        self._ready: Timeline | None = None
        self._began = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Play the next match on a thread."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self.play, daemon=True, name="demo")
            self._thread.start()

    def play(self) -> None:
        """Play the next match now; it is shown when the one before is over."""
        pair = _PAIRS[self._played % len(_PAIRS)]
        self._played += 1
        left, right = (Spec("scripted", name, bundled=True) for name in pair)
        plan = runner.MatchPlan(self._rules, seed=6 + self._played, games=1, style=PayloadStyle(aug=False))
        try:
            table = Table(self._plugins.kinds, (left, right), fallback=left, deadline_s=5.0)
        except ArcadeError:
            return
        timeline = Timeline.of(runner.play(plan, table), self._display)
        table.close()
        self._ready = timeline if timeline.segments else None

    def at(self, now: float) -> Scene | None:
        """Return the scene to show at `now` seconds, None before the first match is ready."""
        if self._ready is not None and (self._shown is None or now - self._began > self._shown.end + _REST_S):
            self._shown, self._ready, self._began = self._ready, None, now
            self.start()
        if self._shown is None:
            return None
        return self._shown.at(min(self._shown.end, now - self._began))


LARGEST_BYTES = 2 * 1024 * 1024
"""A larger session file is not read for the title: that would take longer than anybody looks at it."""
_TRIED = 3  # of the newest sessions, of which one may be broken or without a game
_SHOWREEL_REST_S = 1.6
"""Seconds for which the end of the last moment stays."""


class Highlights:
    """The best moments of one session between two times of its timeline, in seconds."""

    def __init__(self, timeline: Timeline, start: float, end: float) -> None:
        self._timeline = timeline
        found = swings(segment.record for segment in timeline.segments)
        self._list = EditList(highlights.cuts(timeline, found, start, end))

    @property
    def seconds(self) -> float:
        """Return how long they last together."""
        return self._list.seconds

    def at(self, t: float) -> tuple[Scene, Cut]:
        """Return the scene `t` seconds into them, and the cut it is in; after the end the last one."""
        moment = self._list.at(min(t, self._list.seconds - 1e-6))
        assert moment is not None
        return self._timeline.at(moment.t), moment.cut


class Showreel:
    """Shows `demo` until the last session's best moments have been found on a thread, from then on those."""

    def __init__(self, demo: AttractMatch, folder: Path, display: DisplayOptions) -> None:
        self._demo = demo
        self.task = BackgroundTask("title highlights", lambda report: find_highlights(folder, display, report))
        self._began: float | None = None
        self.cut: Cut | None = None
        """What is shown of the last session, None while it is the demo."""

    def at(self, now: float) -> Scene | None:
        """Return the scene to show at `now` seconds, None while nothing is ready."""
        found = self.task.result if self.task.done else None
        if found is None:
            return self._demo.at(now)
        if self._began is None or now - self._began > found.seconds + _SHOWREEL_REST_S:
            self._began = now
        scene, self.cut = found.at(now - self._began)
        return scene

    def close(self) -> None:
        """Look no further."""
        self.task.cancel()


def find_highlights(folder: Path, display: DisplayOptions, report: Report) -> Highlights:
    """Return the best moments of the newest session in a folder; raise UsageError if there is none to show."""
    for entry in find_sessions(folder)[:_TRIED]:
        report(entry.path.name)
        if entry.bytes > LARGEST_BYTES:
            continue
        try:
            timeline = open_timeline(entry.path, display, report)
            stretch = played_out(timeline)
            if stretch is not None:
                return Highlights(timeline, *stretch)
        except Exception:  # noqa: BLE001 - whatever is wrong with a recording, the title goes on
            continue
    raise UsageError("there is no session to show")


def played_out(timeline: Timeline) -> tuple[float, float] | None:
    """Return from when to when a session's last games were played to their ends; None if its games were abandoned."""
    first: float | None = None
    stretch: tuple[float, float] | None = None
    for segment in timeline.segments:
        if isinstance(segment.record, GameStarted):
            first = segment.start if first is None else first
        elif isinstance(segment.record, GameEnded):
            if segment.record.result.reason == "aborted":
                first = None
            elif first is not None:
                stretch = first, segment.end
    return stretch
