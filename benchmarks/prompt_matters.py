"""How much a player's orders change the play of the embedded model: each style's own measure against no orders.

    python benchmarks/prompt_matters.py [--games 30] [--config couch] [--seed 7] [--against scripted:dancer]

Plays seeded games of `embedded` (right), the same starts for every order, and prints a Markdown table. Shares are of
the embedded bot's own plays; a measure is named in `MEASURES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import hypot

from common import BenchmarkParser, progress

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config

ME = 1
ORDERS = {
    "": "",
    "attack": "shoot him as often as you can",
    "charge": "rush him and stay right in his face",
    "retreat": "run away from him",
    "shield": "hide behind your shield",
    "dodge": "never stop moving, dance around him",
    "camp": "camp in the corner",
    "snipe": "keep your distance and shoot from afar",
    "counter": "wait until he lowers his shield, then shoot",
    "hold_fire": "never shoot",
    "idle": "do nothing at all",
    "mixed": "be unpredictable, change your tactics all the time",
}


@dataclass
class Seen:
    """What was counted over some games."""

    count: Counter[str] = field(default_factory=Counter)

    def share(self, name: str, of: str = "plays") -> float:
        """Return how often something was seen among some plays."""
        return self.count[name] / max(1, self.count[of])


MEASURES: Mapping[str, tuple[str, Callable[[Seen], float]]] = {
    "attack": ("plays that fire", lambda seen: seen.share("fires")),
    "charge": ("plays within two and a half steps of the foe", lambda seen: seen.share("near")),
    "retreat": ("steps that lead away from the foe", lambda seen: seen.share("away", "steps")),
    "shield": ("plays behind the shield", lambda seen: seen.share("shield")),
    "dodge": ("plays that step", lambda seen: seen.share("steps")),
    "camp": ("plays within a step of a corner", lambda seen: seen.share("corner")),
    "snipe": ("shots from more than half a diagonal", lambda seen: seen.share("far shots", "fires")),
    "counter": ("shots at a foe that could have fired", lambda seen: seen.share("exchanges", "fires")),
    "hold_fire": ("plays that fire", lambda seen: seen.share("fires")),
    "idle": ("plays that turn or step", lambda seen: seen.share("moves")),
    "mixed": ("plays spent charging, getting away or sniping", lambda seen: seen.share("other styles")),
}


def counted(records: Iterable[Record], rules: Rules) -> Seen:
    """Return what was seen in all the games of a match."""
    seen = Seen()
    for record in records:
        if isinstance(record, GameEnded):
            seen.count["games"] += 1
            seen.count["won"] += record.result.winner == ME
        elif isinstance(record, Play) and record.bot == ME:
            seen.count.update(kinds(record, rules))
    return seen


def kinds(record: Play, rules: Rules) -> Iterator[str]:
    """Yield what a play counts as."""
    me, foe = BotView.pair(record.after, ME, rules)
    half = 0.5 * hypot(rules.arena_width, rules.arena_height)
    distance = me.distance_to(foe)
    yield "plays"
    if distance < 2.5 * rules.step_length:
        yield "near"
    if distance > half:
        yield "far"
    if me.shield:
        yield "shield"
    corner = hypot(min(me.x, rules.arena_width - me.x), min(me.y, rules.arena_height - me.y))
    if corner - rules.bot_radius * 2**0.5 < rules.step_length:
        yield "corner"
    if isinstance(record.command, Fire):
        yield "fires"
        if distance > half:
            yield "far shots"
        if foe.menaces(me):
            yield "exchanges"
    if isinstance(record.command, (Move, Rotate)):
        yield "moves"
    if isinstance(record.command, Move):
        yield "steps"
        mine, theirs = BotView.pair(record.before, ME, rules)
        if distance > mine.distance_to(theirs) + 1e-6:
            yield "away"
    if isinstance(record.command, Nothing):
        yield "nothing"
    said = record.decision.thought.partition(" — ")[2]
    if any(word in said for word in ("charging", "getting away", "sniping")):
        yield "other styles"


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, games=1, turns=2, styles=["hold_fire"])
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--against", default="scripted:dancer")
    parser.add_argument("--brain", default="embedded")
    parser.add_argument("--styles", nargs="+", choices=MEASURES, default=list(MEASURES))
    parser.add_argument("--turns", type=int, help="turns of a round (default: the configuration's)")
    wanted = parser.parse()
    chosen, brains = config.load(wanted.config), manager.load().kinds
    rules = config.with_lengths(chosen, None, wanted.turns).rules
    table = Table(brains, (Spec.parse(wanted.against), Spec.parse(wanted.brain)), fallback=chosen.fallback)
    table.prepare(lambda _: None)
    found: dict[str, Seen] = {}
    try:
        for style in ("", *wanted.styles):
            progress(f"{wanted.games} games, {style or 'no orders'}")
            orders = ORDERS[style]
            plan = MatchPlan(rules, wanted.seed, wanted.games, ("", orders), chosen.style, chosen.header_template)
            found[style] = counted(play(plan, table), rules)
    finally:
        table.close()
    print("| style | orders | measure | no orders | with them | won |\n| --- | --- | --- | --- | --- | --- |")
    for style in wanted.styles:
        name, measure = MEASURES[style]
        before, after = measure(found[""]), measure(found[style])
        print(f"| {style} | {ORDERS[style]} | {name} | {before:.0%} | {after:.0%} | {found[style].count['won']} |")
    print(f"\nWithout orders {found[''].count['won']} of {wanted.games} games were won.")


if __name__ == "__main__":
    main()
