"""How games end under a configuration, how long they take, how lively they are, and whether playing well decides them.

    nice -n 10 python benchmarks/couch.py [--config couch] [--games 200] [--only NAME] [--deep] [--model]
        [--characters] [--exploiters] [--careful]

Every pair of scripted characters plays seeded games, half of them with the seats changed; --deep adds the strategists
against each other, --model the embedded model without orders, on one thread, against each of the characters and
strategist 1; --characters leaves all others out, --careful plays merciless and strategists 2 and 3 against themselves
alone. Then the
exploiters of benchmarks/exploiters, scripts that try to get by without playing well, meet the characters and two
strategists. Prints Markdown tables. `shown` is how long the animation of a game takes, thinking not counted. A game
stalls where for ten turns in a row nobody takes a step or fires a shot. `again` are the plays that fire a shot right
after an own shot; `behind` the wins of who once had 30 less of 100 health than the other; `first` the share of the
decided games that who acted first in the first round has won; `banked` the share of the hits that came off a wall;
`contact` the share of the plays that begin with both bots touching.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement, pairwise, product
from math import dist
from pathlib import Path
from typing import Any

from common import BenchmarkParser, progress

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import Fire, Move, Rotate, Shield, StepBack
from batllm_arcade.core.events import BotHit, BotMoved, BulletFlew, ShotBlocked, ShotMissed
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play, Record, RoundStarted
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import INSIDE
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config
from batllm_arcade.view.timeline import Timeline

CHARACTERS = ("scripted:sharpshooter", "scripted:turtle", "scripted:dancer", "scripted:random")
STRATEGISTS = tuple(f"scripted:strategist,depth={depth}" for depth in (1, 2, 3, 4))
EXPLOITERS = ("wall", "runner", "leech", "spam", "timer", "camper", "rusher", "kiter", "banker", "bumper")
CAREFUL = ("scripted:sharpshooter,level=merciless", *STRATEGISTS[1:3])
MODEL = "embedded:threads=1"
TOUCHING = 1e-6
"""How far from each other two bots that touch may be, in the arena's unit."""
STALL = 10
"""Turns in a row in which nothing happens."""
BEHIND = 0.3
"""Share of the starting health that a comeback has made good."""
COMMANDS = {Move: "move", StepBack: "step back", Rotate: "turn", Fire: "fire", Shield: "shield"}
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
    parts: Counter[str] = field(default_factory=Counter)
    banked: int = 0
    plays: int = 0
    contact: int = 0
    again: int = 0
    behind: int = 0
    decided: int = 0
    first: int = 0

    def add(self, game: Sequence[Record], rules: Rules, swapped: bool) -> None:
        """Count one game; `swapped` says that the first of the pair sits on the right."""
        plays = [record for record in game if isinstance(record, Play)]
        ended = game[-1]
        assert isinstance(ended, GameEnded)
        winner = ended.result.winner
        self.ends[ended.result.reason] += 1
        self.wins[None if winner is None else winner ^ swapped] += 1
        self.turns.append(len(plays) / 2)
        self.shown.append(Timeline.of(game).end)
        self.quiet.append(longest_quiet(plays))
        self.commands.update(COMMANDS.get(type(play.command), "nothing") for play in plays)
        self._add_shots(plays)
        self.contact += sum(touching(play.before, rules) for play in plays)
        leads = [lead(arena, rules) for arena in (play.after for play in plays)]
        self.leads.append(changes(leads))
        if winner is not None:
            began = next(record for record in game if isinstance(record, RoundStarted))
            self.decided += 1
            self.first += winner == began.acting_order[0]
            self.behind += min(leads) <= -BEHIND if winner == 0 else max(leads) >= BEHIND

    def _add_shots(self, plays: Sequence[Play]) -> None:
        fired = [any(isinstance(event, BulletFlew) for event in play.events) for play in plays]
        for bot in (0, 1):
            own = [shot for shot, play in zip(fired, plays, strict=True) if play.bot == bot]
            self.again += sum(one and other for one, other in pairwise(own))
        self.plays += len(plays)
        events = [event for play in plays for event in play.events]
        self.shots.update(SHOTS[type(event)] for event in events if type(event) in SHOTS)
        self.parts.update(event.part for event in events if isinstance(event, BotHit))
        for flew, met in pairwise(events):
            self.banked += isinstance(flew, BulletFlew) and flew.bounce is not None and isinstance(met, BotHit)

    @property
    def stalls(self) -> int:
        """How many games stalled."""
        return sum(quiet >= STALL for quiet in self.quiet)


def touching(arena: Arena, rules: Rules) -> bool:
    """Whether the bots touch."""
    left, right = arena.left, arena.right
    return dist((left.x, left.y), (right.x, right.y)) <= 2 * rules.bot_radius + TOUCHING


def longest_quiet(plays: Iterable[Play]) -> int:
    """The most turns in a row in which nobody took a step or fired a shot."""
    longest = run = 0
    for play in plays:
        happened = any(isinstance(event, (BotMoved, BulletFlew)) for event in play.events)
        run = 0 if happened else run + 1
        longest = max(longest, run)
    return longest // 2


def lead(arena: Arena, rules: Rules) -> float:
    """How far the left bot is ahead, as a share of the starting health; negative where the right one is."""
    return arena.left.health / rules.initial_health[0] - arena.right.health / rules.initial_health[1]


def changes(leads: Iterable[float]) -> int:
    """How often the lead went from one bot to the other."""
    count, leader = 0, 0.0
    for ahead in leads:
        count += ahead * leader < 0
        leader = ahead or leader
    return count


def games(left: str, right: str, rules: Rules, count: int, seed: int) -> Iterator[list[Record]]:
    """The records of each of `count` games under a seed."""
    kinds = manager.load(Path(__file__).parent / "exploiters", INSIDE).kinds
    table = Table(kinds, (Spec.parse(left), Spec.parse(right)), fallback=Spec("scripted", "random"))
    table.prepare(lambda _: None)
    plan = runner.MatchPlan(rules, seed=seed, games=count, header_template="$commands")
    game: list[Record] = []
    for record in runner.games(plan, table):
        game.append(record)
        if isinstance(record, GameEnded):
            yield game
            game = []
    table.close()


def fought(one: str, other: str, rules: Rules, count: int) -> Sums:
    """What is counted over the games of a pair, half of them with the seats changed."""
    sums = Sums()
    for swapped in (False, True):
        left, right = (other, one) if swapped else (one, other)
        for game in games(left, right, rules, (count + (not swapped)) // 2, 1 + swapped):
            sums.add(game, rules, swapped)
    return sums


def shares(counts: Counter[str], names: Iterable[str]) -> str:
    """Cells: each name's share of all."""
    total = max(1, sum(counts.values()))
    return " | ".join(f"{counts[name] / total:.0%}" for name in names)


def called(brain: str) -> str:
    """A brain in a table."""
    name = "embedded" if brain == MODEL else brain.removeprefix("scripted:")
    return name.replace(",depth=", " ").replace(",level=", " ")


def results_row(names: str, sums: Sums) -> str:
    """How the games of a pair ended."""
    turns, count = sorted(sums.turns), len(sums.turns)
    spread = f"{turns[count // 10]:.0f}, {statistics.median(turns):.0f}, {turns[count * 9 // 10]:.0f}"
    won = " | ".join(f"{part / count:.0%}" for part in (sums.ends["knockout"], sums.wins[0], sums.wins[None]))
    decided = max(1, sums.decided)
    told = f"{sums.first / decided:.0%} | {sums.behind / decided:.0%} | {statistics.mean(sums.leads):.1f}"
    return f"| {names} | {won} | {told} | {spread} | {statistics.median(sums.shown):.0f} | {sums.stalls} |"


def course_row(names: str, sums: Sums, rules: Rules) -> str:
    """What happened in them."""
    done = shares(sums.commands, course(rules))
    shots, parts = shares(sums.shots, ("hit", "blocked", "missed")), shares(sums.parts, ("front", "side", "back"))
    parts += f" | {sums.banked / max(1, sums.shots['hit']):.0%}" if rules.ricochet else ""
    near = f"{sums.contact / sums.plays:.0%} | {sums.again / sums.plays:.1%}"
    return f"| {names} | {done} | {shots} | {parts} | {near} | {max(sums.quiet)} |"


def course(rules: Rules) -> tuple[str, ...]:
    """The names of what a play can be."""
    return ("move", *(("step back",) if rules.back_step else ()), "turn", "fire", "shield", "nothing")


def header(*names: str) -> None:
    """The head of a table whose first two columns hold names."""
    print("\n| " + " | ".join(names) + " |\n| --- | --- |" + " ---: |" * (len(names) - 2), flush=True)


def duels(pairs: Iterable[tuple[str, str]], rules: Rules, count: int) -> None:
    """Two tables of what became of each pair, and a line over all of them."""
    header("one", "other", "knock-outs", "one wins", "draws", "first", "behind", "lead changes",
           "turns (10%, median, 90%)", "shown, median s", "stalls")  # fmt: skip
    courses, everything = [], []
    for one, other in pairs:
        progress(f"{called(one)} against {called(other)}, {count} games")
        sums, names = fought(one, other, rules, count), f"{called(one)} | {called(other)}"
        print(results_row(names, sums), flush=True)
        courses.append(course_row(names, sums, rules))
        everything.append(sums)
    parts = ("front", "side", "back", *(("banked",) if rules.ricochet else ()))
    header(
        "one", "other", *course(rules), "hit", "blocked", "missed", *parts, "contact", "again", "longest quiet, turns"
    )
    print("\n".join(courses))
    changed = statistics.mean(leads for sums in everything for leads in sums.leads)
    first = sum(sums.first for sums in everything) / max(1, sum(sums.decided for sums in everything))
    again = sum(sums.again for sums in everything) / sum(sums.plays for sums in everything)
    print(f"\nOver these pairs: {changed:.2f} lead changes a game, first {first:.0%}, again {again:.1%}.")


def exploits(rules: Rules, count: int) -> None:
    """A table of what the exploiters get by: wins, and draws where there are some."""
    others = (*CHARACTERS[:3], STRATEGISTS[0], STRATEGISTS[1])
    header("script", *(called(other) for other in others))
    for script in EXPLOITERS:
        progress(script)
        cells = []
        for other in others:
            wins = fought(script, other, rules, count).wins
            drawn = f" ({wins[None] / count:.0%} drawn)" if wins[None] else ""
            cells.append(f"{wins[0] / count:.0%}{drawn}")
        print(f"| {script} | {' | '.join(cells)} |", flush=True)


def ladder() -> list[tuple[str, str]]:
    """Who should beat whom, from blind luck upwards."""
    depths = [(STRATEGISTS[deep - 1], STRATEGISTS[shallow - 1]) for deep, shallow in ((2, 1), (3, 2), (4, 3), (4, 2))]
    return [*product(STRATEGISTS[:2], CHARACTERS[:3]), *depths, *((one, one) for one in STRATEGISTS[1:3])]


def tried(rules: Rules, given: Sequence[str]) -> Rules:
    """The rules with other figures, `NAME=NUMBER` each."""
    changed: dict[str, Any] = {}
    for rule in given:
        name, _, value = rule.partition("=")
        number = float(value)
        both = name in ("bullet_damage", "initial_health")
        whole = isinstance(getattr(rules, name), int)
        changed[name] = (number, number) if both else int(number) if whole else number
    return replace(rules, **changed)


def main() -> None:
    """Play the games and print the tables."""
    parser = BenchmarkParser(__doc__, games=2, only="dancer")
    parser.add_argument("--config", default="couch")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--model", action="store_true")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--only", default="", help="the pairs with this character; no exploiters")
    parser.add_argument("--characters", action="store_true", help="the pairs of the three characters alone")
    parser.add_argument("--exploiters", action="store_true", help="the exploiters alone")
    parser.add_argument("--careful", action="store_true", help="merciless and strategists against themselves alone")
    parser.add_argument("--rule", action="append", default=[], help="NAME=NUMBER, to try other figures")
    options = parser.parse()
    rules = tried(config.load(options.config).rules, options.rule)
    pairs = list(combinations_with_replacement(CHARACTERS[:3], 2))
    luck = [(name, CHARACTERS[3]) for name in CHARACTERS]
    more = [(MODEL, other) for other in (*CHARACTERS, STRATEGISTS[0])] if options.model else []
    more += ladder() if options.deep else []
    careful = [(name, name) for name in CAREFUL]
    tables = [pairs] if options.characters else [] if options.exploiters else [pairs, luck, more]
    tables = [careful] if options.careful else tables
    known = sorted({called(name) for table in tables for pair in table for name in pair})
    if tables and not any(options.only in name for name in known):
        parser.error(f"nobody who plays here is called {options.only!r}; there are {', '.join(known)}")
    for table in tables:
        if chosen := [pair for pair in table if options.only in " ".join(map(called, pair))]:
            duels(chosen, rules, options.games)
    if not (options.only or options.characters or options.careful):
        exploits(rules, options.games)


if __name__ == "__main__":
    main()
