"""A league as it is set up in the window, before it is begun."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.league.plan import NAME_LIMIT, LeaguePlan, LeaguePlayer, Schedule, checked, league_name, named
from batllm_arcade.league.plan_file import RunOptions

FIRST = (Spec("scripted", "sharpshooter"), Spec("scripted", "turtle"), Spec("scripted", "dancer"))
"""Who plays in a league that nobody has changed."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as chosen on a card, with its orders, "" without any."""

    spec: Spec
    orders: str = ""


@dataclass(slots=True)
class LeagueDraft:
    """What is chosen; `config` is a shipped configuration's name, `pairs` are those of each two players."""

    entrants: list[Entrant] = field(default_factory=lambda: [Entrant(spec) for spec in FIRST])
    config: str = "couch"
    pairs: int = 10
    schedule: Schedule = "roundrobin"
    name: str = ""
    plugins_dir: Path | None = None
    max_requests: int = 0
    """Requests to model servers after which it pauses, 0 for any number."""

    @property
    def pairings(self) -> int:
        """Return how many pairings there are."""
        players = len(self.entrants)
        return max(0, players - 1) if self.schedule == "gauntlet" else players * (players - 1) // 2

    @property
    def games(self) -> int:
        """Return how many games are played altogether."""
        return 2 * self.pairs * self.pairings

    def requests(self, asks: Sequence[bool], plays: int) -> int:
        """Return how many requests there are at most of the players that `asks` marks, with so many plays a game."""
        players = len(self.entrants)
        meets = [players - 1 if self.schedule == "roundrobin" or not place else 1 for place in range(players)]
        return sum(2 * self.pairs * plays * met for met, asking in zip(meets, asks, strict=True) if asking)

    def names(self, called: Callable[[Entrant], str]) -> list[str]:
        """Return what the players are called: by their own names, else as `called` says, and a number."""
        wished = [_name(each.spec.text("name") or called(each)) for each in self.entrants]
        return named([(name, name) for name in wished])

    def plan(self, kinds: Mapping[str, BrainKind], called: Callable[[Entrant], str]) -> LeaguePlan:
        """Return the league's plan; raise UsageError if nobody could play it."""
        players = tuple(
            LeaguePlayer(name, str(_nameless(_anywhere(each.spec, kinds))), each.orders.strip())
            for name, each in zip(self.names(called), self.entrants, strict=True)
        )
        folder = str(self.plugins_dir.absolute()) if self.plugins_dir is not None else ""
        plan = LeaguePlan(players, self.config, pairs=self.pairs, schedule=self.schedule, plugins_dir=folder)
        return checked(replace(plan, sessions="all"))  # whoever looks on may watch any game

    def run(self) -> RunOptions:
        """Return how it is played; raise UsageError if its name cannot be one."""
        name = league_name(self.name) if self.name.strip() else ""
        return RunOptions(name=name, max_requests=self.max_requests)


def _name(text: str) -> str:
    """Return a name that a player may have, with room for a number."""
    clean = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return clean[: NAME_LIMIT - len(" 99")].strip() or "player"


def _nameless(spec: Spec) -> Spec:
    return replace(spec, options={key: value for key, value in spec.options.items() if key != "name"})


def _anywhere(spec: Spec, kinds: Mapping[str, BrainKind]) -> Spec:
    """Return a spec that means the same from whatever folder the league is gone on with."""
    kind = kinds.get(spec.name)
    if kind is None or not kind.files or not spec.variant:
        return spec
    return replace(spec, variant=os.path.abspath(os.path.expanduser(spec.variant)))
