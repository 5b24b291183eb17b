"""What the shield is worth to who looks ahead: a strategist against one that never raises it.

    nice -n 10 python benchmarks/shieldless.py [--config arena] [--games 200] [--depth 3]

Half of the games are played with the seats changed. Prints a Markdown table.
"""

from __future__ import annotations

from collections.abc import Iterator

from batllm_arcade_plugins import scripted
from common import BenchmarkParser, progress

from batllm_arcade.analysis import game
from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.match.records import GameEnded
from batllm_arcade.match.runner import MatchPlan, games
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config


def without_shield(bare: int) -> None:
    """Let nobody who looks ahead consider that the bot at that seat raises its shield."""

    def plays(me: BotView, foe: BotView) -> Iterator[str | None]:
        for token in PLAYS(me, foe):
            if not (token == "S1" and me._seat == bare):
                yield token

    scripted.likely_plays = game.likely_plays = plays


PLAYS = game.likely_plays


def main() -> None:
    """Play the games and print the table."""
    parser = BenchmarkParser(__doc__, games=2, depth=1)
    parser.add_argument("--config", default="arena")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--depth", type=int, default=3)
    options = parser.parse()
    rules, player = config.load(options.config).rules, Spec.parse(f"scripted:strategist,depth={options.depth}")
    winners: list[bool | None] = []
    for bare in (1, 0):
        progress(f"{options.games // 2} games, the one at seat {bare} without a shield")
        without_shield(bare)
        table = Table(manager.load().kinds, (player, player), fallback=Spec("scripted", "random"))
        table.prepare(lambda _: None)
        plan = MatchPlan(rules, seed=1 + bare, games=options.games // 2, header_template="$commands")
        ended = [record.result.winner for record in games(plan, table) if isinstance(record, GameEnded)]
        winners += [None if winner is None else winner != bare for winner in ended]
        table.close()
    print("| games | won with a shield | won without | drawn |\n| ---: | ---: | ---: | ---: |")
    count = max(1, len(winners))
    print("| " + " | ".join([str(count), *(f"{winners.count(who) / count:.0%}" for who in (True, False, None))]) + " |")


if __name__ == "__main__":
    main()
