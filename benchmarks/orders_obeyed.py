"""Whether the embedded model does what ordinary orders ask for: its games are measured, not its words.

    python benchmarks/orders_obeyed.py [FILE.tsv...] [--games 2] [--config arena] [--seed 7] [--list]

A line of a file is `ORDERS<tab>STYLES<tab>CHECKS`: the styles and rules that would be a right reading, and the checks
that the play must pass (`CHECKS` has each, with its figure; a space is "and", a bar "or"). Plays seeded games of
`embedded` against each of two scripted characters, the same starts for every order and for none, and prints a Markdown
table: how many are read rightly (the likeliest style, a rule or a case is one of the right ones, or the style or a rule
of a case is), and how many are obeyed (pass the checks).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import hypot
from pathlib import Path

from bouts import Bout, Game, fought, read
from common import BenchmarkParser, progress

from batllm_arcade.brains.bots import BotView
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, StepBack
from batllm_arcade.core.events import BotHit, BulletFlew, ShotBlocked
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Play

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
    sums: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        """Add to a sum."""
        self.sums[name] = self.sums.get(name, 0.0) + value

    def __iadd__(self, other: Seen) -> Seen:
        self.count += other.count
        for name, value in other.sums.items():
            self.add(name, value)
        return self

    def share(self, name: str, of: str = "plays") -> float:
        """Return how often something was seen among some plays."""
        return self.count[name] / max(1, self.count[of])

    def mean(self, name: str, of: str = "plays") -> float:
        """Return the mean of a sum over some plays."""
        return self.sums.get(name, 0.0) / max(1, self.count[of])


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
    "hurt_hides": lambda a, _: a.share("hurt shield", "hurt") >= 0.5
    and a.share("hurt fires", "hurt") <= 0.5 * a.share("well fires", "well"),
    "hurt_corner": lambda a, _: a.share("hurt corner", "hurt") >= 0.3,
    "hurt_dares": lambda a, _: a.mean("hurt distance", "hurt") <= 0.85 * a.mean("well distance", "well")
    and a.share("hurt fires", "hurt") > a.share("well fires", "well"),
    "hurt_flees": lambda a, b: a.mean("hurt distance", "hurt") >= 1.15 * a.mean("well distance", "well")
    and a.mean("well distance", "well") <= b.mean("well distance", "well"),
    "ahead_hides": lambda a, b: a.share("ahead shield", "ahead") > b.share("ahead shield", "ahead")
    and a.share("ahead fires", "ahead") <= 0.8 * b.share("ahead fires", "ahead"),
    "behind_dares": lambda a, _: a.mean("behind distance", "behind") < a.mean("ahead distance", "ahead")
    and a.share("behind fires", "behind") > a.share("ahead fires", "ahead"),
    "facing": lambda a, _: a.share("facing") >= 0.9 and a.share("back hits", "hits taken") <= 0.05,
    "spins": lambda a, _: a.share("turns") >= 0.4 and a.share("wild", "fires") >= 0.3,
    "between": lambda a, _: a.share("between") >= 0.6,
    "single": lambda a, _: a.share("again", "fires") <= 0.15,
    "far_first": lambda a, b: a.mean("early distance", "early") >= 1.15 * b.mean("early distance", "early"),
}  # fmt: skip
"""What a player would look for, in shares of the bot's own plays or shots; the second figures: no orders."""


def counted(game: Game) -> Seen:
    """Return what was seen in a game."""
    seen, own, fired = Seen(), 0, False
    begun = game[0]
    assert isinstance(begun, GameStarted)
    for record in game:
        if not isinstance(record, Play):
            continue
        for event in record.events:
            if isinstance(event, BotHit) and event.bot == ME:
                seen.add("lost", event.damage)
                seen.count.update(["hits taken", *["back hits"] * (event.part == "back")])
        if record.bot == ME:
            own += 1
            _add(record, begun.rules, seen, early=own <= EARLY)
            seen.count["again"] += fired and isinstance(record.command, Fire)
            fired = isinstance(record.command, Fire)
    return seen


def _add(record: Play, rules: Rules, seen: Seen, *, early: bool) -> None:
    me, foe = BotView.pair(record.after, ME, rules)
    found = [*kinds(record, rules)]
    seen.count.update(found)
    distance = me.distance_to(foe)
    seen.add("distance", distance)
    if isinstance(record.command, Fire):
        seen.add("loaded", record.before.bot(ME).charge)
    for phase in (*phases(record, rules), *["early"] * early):
        seen.count[phase] += 1
        seen.count.update(f"{phase} {kind}" for kind in found if kind != "plays")
        seen.add(f"{phase} distance", distance)


def phases(record: Play, rules: Rules) -> Iterator[str]:
    """Yield what parts of a fight a play belongs to, by what its bot knew."""
    me, foe = BotView.pair(record.before, ME, rules)
    if me.health < 0.4 * me.full_health:
        yield "hurt"
    if me.health >= 0.5 * me.full_health:
        yield "well"
    if me.health != foe.health:
        yield "ahead" if me.health > foe.health else "behind"


def kinds(record: Play, rules: Rules) -> Iterator[str]:
    """Yield what a play counts as."""
    me, foe = BotView.pair(record.after, ME, rules)
    yield "plays"
    if me.distance_to(foe) < 2.5 * rules.step_length:
        yield "near"
    elif me.distance_to(foe) < 0.5 * hypot(rules.arena_width, rules.arena_height):
        yield "between"
    if me.shield:
        yield "shield"
    if abs(me.bearing_to(foe)) <= 90:
        yield "facing"
    if foe.health >= 0.5 * foe.full_health:
        yield "strong"
        if isinstance(record.command, Fire):
            yield "fires strong"
    yield from _places(me, rules)
    if isinstance(record.command, Nothing):
        yield "nothing"
    if isinstance(record.command, Rotate):
        yield "turns"
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
    if not me.aims_at(foe):
        yield "wild"
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
    tables = {path: table(path)[: wanted.most] for path in wanted.files}
    texts = ["", *dict.fromkeys(orders for rows in tables.values() for orders, _, _ in rows)]
    readings = read(texts)
    bouts = [
        Bout(wanted.config, foe, "embedded", ("", text), wanted.seed, wanted.games) for text in texts for foe in FOES
    ]
    played = fought(bouts, counted, readings)
    found: dict[str, Seen] = {}
    for text in texts:
        found[text] = Seen()
        for game in (game for _ in FOES for game in next(played)):
            found[text] += game
    without = found[""]
    print("| orders | read rightly | obeyed |\n| --- | ---: | ---: |")
    for path, rows in tables.items():
        read_rightly = done = 0
        for orders, styles, checks in rows:
            reading, seen = readings[orders], found[orders]
            parts = [reading, *(case for _, case in reading.cases)]
            told = {*dict(reading.cases), *(name for part in parts for name in (part.ranked[0][0], *part.rules))}
            read_rightly += (right := not told.isdisjoint(styles))
            done += (good := obeyed(checks, seen, without))
            if wanted.list and not (good and right):
                passed = {each: CHECKS[each](seen, without) for each in checks.replace("|", " ").split()}
                progress(f"{orders!r}: {'read' * right}; {reading.summary()}; {passed}; {figures(seen)}")
        print(f"| {path.stem} | {read_rightly} of {len(rows)} | {done} of {len(rows)} |", flush=True)
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
