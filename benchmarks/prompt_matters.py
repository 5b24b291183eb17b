"""How much a player's orders change the play of the embedded model, and how it reads orders it has not seen.

    python benchmarks/prompt_matters.py [--games 30] [--config couch] [--seed 7]

Plays seeded games of `embedded` (right) against `scripted:sharpshooter` (left), the same starts for every
prompt, and prints two Markdown tables. Shares are of the embedded bot's own plays; `nearer` and `away` are
steps, `distance` is the mean distance between the two bots.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from math import hypot
from pathlib import Path

from batllm_arcade_plugins.embedded import Tactics

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import Fire, Move
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config

SEATS = (Spec.parse("scripted:sharpshooter"), Spec.parse("embedded"))
ME = 1
PROMPTS = (
    "Run away from the enemy as far as you can",
    "Hide behind your shield and never lower it",
    "Rush the enemy and get in its face",
    "Be a berserker",
    "Keep your distance and shoot",
    "Never stop moving, dance around the opponent",
)
LIBRARY = tuple(
    path.read_text("utf-8").strip()
    for path in sorted(Path(str(files("batllm_arcade.assets") / "prompts")).glob("*.txt"))
)
"""The prompts that come with the game."""
UNSEEN = (
    ("Get out of there and don't come back", "retreat"),
    ("Stay at the far wall, away from the other bot", "retreat"),
    ("Panic!", "retreat"),
    ("Hold your shield in front of you and wait", "shield"),
    ("Build a fortress around yourself", "shield"),
    ("Never take a risk", "shield retreat"),
    ("Ram him", "charge"),
    ("Pounce on it like a tiger", "charge attack"),
    ("Gun him down", "attack"),
    ("Empty your magazine", "attack"),
    ("Wait until it comes close, then fire", "attack shield"),
    ("Strafe around the enemy so that its shots miss", "dodge"),
    ("Keep jumping from side to side", "dodge"),
    ("Do not shoot", "shield retreat dodge"),
    ("Greif an!", "attack charge"),
)
"""Orders that were not used in choosing the examples, and what a person would choose."""


def distance(arena: Arena) -> float:
    """Between the two centres."""
    return hypot(arena.left.x - arena.right.x, arena.left.y - arena.right.y)


def row(prompt: str, records: Iterable[Record]) -> str:
    """One prompt's row: how the embedded bot played and how its games ended."""
    seen: Counter[str] = Counter()
    far = 0.0
    for record in records:
        if isinstance(record, GameEnded):
            seen["games"] += 1
            seen["won"] += record.result.winner == ME
            seen["knockouts"] += record.result.reason == "knockout"
        elif isinstance(record, Play):
            seen["all"] += 1
            if record.bot == ME:
                seen.update(kinds(record))
                far += distance(record.after)
    own = seen["own"]
    shares = " | ".join(f"{seen[name] / own:.0%}" for name in ("toward", "away", "fire", "hit", "shield"))
    ends = f"{seen['all'] / seen['games']:.0f} | {seen['knockouts']} | {seen['won']}"
    return f"| {prompt or '(none)'} | {shares} | {far / own:.0f} | {ends} |"


def kinds(record: Play) -> Iterator[str]:
    """What a play counts as."""
    yield "own"
    if isinstance(record.command, Move) and record.after != record.before:
        yield "toward" if distance(record.after) < distance(record.before) else "away"
    if isinstance(record.command, Fire):
        yield "fire"
    if any(isinstance(event, BotHit) for event in record.events):
        yield "hit"
    if record.after.bot(ME).shield:
        yield "shield"


def games(number: int, name: str, seed: int) -> Iterator[str]:
    """The table of games, line by line."""
    chosen = config.load(name)
    kinds_of_brain = manager.load().kinds
    head = ("orders", "nearer", "away", "fires", "hits", "shield up", "distance", "plays a game", "knock-outs", "won")
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for prompt in (*PROMPTS, *LIBRARY, ""):
        table = Table(kinds_of_brain, SEATS, fallback=chosen.fallback)
        table.prepare(lambda _: None)
        plan = MatchPlan(chosen.rules, seed, number, ("", prompt), chosen.style, chosen.header_template)
        try:
            yield row(prompt, play(plan, table))
        finally:
            table.close()


def reading(brain: Tactics) -> Iterator[str]:
    """The table of orders, line by line."""
    yield "| orders | a person's choice | the model's weights | |"
    yield "| --- | --- | --- | --- |"
    good = 0
    for orders, choice in UNSEEN:
        weights = brain.weigh(orders).weights
        ranked = sorted(weights, key=lambda tactic: -weights[tactic])
        hit = ranked[0] in choice.split()
        good += hit
        shown = ", ".join(f"{tactic} {weights[tactic]:.2f}" for tactic in ranked[:3])
        yield f"| {orders} | {choice.replace(' ', ' or ')} | {shown} | {'' if hit else 'missed'} |"
    yield f"\n{good} of {len(UNSEEN)} as a person would choose."


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--config", default="couch")
    parser.add_argument("--seed", type=int, default=7)
    wanted = parser.parse_args()
    brain = Tactics(SEATS[ME])
    brain.prepare(lambda _: None)
    for line in reading(brain):
        print(line)
    brain.close()
    print()
    for line in games(wanted.games, wanted.config, wanted.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
