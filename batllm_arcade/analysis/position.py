"""A position in figures: what a look-ahead and the state say of it for the bot that plays next."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log, sqrt
from typing import NamedTuple

from batllm_arcade.analysis.lookahead import WON, likely_plays, outlook
from batllm_arcade.brains.bot_view import BotView
from batllm_arcade.core.model import Arena, Rules

DEPTH = 2
"""Plays that a position is looked ahead: one of the bot that plays next, and the answer."""
_MOST = 8.0
"""Hits that the look-ahead can see beyond what has happened, at most."""


class Position(NamedTuple):
    """Both bots, the index of the bot that plays next, and how many plays the game can still have."""

    arena: Arena
    mover: int
    left: int


def outlook_of(position: Position, rules: Rules, depth: int = DEPTH) -> float:
    """Return what the best play is worth to the bot that plays next, in points of health ahead."""
    me, foe = BotView.pair(position.arena, position.mover, rules)
    best = -inf
    for token in likely_plays(me, foe):
        best = max(best, outlook(me, token, depth, best))
    return best


def features(position: Position, rules: Rules, seen: float) -> tuple[float, ...]:
    """Return the figures that a chance is made of, all from the view of the bot that plays next.

    `seen` is what `outlook_of` says of the position.
    """
    me, foe = position.arena.bot(position.mover), position.arena.bot(1 - position.mover)
    mine, theirs = rules.bullet_damage[position.mover], rules.bullet_damage[1 - position.mover]
    damage = (mine + theirs) / 2 or 1.0
    left = position.left / (2 * rules.total_rounds * rules.turns_per_round)
    need, have = foe.health / (mine or 1.0), me.health / (theirs or 1.0)
    ratio = log((have + 0.5) / (need + 0.5))
    knocks_out = (seen > WON / 2) - (seen < -WON / 2)
    ahead = 0.0 if knocks_out else max(-_MOST, min(_MOST, (seen - me.health + foe.health) / damage))
    share = me.health / rules.initial_health[position.mover] - foe.health / rules.initial_health[1 - position.mover]
    lead = share * sum(rules.initial_health) / 2 / damage
    at_the_end = lead / sqrt(0.5 * position.left + 0.3)
    return (1.0, ratio, ahead, ratio * (1 - left), ahead * (1 - left), at_the_end, lead, float(knocks_out))


KNOTS = (0.7, 1.5, 3.0)
"""Where the curve from figures to chances may bend, in log odds."""


def bent(odds: float) -> tuple[float, ...]:
    """Return the figures that a curve with bends in it is made of."""
    return (1.0, odds, *(max(-knot, min(knot, odds)) for knot in KNOTS))


def dot(weights: Iterable[float], figures: Iterable[float]) -> float:
    """Return the sum of the products."""
    return sum(weight * figure for weight, figure in zip(weights, figures, strict=True))
