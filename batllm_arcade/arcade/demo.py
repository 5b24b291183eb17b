"""A scripted match that runs behind the title."""

from __future__ import annotations

from batllm_arcade import match
from batllm_arcade.brains import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.plugin_manager import Plugins
from batllm_arcade.prompts.style import PayloadStyle
from batllm_arcade.seating import Table
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline

_FIGHTERS = (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer"))


class Demo:
    """Shows the same few games in a loop; nothing as long as they have not been played, or without scripted bots."""

    def __init__(self, plugins: Plugins, rules: Rules) -> None:
        self._plugins, self._rules = plugins, rules
        self._timeline: Timeline | None = None

    def play(self) -> None:
        """Play the games; on a thread, for a drop-in may have taken the scripted bots' place."""
        plan = match.MatchPlan(self._rules, seed=7, games=2, style=PayloadStyle(aug=False))
        try:
            table = Table(self._plugins.kinds, _FIGHTERS, fallback=_FIGHTERS[0], deadline_s=0.5)
        except ArcadeError:
            return
        timeline = Timeline.of(match.play(plan, table))
        table.close()
        self._timeline = timeline

    def at(self, now: float) -> Scene | None:
        """The scene to show at `now` seconds."""
        timeline = self._timeline
        return timeline.at(now % timeline.end) if timeline is not None and timeline.segments else None
