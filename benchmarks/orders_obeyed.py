"""Whether the embedded model does what ordinary orders ask for: its games are measured, not its words.

    python benchmarks/orders_obeyed.py [FILE.tsv...] [--games 2] [--config arena] [--seed 7] [--list]

A line of a file is `ORDERS<tab>STYLES<tab>CHECKS`: the styles and rules that would be a right reading, and the checks
that the play must pass (`CHECKS` has each, with its figure; a space is "and", a bar "or"). Plays seeded games of
`embedded` against each of two scripted characters, the same starts for every order and for none, and prints a Markdown
table: how many are read rightly (the likeliest style or a rule is one of the right ones), and how many are obeyed (pass
the checks).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path

from common import BenchmarkParser, progress

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import Fire, Move, Nothing, StepBack
from batllm_arcade.core.events import BotHit, BulletFlew, ShotBlocked
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Play, Record
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config

ME = 1
FOES = ("scripted:dancer", "scripted:turtle")
HERE = Path(__file__).parent / "orders"
FILES = (HERE / "worked_on.tsv", HERE / "held_out.tsv")
EARLY = 5
"""Plays of a game that are its beginning."""


@dataclass
class Seen:
    """What was counted over some games; `early` are the plays of each game's beginning."""

    count: Counter[str] = field(default_factory=Counter)
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def share(self, name: str, of: str = "plays") -> float:
        """Return how often something was seen among some plays."""
        return self.count[name] / max(1, self.count[of])

    def mean(self, name: str, of: str = "plays") -> float:
        """Return the mean of a sum over some plays."""
        return self.sums[name] / max(1, self.count[of])


Check = Callable[[Seen, Seen], bool]
"""Whether games with orders pass, given those without."""
CHECKS: Mapping[str, Check] = {
    "shoots": lambda a, _: a.share("fires") >= 0.08,
    "many": lambda a, b: a.share("fires") >= 0.9 * b.share("fires"),
    "holds": lambda a, _: not a.count["fires"],
    "near": lambda a, b: a.mean("distance") <= 0.85 * b.mean("distance") or a.share("near") >= b.share("near") + 0.1,
    "unfar": lambda a, b: a.share("away") <= b.share("away") + 0.05,
    "far": lambda a, b: a.mean("distance") >= 1.2 * b.mean("distance"),
    "still": lambda a, _: a.share("steps") <= 0.03,
    "moves": lambda a, b: a.share("steps") >= 1.25 * b.share("steps"),
    "backs": lambda a, b: a.share("early backs", "early") >= b.share("early backs", "early") + 0.1,
    "bursts": lambda a, b: a.mean("loaded", "fires") >= b.mean("loaded", "fires") + 1,
    "shielded": lambda a, b: a.share("shield") >= max(0.15, 2 * b.share("shield")),
    "unshielded": lambda a, _: a.share("shield") <= 0.01,
    "safe": lambda a, b: a.mean("lost") <= 0.7 * b.mean("lost") or a.share("exchanges", "fires") <= 0.5,
    "flank": lambda a, b: a.share("bare shots", "fires") >= b.share("bare shots", "fires") + 0.15,
    "corner": lambda a, _: a.share("corner") >= 0.5,
    "left": lambda a, _: a.share("left") >= 0.5,
    "right": lambda a, _: a.share("right") >= 0.5,
    "top": lambda a, _: a.share("top") >= 0.5,
    "bottom": lambda a, _: a.share("bottom") >= 0.5,
    "wall": lambda a, _: a.share("wall") >= 0.5,
    "middle": lambda a, _: a.share("middle") >= 0.5,
    "backsteps": lambda a, b: a.share("backs") >= max(0.15, b.share("backs") + 0.1),
    "waits": lambda a, b: a.share("steps") <= 0.5 * b.share("steps"),
    "coward": lambda a, b: a.share("fires strong", "strong") <= 0.5 * b.share("fires strong", "strong"),
    "closeshots": lambda a, _: a.share("close shots", "fires") >= 0.8,
    "emptyshots": lambda a, _: a.share("shots at empty", "fires") >= 0.7,
    "thrifty": lambda a, b: 0 < a.share("fires") <= 0.8 * b.share("fires") and a.share("no harm", "fires") <= 0.1,
    "unblocked": lambda a, _: a.share("blocked", "fires") <= 0.03,
    "unfaced": lambda a, _: a.count["fires"] > 0 and not a.count["front shots"],
    "banks": lambda a, b: a.share("bounced", "fires") >= b.share("bounced", "fires") + 0.15,
    "idle": lambda a, _: a.share("nothing") >= 0.97,
    "corner_first": lambda a, _: a.share("early corner", "early") >= 0.3 and not a.count["early fires"],
    "far_first": lambda a, b: a.mean("early distance", "early") >= 1.15 * b.mean("early distance", "early"),
}  # fmt: skip
"""What a player would look for, in shares of the bot's own plays or shots; the second figures: no orders."""


def counted(records: Iterable[Record], rules: Rules, seen: Seen) -> None:
    """Add what was seen in all the games of a match."""
    own = 0
    for record in records:
        if isinstance(record, GameStarted):
            own = 0
        elif isinstance(record, Play):
            seen.sums["lost"] += sum(
                event.damage for event in record.events if isinstance(event, BotHit) and event.bot == ME
            )
            if record.bot == ME:
                own += 1
                _add(record, rules, seen, early=own <= EARLY)


def _add(record: Play, rules: Rules, seen: Seen, *, early: bool) -> None:
    me, foe = BotView.pair(record.after, ME, rules)
    found = [*kinds(record, rules)]
    seen.count.update(found)
    seen.sums["distance"] += me.distance_to(foe)
    if isinstance(record.command, Fire):
        seen.sums["loaded"] += record.before.bot(ME).charge
    if early:
        seen.count.update(f"early {kind}" for kind in found if kind != "plays")
        seen.count["early"] += 1
        seen.sums["early distance"] += me.distance_to(foe)


def kinds(record: Play, rules: Rules) -> Iterator[str]:
    """Yield what a play counts as."""
    me, foe = BotView.pair(record.after, ME, rules)
    yield "plays"
    if me.distance_to(foe) < 2.5 * rules.step_length:
        yield "near"
    if me.shield:
        yield "shield"
    if foe.health >= 0.5 * foe.full_health:
        yield "strong"
        if isinstance(record.command, Fire):
            yield "fires strong"
    yield from _places(me, rules)
    if isinstance(record.command, Nothing):
        yield "nothing"
    if isinstance(record.command, Fire):
        yield from _shot(record, rules)
    if isinstance(record.command, StepBack):
        yield "backs"
    if isinstance(record.command, Move):
        yield "steps"
        mine, theirs = BotView.pair(record.before, ME, rules)
        if me.distance_to(foe) > mine.distance_to(theirs) + 1e-6:
            yield "away"


def _places(me: BotView, rules: Rules) -> Iterator[str]:
    reach = rules.bot_radius + rules.step_length
    right, bottom = rules.arena_width - me.x, rules.arena_height - me.y
    edges = {"left": me.x, "right": right, "top": me.y, "bottom": bottom}
    yield from (side for side, gap in edges.items() if gap < reach)
    if min(me.x, right) < reach and min(me.y, bottom) < reach:
        yield "corner"
    if min(me.x, right, me.y, bottom) < reach:
        yield "wall"
    if hypot(me.x - rules.arena_width / 2, me.y - rules.arena_height / 2) < 1.5 * rules.step_length:
        yield "middle"


def _shot(record: Play, rules: Rules) -> Iterator[str]:
    me, foe = BotView.pair(record.before, ME, rules)
    yield "fires"
    hits = [event for event in record.events if isinstance(event, BotHit)]
    if not hits:
        yield "no harm"
    if any(hit.part != "front" for hit in hits):
        yield "bare shots"
    if any(hit.part == "front" for hit in hits):
        yield "front shots"
    if any(isinstance(event, ShotBlocked) for event in record.events):
        yield "blocked"
    if any(isinstance(event, BulletFlew) and event.bounce is not None and hits for event in record.events):
        yield "bounced"
    if foe.menaces(me):
        yield "exchanges"
    if not foe.loaded:
        yield "shots at empty"
    if me.distance_to(foe) < 3 * rules.step_length:
        yield "close shots"


def obeyed(checks: str, seen: Seen, without: Seen) -> bool:
    """Return whether games pass: every check that a space parts, or one of those that a bar parts."""
    return all(any(CHECKS[each](seen, without) for each in either.split("|")) for either in checks.split())


def table(path: Path) -> list[tuple[str, list[str], str]]:
    """Return orders, right styles and checks of a file's lines."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and line[0] != "#"]
    return [(orders, styles.split("|"), checks) for orders, styles, checks in lines]


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, games=1, most=2)
    parser.add_argument("files", nargs="*", type=Path, default=FILES)
    parser.add_argument("--games", type=int, default=2, help="against each character")
    parser.add_argument("--config", default="arena")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--most", type=int, help="orders of each file (default: all)")
    parser.add_argument("--list", action="store_true", help="print each order that is not obeyed, with its figures")
    wanted = parser.parse()
    chosen, brains = config.load(wanted.config), manager.load().kinds
    tables = [Table(brains, (Spec.parse(foe), Spec("embedded")), fallback=chosen.fallback) for foe in FOES]
    kind = brains["embedded"]
    assert kind.orders_reader is not None
    reader = kind.orders_reader(Spec("embedded"))
    assert reader is not None
    reader.prepare(lambda _: None)
    for each in tables:
        each.prepare(lambda _: None)

    def games(orders: str) -> Seen:
        seen = Seen()
        for each in tables:
            plan = MatchPlan(
                chosen.rules, wanted.seed, wanted.games, ("", orders), chosen.style, chosen.header_template
            )
            counted(play(plan, each), chosen.rules, seen)
        return seen

    try:
        without = games("")
        print("| orders | read rightly | obeyed |\n| --- | ---: | ---: |")
        for path in wanted.files:
            progress(path.name)
            rows = table(path)[: wanted.most]
            read, done = 0, 0
            for orders, styles, checks in rows:
                top, _ = (reading := reader.read_orders(orders)).ranked[0]
                seen = games(orders)
                good = obeyed(checks, seen, without)
                read += (right := not {top, *reading.rules, *dict(reading.cases)}.isdisjoint(styles))
                done += good
                if wanted.list and not (good and right):
                    passed = {each: CHECKS[each](seen, without) for each in checks.replace("|", " ").split()}
                    progress(f"{orders!r}: {'read' * right}; {reading.summary()}; {passed}; {figures(seen)}")
            print(f"| {path.stem} | {read} of {len(rows)} | {done} of {len(rows)} |", flush=True)
    finally:
        reader.close()
        for each in tables:
            each.close()
    progress(f"without orders: {figures(without)}")


def figures(seen: Seen) -> str:
    """Return the shares that checks ask for, in a line."""
    of_plays = ("fires", "steps", "away", "near", "shield", "corner", "wall", "middle", "nothing")
    shares = [f"{name} {seen.share(name):.2f}" for name in of_plays]
    of_shots = ("no harm", "bare shots", "blocked", "bounced", "exchanges")
    shares += [f"{name} {seen.share(name, 'fires'):.2f}" for name in of_shots]
    return ", ".join([f"distance {seen.mean('distance'):.0f}", f"lost {seen.mean('lost'):.1f}", *shares])


if __name__ == "__main__":
    main()
