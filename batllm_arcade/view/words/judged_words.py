"""What an analysis says of a play, in words."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.analysis.judgement import Judgement, tipping
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.match.records import Play
from batllm_arcade.view.play_text import describe, suggest

NOBODY = "No single play decided it."


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


def tipping_sentence(
    plays: Sequence[Play], found: Sequence[Judgement], names: tuple[str, str], rules: Rules
) -> tuple[str, int | None]:
    """Return where a game tipped, in one sentence, and the index of that play, None where no play decided it."""
    index = tipping(found)
    if index is None:
        return NOBODY, None
    play, worst = plays[index], found[index]
    before, after = (round(100 * each) for each in (own(worst.best_chance, play.bot), own(worst.chance, play.bot)))
    where = f"It tipped in round {play.round}, turn {play.turn}: {names[play.bot]} {describe(play.command)}"
    best = suggest(read_command(worst.best, rules))
    return f"{where}, and {before}% to win became {after}%; best was to {best}.", index


def own(chance: float, bot: int) -> float:
    """Return the chance of a bot, given left's."""
    return 1 - chance if bot else chance
