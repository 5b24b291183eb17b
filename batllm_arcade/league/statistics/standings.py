"""The table of a league, made of its sums; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.rating import RESAMPLES, Rating, Ratings, rate
from batllm_arcade.league.statistics.sprt import sprt
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, PlayTimes, Side, TableRow
from batllm_arcade.league.statistics.tally import LeagueTally, PlayerTally, SideTally


def table(
    plan: LeaguePlan, tally: LeagueTally, *, complete: bool, resamples: int = RESAMPLES, notes: Sequence[str] = ()
) -> LeagueTable:
    """Return the table as it stands; `notes` are sentences that its readers must know.

    Equal sums give equal tables: the bootstrap is seeded by the league's own seed.
    """
    classes = tally.classes()
    ratings = rate(len(plan.players), classes, resamples=resamples, seed=plan.seed)
    order = sorted(range(len(plan.players)), key=lambda player: (-ratings.players[player].value, player))
    return LeagueTable(
        players=[_row(order, place, ratings, tally, classes) for place in range(len(order))],
        sprt=sprt(next(iter(classes.values())), plan.sprt) if plan.sprt is not None else None,
        complete=complete,
        pairs=tally.pairs,
        pairs_planned=plan.total,
        config=plan.config,
        seed=plan.seed,
        schedule=plan.schedule,
        matrix=_matrix(order, tally, classes),
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


def rank(ratings: list[Rating], player: int) -> int:
    """Return 1 + the number of players whose `low` lies above this player's `high`: who overlaps shares a rank."""
    return 1 + sum(other.low > ratings[player].high for other in ratings)


def _row(
    order: list[int], place: int, ratings: Ratings, tally: LeagueTally, classes: Mapping[tuple[int, int], list[int]]
) -> TableRow:
    player = order[place]
    rating, own = ratings.players[player], tally.players[player]
    after = order[place + 1] if place + 1 < len(order) else None
    return TableRow(
        name=tally.names[player],
        rank=rank(ratings.players, player),
        rating=round(rating.value, 1),
        low=round(rating.low, 1),
        high=round(rating.high, 1),
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
    )


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


def _matrix(order: list[int], tally: LeagueTally, classes: Mapping[tuple[int, int], list[int]]) -> list[Pairing]:
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
            found.append(Pairing(names, counts, round(points / pairs, 4) if pairs else None))
    return found


def _side(side: SideTally) -> Side:
    share = side.share
    return Side(side.first, side.other, side.draws, None if share is None else round(share, 4))
