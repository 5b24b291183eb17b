"""Matches behind the title."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.sessions import find_sessions, open_timeline
from batllm_arcade.brains.protocol import PayloadStyle, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
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
"""Seconds for which the end of a match, or of the last moment, stays."""


class AttractMatch:
    """Plays the next match on a thread while one is shown; nothing without scripted bots."""

    def __init__(self, plugins: Plugins, rules: Rules, display: DisplayOptions) -> None:
        self._plugins, self._display = plugins, display
        self._rules = replace(rules, total_rounds=min(2, rules.total_rounds), turns_per_round=14)
        self._played = 0
        self._shown: Timeline | None = None
        self._began = 0.0
        self._next = BackgroundTask("demo", self._play)

    def _play(self, report: Report) -> Timeline:
        pair = _PAIRS[self._played % len(_PAIRS)]
        self._played += 1
        left, right = (Spec("scripted", name, bundled=True) for name in pair)
        plan = runner.MatchPlan(self._rules, seed=6 + self._played, games=1, style=PayloadStyle(aug=False))
        table = Table(self._plugins.kinds, (left, right), fallback=left, deadline_s=5.0)
        try:
            return Timeline.of(runner.play(plan, table), self._display)
        finally:
            table.close()

    def at(self, now: float) -> Scene | None:
        """Return the scene to show at `now` seconds, None before the first match is ready."""
        ready = self._next.result if self._next.done else None
        if ready is not None and (self._shown is None or now - self._began > self._shown.end + _REST_S):
            self._shown, self._began = ready, now
            self._next = BackgroundTask("demo", self._play)
        return self._shown.at(min(self._shown.end, now - self._began)) if self._shown is not None else None


LARGEST_BYTES = 2 * 1024 * 1024
"""A larger session file is not read for the title: that would take longer than anybody looks at it."""
_TRIED = 3  # of the newest sessions, of which one may be broken or without a game


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
        timeline, best = found
        if self._began is None or now - self._began > best.seconds + _REST_S:
            self._began = now
        moment = best.at(min(now - self._began, best.seconds - 1e-6))
        assert moment is not None
        self.cut = moment.cut
        return timeline.at(moment.t)

    def close(self) -> None:
        """Look no further."""
        self.task.cancel()


def find_highlights(folder: Path, display: DisplayOptions, report: Report) -> tuple[Timeline, EditList]:
    """Return the newest session in a folder and its best moments; raise UsageError if there is none to show."""
    for entry in find_sessions(folder)[:_TRIED]:
        report(entry.path.name)
        if entry.bytes > LARGEST_BYTES:
            continue
        try:
            timeline = open_timeline(entry.path, display, report)
            stretch = played_out(timeline)
            if stretch is not None:
                found = swings(segment.record for segment in timeline.segments)
                return timeline, EditList(highlights.cuts(timeline, found, *stretch))
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
