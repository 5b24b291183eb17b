"""The match behind the title."""

from __future__ import annotations

from dataclasses import replace

from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.brains.protocol import PayloadStyle, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Table
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline

_PAIRS = (
    ("sharpshooter", "dancer"), ("turtle", "sharpshooter"), ("dancer", "turtle"), ("sharpshooter", "random"),
    ("random", "dancer"), ("sharpshooter", "turtle"),
)  # fmt: skip
_REST_S = 1.6
"""Seconds for which the end of a match stays."""


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
