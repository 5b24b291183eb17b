"""The table of a league, made of its sums; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from batllm_arcade.brains.price import Price
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.ranks import circle, ranks
from batllm_arcade.league.statistics.rating import RatingGap, Ratings, rate
from batllm_arcade.league.statistics.sprt import sprt
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, PlayTimes, Side, TableRow
from batllm_arcade.league.statistics.tally import LeagueTally, PlayerTally, SideTally

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
    rows = [_row(order, place, placed, ratings, tally, classes) for place in range(len(order))]
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
        left=_side(tally.left),
        first=_side(tally.first),
        reasons=dict(sorted(tally.reasons.items())),
        turns=tally.turns,
        notes=list(notes),
    )


def is_decided(plan: LeaguePlan, tally: LeagueTally) -> bool:
    """Return whether the league's sequential test has decided, so that no further pair is needed."""
    if plan.sprt is None:
        return False
    return sprt(next(iter(tally.classes().values())), plan.sprt).decision is not None


def _row(
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
    """Return all pairs of a player in the five classes, as it sees them."""
    found = [0] * len(PENTANOMIAL)
    for (one, other), counts in classes.items():
        own = counts if player == one else counts[::-1] if player == other else []
        for index, count in enumerate(own):
            found[index] += count
    return found


def _matrix(
    order: list[int], ratings: Ratings, tally: LeagueTally, classes: Mapping[tuple[int, int], list[int]]
) -> list[Pairing]:
    """Return each pairing that is planned, in the order of the table, seen by its better player."""
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


def _side(side: SideTally) -> Side:
    share = side.share
    return Side(side.first, side.other, side.draws, None if share is None else round(share, 4))
