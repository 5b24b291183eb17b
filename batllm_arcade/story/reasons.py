"""Why a game was won: one table of reasons over both bots' accounts, of which the one that weighs most is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from batllm_arcade.core.model import Part, Rules
from batllm_arcade.story.account import Account, Accounts

_EXPLAINS = 0.5
"""The share of the damage that the winner did more, from which on a reason explains the game."""
_SOME, _SHARE = 2, 0.4
"""Hits, and their share of all hits on the loser, from which on it is told what they have in common."""
_MORE_SHOTS = 1.4
"""Times as many shots as the other one, from which on it is told that one fired less."""
_ARMOURED: tuple[Part, ...] = ("side", "back")


class Found(NamedTuple):
    """A reason that holds: about how much health it cost the loser, and the numbers of its sentence."""

    weight: float
    values: dict[str, object]


class Reason(NamedTuple):
    """A row: the `kind` of its sentence, and what finds it in the loser's and the winner's account."""

    kind: str
    find: Callable[[Account, Account, float], Found | None]
    """With the damage that a plain hit does to the loser."""


def _silent(lost: Account, won: Account, harm: float) -> Found | None:
    could = lost.empty < lost.turns and not lost.lost
    return Found(harm * won.hits, {}) if won.hits and not lost.shots and could else None


def _part(lost: Account, won: Account, harm: float) -> Found | None:
    n, told = sum(won.parts[part] for part in _ARMOURED), [part for part in _ARMOURED if won.parts[part]]
    if n < _SOME or 2 * sum(lost.parts[part] for part in _ARMOURED) > n:
        return None
    return Found(won.extra - lost.extra, {"n": n, "part": " or ".join(told)})


def _of_hits(own: Callable[[Account], int], its: Callable[[Account], int], share: float) -> Callable[..., Found | None]:
    """Return what finds that many hits on the loser were of one kind, and less than half as many on the winner."""

    def find(lost: Account, won: Account, harm: float) -> Found | None:
        n, other = own(lost) + its(won), own(won) + its(lost)
        if n < max(_SOME, _SHARE * won.hits) or 2 * other > n:
            return None
        return Found(share * harm * (n - other), {"n": n})

    return find


def _of_shots(counted: Callable[[Account], int], share: float) -> Callable[..., Found | None]:
    """Return what finds that more of the loser's shots than of the winner's came to nothing in one way."""

    def find(lost: Account, won: Account, harm: float) -> Found | None:
        n, other = counted(lost), counted(won)
        if n < _SOME or n * max(1, won.shots) <= other * lost.shots or n <= other:
            return None
        return Found(share * harm * (n - other), {"n": n, "m": lost.shots})

    return find


def _empty(lost: Account, won: Account, harm: float) -> Found | None:
    more = lost.empty - won.empty
    if 2 * lost.empty < lost.turns or more < _SOME:
        return None
    return Found(0.4 * harm * more, {"n": lost.empty, "m": lost.turns})


def _fired(lost: Account, won: Account, harm: float) -> Found | None:
    if not lost.shots or won.shots < _MORE_SHOTS * lost.shots or won.shots - lost.shots < _SOME:
        return None
    return Found(0.5 * harm * (won.shots - lost.shots), {"n": won.shots, "m": lost.shots})


def _no_command(lost: Account, won: Account, harm: float) -> Found | None:
    if lost.lost < _SOME or 2 * won.lost > lost.lost:
        return None
    return Found(0.6 * harm * (lost.lost - won.lost), {"n": lost.lost, "m": lost.turns})


REASONS = (
    Reason("silent", _silent),
    Reason("part", _part),
    Reason("beside", _of_hits(lambda _: 0, lambda won: won.beside, 0.7)),
    Reason("opened", _of_hits(lambda lost: lost.opened, lambda _: 0, 0.7)),
    Reason("walls", _of_hits(lambda _: 0, lambda won: won.walls, 0.6)),
    Reason("stopped", _of_shots(lambda lost: lost.blocked, 1.0)),
    Reason("missed", _of_shots(lambda lost: lost.missed, 0.8)),
    Reason("no command", _no_command),
    Reason("fired", _fired),
    Reason("empty", _empty),
)
"""All reasons that can be counted; of two that weigh the same the first one."""


def reason(both: Accounts, winner: int, rules: Rules) -> tuple[str, dict[str, object]] | None:
    """Return the kind of the reason for which a bot won and its numbers, None if none explains enough."""
    won, lost = both[winner], both[1 - winner]
    found = [(row.kind, each) for row in REASONS if (each := row.find(lost, won, rules.bullet_damage[winner]))]
    best = max(found, key=lambda each: each[1].weight, default=None)
    enough = max(1e-9, _EXPLAINS * (won.damage - lost.damage))
    return None if best is None or best[1].weight < enough else (best[0], best[1].values)
