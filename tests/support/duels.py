"""Games between scripted bots without threads, windows and files."""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from functools import cache

from batllm_arcade_plugins.scripted import make
from fakes import NOON, results
from paths import ROOT

from batllm_arcade import BotBrain
from batllm_arcade.brains.bots import MARK
from batllm_arcade.brains.protocol import SeatInfo, Spec, View
from batllm_arcade.match import runner
from batllm_arcade.match.records import Record
from batllm_arcade.match.runner import Answer, MatchPlan
from batllm_arcade.settings import config

EXPLOITERS = {
    getattr(one, MARK): one
    for one in runpy.run_path(str(ROOT / "benchmarks" / "exploiters" / "exploiters.py")).values()
    if hasattr(one, MARK)
}
"""The scripts that try to get by without playing well, by name."""


class Duel(runner.TableProtocol):
    """A table for two bots: an exploiter's name, or a spec of a scripted character without its `scripted:`."""

    def __init__(self, *names: str) -> None:
        self.brains = [
            BotBrain(name, EXPLOITERS[name]) if name in EXPLOITERS else make(Spec.parse(f"scripted:{name}"))
            for name in names
        ]

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        return SeatInfo("left", "scripted"), SeatInfo("right", "scripted")

    def ask(self, bot: int, view: View) -> Answer:
        return Answer(self.brains[bot].decide(view), "ok", "", 0.0, NOON)

    def now(self) -> str:
        return NOON


@cache
def fought(left: str, right: str, games: int = 20, seed: int = 1, name: str = "couch") -> tuple[Record, ...]:
    """The records of some games under a shipped configuration."""
    return tuple(runner.play(MatchPlan(config.load(name).rules, seed, games), Duel(left, right)))


def both_ways(one: str, other: str, games: int = 20) -> Sequence[Record]:
    """The records of so many games on each side."""
    return [*fought(one, other, games), *fought(other, one, games)]


def won(one: str, other: str, games: int = 20) -> tuple[int, int]:
    """How many of so many games on each side `one` won, and how many were drawn."""
    ends = [winner for winner, _ in results(fought(one, other, games))]
    ends += [None if winner is None else 1 - winner for winner, _ in results(fought(other, one, games))]
    return ends.count(0), ends.count(None)
