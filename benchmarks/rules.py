"""Plays a second of the rules: parse, step, events and rounding, shots included.

    python benchmarks/rules.py [--battery] [--bounce] [--turns 20 200 2000] [--runs 7]

The same command script is played for 20, 200 and 2000 turns from a fixed start, by bots with health
for all of it, so that the figure must not depend on a game's length; --battery plays it with battery and armour,
--bounce with bullets that bounce, in pairs with the same without, and prints the median of the pairs' ratios.
Prints a Markdown row each: the median of 7 runs by the processor's time, which other programs do not lengthen, and the
share of the plays that were shots.
"""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import median

from common import BenchmarkParser

from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import step

RULES = Rules(initial_health=(100_000, 100_000))
START = Arena(BotState(200, 500, 0, 100_000, True), BotState(800, 500, 180, 100_000, True))
# Both end where they began; on the way bullets hit, miss, are blocked and are refused.
SCRIPTS = (
    ["S0", "B", "C90", "M", "A180", "M", "C90", "B", "S1", "B", "S", "B", "B", "C45", "B", "A45"],
    ["S1", "what?", "C90", "M", "A180", "M", "C90", "S0", "B", "S", "B", "S0", "B", "A45.5", "B", "C45.5"],
)


def play(turns: int, rules: Rules = RULES) -> tuple[float, float, int]:
    """Play the script; returns plays a second, the share of shots, and the hits."""
    shots = hits = 0
    arena = START
    left, right = SCRIPTS
    plays = [(bot, tokens[turn % len(tokens)]) for turn in range(turns) for bot, tokens in ((0, left), (1, right))]
    begin = time.process_time()
    for bot, token in plays:
        arena, events = step(arena, bot, parse(token), rules)
        if type(events[0]) is BulletFlew:
            shots += 1
            hits += type(events[1]) is BotHit
    seconds = time.process_time() - begin
    return 2 * turns / seconds, shots / (2 * turns), hits


def compare(lengths: list[int], pairs: int, rules: Rules) -> None:
    """Play with and without bounces in turn, and print the medians."""
    print("| turns | plays/s | bouncing | share | shots | hits |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for turns in lengths:
        both = [(play(turns, rules), play(turns, replace(rules, ricochet=1))) for _ in range(pairs)]
        straight, bouncing = (median(run[side][0] for run in both) for side in (0, 1))
        share = median(run[1][0] / run[0][0] for run in both)
        _, shots, hits = both[0][1]
        print(f"| {turns} | {straight:,.0f} | {bouncing:,.0f} | {share:.3f} | {shots:.0%} | {hits} |")


def main() -> None:
    """Play and print."""
    parser = BenchmarkParser(__doc__, runs=1, turns=[20])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--turns", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--battery", action="store_true")
    parser.add_argument("--bounce", action="store_true")
    options, rules = parser.parse(), RULES
    if options.battery:
        rules = replace(RULES, battery=9, side_damage=2, back_damage=3)
    play(max(options.turns), rules)
    if options.bounce:
        compare(options.turns, options.runs, rules)
        return
    print("| turns | plays/s | shots | hits |")
    print("| ---: | ---: | ---: | ---: |")
    for turns in options.turns:
        runs = [play(turns, rules) for _ in range(options.runs)]
        print(f"| {turns} | {median(run[0] for run in runs):,.0f} | {runs[0][1]:.0%} | {runs[0][2]} |")


if __name__ == "__main__":
    main()
