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
    """Plays the same few games in a loop; nothing is shown where there are no scripted bots."""

    def __init__(self, plugins: Plugins, rules: Rules) -> None:
        self._timeline = Timeline()
        plan = match.MatchPlan(rules, seed=7, games=2, style=PayloadStyle(aug=False))
        try:
            table = Table(plugins.kinds, _FIGHTERS, fallback=_FIGHTERS[0])
        except ArcadeError:
            return
        for record in match.play(plan, table):
            self._timeline.append(record)

    def at(self, now: float) -> Scene | None:
        """The scene to show at `now` seconds."""
        return self._timeline.at(now % self._timeline.end) if self._timeline.segments else None
