"""Whether the chances of `analyse` are right on fresh games, and how long it takes.

    nice -n 15 python benchmarks/analysis.py [--games 1000] [--seed 5000000] [--timed 20]

Games of the characters, the strategists and the player of the embedded model under the four shipped configurations,
with seeds that no fit has seen. Prints the chances of both sides that were said after each play against what became of
the game, in ten bins, the Brier score, and the processor time of whole analyses.
"""

from __future__ import annotations

import runpy
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from common import BenchmarkParser, progress

from batllm_arcade.analysis.game import analyse_game, fit_for, positions
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.settings import config

SIMULATE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "training" / "analysis" / "simulate.py"))
Bins = list[dict[int, list[tuple[float, float]]]]
"""For each tenth of chance what was said in each game, and the score of that side."""


def said(records: list[Record], name: str) -> list[float]:
    """Return the chance of left after each play of a game."""
    rules = config.load(name).rules
    fit = fit_for(rules)
    chances = [(at.mover, fit.chance(at, rules)) for at in positions(records)]
    return [chance if mover == 0 else 1 - chance for mover, chance in chances]


def score(records: list[Record]) -> float:
    """Return what left made of the game: 1, 0.5 or 0."""
    (winner,) = (record.result.winner for record in records if isinstance(record, GameEnded))
    return 0.5 if winner is None else 1.0 - winner


def table(bins: Bins) -> str:
    """Return the bins as a Markdown table."""
    lines = ["| said | came | off | positions | of games |", "| ---: | ---: | ---: | ---: | ---: |"]
    for games in bins:
        count = sum(map(len, games.values()))
        if count:
            mean, came = (sum(pair[at] for pairs in games.values() for pair in pairs) / count for at in (0, 1))
            lines.append(f"| {mean:.1%} | {came:.1%} | {100 * (came - mean):+.1f} | {count:,} | {len(games)} |")
    return "\n".join(lines)


def calibration(games: int, seed: int) -> None:
    """Play fresh games, and print what was said of them and what came."""
    bins: Bins = [defaultdict(list) for _ in range(10)]
    errors = []
    for number in range(games):
        name = SIMULATE["CONFIGS"][number % len(SIMULATE["CONFIGS"])]
        _, records = SIMULATE["match"](name, seed + number)
        left = score(records)
        for chance in said(records, name):
            for side, came in ((chance, left), (1 - chance, 1 - left)):
                bins[min(9, int(10 * side))][number].append((side, came))
            errors.append((chance - left) ** 2)
        if (number + 1) % 100 == 0:
            progress(f"{number + 1} games")
    print(table(bins))
    print(f"\nBrier score {sum(errors) / max(1, len(errors)):.3f} over {len(errors):,} positions\n")


def times(games: int, seed: int) -> None:
    """Print the processor time that the analysis of 100 plays takes under each configuration."""
    print("| configuration | plays | s for 100 plays |\n| --- | ---: | ---: |")
    for name in SIMULATE["CONFIGS"]:
        found = [SIMULATE["match"](name, seed + number)[1] for number in range(games)]
        plays = sum(isinstance(record, Play) for records in found for record in records)
        began = time.process_time()
        for records in found:
            list(analyse_game(records))
        print(f"| {name} | {plays} | {100 * (time.process_time() - began) / plays:.2f} |")


def main() -> None:
    """Measure both."""
    parser = BenchmarkParser(__doc__, games=4, timed=1)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=5_000_000)
    parser.add_argument("--timed", type=int, default=20)
    options = parser.parse()
    calibration(options.games, options.seed)
    times(options.timed, options.seed)


if __name__ == "__main__":
    main()
