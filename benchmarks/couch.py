"""How games end, and how long they take, under a configuration.

    python benchmarks/couch.py [--config couch] [--games 50] [--model]

Every pair of scripted characters plays seeded games (with --model the embedded model plays against each of
them, too). `shown` is how long the animation of a game takes, thinking not counted.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from batllm_arcade import config, match, plugin_manager
from batllm_arcade.brains import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.records import GameEnded, Play, Record
from batllm_arcade.seating import Table
from batllm_arcade.view.timeline import Timeline

CHARACTERS = ("scripted:sharpshooter", "scripted:turtle", "scripted:dancer", "scripted:random")


def games(left: str, right: str, rules: Rules, count: int) -> Iterator[list[Record]]:
    """The records of each of `count` games, one seed each."""
    table = Table(
        plugin_manager.load().kinds, (Spec.parse(left), Spec.parse(right)), fallback=Spec("scripted", "random")
    )
    table.prepare(lambda _: None)
    plan = match.MatchPlan(rules, seed=1, games=count, header_template="$commands")
    game: list[Record] = []
    for record in match.games(plan, table):
        game.append(record)
        if isinstance(record, GameEnded):
            yield game
            game = []
    table.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", default="couch")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--rule", action="append", default=[], help="NAME=NUMBER, to try other figures")
    options = parser.parse_args()
    rules = config.load(options.config).rules
    for rule in options.rule:
        name, _, value = rule.partition("=")
        number = float(value)
        rules = replace(rules, **{name: (number, number) if name in ("bullet_damage", "initial_health") else number})
    pairs = list(combinations(CHARACTERS, 2))
    if options.model:
        pairs += [("embedded", character) for character in CHARACTERS]
    print("| left | right | knock-outs | left wins | draws | turns (10%, median, 90%) | shown, median s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for left, right in pairs:
        ends, wins, turns, shown = Counter[str](), Counter[object](), [], []
        for game in games(left, right, rules, options.games):
            result = game[-1].result  # type: ignore[union-attr]
            ends[result.reason] += 1
            wins[result.winner] += 1
            turns.append(sum(isinstance(record, Play) for record in game) / 2)
            shown.append(Timeline.of(game).end)
        turns.sort()
        spread = f"{turns[len(turns) // 10]:.0f}, {statistics.median(turns):.0f}, {turns[len(turns) * 9 // 10]:.0f}"
        count, half = options.games, statistics.median(shown)
        names = f"{left.partition(':')[2] or left} | {right.partition(':')[2]}"
        shares = " | ".join(f"{part / count:.0%}" for part in (ends["knockout"], wins[0], wins[None]))
        print(f"| {names} | {shares} | {spread} | {half:.0f} |")


if __name__ == "__main__":
    main()
