"""The play at which a game tipped, as somebody names it who watched: that of the loser before the gravest hit on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import outcome
from batllm_arcade.match.records import Play

_STEEP = 3.0
"""How much more a hit counts the fewer both still stand; chosen on sixteen games of which people named the turn."""


class Tipped(NamedTuple):
    """Indices of plays: the `hit` after which the loser was never ahead again, and the `play` that let it happen.

    They are the same where the winner acted twice in a row.
    """

    play: int
    hit: int


def tipped(plays: Sequence[Play], rules: Rules) -> Tipped | None:
    """Return where a game tipped that is over or broke off, None where nobody is ahead at its end.

    Chances know of a game that is lost before it shows. Who watches goes by the score, so this does, too: it is the hit
    that changed most of it since the loser was last ahead.
    """
    winner = outcome(plays[-1].after, rules).winner if plays else None
    if winner is None:
        return None
    loser = 1 - winner
    stood = [_standing(arena, loser, rules) for arena in (plays[0].before, *(play.after for play in plays))]
    since = max((at for at, share in enumerate(stood[:-1]) if share > 0.5), default=0)
    lost = [before - after for before, after in pairwise(stood)]
    hit = max(range(since, len(plays)), key=lost.__getitem__)
    if lost[hit] <= 0:
        return None
    return Tipped(hit - 1 if hit and plays[hit - 1].bot == loser else hit, hit)


def _standing(arena: Arena, bot: int, rules: Rules) -> float:
    """Return how well a bot stands by healths alone, 0 to 1: above 0.5 it can take more hits than the other one."""
    mine, theirs = _hits(arena, bot, rules), _hits(arena, 1 - bot, rules)
    if mine <= 0:
        return 0.0
    return 1 / (1 + exp(_STEEP * log((theirs + 0.5) / (mine + 0.5))))


def _hits(arena: Arena, bot: int, rules: Rules) -> float:
    return arena.bot(bot).health / (rules.bullet_damage[1 - bot] or 1.0)
