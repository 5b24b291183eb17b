"""Whether the prompts of a class play differently: each against one player, compared game by game with each other.

    python benchmarks/class_prompts.py [FILE] [--games 60] [--config arena] [--against scripted:sharpshooter] [--seed 7]

Each line of FILE is the orders of an embedded model at the right seat. All play the same games: the same seeds, the
same starts, the same opponent. Two prompts play a game **alike** if it ends alike to the last hit: the same winner, and
both bots with the same health as under the other prompt. It is **identical** if besides all plays of both bots are the
same. A pair is alike if more than 60% of its games are. Prints the number of such pairs, and the worst pairs.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from bouts import Bout, Game, fought
from common import BenchmarkParser, progress

from batllm_arcade.match.records import GameEnded, Play

FILE = Path(__file__).parent / "orders" / "class_prompts.txt"
MOST = 0.6
"""The share of games above which two prompts are one player."""


class Course(NamedTuple):
    """How a game went: its end, and all of its plays."""

    end: tuple[object, ...]
    plays: tuple[str, ...]


def course(game: Game) -> Course:
    """Return how a game went."""
    plays = [record for record in game if isinstance(record, Play)]
    ended, last = game[-1], plays[-1].after
    assert isinstance(ended, GameEnded)
    end = (ended.result.winner, last.left.health, last.right.health)
    return Course(end, tuple(play.command.token for play in plays))


def main() -> None:
    """Print the tables."""
    parser = BenchmarkParser(__doc__, games=2, most=3)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--config", default="arena")
    parser.add_argument("--against", default="scripted:sharpshooter")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--most", type=int, help="prompts of the file (default: all)")
    parser.add_argument("--worst", type=int, default=8, help="pairs that are printed")
    wanted = parser.parse()
    prompts = [line for line in wanted.file.read_text("utf-8").splitlines() if line.strip()][: wanted.most]
    bouts = [Bout(wanted.config, wanted.against, "embedded", ("", text), wanted.seed, wanted.games) for text in prompts]
    played: list[list[Course]] = []
    for text, found in zip(prompts, fought(bouts, course), strict=True):
        progress(f"{wanted.games} games, {text}")
        played.append(found)
    pairs = []
    for (a, mine), (b, other) in combinations(enumerate(played), 2):
        both = [*zip(mine, other, strict=True)]
        alike = sum(one.end == two.end for one, two in both) / len(both)
        pairs.append((alike, sum(one == two for one, two in both) / len(both), prompts[a], prompts[b]))
    worst = sorted(pairs, reverse=True)
    print("| prompts | pairs | alike in more than 60% | identical in more than 60% | different players |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    counts = [sum(pair[figure] > MOST for pair in pairs) for figure in (0, 1)]
    players = len({tuple(games) for games in played})
    print(f"| {len(prompts)} | {len(pairs)} | {counts[0]} | {counts[1]} | {players} |")
    print("\n| alike | identical | one | other |\n| ---: | ---: | --- | --- |")
    for alike, identical, one, two in worst[: wanted.worst]:
        print(f"| {alike:.0%} | {identical:.0%} | {one:.60} | {two:.60} |")


if __name__ == "__main__":
    main()
