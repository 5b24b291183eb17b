"""How well the embedded model's tactician fights: its levels, the orders that seats begin with, shields and bumps.

    python benchmarks/tactician.py [--games 60] [--config arena couch] [--seed 7]

Plays seeded games, half of them with the seats changed, and prints Markdown tables for each configuration: the wins of
each level (without orders) against scripts and, ordered to attack, against the level below; the wins of the orders
that seats begin with; the shields that the first player raised, the share of them that covered the bullet that the
foe could fire then (where it aims elsewhere, the line to the foe), and the share of the bullets fired at it that a
shield stopped; and the share of the games that who bumped first has won.
"""

from __future__ import annotations

from typing import NamedTuple

from bouts import Bout, Game, fought
from common import BenchmarkParser, progress

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.ready_made import library
from batllm_arcade.brains.tactician import LEVELS
from batllm_arcade.core.events import BotBumped, BulletFlew, ShieldRaised, ShotBlocked
from batllm_arcade.match.records import GameEnded, GameStarted, Play

SCRIPTS = ("sharpshooter", "dancer", "turtle", "strategist,depth=1")
PREFILLED = ("shell", "circle")
"""The orders that seats without orders begin with."""
ATTACK, CHARGE = "attack him", "rush him and stay right in his face"


class Seen(NamedTuple):
    """What was counted in a game, of both seats: who won and who bumped first, None for nobody; shields and bullets."""

    winner: int | None
    bumper: int | None
    raised: tuple[int, int]
    covering: tuple[int, int]
    met: tuple[int, int]
    blocked: tuple[int, int]


def seen(game: Game) -> Seen:
    """Return what was counted in a game."""
    begun, ended = game[0], game[-1]
    assert isinstance(begun, GameStarted)
    assert isinstance(ended, GameEnded)
    bumper = None
    raised, covering, met, blocked = [0, 0], [0, 0], [0, 0], [0, 0]
    for record in game:
        if not isinstance(record, Play):
            continue
        mine, other = record.bot, 1 - record.bot
        for event in record.events:
            if isinstance(event, ShieldRaised) and not record.before.bot(mine).shield:
                me, foe = BotView.pair(record.after, mine, begun.rules)
                raised[mine] += 1
                aimed = foe.strikes(me)
                covering[mine] += me.covers(foe) if aimed is None else aimed == "front"
            met[other] += isinstance(event, BulletFlew)
            blocked[other] += isinstance(event, ShotBlocked)
            bumper = mine if bumper is None and isinstance(event, BotBumped) else bumper
    return Seen(ended.result.winner, bumper, *map(tuple, (raised, covering, met, blocked)))  # type: ignore[arg-type]


Row = tuple[str, str, str, tuple[str, str]]
"""A table's title and a row of it: two players and their orders."""


def rows() -> list[Row]:
    """Return who meets whom, by table."""
    orders, scripts = dict(library()), [f"scripted:{name}" for name in SCRIPTS]
    levels = [f"embedded:level={level}" for level in LEVELS]
    found: list[Row] = [("level", level, script, ("", "")) for level in levels for script in scripts]
    below = zip(levels[1:], levels, strict=False)
    found += [("level", above, level, (ATTACK, ATTACK)) for above, level in below]
    found += [("begins with", "embedded", script, (orders[name], "")) for name in PREFILLED for script in scripts[:3]]
    found += [("bumps", "embedded", "embedded", (CHARGE, given)) for given in (CHARGE, ATTACK)]
    return [*found, ("bumps", "embedded", scripts[0], (CHARGE, ""))]


def main() -> None:
    """Print the tables."""
    parser = BenchmarkParser(__doc__, games=2, config=["arena"], only="bumps")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--config", nargs="+", default=["arena", "couch"])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", default="", help="rows of this table alone: level, begins with, bumps")
    wanted = parser.parse()
    chosen = [row for row in rows() if wanted.only in row[0]]
    half = max(1, wanted.games // 2)
    for name in wanted.config:
        bouts = []
        for _, one, other, orders in chosen:
            bouts.append(Bout(name, one, other, orders, wanted.seed, half))
            bouts.append(Bout(name, other, one, orders[::-1], wanted.seed + 1, half))
        found = fought(bouts, seen)
        print(f"\n| {name} | one | other | orders | one wins | drawn | shields raised | covering | bullets stopped |"
              " games with a bump | first to bump wins |\n| --- | --- | --- | --- |" + " ---: |" * 7)  # fmt: skip
        for title, one, other, orders in chosen:
            progress(f"{title}: {one} against {other}, {orders[0]}")
            straight, turned = next(found), next(found)
            seats = [(0, game) for game in straight] + [(1, game) for game in turned]
            print(f"| {title} | {called(one)} | {called(other)} | {orders[0]} | {figures(seats)} |", flush=True)


def called(brain: str) -> str:
    """Return what a player is called in a table."""
    return brain.removeprefix("scripted:").removeprefix("embedded:level=").replace(",depth=", " ")


def figures(seats: list[tuple[int, Seen]]) -> str:
    """Return the cells of a row, of games in which the first player had these seats."""
    won = sum(game.winner == seat for seat, game in seats) / len(seats)
    drawn = sum(game.winner is None for _, game in seats) / len(seats)
    raised = sum(game.raised[seat] for seat, game in seats)
    covers = sum(game.covering[seat] for seat, game in seats)
    met = sum(game.met[seat] for seat, game in seats)
    blocked = sum(game.blocked[seat] for seat, game in seats)
    bumped = [game for _, game in seats if game.bumper is not None]
    first = sum(game.winner == game.bumper for game in bumped)
    covering = f"{covers / raised:.0%}" if raised else "-"
    wins = f"{first / len(bumped):.0%}" if bumped else "-"
    stopped = f"{blocked / met:.0%}" if met else "-"
    return f"{won:.0%} | {drawn:.0%} | {raised} | {covering} | {stopped} | {len(bumped)} | {wins}"


if __name__ == "__main__":
    main()
