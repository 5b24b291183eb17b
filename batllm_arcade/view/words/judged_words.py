"""What an analysis says of a play's worth, in words."""

from __future__ import annotations

from batllm_arcade.analysis.judgement import Judgement
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.match.records import Play
from batllm_arcade.view.play_text import describe, suggest


def judged(play: Play, found: Judgement, rules: Rules) -> str:
    """Return a marked play on one line: `?? left fires, 34 points lost; best: step back`."""
    did = f"{found.mark} {SEATS[play.bot]} {describe(play.command)}"
    if found.mark == "!":
        return f"{did}, the only good play"
    return f"{did}, {found.points} points lost; best: {suggest(read_command(found.best, rules))}"


def judged_shortly(play: Play, found: Judgement) -> str:
    """Return what is said of a marked play where its best play is drawn, too: `?? fires, 34 points lost`."""
    lost = "the only good play" if found.mark == "!" else f"{found.points} points lost"
    return f"{found.mark} {describe(play.command)}, {lost}"
