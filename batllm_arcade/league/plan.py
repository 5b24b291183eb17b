"""What a league is to play: its players, its options, and its pairs in their order; pure."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, pairwise
from typing import Annotated, Any, Literal, NamedTuple

from annotated_types import Ge, Le

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.league.validation import Count, Positive, Whole, read_as

Schedule = Literal["roundrobin", "gauntlet"]
Kept = Literal["none", "decisive", "all"]
SprtModel = Literal["logistic", "normalized"]
SCHEDULES: tuple[Schedule, ...] = ("roundrobin", "gauntlet")
OnFailure = Literal["forfeit", "fallback"]
Think = Literal["auto", "off", "low", "high"]
Carried = Literal["off", "league"]
ON_FAILURE: tuple[OnFailure, ...] = ("forfeit", "fallback")
KEPT: tuple[Kept, ...] = ("none", "decisive", "all")
SPRT_MODELS: tuple[SprtModel, ...] = ("logistic", "normalized")
MOST_NORMALIZED = 500
"""Normalized Elo of the largest hypothesis: a mean more than twice as far from even as the pairs are spread."""
MOST_PLAYERS = 100
"""Players of the largest league; the table of so many takes the better part of a minute."""
MOST_GAMES = 10_000_000
"""Games of the largest league: at a millisecond each they take hours."""
MANY = 10_000
"""Games that a server without a limit bears at once: one that makes all wait is waited for, and nothing paid twice."""
NAME_LIMIT = 40
"""Characters of the longest name of a player."""
LEAGUE_NAME_LIMIT = 80
"""Characters of the longest name of a league."""
MOST_ELO = 2000
"""The largest difference in strength that may be asked for."""


_TEMPERATURE = re.compile(r"default|none|auto|[0-9]{1,2}(\.[0-9]{1,6})?")
Length = Annotated[int, Ge(1), Le(1_000_000)]
"""Rounds of a game, or turns of a round."""


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
    max_parallel: Count = 0
    orders_file: str = ""


@dataclass(frozen=True, slots=True)
class SprtPlan:
    """A sequential test of two hypotheses: the first player is `elo0` (H0) or `elo1` (H1) Elo better."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: SprtModel = "logistic"
    """What the Elo of both hypotheses are: of the expected score, or of that in units of its spread."""


@dataclass(frozen=True, slots=True)
class Stage:
    """How large a league was when players or pairs were added to it: so many players, so many pairs for each two."""

    players: Annotated[int, Ge(2)]
    pairs: Positive


@dataclass(frozen=True, slots=True)
class ScheduledPair:
    """One seed played twice with the seats swapped: players `first` and `second` by index, `first` left at first.

    `secret` is what the streams of its seats are keyed with where bots of files play, in hex.
    """

    number: int
    first: int
    second: int
    seed: int
    secret: str = ""
    notes: tuple[str, str] = ("", "")
    """What both players have noted in the pairs before, where notes are carried on."""


@dataclass(frozen=True, slots=True)
class LeaguePlan:
    """Everything that decides what is played; what does not (workers, budgets) is no part of it.

    `config` is a shipped name or a file, `rounds` and `turns` None as it says. `pairs` is per pairing. `stages` are the
    sizes that it had before it grew, whose pairs come first.
    """

    players: tuple[LeaguePlayer, ...]
    config: str = "couch"
    rounds: Length | None = None
    turns: Length | None = None
    seed: Whole = 1
    pairs: Positive = 50
    schedule: Schedule = "roundrobin"
    sessions: Kept = "decisive"
    sprt: SprtPlan | None = None
    plugins_dir: str = ""
    on_failure: OnFailure = "forfeit"
    """What three failures of a player in a row cost it: the game, or its seat until the game's end."""
    stages: tuple[Stage, ...] = ()
    shared: bool | None = False
    """Whether models are sent their rival's orders, too; None: as the configuration says."""
    think: Think = "off"
    """How much every model thinks that does not say so itself; `auto`: as each does by itself."""
    temperature: str = "default"
    """A number, `none` (what the server has by itself), `default` (that of model brains), or `auto`: whatever each has.

    That a model is held to `think` and `temperature` is seen to: with `auto` it is not.
    """

    notes: Carried = "off"
    """`league`: what models note is carried from game to game of two players, whose pairs are played in their order."""
    accuracy: Annotated[int, Ge(0), Le(1000)] = 0
    """Plays of each player in a game, drawn at random, that are judged by how much chance they have lost."""

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Return who meets whom, players by index: everybody everybody, or the first player all others."""
        if self.schedule == "gauntlet":
            return [(0, other) for other in range(1, len(self.players))]
        return list(combinations(range(len(self.players)), 2))

    @property
    def looked_at(self) -> bool:
        """Return whether what was seen may have decided how many pairs there are: there is a test, or it has grown."""
        return bool(self.stages) or self.sprt is not None

    def unfair(self, player: LeaguePlayer, unlike: Mapping[str, str]) -> str:
        """Return why a model cannot play here, "" if it can; `unlike` are clauses on how it plays otherwise.

        What a player says of itself holds for it alone.
        """
        spec = Spec.parse(player.brain)
        for key, wished, cure in (
            ("think", self.think, "--think low, or auto (each as it does by itself)"),
            ("temperature", self.temperature, "--temperature none (each with its server's own)"),
        ):
            if wished != "auto" and key in unlike and key not in spec.options:
                told = f"; begin the league with {cure}, write {key}= behind this brain, or leave it out"
                return f"{player.name} {unlike[key]} as all others are ({key} {wished}){told}"
        return ""

    @property
    def total(self) -> int:
        """Return how many pairs the whole league has."""
        return len(self.pairings) * self.pairs

    def keeps(self, winner: str | None) -> bool:
        """Return whether the session of a game that this player has won (None: nobody) is kept."""
        return self.sessions == "all" or (self.sessions == "decisive" and winner is not None)

    def values(self) -> dict[str, Any]:
        """Return the plan as plain values for a JSON file."""
        lists = {"players": list(map(asdict, self.players)), "stages": list(map(asdict, self.stages))}
        return {**asdict(self), **lists}


class _Block(NamedTuple):
    """Pairs of these pairings (by index) that follow each other: one of each, then the next, from the k-th on."""

    first: int
    k: int
    pairings: list[int]


def _blocks(plan: LeaguePlan) -> Iterator[_Block]:
    """Yield the blocks of a plan: those of every stage it has had; of each, what was added then."""
    number, before, all_pairings = 1, Stage(0, 0), plan.pairings
    for stage in (*plan.stages, Stage(len(plan.players), plan.pairs)):
        met = [index for index, (_, other) in enumerate(all_pairings) if other < stage.players]
        fresh = [index for index in met if all_pairings[index][1] >= before.players]
        for pairings, k, count in ((fresh, 0, before.pairs), (met, before.pairs, stage.pairs - before.pairs)):
            if pairings and count > 0:
                yield _Block(number, k, pairings)
                number += len(pairings) * count
        before = stage


class PairSchedule:
    """The pairs of a plan by number, from 1: the k-th pair of every pairing comes before any (k+1)-th.

    What was added to a league that had been planned is numbered on behind that.
    """

    def __init__(self, plan: LeaguePlan) -> None:
        self._pairings, self._seed, self.total = plan.pairings, plan.seed, plan.total
        self._blocks = list(_blocks(plan))
        self._firsts = [block.first for block in self._blocks]

    def pair(self, number: int) -> ScheduledPair:
        """Return the pair with this number; the k-th of a pairing has the seed SEED + k - 1."""
        k, pairing = self._place_of(number)
        first, second = self._pairings[pairing]
        return ScheduledPair(number, first, second, self._seed + k)

    def pairing(self, number: int) -> int:
        """Return the index of a pair's pairing."""
        return self._place_of(number)[1]

    def _place_of(self, number: int) -> tuple[int, int]:
        block = self._blocks[bisect_right(self._firsts, number) - 1]
        k, index = divmod(number - block.first, len(block.pairings))
        return block.k + k, block.pairings[index]

    def from_number(self, number: int) -> Iterator[ScheduledPair]:
        """Yield the pairs from this number on."""
        return (self.pair(each) for each in range(number, self.total + 1))


@dataclass(frozen=True, slots=True)
class PairLimits:
    """What each player shares with others while it plays (by player), and how many chunks that bears at once."""

    shared: Sequence[str]
    most: Mapping[str, int]

    def needs_of(self, pair: ScheduledPair) -> set[str]:
        """Return the limited things that a pair needs."""
        return {self.shared[player] for player in (pair.first, pair.second) if self.most.get(self.shared[player])}


def plan_from(values: Any) -> LeaguePlan:
    """Return the plan that `LeaguePlan.values` gave; raise UsageError, which names the place, if they are no plan's."""
    # What there was at first.
    older = {"on_failure": "fallback", "shared": None, "think": "auto", "temperature": "auto"}
    plan = read_as(LeaguePlan, {**older, **values} if isinstance(values, dict) else values, "its plan")
    for player in plan.players:
        for brain in (player.brain, player.fallback or player.brain):
            Spec.parse(brain)
    sizes = [*plan.stages, Stage(len(plan.players), plan.pairs)]
    if any(one.players > other.players or one.pairs > other.pairs for one, other in pairwise(sizes)):
        raise UsageError("'stages' of its plan must grow")
    return checked(plan)


def grown(plan: LeaguePlan, pairs: int | None, added: Sequence[LeaguePlayer] = ()) -> LeaguePlan:
    """Return the plan with so many pairs for each two (None: as many as it has) and more players behind its own.

    Raise UsageError if it would become smaller, or nobody could play it.
    """
    if pairs is not None and pairs < plan.pairs:
        raise UsageError(f"the league has {plan.pairs} pairs for each two players, and can only grow")
    if added and plan.sprt is not None:
        raise UsageError("--sprt compares two players, and nobody can be added to them")
    larger = replace(plan, players=(*plan.players, *added), pairs=pairs or plan.pairs)
    stage = Stage(len(plan.players), plan.pairs)
    return checked(larger if larger == plan else replace(larger, stages=(*plan.stages, stage)))


def checked(plan: LeaguePlan) -> LeaguePlan:
    """Return the plan; raise UsageError if nobody could play it."""
    names = [player.name for player in plan.players]
    if len(names) > MOST_PLAYERS:
        raise UsageError(f"a league has up to {MOST_PLAYERS} players, and these are {len(names):,}")
    if len(names) < 2:
        raise UsageError("a league needs two players or more; name them as BRAIN or NAME=BRAIN")
    for name in names:
        check_name(name)
        if names.count(name) > 1:
            raise UsageError(f"two players are called {name!r}; give one of them another name")
    if 2 * plan.total > MOST_GAMES:
        raise UsageError(
            f"a league has up to {MOST_GAMES:,} games, and this would have {2 * plan.total:,}; ask for fewer pairs"
        )
    if not _TEMPERATURE.fullmatch(plan.temperature):
        raise UsageError(f"temperature must be a number such as 0.8, none or auto, not {quoted(plan.temperature)}")
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


def league_name(text: str) -> str:
    """Return a name for a league; raise UsageError if it cannot be one."""
    name = text.strip()
    if not name or len(name) > LEAGUE_NAME_LIMIT or not name.isprintable():
        raise UsageError(f"{quoted(text)} cannot be a league's name; use up to {LEAGUE_NAME_LIMIT} letters and marks")
    return name


def elo(key: str, value: Any) -> float:
    """Return a difference in Elo; raise UsageError if it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -MOST_ELO <= value <= MOST_ELO:
        raise UsageError(f"{key} must be Elo from {-MOST_ELO} to {MOST_ELO}, not {quoted(value)}")
    return float(value)


def check_sprt(sprt: SprtPlan) -> None:
    """Raise UsageError if the test could not decide anything."""
    if not -MOST_ELO <= sprt.elo0 < sprt.elo1 <= MOST_ELO:
        raise UsageError(f"--sprt takes ELO0,ELO1 with ELO0 below ELO1, not {sprt.elo0:g},{sprt.elo1:g}")
    if sprt.model == "normalized" and max(abs(sprt.elo0), abs(sprt.elo1)) > MOST_NORMALIZED:
        raise UsageError(f"--sprt takes normalized Elo from {-MOST_NORMALIZED} to {MOST_NORMALIZED}")
    if not (0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise UsageError(f"--sprt takes ALPHA and BETA between 0 and 0.5, not {sprt.alpha:g},{sprt.beta:g}")


def named(brains: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each (wished short name, brain): the short one, the whole brain where that is taken, numbered.

    So the same script on two levels has two names, and the same brain twice is `dancer` and `dancer 2`.
    """
    names: list[str] = []
    for place, (short, brain) in enumerate(brains):
        again = any(brain == before for _, before in brains[:place])
        wished = [short, *([] if again else [brain]), *(f"{short} {number}" for number in range(2, len(brains) + 2))]
        names.append(next(name for name in wished if name not in names and len(name) <= NAME_LIMIT))
    return names
