"""Whether a league's statistics keep what they promise, in simulated leagues with planted strengths.

    nice -n 10 python benchmarks/league_statistics.py [--leagues 2000] [--only intervals|sprt]

Each league is simulated pair by pair: the two games of a pair share how much their start favours a side, a third of the
even games is drawn. The interval of every player's rating, by the program's own code, should hold the planted one in
95% of the leagues. The SPRT of 0 against 50 Elo (alpha = beta = 0.05) should decide wrongly in at most 5%, whichever
hypothesis is true.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

from common import BenchmarkParser, progress

from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.outcome import PENTANOMIAL
from batllm_arcade.league.statistics.rating import rate
from batllm_arcade.league.statistics.sprt import expected_score, sprt

DRAWS = 1 / 3
"""Share of draws where both are equally good."""
START = 0.25
"""How much the start of a pair moves the expected score of the side it favours."""
FIELDS = ((2, 50), (4, 25))
"""Players, and pairs a pairing."""


def pair_weights(elo: float) -> list[float]:
    """Return the probability of each class of pairs for who is better by so many Elo."""
    score = expected_score(elo)
    weights = [0.0] * len(PENTANOMIAL)
    room = min(START, score - 0.01, 0.99 - score)
    for favour in (-room, room):  # by who is left in the first game; in the second it is the other way round
        games = [_game(score + favour), _game(score - favour)]
        for first, one in enumerate(games[0]):
            for second, other in enumerate(games[1]):
                weights[first + second] += one * other / 2
    return weights


def _game(score: float) -> tuple[float, float, float]:
    """Return the probabilities of loss, draw and win with this expected score."""
    draw = DRAWS * 4 * score * (1 - score)
    return 1 - score - draw / 2, draw, score - draw / 2


def simulated(elo: float, pairs: int, stream: Random) -> list[int]:
    """Return the classes of so many simulated pairs."""
    drawn = stream.choices(range(len(PENTANOMIAL)), pair_weights(elo), k=pairs)
    return [drawn.count(index) for index in range(len(PENTANOMIAL))]


def coverage(players: int, pairs: int, gap: float, leagues: int) -> tuple[float, float]:
    """Return the share of intervals that hold the truth, and their mean width in Elo, players `gap` Elo apart."""
    truth = [gap * (index - (players - 1) / 2) for index in range(players)]
    stream, held, width = Random(f"{players}/{pairs}/{gap}"), 0, 0.0
    for number in range(leagues):
        counts = {
            (one, other): simulated(truth[one] - truth[other], pairs, stream)
            for one, other in combinations(range(players), 2)
        }
        for rating, true in zip(rate(players, counts, seed=number).players, truth, strict=True):
            held += rating.low <= true <= rating.high
            width += rating.high - rating.low
    return held / leagues / players, width / leagues / players


def decisions(true: float, plan: SprtPlan, leagues: int, most: int = 20_000) -> tuple[float, float]:
    """Return the share of tests that accept H1, and the mean number of pairs until a decision."""
    stream, accepted, played = Random(f"{true}/{plan}"), 0, 0
    weights = pair_weights(true)
    for _ in range(leagues):
        classes = [0] * len(PENTANOMIAL)
        for index in stream.choices(range(len(PENTANOMIAL)), weights, k=most):
            classes[index] += 1
            played += 1
            decision = sprt(classes, plan).decision
            if decision is not None:
                accepted += decision == "H1"
                break
    return accepted / leagues, played / leagues


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = BenchmarkParser(__doc__, leagues=3)
    parser.add_argument("--leagues", type=int, default=2000)
    parser.add_argument("--only", choices=("intervals", "sprt"))
    options = parser.parse(arguments)
    if options.only != "sprt":
        print("| players | pairs a pairing | Elo apart | truth within 95% | mean width |")
        print("| ---: | ---: | ---: | ---: | ---: |")
        for players, pairs in FIELDS:
            for gap in (0.0, 50.0, 100.0):
                progress(f"{options.leagues} leagues of {players} players, {gap:g} Elo apart")
                held, width = coverage(players, pairs, gap, options.leagues)
                error = math.sqrt(held * (1 - held) / options.leagues)
                row = f"{held:.1%} ± {2 * error:.1%} | {width:.0f} Elo"
                print(f"| {players} | {pairs} | {gap:g} | {row} |", flush=True)
    if options.only != "intervals":
        plan = SprtPlan(0, 50)
        print("\n| true Elo | accepts H1 | wrong | pairs |\n| ---: | ---: | ---: | ---: |")
        for true in (plan.elo0, plan.elo1):
            progress(f"{options.leagues} tests of {true:g} Elo")
            accepted, took = decisions(true, plan, options.leagues)
            wrong = accepted if true == plan.elo0 else 1 - accepted
            print(f"| {true:g} | {accepted:.1%} | {wrong:.1%} | {took:.0f} |", flush=True)


if __name__ == "__main__":
    main()
