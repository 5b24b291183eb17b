"""The table of a league."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from annotated_types import Len

from batllm_arcade.brains.kinds import Price
from batllm_arcade.errors import quoted
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.plan import LeaguePlan, Schedule, Think
from batllm_arcade.league.statistics import rating as rated
from batllm_arcade.league.statistics.rating import Anchor, Ratings, SprtState, quantile, share_of
from batllm_arcade.league.statistics.tally import AS_PLAYED, PENTANOMIAL, LeagueTally, SideTally, no_faults
from batllm_arcade.league.validation import Count, NotNegative, Positive, Share, Whole, read_as

Classes = Annotated[list[Count], Len(5, 5)]
"""Pairs in the five classes of PENTANOMIAL."""
SCHEMA = "batllm_arcade.league_table.v1"


@dataclass(frozen=True, slots=True)
class PlayTimes:
    """How long a player's plays took, in seconds: the median, the slowest and all together."""

    plays: Count
    median: NotNegative
    max: NotNegative
    total: NotNegative


@dataclass(frozen=True, slots=True)
class TableRow:
    """One player: `rating` in Elo with its 95% interval `low` to `high` (None: open), `score` and `los` as shares of 1.

    `cost` is what its tokens cost, None without a price; `written` are those tokens that it wrote, `legal` is the share
    of its plays with a good answer, `loss` the mean chance that a play has lost, with its 95%. `think`, `temperature`
    and `model` are those with which a model has played, as its server took and called them.
    `pairs` are those of the classes LL, LD, DD+WL, WD, WW; `los` is how likely the player is better than the next one,
    None for the last. `by_fallback` are plays, `forfeits` games that it lost by failing. A new field is written to
    `table.json`; `output/words.py` says in which column it is shown.
    """

    name: str
    rank: Positive
    rating: float
    low: float | None
    high: float | None
    games: Count
    wins: Count
    draws: Count
    losses: Count
    score: Share
    pairs: Classes
    los: Share | None
    faults: dict[str, Count]
    latency_s: PlayTimes
    tokens: Count
    requests: Count
    by_fallback: Count
    forfeits: Count
    cost: NotNegative | None
    written: Count
    legal: Share | None
    loss: Share | None
    loss_low: float | None
    loss_high: float | None
    think: list[str]
    temperature: list[str]
    model: list[str]
    reading: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players against each other, seen by the first: pairs in the five classes, and its score (None: no pair).

    `difference` is how many Elo it is rated higher, by all pairs of the league, 95% lie from `low` to `high` (None:
    open), and `chance` is how likely it is the better one. They are None in a table of an older version.
    """

    players: Annotated[list[str], Len(2, 2)]
    pairs: Classes
    score: Share | None
    difference: float | None
    low: float | None
    high: float | None
    chance: Share | None

    def mirrored(self) -> Pairing:
        """Return the pairing as the second player sees it."""
        score, chance = (None if share is None else 1 - share for share in (self.score, self.chance))
        difference, high, low = (None if elo is None else -elo for elo in (self.difference, self.low, self.high))
        return Pairing(self.players[::-1], self.pairs[::-1], score, difference, low, high, chance)


@dataclass(frozen=True, slots=True)
class Side:
    """Games by where or when the winner acted; `share` is that of the decided games, None without any."""

    wins: Count
    losses: Count
    draws: Count
    share: Share | None


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A league as it stands: players best first, the sequential test, every pairing, left and first to act.

    `name` is what it is called, "" without a name. `notes` are sentences that its readers must know, such as that its
    program changed on the way. `anchor` is the player whose rating is set, `always` that all intervals, chances and
    ranks hold however often one has looked. `circle` are three players of whom each surely beats the next and the last
    the first, else nobody.
    """

    name: str
    players: list[TableRow]
    sprt: SprtState | None
    complete: bool
    pairs: Count
    pairs_planned: Positive
    config: str
    seed: Whole
    schedule: Schedule
    shared: bool | None
    think: Think
    temperature: str
    always: bool
    anchor: str | None
    matrix: list[Pairing]
    circle: list[str]
    left: Side
    first: Side
    reasons: dict[str, Count]
    turns: Count
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
    def read(cls, values: Any) -> LeagueTable:
        """Return the table that `values` returned; raise UsageError, which names the place, if they are none."""
        table = read_as(cls, _filled(values, OLDER), "the table")
        names = [row.name for row in table.players]
        if len(names) < 2 or len(names) != len(set(names)):
            raise HistoryError("'players' of the table must be two or more, each once")
        for pairing in table.matrix:
            if len({*pairing.players} & {*names}) != 2:
                raise HistoryError(f"'matrix' of the table must be of two players each, not {quoted(pairing.players)}")
        if len(table.circle) not in (0, 3) or not {*table.circle} <= {*names}:
            raise HistoryError(f"'circle' of the table must be none or three players, not {quoted(table.circle)}")
        return table


OLDER: Mapping[str, Any] = {
    "name": "", "circle": [], "notes": [], "shared": None, "think": "auto", "temperature": "auto", "always": False,
    "anchor": None,
    "players": {
        "requests": 0, "by_fallback": 0, "forfeits": 0, "cost": None, "written": 0, "legal": None,
        "loss": None, "loss_low": None, "loss_high": None,
        "think": [], "temperature": [], "model": [], "reading": "",
        "faults": no_faults(), "latency_s": {"total": 0.0},
    },
    "matrix": {"difference": None, "low": None, "high": None, "chance": None},
}  # fmt: skip
"""What tables of earlier versions lack."""


def _filled(values: Any, older: Any) -> Any:
    """Return the values with what they lack, inside of lists and mappings, too."""
    if isinstance(older, dict) and isinstance(values, list):
        return [_filled(each, older) for each in values]
    if not (isinstance(older, dict) and isinstance(values, dict)):
        return values
    lacking = {key: value for key, value in older.items() if not isinstance(value, dict)}
    return {**lacking, **{key: _filled(value, older.get(key)) for key, value in values.items()}}


CARRIED = "what models note is carried from game to game of two players"
NO_PRICES: Mapping[str, Price] = {}
NO_READINGS: Mapping[str, str] = {}


def table(
    plan: LeaguePlan,
    tally: LeagueTally,
    *,
    complete: bool,
    notes: Sequence[str] = (),
    name: str = "",
    prices: Mapping[str, Price] = NO_PRICES,
    anchor: Anchor | None = None,
    readings: Mapping[str, str] = NO_READINGS,
) -> LeagueTable:
    """Return the table as it stands, equal for equal sums.

    `notes` are sentences that its readers must know, `name` is what the league is called, `prices` are by player.
    """
    classes = tally.classes()
    ratings = rated.rate(len(plan.players), classes, always=plan.looked_at)
    placed = rated.ranks(ratings)
    if anchor is not None:
        ratings = rated.anchored(ratings, tally.names.index(anchor.player), anchor.elo)
    order = sorted(range(len(plan.players)), key=lambda player: (-round(ratings.players[player].value, 6), player))
    return LeagueTable(
        name=name,
        players=[
            _row(order, place, placed, ratings, tally, classes, prices, plan.looked_at, readings)
            for place in range(len(order))
        ],
        sprt=rated.sprt(next(iter(classes.values())), plan.sprt) if plan.sprt is not None else None,
        complete=complete,
        pairs=tally.pairs,
        pairs_planned=plan.total,
        config=plan.config,
        seed=plan.seed,
        schedule=plan.schedule,
        shared=plan.shared,
        think=plan.think,
        temperature=plan.temperature,
        always=plan.looked_at,
        anchor=None if anchor is None else anchor.player,
        matrix=_matrix(order, ratings, tally, classes),
        circle=[tally.names[player] for player in rated.circle(classes, always=plan.looked_at)],
        left=_standing_side(tally.left),
        first=_standing_side(tally.first),
        reasons=dict(sorted(tally.reasons.items())),
        turns=tally.turns,
        notes=[*notes, *([CARRIED] if plan.notes == "league" else [])],
    )


def is_decided(plan: LeaguePlan, tally: LeagueTally) -> bool:
    """Return whether the league's sequential test has decided, so that no further pair is needed."""
    if plan.sprt is None:
        return False
    return rated.sprt(next(iter(tally.classes().values())), plan.sprt).decision is not None


def _row(
    order: list[int],
    place: int,
    placed: list[int],
    ratings: Ratings,
    tally: LeagueTally,
    classes: Mapping[tuple[int, int], list[int]],
    prices: Mapping[str, Price],
    always: bool,
    readings: Mapping[str, str],
) -> TableRow:
    player = order[place]
    rating, own, name = ratings.players[player], tally.players[player], tally.names[player]
    times, read = own.latencies, {"prompt": own.tokens - own.written, "completion": own.written}
    after = order[place + 1] if place + 1 < len(order) else None
    loss, error = own.loss.mean, own.loss.deviation
    reach = None if error is None else error * quantile(0.5 + share_of(own.loss.pairs, always) / 2, own.loss.pairs - 1)
    return TableRow(
        name=name,
        rank=placed[player],
        rating=_rounded(rating.value, 1) or 0.0,
        low=_rounded(rating.low, 1),
        high=_rounded(rating.high, 1),
        games=own.games,
        wins=own.wins,
        draws=own.draws,
        losses=own.losses,
        score=round((own.wins + own.draws / 2) / own.games, 4) if own.games else 0.5,
        pairs=_pairs_of(player, classes),
        los=None if after is None else round(ratings.difference(player, after).chance, 4),
        faults=dict(own.faults),
        latency_s=PlayTimes(times.plays, round(times.median, 6), round(times.slowest, 6), round(times.total, 3)),
        tokens=own.tokens,
        requests=own.requests,
        by_fallback=own.by_fallback,
        forfeits=own.forfeits,
        written=own.written,
        legal=round(1 - sum(own.faults.values()) / times.plays, 4) if times.plays else None,
        loss=_rounded(loss, 4),
        loss_low=None if loss is None or reach is None else round(max(0.0, loss - reach), 4),
        loss_high=None if loss is None or reach is None else round(loss + reach, 4),
        reading=readings.get(name, ""),
        **{key: own.as_played.get(key, []) for key in AS_PLAYED},
        cost=round(prices[name].of(read), 9) if name in prices else None,
    )


def _rounded(value: float | None, digits: int) -> float | None:
    """Return a figure of the table: no negative zero."""
    return None if value is None else round(value, digits) + 0.0


def _pairs_of(player: int, classes: Mapping[tuple[int, int], list[int]]) -> list[int]:
    total = [0] * len(PENTANOMIAL)
    for (one, other), counts in classes.items():
        own = counts if player == one else counts[::-1] if player == other else []
        for index, count in enumerate(own):
            total[index] += count
    return total


def _matrix(
    order: list[int], ratings: Ratings, tally: LeagueTally, classes: Mapping[tuple[int, int], list[int]]
) -> list[Pairing]:
    pairings = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            counts = classes.get((one, other)) or (classes[other, one][::-1] if (other, one) in classes else None)
            if counts is None:
                continue
            pairs = sum(counts)
            points = sum(score * count for score, count in zip(PENTANOMIAL, counts, strict=True))
            names = [tally.names[one], tally.names[other]]
            score = round(points / pairs, 4) if pairs else None
            gap = ratings.difference(one, other)
            value, low, high = (_rounded(figure, 1) for figure in (gap.value, gap.low, gap.high))
            pairings.append(Pairing(names, counts, score, value, low, high, round(gap.chance, 4)))
    return pairings


def _standing_side(side: SideTally) -> Side:
    share = side.share
    return Side(side.first, side.other, side.draws, None if share is None else round(share, 4))
