"""The table of a league."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from batllm_arcade.brains.kinds import Price
from batllm_arcade.history.node import Node
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.rating import RatingGap, Ratings, SprtState, circle, ranks, rate, sprt
from batllm_arcade.league.statistics.tally import FAULTS, PENTANOMIAL, LeagueTally, PlayerTally, SideTally

# -- The table of a league as typed values, and as the plain ones of `table.json`; pure

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
    def of(cls, values: Any) -> LeagueTable:
        """Return the table that `values` returned; raise UsageError, which names the place, if they are none."""
        node = Node(values, "the table")
        names = [each["name"].text() for each in node["players"].items("player")]
        if len(names) < 2 or len(names) != len(set(names)):
            raise node["players"].refuse("must be two or more, each once")
        return cls(
            name=node.get("name", "").text(),
            players=[_row(each) for each in node["players"].items("player")],
            sprt=node["sprt"].optional(_test),
            complete=node["complete"].one_of((True, False)),
            pairs=node["pairs"].count(),
            pairs_planned=node["pairs_planned"].count(),
            config=node["config"].text(),
            seed=node["seed"].whole(),
            schedule=node["schedule"].text(),
            matrix=[_pairing(each, names) for each in node["matrix"].items("pairing")],
            circle=_circle(node.get("circle", []), names),
            left=_side(node["left"]),
            first=_side(node["first"]),
            reasons={reason: count.count() for reason, count in node["reasons"].members()},
            turns=node["turns"].count(),
            notes=[note.text() for note in node.get("notes", []).items("note")],
        )


def _circle(node: Node, names: Sequence[str]) -> list[str]:
    found = [each.one_of(tuple(names)) for each in node.items("player")]
    if len(found) not in (0, 3):
        raise node.refuse("must be none or three players")
    return found


def _row(node: Node) -> TableRow:
    seen = node["latency_s"]
    return TableRow(
        name=node["name"].text(),
        rank=node["rank"].count(1),
        rating=node["rating"].number(),
        low=node["low"].optional(Node.number),
        high=node["high"].optional(Node.number),
        games=node["games"].count(),
        wins=node["wins"].count(),
        draws=node["draws"].count(),
        losses=node["losses"].count(),
        score=_share(node["score"]),
        pairs=_classes(node["pairs"]),
        los=node["los"].optional(_share),
        faults={fault: node["faults"].get(fault, 0).count() for fault in FAULTS},
        latency_s=PlayTimes(
            seen["plays"].count(), seen["median"].number(0), seen["max"].number(0), seen.get("total", 0.0).number(0)
        ),
        tokens=node["tokens"].count(),
        requests=node.get("requests", 0).count(),
        by_fallback=node.get("by_fallback", 0).count(),
        forfeits=node.get("forfeits", 0).count(),
        cost=node.get("cost", None).optional(lambda cost: cost.number(0)),
    )


def _pairing(node: Node, names: Sequence[str]) -> Pairing:
    both = [each.one_of(tuple(names)) for each in node["players"].items("player")]
    if len(both) != 2 or both[0] == both[1]:
        raise node["players"].refuse("must be two")
    score, chance = (node.get(key, None).optional(_share) for key in ("score", "chance"))
    difference, low, high = (node.get(key, None).optional(Node.number) for key in ("difference", "low", "high"))
    return Pairing(both, _classes(node["pairs"]), score, difference, low, high, chance)


def _test(node: Node) -> SprtState:
    llr, lower, upper = (node[key].number() for key in ("llr", "lower", "upper"))
    return SprtState(llr, lower, upper, node["decision"].one_of(("H0", "H1", None)))


def _share(node: Node) -> float:
    if not 0 <= node.number(0) <= 1:
        raise node.refuse("must be a share of 1")
    return node.number()


def _side(node: Node) -> Side:
    wins, losses, draws = (node[key].count() for key in ("wins", "losses", "draws"))
    return Side(wins, losses, draws, node["share"].optional(_share))


def _classes(node: Node) -> list[int]:
    counts = [each.count() for each in node.items("class")]
    if len(counts) != len(PENTANOMIAL):
        raise node.refuse(f"must have {len(PENTANOMIAL)} classes of pairs")
    return counts


# -- The table of a league, made of its sums; pure

NO_PRICES: Mapping[str, Price] = {}


def table(
    plan: LeaguePlan,
    tally: LeagueTally,
    *,
    complete: bool,
    notes: Sequence[str] = (),
    name: str = "",
    prices: Mapping[str, Price] = NO_PRICES,
) -> LeagueTable:
    """Return the table as it stands, equal for equal sums.

    `notes` are sentences that its readers must know, `name` is what the league is called, `prices` are by player.
    """
    classes = tally.classes()
    ratings = rate(len(plan.players), classes)
    placed = ranks(ratings)
    order = sorted(range(len(plan.players)), key=lambda player: (-round(ratings.players[player].value, 6), player))
    rows = [_standing(order, place, placed, ratings, tally, classes) for place in range(len(order))]
    return LeagueTable(
        name=name,
        players=[replace(row, cost=_cost(tally.player(row.name), prices.get(row.name))) for row in rows],
        sprt=sprt(next(iter(classes.values())), plan.sprt) if plan.sprt is not None else None,
        complete=complete,
        pairs=tally.pairs,
        pairs_planned=plan.total,
        config=plan.config,
        seed=plan.seed,
        schedule=plan.schedule,
        matrix=_matrix(order, ratings, tally, classes),
        circle=[tally.names[player] for player in circle(classes)],
        left=_standing_side(tally.left),
        first=_standing_side(tally.first),
        reasons=dict(sorted(tally.reasons.items())),
        turns=tally.turns,
        notes=list(notes),
    )


def is_decided(plan: LeaguePlan, tally: LeagueTally) -> bool:
    """Return whether the league's sequential test has decided, so that no further pair is needed."""
    if plan.sprt is None:
        return False
    return sprt(next(iter(tally.classes().values())), plan.sprt).decision is not None


def _standing(
    order: list[int],
    place: int,
    placed: list[int],
    ratings: Ratings,
    tally: LeagueTally,
    classes: Mapping[tuple[int, int], list[int]],
) -> TableRow:
    player = order[place]
    rating, own = ratings.players[player], tally.players[player]
    after = order[place + 1] if place + 1 < len(order) else None
    return TableRow(
        name=tally.names[player],
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
        los=None if after is None else round(ratings.superiority(player, after), 4),
        faults=dict(own.faults),
        latency_s=_play_times(own),
        tokens=own.tokens,
        requests=own.requests,
        by_fallback=own.by_fallback,
        forfeits=own.forfeits,
        cost=None,
    )


def _cost(own: PlayerTally, price: Price | None) -> float | None:
    read = {"prompt": own.tokens - own.written, "completion": own.written}
    return None if price is None else round(price.of(read), 9)


def _rounded(value: float | None, digits: int) -> float | None:
    """Return a figure of the table: no negative zero."""
    return None if value is None else round(value, digits) + 0.0


def _play_times(own: PlayerTally) -> PlayTimes:
    seen = own.latencies
    return PlayTimes(seen.plays, round(seen.median, 6), round(seen.slowest, 6), round(seen.total, 3))


def _pairs_of(player: int, classes: Mapping[tuple[int, int], list[int]]) -> list[int]:
    found = [0] * len(PENTANOMIAL)
    for (one, other), counts in classes.items():
        own = counts if player == one else counts[::-1] if player == other else []
        for index, count in enumerate(own):
            found[index] += count
    return found


def _matrix(
    order: list[int], ratings: Ratings, tally: LeagueTally, classes: Mapping[tuple[int, int], list[int]]
) -> list[Pairing]:
    found = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            counts = classes.get((one, other)) or (classes[other, one][::-1] if (other, one) in classes else None)
            if counts is None:
                continue
            pairs = sum(counts)
            points = sum(score * count for score, count in zip(PENTANOMIAL, counts, strict=True))
            names = [tally.names[one], tally.names[other]]
            score = round(points / pairs, 4) if pairs else None
            found.append(Pairing(names, counts, score, *_figures(ratings.difference(one, other))))
    return found


def _figures(difference: RatingGap) -> tuple[float | None, ...]:
    elo = (_rounded(each, 1) for each in (difference.value, difference.low, difference.high))
    return *elo, round(difference.chance, 4)


def _standing_side(side: SideTally) -> Side:
    share = side.share
    return Side(side.first, side.other, side.draws, None if share is None else round(share, 4))
