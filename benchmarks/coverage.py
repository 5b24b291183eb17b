"""Whether the intervals of a league's table hold the truth as often as they say, in simulated leagues.

    nice -n 15 python benchmarks/coverage.py [--leagues 1000] [--row NUMBER...] [--exact | --looks]

Each league is simulated pair by pair from planted strengths: the two games of a pair share how much their start favours
a side, and a share of the even games is drawn. The program's own code makes the table. Of a row of leagues it prints
how many of all 95% intervals hold the planted rating (an end that is open holds whatever lies on its side), the same
for the player that fares worst and for the differences of each two players, how many leagues have an open end, in how
many anybody is held for better than somebody who is not worse, and the processor time of a table, in ms.

With `--exact` nothing is drawn: of a row of two players the chances of all results are summed up, and of those results
whose interval holds the truth the least likely under it are left out one after the other, as a shorter interval would.

With `--looks` a league is looked at again and again, until somebody is held for better or it has all its pairs, or
until a test has decided: of the figures that are for one look, and of those that hold at any time, it prints in how
many leagues anybody is wrongly held for better, and how many intervals hold the truth where the league ended.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random

from common import BenchmarkParser, progress
from league_statistics import DRAWS, START, pair_weights

from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.rating import (
    Duel,
    Rating,
    RatingGap,
    better,
    chance_of,
    expected_score,
    rate,
    sprt,
    surely,
)
from batllm_arcade.league.statistics.tally import PENTANOMIAL

FIELD = (541.0, 483.0, 398.0, -39.0, -113.0, -173.0, -405.0, -694.0)
"""The ratings of the table in docs/league.md."""
NEXT_TO_NEVER = 1e-5
"""How likely a result has to be that is counted in a sum over all."""


@dataclass(frozen=True)
class Row:
    """Leagues of players of these strengths; a `gauntlet` is the first against all others."""

    text: str
    truth: tuple[float, ...]
    pairs: int
    gauntlet: bool = False
    draws: float = DRAWS
    start: float = START

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Return who meets whom."""
        every = list(combinations(range(len(self.truth)), 2))
        return [each for each in every if not each[0]] if self.gauntlet else every


def spaced(players: int, gap: float) -> tuple[float, ...]:
    """Return strengths so far apart, their mean 0."""
    return tuple(gap * ((players - 1) / 2 - index) for index in range(players))


def _apart(players: int, gap: float, *pairs: int) -> list[Row]:
    apart = f"{gap:g} apart" if gap else "equal"
    return [Row(f"{players} players, {apart}", spaced(players, gap), each) for each in pairs]


ROWS = [
    *_apart(2, 0, 2, 3, 5, 50),
    *_apart(2, 200, 5, 10, 50),
    *_apart(2, 400, 5, 10, 50),
    *_apart(2, 800, 5, 10, 50),
    Row("2 players, equal, 95% draws", spaced(2, 0), 20, draws=0.95, start=0.01),
    Row("2 players, 10 apart, 95% draws", spaced(2, 10), 20, draws=0.95, start=0.01),
    *_apart(4, 300, 5, 25),
    *_apart(4, 600, 25),
    Row("gauntlet of 6, 60 apart", spaced(6, 60), 50, gauntlet=True),
    Row("8 as in docs/league.md", FIELD, 10),
    Row("8 as in docs/league.md", FIELD, 100),
    *_apart(10, 0, 10),
    *_apart(30, 0, 10),
    *_apart(30, 40, 2),
    *_apart(30, 100, 2),
]


@dataclass
class Found:
    """What the leagues of a row came to."""

    held: list[int]
    differences: int = 0
    open: int = 0
    wrong: int = 0
    took_s: float = 0.0
    slowest_s: float = 0.0

    def add(self, row: Row, counts: dict[tuple[int, int], list[int]]) -> None:
        """Rate one league."""
        began = time.process_time()
        ratings = rate(len(row.truth), counts)
        claimed = better(ratings)
        took = time.process_time() - began
        self.took_s, self.slowest_s = self.took_s + took, max(self.slowest_s, took)
        for index, (rating, true) in enumerate(zip(ratings.players, row.truth, strict=True)):
            self.held[index] += holds(rating, true)
        for (one, other), difference in ratings.differences.items():
            self.differences += holds(difference, row.truth[one] - row.truth[other])
        self.open += any(None in (each.low, each.high) for each in ratings.players)
        self.wrong += any(row.truth[above] <= row.truth[below] for above, below in claimed)


def holds(figure: Rating | RatingGap, true: float) -> bool:
    """Return whether an interval holds this value."""
    return (figure.low is None or figure.low <= true) and (figure.high is None or true <= figure.high)


def simulated(row: Row, leagues: int) -> Found:
    """Return what so many leagues come to."""
    stream, found = Random(f"{row.text}/{row.pairs}"), Found([0] * len(row.truth))
    weights = {
        (one, other): pair_weights(row.truth[one] - row.truth[other], row.draws, row.start)
        for one, other in row.pairings
    }
    for _ in range(leagues):
        counts = {}
        for pairing, each in weights.items():
            drawn = stream.choices(range(len(PENTANOMIAL)), each, k=row.pairs)
            counts[pairing] = [drawn.count(place) for place in range(len(PENTANOMIAL))]
        found.add(row, counts)
    return found


def results(pairs: int, weights: Sequence[float]) -> Iterator[tuple[list[int], float]]:
    """Yield the counts of the classes that so many pairs can have, and how likely each is if it is likely enough."""
    total = sum(weights)
    for some in product(range(pairs + 1), repeat=len(weights) - 1):
        if sum(some) > pairs:
            continue
        counts = [*some[:2], pairs - sum(some), *some[2:]]
        ways = math.factorial(pairs) / math.prod(map(math.factorial, counts))
        chance = ways * math.prod((weight / total) ** count for weight, count in zip(weights, counts, strict=True))
        if chance > NEXT_TO_NEVER:
            yield counts, chance


def exact(number: int, row: Row) -> str:
    """Return a row of the table of a sum over all results of two players."""
    gap = row.truth[0] - row.truth[1]
    score, held, kept = expected_score(gap), 0.0, list[tuple[float, float]]()
    for counts, chance in results(row.pairs, pair_weights(gap, row.draws, row.start)):
        if holds(rate(2, {(0, 1): counts}).differences[0, 1], gap):
            held += chance
            kept.append((Duel(counts).drop(score), chance))
    shorter, left = [], held
    for _, chance in sorted(kept, reverse=True):
        left -= chance
        if chance > 0.002:  # a result that shows in the figures
            shorter.append(f"{left:.1%}")
    return f"| {number} | {row.text} | {row.pairs} | {held:.1%} | {', '.join(shorter[:4])} |"


@dataclass(frozen=True)
class Looks:
    """A league that is looked at every so many pairs, and may end then: one of players, or of two with a test."""

    row: Row
    every: int
    test: SprtPlan | None = None


LOOKS = [
    *(Looks(Row("2 players, equal", spaced(2, 0), most), every) for every, most in ((20, 100), (20, 400), (50, 1000))),
    Looks(Row("2 players, equal, 95% draws", spaced(2, 0), 400, draws=0.95, start=0.01), 20),
    Looks(Row("2 players, 50 apart", spaced(2, 50), 400), 20),
    Looks(Row("2 players, 400 apart", spaced(2, 400), 400), 20),
    Looks(Row("4 players, equal", spaced(4, 0), 200), 20),
    *(Looks(Row(f"test of 0 and 50, {gap:g} apart", spaced(2, gap), 2000), 1, SprtPlan(0, 50)) for gap in (0, 25, 50)),
]


def looked_at(looks: Looks, always: bool, leagues: int) -> str:
    """Return how many of so many leagues claimed something wrong, and how many of their last intervals were right."""
    row, wrong, held = looks.row, 0, 0
    stream, truth = Random(f"{row.text}/{row.pairs}/{looks.every}"), row.truth
    weights = {
        (one, other): pair_weights(truth[one] - truth[other], row.draws, row.start) for one, other in row.pairings
    }
    for _ in range(leagues):
        counts = {pairing: [0] * len(PENTANOMIAL) for pairing in weights}
        for _ in range(0, row.pairs, looks.every):
            for pairing, each in weights.items():
                for place in stream.choices(range(len(PENTANOMIAL)), each, k=looks.every):
                    counts[pairing][place] += 1
            if looks.test is not None:
                ends = sprt(counts[0, 1], looks.test).decision is not None
            elif len(truth) == 2:  # quicker than the whole table
                ends = bool(surely({(0, 1): chance_of(Duel(counts[0, 1]).chance(), sum(counts[0, 1]), always)}))
            else:
                ends = bool(better(rate(len(truth), counts, always=always)))
            if ends:
                break
        ratings = rate(len(truth), counts, always=always)
        claimed = better(ratings)
        wrong += any(truth[above] <= truth[below] for above, below in claimed)
        held += sum(holds(gap, truth[one] - truth[other]) for (one, other), gap in ratings.differences.items())
    return f"{wrong / leagues:.1%} | {held / leagues / math.comb(len(truth), 2):.1%}"


def line(number: int, row: Row, leagues: int) -> str:
    """Return a row of the table."""
    found, players = simulated(row, leagues), len(row.truth)
    held, worst = sum(found.held) / leagues / players, min(found.held) / leagues
    differences = found.differences / leagues / math.comb(players, 2)
    shares = f"{held:.1%} | {worst:.1%} | {differences:.1%} | {found.open / leagues:.1%} | {found.wrong / leagues:.1%}"
    times = f"{1000 * found.took_s / leagues:.1f} | {1000 * found.slowest_s:.0f}"
    return f"| {number} | {row.text} | {row.pairs} | {shares} | {times} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, leagues=1)
    parser.add_argument("--leagues", type=int, default=1000)
    parser.add_argument("--row", type=int, nargs="*", help="numbers of rows, from 1; all without them")
    parser.add_argument("--exact", action="store_true", help="sum up all results of two players in 20 pairs at most")
    parser.add_argument("--looks", action="store_true", help="leagues that are looked at again and again")
    options = parser.parse(arguments)
    if options.looks:
        print("| # | leagues | look every | pairs at most | one look: wrong | held | at any time: wrong | held |")
        print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for number, looks in enumerate(LOOKS, 1):
            if number in (options.row or range(1, len(LOOKS) + 1)):
                found = " | ".join(looked_at(looks, always, options.leagues) for always in (False, True))
                print(f"| {number} | {looks.row.text} | {looks.every} | {looks.row.pairs} | {found} |", flush=True)
        return
    if options.exact:
        print("| # | leagues | pairs | held | with one result less, two, ... |\n| ---: | --- | ---: | ---: | --- |")
        for number, row in enumerate(ROWS, 1):
            if len(row.truth) == 2 and row.pairs <= 20 and number in (options.row or range(1, len(ROWS) + 1)):
                print(exact(number, row), flush=True)
        return
    print("| # | leagues | pairs | held | worst player | differences | open end | ranked wrongly | table | slowest |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for number, row in enumerate(ROWS, 1):
        if not options.row or number in options.row:
            progress(f"{options.leagues} leagues of {row.text}, {row.pairs} pairs")
            print(line(number, row, options.leagues), flush=True)


if __name__ == "__main__":
    main()
