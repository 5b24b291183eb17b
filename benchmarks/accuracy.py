"""Whether players that never win are told apart by the chance that their plays lose, in 40 games each.

    nice -n 15 python benchmarks/accuracy.py [--tries 10]

Of each try, with its own seed: how many of their games two weak bots have won against the sharpshooter, the mean loss
of a play with its 95%, and whether the table says who plays better.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from common import BenchmarkParser, progress

from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.output.words import accuracy, loss
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer, PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.plugin.isolated import IsolationChoice

BOTS = """
from batllm_arcade import bot

@bot("walker")
def walk(me, foe, clock):
    return "M"

@bot("careless")
def careless(me, foe, clock):
    return "M" if clock.turn % 2 else me.turn_to(foe)

@bot("guesser")
def guess(me, foe, clock):
    return clock.rng.choice(["M", "B", "S", "C30", "A30", "C90", "A90"])
"""
"""Bots that hardly ever win: one walks, one also turns to the other, one guesses."""
PAIRINGS = (("walker", "careless"), ("careless", "guesser"))


def tried(names: Sequence[str], seed: int, plugins: Path, pairs: int) -> tuple[str, bool]:
    """Return a row of the table, and whether two players were told apart."""
    players = tuple(LeaguePlayer(name, name) for name in names)
    strong = LeaguePlayer("sharpshooter", "scripted:sharpshooter")
    plan = LeaguePlan((strong, *players), seed=seed, pairs=pairs, schedule="gauntlet", sessions="none", accuracy=8)
    plan = replace(plan, plugins_dir=str(plugins))
    tally, player = LeagueTally(plan), PairPlayer(set_up(plan, load_config(plan), IsolationChoice("nothing", "none")))
    try:
        for pair in PairSchedule(plan).from_number(1):
            tally.add(player.play(pair).line)
    finally:
        player.close()
    found = table(plan, tally, complete=True)
    rows = {row.name: row for row in found.players}
    cells = " | ".join(f"{name}: {rows[name].wins} of {rows[name].games}, {loss(rows[name])}" for name in names)
    said = [sentence for sentence in accuracy(found) if all(name in sentence for name in names)]
    return f"| {seed} | {cells} | {said[0] if said else 'not told apart'} |", bool(said)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, tries=1, pairs=2)
    parser.add_argument("--tries", type=int, default=10)
    parser.add_argument("--pairs", type=int, default=20, help="pairs of each against the sharpshooter")
    options = parser.parse(arguments)
    print("| seed | one | other | told |\n| ---: | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "weak.py").write_text(BOTS, "utf-8")
        for names in PAIRINGS:
            apart = 0
            for number in range(options.tries):
                progress(f"{' and '.join(names)}, try {number + 1}")
                row, told = tried(names, 1000 * (number + 1), Path(folder), options.pairs)
                apart += told
                print(row, flush=True)
            print(f"| | {names[0]} | {names[1]} | told apart in {apart} of {options.tries} |", flush=True)


if __name__ == "__main__":
    main()
