"""What befell the loser of a game most of the times that it was hit; `{loser}` and `{winner}` stand for the names."""

from __future__ import annotations

from collections.abc import Iterable

from batllm_arcade.match.account import ARMOURED, Account
from batllm_arcade.match.causes import as_it_moved, struck, struck_dearly
from batllm_arcade.match.counted_words import count, number_word, times

_MORE = 1.4
"""Times as many shots, from which on they are told where the loser had clear ones that it did not fire."""
_DOWN = 0.75
"""The share of the hits on a bot that raised its shield, from which on it is told that the shield was down then."""
_MOSTLY, _OFTEN, _SOME = 0.4, 3, 2
"""The share of hits, and how many, from which on what they have in common is told, and how many shields of a loser."""


def befell(lost: Account, won: Account, *, silent: bool = False) -> str:
    """Return what befell the loser most of the times that it was hit, and less often the winner; "" if nothing did.

    With `{loser}` and `{winner}` for the names. `silent`: the loser never fired although it could.
    """
    mostly = _mostly(
        lost, won, ((won.past, lost.past, "past its shield"), (won.behind, lost.behind, "from behind")), silent
    )
    if mostly:
        return mostly
    if lost.opened >= _MOSTLY * won.hits and lost.opened >= _OFTEN and 2 * won.opened <= lost.opened:
        return f"{{loser}} lowered its shield and was hit at once, {times(lost.opened)}; {in_hits(won, lost)} in all"
    if lost.raised >= _SOME and not won.blocked and won.hits >= _OFTEN:
        return _in_vain(lost, won, silent=silent)
    if lost.shots and won.shots >= _MORE * lost.shots and lost.held >= _OFTEN and 2 * won.held <= lost.held:
        let = f"{{loser}} fired {times(lost.shots)} and let {count(lost.held, 'clear shot')} pass"
        return f"{let}, {{winner}} fired {times(won.shots)}; {in_hits(won, lost)}"
    return _mostly(lost, won, ((won.off, lost.off, "off the wall"),), silent)


def _mostly(lost: Account, won: Account, ways: Iterable[tuple[int, int, str]], silent: bool) -> str:
    """Return how the loser was hit most of the times, the winner less often; "" if in none of these ways.

    Each has how often the loser was hit so, how often the winner, and the way.
    """
    for mine, its, how in ways:
        if mine >= _MOSTLY * won.hits and mine >= _OFTEN and 2 * its <= mine:
            part = f"{'all' if mine == won.hits else f'{number_word(mine)} of them'} {how}"
            if silent:
                return f"{{loser}} never fired: {in_hits(won, lost)}, {part}"
            return f"{{loser}} was hit {times(won.hits)}, {part}; {{winner}} {times(lost.hits)}"
    return ""


def _in_vain(lost: Account, won: Account, *, silent: bool) -> str:
    """Return how the loser was hit although it raised its shield: mostly while that was down, if that is so."""
    down = won.hits - won.past
    if down < _DOWN * won.hits:
        return f"{{loser}}'s shield stopped none of {count(won.shots, 'shot')}; {in_hits(won, lost)}"
    when = "each time" if down == won.hits else f"{number_word(down)} of {number_word(won.hits)} times"
    raised = f"raised its shield {times(lost.raised)} but was hit {when} while it was down"
    return f"{{loser}} never fired; it {raised}" if silent else f"{{loser}} {raised}; {in_hits(won, lost)}"


def bared(lost: Account, won: Account, full: float) -> str:
    """Return how the loser was hit in its side and back, and what of its `full` health that cost.

    "" if that was less than half of what it lost.
    """
    taken = sum(won.taken[part] for part in ARMOURED)
    if 2 * taken < sum(won.taken.values()):
        return ""
    cost = "all of its health" if taken == full else f"{taken:g} of its {full:g} health"
    return f"{{loser}} was hit {struck(won)}{as_it_moved(lost, won)}: {cost}"


def struck_more(lost: Account, won: Account) -> str:
    """Return how often the loser of a series was hit in its side and back so that it took more, "" if the winner was
    about as often."""
    mine, its = (sum(each.bare[part] for part in ARMOURED if each.extra[part] > 0) for each in (won, lost))
    if mine < max(_OFTEN, _MOSTLY * won.hits) or 2 * its > mine:
        return ""
    others = struck_dearly(lost) or (
        "only off the wall" if sum(lost.parts[part] for part in ARMOURED) else "never there"
    )
    return f"{{loser}} was hit {struck_dearly(won)}{as_it_moved(lost, won)}; {{winner}} {others}"


def even(lost: Account, won: Account) -> str:
    """Return where the winner's hits were worth more, both having hit as often; "" if that is not so.

    It is part of a sentence: `both landed eight hits, one of {winner}'s in the side`.
    """
    if won.hits != lost.hits or sum(won.extra.values()) <= sum(lost.extra.values()):
        return ""
    return f"both landed {count(won.hits, 'hit')}" + worth_more(won, " of {winner}'s")


def worth_more(account: Account, whose: str = "") -> str:
    """Return how many hits struck where they cost more: `, one in the side, two in the back`, and `whose` they were."""
    told = ""
    for part in ARMOURED:
        if account.extra[part] > 0:
            hits = account.parts[part]
            told += f", {'all' if hits == account.hits else number_word(hits)}{'' if told else whose} in the {part}"
    return told


def in_hits(won: Account, lost: Account) -> str:
    """Return how often both hit: `three hits to none`."""
    return f"{count(won.hits, 'hit')} to {in_words(lost.hits)}"


def in_words(hits: int) -> str:
    """Return a number of hits as a word, after those of the other bot: `three`, `none`."""
    return number_word(hits) if hits else "none"
