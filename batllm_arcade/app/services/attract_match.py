"""Scripted matches that run behind the title, one after the other without end."""

from __future__ import annotations

import threading
from dataclasses import replace

from batllm_arcade.brains.options import PayloadStyle
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match import runner
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Table
from batllm_arcade.settings.display import DisplayOptions
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
