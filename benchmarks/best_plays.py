"""Whether the best plays of `analyse` are better than those made, where a play has a mark for what it lost.

    nice -n 15 python benchmarks/best_plays.py [--positions 200] [--plays 40] [--depth 3] [--seconds 600] [--keep FILE]

Marked positions of fresh games under the four shipped configurations, a game giving at most two. From each the game is
played on by the strategist of this depth against itself, as often with the best play as with the one made and with the
same acting orders and random streams; no further where the first ten end in the same way. Prints how many points more
the best play brought, in all and by mark, and in how many positions it brought no less. With `--keep` what was found
goes into a file, and the same command goes on behind the last game of the run before: the whole takes most of an hour.
"""

from __future__ import annotations

import json
import runpy
import time
from collections.abc import Iterator
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from batllm_arcade_plugins.scripted import WHIM
from common import BenchmarkParser, progress

from batllm_arcade.analysis.game import Analysed, analyse_game, likely_plays, outlook
from batllm_arcade.brains.bots import BotView
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import knocked_out, outcome, read_command, step
from batllm_arcade.match.records import Play
from batllm_arcade.settings import config

SIMULATE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "training" / "analysis" / "simulate.py"))
OF_A_GAME = 2
SURE = 10
"""Plays after which no more are made of a position if all of them ended in the same way."""


class Found(NamedTuple):
    """What was found of a marked position: its game's seed, the mark, how much of a game the best play brought more."""

    seed: int
    mark: str
    more: float


def marked(seed: int) -> Iterator[tuple[int, Rules, Analysed]]:
    """Yield marked plays of game after game, with the seeds and the rules of their games."""
    while True:
        name = SIMULATE["CONFIGS"][seed % len(SIMULATE["CONFIGS"])]
        rules = config.load(name).rules
        _, records = SIMULATE["match"](name, seed)
        lost = [each for each in analyse_game(records) if each.mark and each.mark != "!"]
        for each in Random(seed).sample(lost, min(OF_A_GAME, len(lost))):
            yield seed, rules, each
        seed += 1


class Strategists:
    """`scripted:strategist` against itself from one position: of each that comes up again it knows what it may play."""

    def __init__(self, rules: Rules, depth: int) -> None:
        self.rules, self.depth = rules, depth
        self._known: dict[tuple[Arena, int], list[tuple[float, Arena]]] = {}

    def after(self, arena: Arena, mover: int, rng: Random) -> Arena:
        """Return what its play leads to: the strategist draws among those that differ by less than its whim."""
        if (arena, mover) not in self._known:
            self._known[arena, mover] = self._near_best(arena, mover)
        return max(self._known[arena, mover], key=lambda each: each[0] + WHIM * rng.random())[1]

    def _near_best(self, arena: Arena, mover: int) -> list[tuple[float, Arena]]:
        me, foe = BotView.pair(arena, mover, self.rules)
        best, found = -inf, list[tuple[float, Arena]]()
        for token in likely_plays(me, foe):
            worth = outlook(me, token, self.depth, best - WHIM)
            best = max(best, worth)
            found.append((worth, step(arena, mover, read_command(token, self.rules), self.rules)[0]))
        return [each for each in found if each[0] > best - WHIM]

    def play_on(self, arena: Arena, play: Play, stream: str) -> float:
        """Return what the bot that made the play makes of a game that goes on here: 1, 0.5 or 0."""
        rng, rules = Random(stream), self.rules
        round_, number, mover = play.round, play.number, 1 - play.bot
        while knocked_out(arena) is None:
            if number == 2 * rules.turns_per_round:
                round_, number, mover = round_ + 1, 0, rng.randrange(2)
            if round_ > rules.total_rounds:
                break
            arena = self.after(arena, mover, rng)
            number, mover = number + 1, 1 - mover
        winner = outcome(arena, rules).winner
        return 0.5 if winner is None else float(winner == play.bot)


def compared(rules: Rules, found: Analysed, depth: int, plays: int) -> float:
    """Return how much of a game the best play brings more than the one made."""
    play, strategists = found.play, Strategists(rules, depth)
    best, _ = step(play.before, play.bot, read_command(found.best, rules), rules)
    scores = list[tuple[float, float]]()
    for number in range(plays):
        stream = f"{play.timestamp}/{play.round}/{play.number}/{number}"
        scores.append((strategists.play_on(best, play, stream), strategists.play_on(play.after, play, stream)))
        if number + 1 >= SURE and len(set(scores)) == 1:
            break
    return sum(one - other for one, other in scores) / len(scores)


def kept(path: Path | None) -> list[Found]:
    """Return what the file of earlier runs holds."""
    there = path is not None and path.exists()
    return [Found(*json.loads(line)) for line in path.read_text("utf-8").splitlines()] if path and there else []


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
    parser.add_argument("--keep", type=Path)
    options = parser.parse()
    began, found = time.process_time(), kept(options.keep)
    first = found[-1].seed + 1 if found else options.seed
    for seed, rules, each in islice(marked(first), max(0, options.positions - len(found))):
        found.append(Found(seed, each.mark, compared(rules, each, options.depth, options.plays)))
        if options.keep:
            with options.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
        if len(found) % 20 == 0:
            progress(f"{len(found)} positions, {sum(one.more for one in found) / len(found):+.3f}")
        if time.process_time() - began > options.seconds:
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
