"""What the ready-made orders make of a match of two embedded models: wins, shots, and rounds in which nobody fires.

    python benchmarks/ready_orders.py [--games 30] [--config couch] [--seed 90210] [--pairs]

Plays seeded games of each of the orders against each other, half of them with the seats changed, and prints Markdown
tables: the share of its games that each of the orders wins (a draw is half a win), then for all of them the best and
the worst share, the least shots of both bots in a game, and the rounds that somebody played to their end without a
shot. With --pairs the wins of each pairing stand before them.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from bouts import Bout, Game, fought
from common import BenchmarkParser, progress

from batllm_arcade.brains.ready_made import library
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.match.records import GameEnded, Play, RoundEnded, RoundStarted


class Seen(NamedTuple):
    """What was counted in a game: `silent` are the rounds without a shot."""

    winner: int | None
    shots: int
    silent: int


def seen(game: Game) -> Seen:
    """Return what was counted in a game."""
    shots = here = silent = 0
    winner = None
    for record in game:
        if isinstance(record, RoundStarted):
            here = 0
        elif isinstance(record, Play):
            here += any(isinstance(event, BulletFlew) for event in record.events)
        elif isinstance(record, RoundEnded):
            silent, shots = silent + (not here), shots + here
        elif isinstance(record, GameEnded):
            winner = record.result.winner
    return Seen(winner, shots, silent)


def main() -> None:
    """Print the tables."""
    parser = BenchmarkParser(__doc__, games=2, only="rush")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--only", default="", help="pairs with these orders alone")
    parser.add_argument("--pairs", action="store_true", help="print the wins of each pairing, too")
    wanted = parser.parse()
    orders = dict(library())
    pairs = [pair for pair in combinations(orders, 2) if wanted.only in ("", *pair)]
    seats = [pair[::step] for pair in pairs for step in (1, -1)]
    half = max(1, wanted.games // 2)
    bouts = [
        Bout(wanted.config, "embedded", "embedded", (orders[a], orders[b]), wanted.seed + turned % 2, half)
        for turned, (a, b) in enumerate(seats)
    ]
    won: dict[str, list[float]] = {name: [] for name in orders}
    every: list[Seen] = []
    of_pair: dict[frozenset[str], dict[str, float]] = {}
    for (left, right), found in zip(seats, fought(bouts, seen), strict=True):
        progress(f"{left} against {right}, {half} games")
        every += found
        for name, seat in ((left, 0), (right, 1)):
            points = [0.5 if game.winner is None else float(game.winner == seat) for game in found]
            won[name] += points
            wins = of_pair.setdefault(frozenset((left, right)), {})
            wins[name] = wins.get(name, 0.0) + sum(points)
    if wanted.pairs:
        print("| one | other | one wins | other wins |\n| --- | --- | ---: | ---: |")
        for a, b in pairs:
            print(f"| {a} | {b} | {of_pair[frozenset((a, b))][a]:g} | {of_pair[frozenset((a, b))][b]:g} |")
        print()
    shares = {name: sum(points) / len(points) for name, points in won.items() if points}
    print("| orders | games | won |\n| --- | ---: | ---: |")
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        print(f"| {name} | {len(won[name])} | {share:.0%} |")
    shots, silent = [game.shots for game in every], sum(game.silent for game in every)
    print("\n| best | worst | shots a game | least | silent rounds |\n| ---: | ---: | ---: | ---: | ---: |")
    best, worst = max(shares.values()), min(shares.values())
    print(f"| {best:.1%} | {worst:.1%} | {sum(shots) / len(shots):.1f} | {min(shots)} | {silent} |")


if __name__ == "__main__":
    main()
