"""Whether a league's sequential test keeps what it promises, in simulated tests with planted strengths.

    nice -n 10 python benchmarks/league_statistics.py [--leagues 2000]

Each test is simulated pair by pair: the two games of a pair share how much their start favours a side, a third of the
even games is drawn. The SPRT of 0 against 50 Elo (alpha = beta = 0.05) should decide wrongly in about 5%, whichever
hypothesis is true. Of the intervals `coverage.py` tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from common import BenchmarkParser, progress

from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.rating import expected_score, sprt
from batllm_arcade.league.statistics.tally import PENTANOMIAL

DRAWS = 1 / 3
"""Share of draws where both are equally good."""
START = 0.25
"""How much the start of a pair moves the expected score of the side it favours."""


def pair_weights(elo: float, draws: float = DRAWS, start: float = START) -> list[float]:
    """Return the probability of each class of pairs for who is better by so many Elo."""
    score = expected_score(elo)
    weights = [0.0] * len(PENTANOMIAL)
    room = max(0.0, min(start, score - 0.01, 0.99 - score))
    for favour in (-room, room):  # by who is left in the first game; in the second it is the other way round
        games = [_game(score + favour, draws), _game(score - favour, draws)]
        for first, one in enumerate(games[0]):
            for second, other in enumerate(games[1]):
                weights[first + second] += one * other / 2
    return weights


def _game(score: float, draws: float) -> tuple[float, float, float]:
    """Return the probabilities of loss, draw and win with this expected score."""
    draw = draws * 4 * score * (1 - score)
    return 1 - score - draw / 2, draw, score - draw / 2


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
    """Print the table."""
    parser = BenchmarkParser(__doc__, leagues=3)
    parser.add_argument("--leagues", type=int, default=2000, help="tests of either hypothesis")
    options = parser.parse(arguments)
    plan = SprtPlan(0, 50)
    print("| true Elo | accepts H1 | wrong | pairs |\n| ---: | ---: | ---: | ---: |")
    for true in (plan.elo0, plan.elo1):
        progress(f"{options.leagues} tests of {true:g} Elo")
        accepted, took = decisions(true, plan, options.leagues)
        wrong = accepted if true == plan.elo0 else 1 - accepted
        print(f"| {true:g} | {accepted:.1%} | {wrong:.1%} | {took:.0f} |", flush=True)


if __name__ == "__main__":
    main()
