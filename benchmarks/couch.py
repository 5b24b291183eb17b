"""How games end under a configuration, how long they take, and how lively they are.

    nice -n 10 python benchmarks/couch.py [--config couch] [--games 200] [--model] [--only NAME]

Every pair of scripted characters plays seeded games (with --model the embedded model, on one thread, plays against
each of them, too); prints two Markdown tables. `shown` is how long the animation of a game takes, thinking not
counted. A game stalls where for ten turns in a row nobody takes a step or fires a shot.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import Fire, Move, Rotate, Shield
from batllm_arcade.core.events import BotHit, BotMoved, BulletFlew, ShotBlocked, ShotMissed
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config
from batllm_arcade.view.timeline import Timeline

CHARACTERS = ("scripted:sharpshooter", "scripted:turtle", "scripted:dancer", "scripted:random")
MODEL = "embedded:threads=1"
STALL = 10
"""Turns in a row in which nothing happens."""
COMMANDS = {Move: "move", Rotate: "turn", Fire: "fire", Shield: "shield"}
SHOTS = {BotHit: "hit", ShotBlocked: "blocked", ShotMissed: "missed"}


@dataclass
class Sums:
    """What is counted over the games of one pair."""

    ends: Counter[str] = field(default_factory=Counter)
    wins: Counter[object] = field(default_factory=Counter)
    turns: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    quiet: list[int] = field(default_factory=list)
    leads: list[int] = field(default_factory=list)
    commands: Counter[str] = field(default_factory=Counter)
    shots: Counter[str] = field(default_factory=Counter)

    def add(self, game: Sequence[Record], rules: Rules) -> None:
        """Count one game."""
        plays = [record for record in game if isinstance(record, Play)]
        ended = game[-1]
        assert isinstance(ended, GameEnded)
        self.ends[ended.result.reason] += 1
        self.wins[ended.result.winner] += 1
        self.turns.append(len(plays) / 2)
        self.shown.append(Timeline.of(game).end)
        self.quiet.append(longest_quiet(plays))
        self.leads.append(lead_changes([play.after for play in plays], rules))
        self.commands.update(COMMANDS.get(type(play.command), "nothing") for play in plays)
        self.shots.update(SHOTS[type(event)] for play in plays for event in play.events if type(event) in SHOTS)

    @property
    def stalls(self) -> int:
        """How many games stalled."""
        return sum(quiet >= STALL for quiet in self.quiet)


def longest_quiet(plays: Iterable[Play]) -> int:
    """The most turns in a row in which nobody took a step or fired a shot."""
    longest = run = 0
    for play in plays:
        happened = any(isinstance(event, (BotMoved, BulletFlew)) for event in play.events)
        run = 0 if happened else run + 1
        longest = max(longest, run)
    return longest // 2


def lead_changes(arenas: Iterable[Arena], rules: Rules) -> int:
    """How often the lead, by the share of the starting health, went from one bot to the other."""
    changes, leader = 0, 0.0
    for arena in arenas:
        ahead = arena.left.health / rules.initial_health[0] - arena.right.health / rules.initial_health[1]
        changes += ahead * leader < 0
        leader = ahead or leader
    return changes


def games(left: str, right: str, rules: Rules, count: int) -> Iterator[list[Record]]:
    """The records of each of `count` games under one seed."""
    kinds = manager.load().kinds
    table = Table(kinds, (Spec.parse(left), Spec.parse(right)), fallback=Spec("scripted", "random"))
    table.prepare(lambda _: None)
    plan = runner.MatchPlan(rules, seed=1, games=count, header_template="$commands")
    game: list[Record] = []
    for record in runner.games(plan, table):
        game.append(record)
        if isinstance(record, GameEnded):
            yield game
            game = []
    table.close()


def shares(counts: Counter[str], names: Iterable[str]) -> str:
    """Cells: each name's share of all."""
    total = max(1, sum(counts.values()))
    return " | ".join(f"{counts[name] / total:.0%}" for name in names)


def called(brain: str) -> str:
    """A brain in a table."""
    return "embedded" if brain == MODEL else brain.partition(":")[2]


def results_row(names: str, sums: Sums, count: int) -> str:
    """How the games of a pair ended."""
    turns = sorted(sums.turns)
    spread = f"{turns[count // 10]:.0f}, {statistics.median(turns):.0f}, {turns[count * 9 // 10]:.0f}"
    won = " | ".join(f"{part / count:.0%}" for part in (sums.ends["knockout"], sums.wins[0], sums.wins[None]))
    return f"| {names} | {won} | {spread} | {statistics.median(sums.shown):.0f} | {sums.stalls} |"


def course_row(names: str, sums: Sums, count: int) -> str:
    """What happened in them."""
    done = shares(sums.commands, ("move", "turn", "fire", "shield"))
    shots = shares(sums.shots, ("hit", "blocked", "missed"))
    fights = sum(changes > 0 for changes in sums.leads) / count
    return f"| {names} | {done} | {shots} | {statistics.mean(sums.leads):.1f} | {fights:.0%} | {max(sums.quiet)} |"


def tried(rules: Rules, given: Sequence[str]) -> Rules:
    """The rules with other figures, `NAME=NUMBER` each."""
    for rule in given:
        name, _, value = rule.partition("=")
        number = float(value)
        both = name in ("bullet_damage", "initial_health")
        whole = name in ("total_rounds", "turns_per_round")
        rules = replace(rules, **{name: (number, number) if both else int(number) if whole else number})
    return rules


def main() -> None:
    """Play the games and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--only", default="", help="the pairs with this character")
    parser.add_argument("--rule", action="append", default=[], help="NAME=NUMBER, to try other figures")
    options = parser.parse_args()
    rules = tried(config.load(options.config).rules, options.rule)
    pairs = list(combinations(CHARACTERS, 2)) + [(name, name) for name in CHARACTERS]
    if options.model:
        pairs += [(MODEL, character) for character in CHARACTERS]
    courses = []
    print("| left | right | knock-outs | left wins | draws | turns (10%, median, 90%) | shown, median s | stalls |")
    print("| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |")
    for left, right in pairs:
        if options.only not in f"{left} {right}":
            continue
        sums, names = Sums(), f"{called(left)} | {called(right)}"
        for game in games(left, right, rules, options.games):
            sums.add(game, rules)
        print(results_row(names, sums, options.games), flush=True)
        courses.append(course_row(names, sums, options.games))
    print(
        "\n| left | right | move | turn | fire | shield | hit | blocked | missed | lead changes | games with one |",
        end="",
    )
    print(" longest quiet, turns |\n| --- | --- |" + " ---: |" * 10)
    print("\n".join(courses))


if __name__ == "__main__":
    main()
