"""Lines of pairs, their outcomes, added up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import Len
from typing_extensions import TypedDict

from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.validation import Count, NotNegative, Positive, Whole

Pairing = tuple[int, int]
"""Two players by index."""
Vector = Sequence[float]

# A line of `pairs.jsonl`


class _LaterTimes(TypedDict, total=False):
    total: NotNegative


class PlayTimesLine(_LaterTimes):
    """How long a player's plays took in one game, in seconds."""

    plays: Count
    median: NotNegative
    max: NotNegative


class LossLine(TypedDict):
    """How much chance the plays have lost that were judged."""

    plays: Count
    sum: NotNegative


class _Later(TypedDict, total=False):
    by_fallback: dict[str, Count]
    written: dict[str, Count]
    requests: dict[str, Count]
    as_played: dict[str, dict[str, str]]
    loss: dict[str, LossLine]


class GameLine(_Later):
    """One game: who sat left, who won (None: nobody), who acted first in round 1; what is by name has both players.

    `by_fallback` is how many plays were those of a player's fallback, `written` are those of the tokens that a model
    wrote; lines of earlier versions have neither. `as_played` is what a model's requests said on `think` and
    `temperature`, and the `model` that answered, `loss` what judged plays have lost.
    """

    left: str
    winner: str | None
    reason: str
    turns: Count
    health: dict[str, NotNegative]
    first: str
    faults: dict[str, dict[str, Count]]
    tokens: dict[str, Count]
    latency_s: dict[str, PlayTimesLine]


class _Worker(TypedDict, total=False):
    worker: str
    notes: dict[str, str]


class PairLine(_Worker):
    """Two games of one seed with the seats changed; `outcome` is the first player's, such as `WL`.

    `worker`, who played it, is added by the engine. `notes` are what models have noted after it, by name.
    """

    pair: Positive
    players: Annotated[list[str], Len(2, 2)]
    seed: Whole
    games: Annotated[list[GameLine], Len(2, 2)]
    outcome: str
    finished: str


PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair's five classes: LL, LD, DD and WL, WD, WW."""
_CLASS = {"LL": 0, "LD": 1, "DD": 2, "WL": 2, "WD": 3, "WW": 4}
_MIRROR = {"LL": "WW", "LD": "WD", "DD": "DD", "WL": "WL", "WD": "LD", "WW": "LL"}
FAULTS = ("crashed", "silent", "garbage", "timeout", "error", "invalid")
"""What is counted apart when a play has no good answer; the first three are the first word of its reason."""


AS_PLAYED = ("think", "temperature", "model")
MOST_VALUES = 8
"""Values of one of these that are told of a player."""


def outcome_of(winners: Sequence[str | None], name: str) -> str:
    """Return the outcome for this player of a pair's games, given who won each (None: nobody)."""
    letters = ["D" if winner is None else "W" if winner == name else "L" for winner in winners]
    return "".join(sorted(letters, key="WDL".index)) if "W" in letters else "".join(sorted(letters, reverse=True))


def mirrored(outcome: str) -> str:
    """Return the outcome for the other player."""
    return _MIRROR[outcome]


def pentanomial(counts: Mapping[str, int]) -> list[int]:
    """Return how many pairs are in each class, [LL, LD, DD+WL, WD, WW], given the number of each outcome."""
    classes = [0] * len(PENTANOMIAL)
    for outcome, count in counts.items():
        classes[_CLASS[outcome]] += count
    return classes


def fault_of(status: str, reason: str) -> str:
    """Return which of FAULTS a play is, "" for none; a forfeit is counted as what its last failure was."""
    if status in ("timeout", "invalid"):
        return status
    if status not in ("error", "forfeit"):
        return ""
    first = reason.partition(" ")[0].strip(":;,.").lower()
    if first in FAULTS[:3]:
        return first
    return "timeout" if reason.startswith("no answer within") else "error"


def no_faults() -> dict[str, int]:
    """Return a count of none."""
    return dict.fromkeys(FAULTS, 0)


_STEP = math.log(1.02)
"""Latencies are counted in steps of two percent."""
_LEAST_S = 1e-6


@dataclass(slots=True)
class Latencies:
    """How long a player's plays took: how many, the seconds of all and of the slowest, the games' medians."""

    plays: int = 0
    total: float = 0.0
    slowest: float = 0.0
    medians: dict[int, int] = field(default_factory=dict)

    def add(self, figures: PlayTimesLine) -> None:
        """Add a game's `{plays, median, max, total}`, in seconds."""
        plays = int(figures["plays"])
        if plays:
            step = round(math.log(max(float(figures["median"]), _LEAST_S)) / _STEP)
            self.medians[step] = self.medians.get(step, 0) + plays
        self.plays += plays
        self.total += float(figures.get("total", 0.0))
        self.slowest = max(self.slowest, float(figures["max"]))

    @property
    def median(self) -> float:
        """Return the median of the games' medians, each counted as often as it has plays; 0 without any."""
        left = self.plays / 2
        for step in sorted(self.medians):
            left -= self.medians[step]
            if left <= 0:
                return math.exp(step * _STEP)
        return 0.0


@dataclass(slots=True)
class LossTally:
    """Chances lost by a player's plays, and how they vary from pair to pair."""

    pairs: int = 0
    plays: int = 0
    total: float = 0.0
    squares: float = 0.0
    products: float = 0.0
    play_squares: int = 0

    def add(self, losses: Sequence[LossLine]) -> None:
        """Add the judged plays of a pair's games, if there are any."""
        plays, lost = sum(each["plays"] for each in losses), sum(each["sum"] for each in losses)
        if plays:
            self.pairs, self.plays, self.total = self.pairs + 1, self.plays + plays, self.total + lost
            self.squares, self.products = self.squares + lost * lost, self.products + lost * plays
            self.play_squares += plays * plays

    @property
    def mean(self) -> float | None:
        """Return the mean loss of a play, None without any."""
        return self.total / self.plays if self.plays else None

    @property
    def deviation(self) -> float | None:
        """Return the standard error of the mean, pairs taken as one; None of fewer than two."""
        if self.pairs < 2:
            return None
        mean = self.total / self.plays
        spread = max(0.0, self.squares - 2 * mean * self.products + mean * mean * self.play_squares)
        return math.sqrt(spread * self.pairs / (self.pairs - 1)) / self.plays


@dataclass(slots=True)
class PlayerTally:
    """One player's games and what its brain did in them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: dict[str, int] = field(default_factory=no_faults)
    by_fallback: int = 0
    forfeits: int = 0
    tokens: int = 0
    written: int = 0
    requests: int = 0
    latencies: Latencies = field(default_factory=Latencies)
    as_played: dict[str, list[str]] = field(default_factory=dict)
    loss: LossTally = field(default_factory=LossTally)

    @property
    def games(self) -> int:
        """Return how many games it has played."""
        return self.wins + self.draws + self.losses

    def add(self, game: GameLine, name: str) -> None:
        """Add one game of a pair's line."""
        winner = game["winner"]
        self.wins += winner == name
        self.draws += winner is None
        self.losses += winner not in (name, None)
        for fault, number in game["faults"][name].items():
            self.faults[fault] += number
        self.by_fallback += game.get("by_fallback", {}).get(name, 0)
        self.forfeits += game["reason"] == "forfeit" and winner != name
        self.tokens += game["tokens"][name]
        self.written += game.get("written", {}).get(name, 0)
        self.requests += game.get("requests", {}).get(name, 0)
        self.latencies.add(game["latency_s"][name])
        for key, text in game.get("as_played", {}).get(name, {}).items():
            seen = self.as_played.setdefault(key, [])
            if key in AS_PLAYED and text not in seen and len(seen) < MOST_VALUES:
                seen.append(text)


@dataclass(slots=True)
class SideTally:
    """Who won, by where or when they acted: `first` against `other`."""

    first: int = 0
    other: int = 0
    draws: int = 0

    def add(self, winner: str | None, first: str) -> None:
        """Add a game that `winner` has won, where `first` sat left, or acted first."""
        self.draws += winner is None
        self.first += winner == first
        self.other += winner not in (first, None)

    @property
    def share(self) -> float | None:
        """Return the share of the decided games that `first` won, None without any."""
        decided = self.first + self.other
        return self.first / decided if decided else None


class LeagueTally:
    """The sums of a league: `add` takes the pairs' lines in their order."""

    def __init__(self, plan: LeaguePlan) -> None:
        self.names = [player.name for player in plan.players]
        self.players = [PlayerTally() for _ in plan.players]
        self.outcomes: dict[tuple[int, int], dict[str, int]] = {pairing: {} for pairing in plan.pairings}
        self.left, self.first = SideTally(), SideTally()
        self.reasons: dict[str, int] = {}
        self.turns = 0
        self.pairs = 0
        self._index = {name: index for index, name in enumerate(self.names)}

    def add(self, line: PairLine) -> None:
        """Add a pair; raise KeyError, TypeError or ValueError if it is no line of this league."""
        one, other = line["players"]
        counts = self.outcomes[self._index[one], self._index[other]]
        counts[line["outcome"]] = counts.get(line["outcome"], 0) + 1
        for name in (one, other):
            self.player(name).loss.add([game["loss"][name] for game in line["games"] if "loss" in game])
        for game in line["games"]:
            for name in (one, other):
                self.player(name).add(game, name)
            self.left.add(game["winner"], game["left"])
            self.first.add(game["winner"], game["first"])
            self.reasons[game["reason"]] = self.reasons.get(game["reason"], 0) + 1
            self.turns += game["turns"]
        self.pairs += 1

    def player(self, name: str) -> PlayerTally:
        """Return the sums of a player."""
        return self.players[self._index[name]]

    def classes(self) -> dict[tuple[int, int], list[int]]:
        """Return each pairing's pairs in the five classes, worst first for its first player."""
        return {pairing: pentanomial(counts) for pairing, counts in self.outcomes.items()}

    @property
    def tokens(self) -> int:
        """Return the tokens of all players."""
        return sum(player.tokens for player in self.players)

    @property
    def requests(self) -> int:
        """Return the requests of all players to servers."""
        return sum(player.requests for player in self.players)
