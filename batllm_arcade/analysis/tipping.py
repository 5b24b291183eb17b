"""The play at which a game tipped, as somebody names it who watched: by the score, and by the chance to win."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from math import exp, log
from typing import NamedTuple

from batllm_arcade.analysis.game import Judgement, own
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import outcome
from batllm_arcade.match.records import Play

_LEVEL = 0.5 - 1e-9
"""How well a bot stands at least that is level with the other one."""
_STEEP = 2.0
"""How much more a hit counts the fewer both still stand."""
_BY_SCORE = 0.75
"""How much of a play's weight is the score's; the rest is the chance's. Both were chosen on 36 labelled games."""
_BY_CHANCE = (1 - _BY_SCORE) / 2
"""How much a fall of the chance weighs, and how much what the play itself has lost of it."""
_ROUNDED = 0.0002
"""By how much a loss may exceed what was left to win, because both are rounded."""


class Tipped(NamedTuple):
    """Indices of plays: the `play` of the loser's that gave the game away, and the `hit` behind it or None.

    They are the same where the winner acted twice in a row.
    """

    play: int
    hit: int | None


def tipped(plays: Sequence[Play], found: Sequence[Judgement], rules: Rules) -> Tipped | None:
    """Return where a game tipped that is over or broke off, None where nobody is ahead at its end.

    `found` has a judgement of each play. Chances know of a game that is lost before it shows, and who watches goes by
    the score: it is the play that with its answer changed most of both since the loser was last ahead or drew level.
    """
    loser = _loser(plays, rules)
    if loser is None:
        return None
    stood = _stood(plays, loser, rules)
    weight = _weights(stood, found, loser)
    play, end = max(weight, key=weight.__getitem__)
    if weight[play, end] <= 0:
        return None
    falls = [before - after for before, after in pairwise(stood[play : end + 1])]
    hit = play + falls.index(max(falls))
    return Tipped(play, hit if max(falls) > 0 else None)


def doubtful(
    plays: Sequence[Play], found: Sequence[Judgement], rules: Rules, judged: Container[int] = ()
) -> int | None:
    """Return the index of the likeliest play of which nothing but its loss says whether the game tipped there, or None.

    Of all but those `judged` in `found` the chances alone are known, and their loss is 0.
    """
    loser = _loser(plays, rules)
    if loser is None:
        return None
    weight = _weights(_stood(plays, loser, rules), found, loser)
    first = max(weight, key=weight.__getitem__)
    at_most = {
        key: each + _BY_CHANCE * (1 - own(found[key[0]].chance, loser) + _ROUNDED)
        for key, each in weight.items()
        if found[key[0]].bot == loser and key[0] not in judged
    }
    rivals = {key: each for key, each in at_most.items() if each >= weight[first]}
    settled = weight[first] > 0 and not rivals.keys() - {first}
    return max(rivals, key=rivals.__getitem__)[0] if rivals and not settled else None


def first_to_know(plays: Sequence[Play], rules: Rules) -> int:
    """Return the index of the first play after which the chance matters to where a game tipped."""
    loser = _loser(plays, rules)
    return 0 if loser is None else max(0, _last_level(_stood(plays, loser, rules)) - 2)


def _loser(plays: Sequence[Play], rules: Rules) -> int | None:
    winner = outcome(plays[-1].after, rules).winner if plays else None
    return None if winner is None else 1 - winner


def _stood(plays: Sequence[Play], bot: int, rules: Rules) -> list[float]:
    return [_standing(arena, bot, rules) for arena in (plays[0].before, *(play.after for play in plays))]


def _last_level(stood: Sequence[float]) -> int:
    level = (
        at for at, (before, share) in enumerate(pairwise(stood[:-1]), 1) if share > 0.5 or share >= _LEVEL > before
    )
    return max(level, default=0)


def _weights(stood: Sequence[float], found: Sequence[Judgement], loser: int) -> dict[tuple[int, int], float]:
    """Return what each play since the loser was last ahead or drew level, with its answer, changed.

    The keys are the play and how many plays had been made after the answer to it.
    """
    hoped = [0.5, *(own(each.chance, loser) for each in found)]
    since = _last_level(stood)
    blame = [each.loss if each.bot == loser else 0.0 for each in found]
    return {
        (play, end): _BY_SCORE * (stood[play] - stood[end]) + _BY_CHANCE * (hoped[play] - hoped[end] + blame[play])
        for play, end in _with_answer(found, loser)
        if end > since
    }


def _with_answer(found: Sequence[Judgement], loser: int) -> Iterator[tuple[int, int]]:
    """Yield the plays that may have tipped a game, each with how many plays had been made after the answer to it."""
    for at, each in enumerate(found):
        if each.bot == loser:
            yield at, (at + (2 if at + 1 < len(found) and found[at + 1].bot != found[at].bot else 1))
        elif not at or found[at - 1].bot != loser:
            yield at, at + 1


def _standing(arena: Arena, bot: int, rules: Rules) -> float:
    """Return how well a bot stands by healths alone, 0 to 1: above 0.5 it can take more hits than the other one."""
    mine, theirs = _hits(arena, bot, rules), _hits(arena, 1 - bot, rules)
    if mine <= 0:
        return 0.0
    return 1 / (1 + exp(_STEEP * log((theirs + 0.5) / (mine + 0.5))))


def _hits(arena: Arena, bot: int, rules: Rules) -> float:
    return arena.bot(bot).health / (rules.bullet_damage[1 - bot] or 1.0)
