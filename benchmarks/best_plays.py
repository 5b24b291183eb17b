"""Whether the best plays of `analyse` are better than those made, where a play has a mark for what it lost.

    nice -n 15 python benchmarks/best_plays.py [--positions 200] [--plays 40] [--depth 3] [--seconds 600]

Marked positions of fresh games under the four shipped configurations, a game giving at most two. From each the game is
played on by the strategist of this depth against itself, as often with the best play as with the one made and with the
same acting orders and random streams. Prints how many points more the best play brought, in all and by mark, and in how
many positions it brought no less.
"""

from __future__ import annotations

import runpy
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from batllm_arcade_plugins.scripted import Strategist
from common import BenchmarkParser, progress

from batllm_arcade.analysis.game import Analysed, analyse_game
from batllm_arcade.brains.bot_view import BotView
from batllm_arcade.brains.functions import BotClock
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import knocked_out, outcome
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.settings import config

SIMULATE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "training" / "analysis" / "simulate.py"))
OF_A_GAME = 2


class Found(NamedTuple):
    """What was found of a marked position: the mark, and how much of a game the best play brought more."""

    mark: str
    more: float


def marked(seed: int) -> Iterator[tuple[Rules, Analysed]]:
    """Yield marked plays of game after game, and the rules of their games."""
    while True:
        name = SIMULATE["CONFIGS"][seed % len(SIMULATE["CONFIGS"])]
        rules = config.load(name).rules
        _, records = SIMULATE["match"](name, seed)
        lost = [each for each in analyse_game(records) if each.mark and each.mark != "!"]
        for each in Random(seed).sample(lost, min(OF_A_GAME, len(lost))):
            yield rules, each
        seed += 1


def played_on(arena: Arena, found: Analysed, rules: Rules, depth: int, stream: str) -> float:
    """Return what the bot that acted makes of a game that goes on here: 1, 0.5 or 0."""
    rng, brain = Random(stream), Strategist(depth)
    bot, round_, number = found.play.bot, found.play.round, found.play.number
    mover = 1 - bot
    while knocked_out(arena) is None:
        if number == 2 * rules.turns_per_round:
            round_, number, mover = round_ + 1, 0, rng.randrange(2)
        if round_ > rules.total_rounds:
            break
        clock = BotClock(1, round_, number // 2 + 1, rules.total_rounds, rules.turns_per_round, None, rng)
        me, foe = BotView.pair(arena, mover, rules)
        arena, _ = step(arena, mover, read_command(brain(me, foe, clock), rules), rules)
        number, mover = number + 1, 1 - mover
    winner = outcome(arena, rules).winner
    return 0.5 if winner is None else float(winner == bot)


def compared(rules: Rules, found: Analysed, depth: int, plays: int) -> Found:
    """Return how much of a game the best play brings more than the one made."""
    play = found.play
    best, _ = step(play.before, play.bot, read_command(found.best, rules), rules)
    more = 0.0
    for number in range(plays):
        stream = f"{play.timestamp}/{play.round}/{play.number}/{number}"
        more += played_on(best, found, rules, depth, stream) - played_on(play.after, found, rules, depth, stream)
    return Found(found.mark, more / plays)


def line(name: str, found: list[Found]) -> str:
    """Return a row of the table."""
    points = [100 * each.more for each in found]
    mean = sum(points) / len(points)
    error = (sum((each - mean) ** 2 for each in points) / max(1, len(points) - 1) / len(points)) ** 0.5
    no_less = sum(each >= 0 for each in points) / len(points)
    return f"| {name} | {len(points)} | {mean:+.1f} | {1.96 * error:.1f} | {no_less:.0%} |"


def main() -> None:
    """Measure until there are as many positions as asked for, or the time is up."""
    parser = BenchmarkParser(__doc__, positions=1, plays=1, depth=1)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--plays", type=int, default=40)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=7_000_000)
    options = parser.parse()
    began, found = time.process_time(), list[Found]()
    for rules, each in marked(options.seed):
        found.append(compared(rules, each, options.depth, options.plays))
        if len(found) % 20 == 0:
            progress(f"{len(found)} positions, {sum(one.more for one in found) / len(found):+.3f}")
        if len(found) >= options.positions or time.process_time() - began > options.seconds:
            break
    print("| mark | positions | points more | +- | no less in |\n| --- | ---: | ---: | ---: | ---: |")
    for mark in ("?!", "?", "??"):
        these = [each for each in found if each.mark == mark]
        if these:
            print(line(f"`{mark}`", these))
    print(line("all", found))
    print(f"\n{options.plays} plays each, strategist {options.depth}, {time.process_time() - began:.0f} s")


if __name__ == "__main__":
    main()
