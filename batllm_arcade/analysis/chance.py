"""A side's chance to win a position: what a look-ahead sees, weighed as simulated games of its configuration ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import exp, log

from batllm_arcade.analysis.position import DEPTH, Position, bent, dot, features, outlook_of
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.core.outcome import knocked_out, outcome


@dataclass(frozen=True, slots=True)
class Fit:
    """What makes chances of figures: made on games of the shipped configuration `name`.

    `exact` is false where the rules are none that a fit was made for, and this is the nearest.
    """

    name: str
    weights: tuple[float, ...]
    """What the figures of a position weigh."""
    bends: tuple[float, ...]
    """What corrects their sum to chances that come true, of `position.bent`."""
    rules: Rules
    """The configuration's."""
    exact: bool = True

    def chance(self, position: Position, rules: Rules, depth: int = DEPTH) -> float:
        """Return the chance, 0 to 1, of the bot that plays next; a draw counts as half."""
        if position.left <= 0 or knocked_out(position.arena) is not None:
            winner = outcome(position.arena, rules).winner
            return 0.5 if winner is None else float(winner == position.mover)
        seen = outlook_of(position, rules, depth)
        odds = dot(self.bends, bent(dot(self.weights, features(position, rules, seen))))
        return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


def fit_for(rules: Rules) -> Fit:
    """Return the fit of the shipped configuration with these rules, else that of the nearest one."""
    name = min(_fits(), key=lambda each: _distance(rules, _fits()[each].rules))
    return replace(_fits()[name], exact=_of_any_length(rules) == _of_any_length(_fits()[name].rules))


@cache
def _fits() -> Mapping[str, Fit]:
    text = (files("batllm_arcade.assets") / "analysis" / "fits.json").read_text("utf-8")
    return {
        name: Fit(name, tuple(fit["weights"]), tuple(fit["bends"]), rules_from(fit["rules"]))
        for name, fit in json.loads(text).items()
    }


def _of_any_length(rules: Rules) -> Rules:
    """Return rules with lengths that say nothing: how much of a game is left is one of the figures."""
    return replace(rules, total_rounds=1, turns_per_round=1)


def _distance(one: Rules, other: Rules) -> float:
    """Return how unlike the games of two sets of rules are: above all by their optional rules, then by their length."""
    mechanisms = [
        bool(one.battery) != bool(other.battery),
        (one.side_damage, one.back_damage) != (other.side_damage, other.back_damage),
        bool(one.ricochet) != bool(other.ricochet),
        bool(one.back_step) != bool(other.back_step),
    ]
    same = 0.0 if _of_any_length(one) == _of_any_length(other) else 0.5
    return 4.0 * sum(mechanisms) + same + abs(log(_hits(one) / _hits(other)))


def _hits(rules: Rules) -> float:
    """Return about how many hits in front a bot stands."""
    return max(1.0, sum(rules.initial_health)) / max(1e-9, sum(rules.bullet_damage))
