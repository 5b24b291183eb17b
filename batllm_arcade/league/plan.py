"""What a league is to play: its players, its options, and its pairs in their order; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

from batllm_arcade.errors import UsageError, quoted

Schedule = Literal["roundrobin", "gauntlet"]
Kept = Literal["none", "decisive", "all"]
SCHEDULES: tuple[Schedule, ...] = ("roundrobin", "gauntlet")
KEPT: tuple[Kept, ...] = ("none", "decisive", "all")
NAME_LIMIT = 40
"""Characters of the longest name of a player."""


@dataclass(frozen=True, slots=True)
class LeaguePlayer:
    """Who takes part: a unique name, a brain as on the command line, its orders, and who stands in for it.

    `fallback` "" is that of the configuration. `max_parallel` limits the games at once of all players at the same
    server, 0 for the brain's own limit. `orders_file` is the file the orders came from, "" without one.
    """

    name: str
    brain: str
    orders: str = ""
    fallback: str = ""
    max_parallel: int = 0
    orders_file: str = ""


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """A sequential test of two hypotheses: the first player is `elo0` (H0) or `elo1` (H1) Elo better."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True, slots=True)
class ScheduledPair:
    """One seed played twice with the seats swapped: players `first` and `second` by index, `first` left at first."""

    number: int
    first: int
    second: int
    seed: int


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """Everything that decides what is played; what does not (workers, budgets) is no part of it.

    `config` is a shipped name or a file, `rounds` and `turns` None as it says. `pairs` is per pairing.
    """

    players: tuple[LeaguePlayer, ...]
    config: str = "couch"
    rounds: int | None = None
    turns: int | None = None
    seed: int = 1
    pairs: int = 50
    schedule: Schedule = "roundrobin"
    sessions: Kept = "decisive"
    sprt: SprtPlan | None = None
    plugins_dir: str = ""

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Return who meets whom, players by index: everybody everybody, or the first player all others."""
        if self.schedule == "gauntlet":
            return [(0, other) for other in range(1, len(self.players))]
        return list(combinations(range(len(self.players)), 2))

    @property
    def total(self) -> int:
        """Return how many pairs the whole league has."""
        return len(self.pairings) * self.pairs

    def values(self) -> dict[str, Any]:
        """Return the plan as plain values for a JSON file."""
        return {**asdict(self), "players": [asdict(player) for player in self.players]}


class PairSchedule:
    """The pairs of a plan by number, from 1: the k-th pair of every pairing comes before any (k+1)-th."""

    def __init__(self, plan: LeaguePlan) -> None:
        self._pairings, self._seed, self.total = plan.pairings, plan.seed, plan.total

    def pair(self, number: int) -> ScheduledPair:
        """Return the pair with this number; the k-th of a pairing has the seed SEED + k - 1."""
        k, index = divmod(number - 1, len(self._pairings))
        first, second = self._pairings[index]
        return ScheduledPair(number, first, second, self._seed + k)

    def pairing(self, number: int) -> int:
        """Return the index of a pair's pairing."""
        return (number - 1) % len(self._pairings)

    def from_number(self, number: int) -> Iterator[ScheduledPair]:
        """Yield the pairs from this number on."""
        return (self.pair(each) for each in range(number, self.total + 1))


@dataclass(frozen=True, slots=True)
class PairLimits:
    """What each player shares with others while it plays (by player), and how many chunks that bears at once."""

    shared: Sequence[str]
    most: Mapping[str, int]

    def of(self, pair: ScheduledPair) -> set[str]:
        """Return the limited things that a pair needs."""
        return {self.shared[player] for player in (pair.first, pair.second) if self.most.get(self.shared[player])}


def plan_from(values: Mapping[str, Any]) -> LeaguePlan:
    """Return the plan that `LeaguePlan.values` gave; raise TypeError or KeyError if they are no plan's."""
    players = tuple(LeaguePlayer(**player) for player in values["players"])
    sprt = SprtPlan(**values["sprt"]) if values["sprt"] is not None else None
    return LeaguePlan(**{**values, "players": players, "sprt": sprt})


def checked(plan: LeaguePlan) -> LeaguePlan:
    """Return the plan; raise UsageError if nobody could play it."""
    names = [player.name for player in plan.players]
    if len(names) < 2:
        raise UsageError("a league needs two players or more; name them as BRAIN or NAME=BRAIN")
    for name in names:
        check_name(name)
        if names.count(name) > 1:
            raise UsageError(f"two players are called {name!r}; name one of them otherwise, as NAME=BRAIN")
    if plan.sprt is not None:
        if len(names) != 2:
            raise UsageError(f"--sprt compares two players, and this league has {len(names)}; leave --sprt out")
        check_sprt(plan.sprt)
    return plan


def check_name(name: str) -> None:
    """Raise UsageError if this cannot be a player's name."""
    good = all(unicodedata.category(each)[0] not in "CZ" or each == " " for each in name)
    if not name.strip() or name != name.strip() or len(name) > NAME_LIMIT or not good:
        raise UsageError(f"{quoted(name)} cannot be a player's name; use up to {NAME_LIMIT} letters, digits and marks")


def check_sprt(sprt: SprtPlan) -> None:
    """Raise UsageError if the test could not decide anything."""
    if not -2000 <= sprt.elo0 < sprt.elo1 <= 2000:
        raise UsageError(f"--sprt takes ELO0,ELO1 with ELO0 below ELO1, not {sprt.elo0:g},{sprt.elo1:g}")
    if not (0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise UsageError(f"--sprt takes ALPHA and BETA between 0 and 0.5, not {sprt.alpha:g},{sprt.beta:g}")


def named(brains: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each (wished short name, brain): the short one, the whole brain where that is taken, numbered.

    So the same script on two levels has two names, and the same brain twice is `dancer` and `dancer 2`.
    """
    found: list[str] = []
    for place, (short, brain) in enumerate(brains):
        again = any(brain == before for _, before in brains[:place])
        wished = [short, *([] if again else [brain]), *(f"{short} {number}" for number in range(2, len(brains) + 2))]
        found.append(next(name for name in wished if name not in found and len(name) <= NAME_LIMIT))
    return found
