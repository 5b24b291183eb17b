"""What the ready-made orders make of a match of two embedded models: shots, and rounds in which nobody fires.

    python benchmarks/ready_orders.py [--games 10] [--config couch] [--seed 7]

Plays seeded games of each of the orders against each, and prints a Markdown table: the shots of both bots a game, the
least of any game, the rounds that somebody played to their end without a shot, and the wins. PEACEFUL orders are
marked, and left out of the last line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from common import BenchmarkParser, progress

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.ready_made import library
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.match.records import GameEnded, Play, Record, RoundEnded, RoundStarted
from batllm_arcade.match.runner import MatchPlan, games
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config

PEACEFUL: tuple[str, ...] = ()
"""Orders that ask for no fight."""


@dataclass
class Seen:
    """What was counted over the games of a pair."""

    shots: list[int] = field(default_factory=list)
    silent: int = 0
    wins: list[int | None] = field(default_factory=list)

    def add(self, records: Iterator[Record]) -> None:
        """Count the games of a match."""
        game = here = 0
        for record in records:
            if isinstance(record, RoundStarted):
                here = 0
            elif isinstance(record, Play):
                here += any(isinstance(event, BulletFlew) for event in record.events)
            elif isinstance(record, RoundEnded):
                self.silent += not here
                game += here
            elif isinstance(record, GameEnded):
                self.shots.append(game)
                self.wins.append(record.result.winner)
                game = 0


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, games=1, only="rush")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="", help="pairs with these orders alone")
    wanted = parser.parse()
    chosen, brains, orders = config.load(wanted.config), manager.load().kinds, dict(library())
    table = Table(brains, (Spec("embedded"), Spec("embedded")), fallback=chosen.fallback)
    table.prepare(lambda _: None)
    print("| left | right | shots a game | least | silent rounds | left wins | right wins |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    fights: list[Seen] = []
    try:
        for pair in combinations_with_replacement(orders, 2):
            if wanted.only and wanted.only not in pair:
                continue
            progress(f"{' against '.join(pair)}, {wanted.games} games")
            seen, prompts = Seen(), (orders[pair[0]], orders[pair[1]])
            plan = MatchPlan(chosen.rules, wanted.seed, wanted.games, prompts, chosen.style, chosen.header_template)
            seen.add(games(plan, table))
            fights += [] if set(pair) & set(PEACEFUL) else [seen]
            names = " | ".join(name + " (peaceful)" * (name in PEACEFUL) for name in pair)
            mean, least = sum(seen.shots) / len(seen.shots), min(seen.shots)
            print(f"| {names} | {mean:.1f} | {least} | {seen.silent} | {seen.wins.count(0)} | {seen.wins.count(1)} |")
    finally:
        table.close()
    means = [sum(seen.shots) / len(seen.shots) for seen in fights]
    silent = sum(seen.silent for seen in fights)
    print(f"\nWithout the peaceful: {min(means):.1f} shots a game or more, {silent} silent rounds.")


if __name__ == "__main__":
    main()
