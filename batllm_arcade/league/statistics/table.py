"""The table of a league as typed values, and as the plain ones of `table.json`; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.sprt import SprtState

SCHEMA = "batllm_arcade.league_table.v1"


@dataclass(frozen=True, slots=True)
class PlayTimes:
    """How long a player's plays took, in seconds: the median, the slowest and all together."""

    plays: int
    median: float
    max: float
    total: float


@dataclass(frozen=True, slots=True)
class TableRow:
    """One player: `rating` in Elo with its 95% interval `low` to `high` (None: open), `score` and `los` as shares of 1.

    `cost` is what its tokens cost, None without a price.
    `pairs` are those of the classes LL, LD, DD+WL, WD, WW; `los` is how likely the player is better than the next one,
    None for the last. `by_fallback` are plays, `forfeits` games that it lost by failing. A new field is written to
    `table.json`; `output/columns.py` says in which column it is shown.
    """

    name: str
    rank: int
    rating: float
    low: float | None
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    pairs: list[int]
    los: float | None
    faults: dict[str, int]
    latency_s: PlayTimes
    tokens: int
    requests: int
    by_fallback: int
    forfeits: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players against each other, seen by the first: pairs in the five classes, and its score (None: no pair).

    `difference` is how many Elo it is rated higher, by all pairs of the league, 95% lie from `low` to `high` (None:
    open), and `chance` is how likely it is the better one. They are None in a table of an older version.
    """

    players: list[str]
    pairs: list[int]
    score: float | None
    difference: float | None
    low: float | None
    high: float | None
    chance: float | None

    def mirrored(self) -> Pairing:
        """Return the pairing as the second player sees it."""
        score, chance = (None if share is None else 1 - share for share in (self.score, self.chance))
        difference, high, low = (None if elo is None else -elo for elo in (self.difference, self.low, self.high))
        return Pairing(self.players[::-1], self.pairs[::-1], score, difference, low, high, chance)


@dataclass(frozen=True, slots=True)
class Side:
    """Games by where or when the winner acted; `share` is that of the decided games, None without any."""

    wins: int
    losses: int
    draws: int
    share: float | None


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A league as it stands: players best first, the sequential test, every pairing, left and first to act.

    `name` is what it is called, "" without a name. `notes` are sentences that its readers must know, such as that its
    program changed on the way. `circle` are three players of whom each surely beats the next and the last the first,
    else nobody.
    """

    name: str
    players: list[TableRow]
    sprt: SprtState | None
    complete: bool
    pairs: int
    pairs_planned: int
    config: str
    seed: int
    schedule: str
    matrix: list[Pairing]
    circle: list[str]
    left: Side
    first: Side
    reasons: dict[str, int]
    turns: int
    notes: list[str] = field(default_factory=list)

    @property
    def cost(self) -> float | None:
        """Return what all players together cost, None where nobody has a price."""
        known = [row.cost for row in self.players if row.cost is not None]
        return sum(known) if known else None

    def values(self) -> dict[str, Any]:
        """Return the table as `table.json` holds it."""
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> LeagueTable:
        """Return the table that `values` returned; raise KeyError, TypeError or ValueError if they are none."""
        return cls(
            name=str(values.get("name", "")),
            players=[_row(each) for each in values["players"]],
            sprt=None if values["sprt"] is None else SprtState(**values["sprt"]),
            complete=bool(values["complete"]),
            pairs=int(values["pairs"]),
            pairs_planned=int(values["pairs_planned"]),
            config=str(values["config"]),
            seed=int(values["seed"]),
            schedule=str(values["schedule"]),
            matrix=[_pairing(each) for each in values["matrix"]],
            circle=[str(name) for name in values.get("circle", ())],
            left=_side(values["left"]),
            first=_side(values["first"]),
            reasons={str(reason): int(count) for reason, count in values["reasons"].items()},
            turns=int(values["turns"]),
            notes=[str(note) for note in values.get("notes", ())],
        )


def _row(values: Mapping[str, Any]) -> TableRow:
    seen = values["latency_s"]
    return TableRow(
        name=str(values["name"]),
        rank=int(values["rank"]),
        rating=float(values["rating"]),
        low=_figure(values["low"]),
        high=_figure(values["high"]),
        games=int(values["games"]),
        wins=int(values["wins"]),
        draws=int(values["draws"]),
        losses=int(values["losses"]),
        score=float(values["score"]),
        pairs=_classes(values["pairs"]),
        los=None if values["los"] is None else float(values["los"]),
        faults={str(fault): int(count) for fault, count in values["faults"].items()},
        latency_s=PlayTimes(int(seen["plays"]), float(seen["median"]), float(seen["max"]), float(seen.get("total", 0))),
        tokens=int(values["tokens"]),
        requests=int(values.get("requests", 0)),
        by_fallback=int(values.get("by_fallback", 0)),
        forfeits=int(values.get("forfeits", 0)),
        cost=_figure(values.get("cost")),
    )


def _pairing(values: Mapping[str, Any]) -> Pairing:
    one, other = values["players"]
    figures = [_figure(values.get(key)) for key in ("score", "difference", "low", "high", "chance")]
    return Pairing([str(one), str(other)], _classes(values["pairs"]), *figures)


def _figure(value: Any) -> float | None:
    return None if value is None else float(value)


def _side(values: Mapping[str, Any]) -> Side:
    share = values["share"]
    wins, losses, draws = (int(values[key]) for key in ("wins", "losses", "draws"))
    return Side(wins, losses, draws, None if share is None else float(share))


def _classes(values: Any) -> list[int]:
    counts = [int(count) for count in values]
    if len(counts) != len(PENTANOMIAL):
        raise ValueError(f"{len(counts)} classes of pairs")
    return counts
