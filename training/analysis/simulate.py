"""Play games of all kinds of players, and write what positions looked like and how their games ended.

    python training/analysis/simulate.py OUT --seconds 600 --seed 1 [--config couch --config default ...]

Each line of OUT is a game: its configuration, its players, the score of left (1, 0.5, 0), and for each play the bot
that plays next and the figures of the position.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from batllm_arcade_plugins.scripted import make

from batllm_arcade.analysis.game import features, outlook_of, positions
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import Decision, SeatInfo, Spec, View
from batllm_arcade.brains.tactician import Tactician
from batllm_arcade.match import runner
from batllm_arcade.match.records import Record
from batllm_arcade.match.runner import Answer, MatchPlan
from batllm_arcade.settings import config

SCRIPTS = (
    "sharpshooter", "turtle", "dancer", "random", "strategist,depth=1", "strategist,depth=2", "strategist,depth=3",
)  # fmt: skip
PLAYED = ("attack", "charge", "dodge", "camp", "snipe", "counter", "shield", "mixed")
"""Styles that the embedded model's player may be ordered to play."""
CONFIGS = ("couch", "arena", "default", "classic")


class Embedded:
    """Plays as the embedded model does with orders that were read as mostly one style."""

    def __init__(self, style: str) -> None:
        rest = {each: 0.3 / (len(STYLES) - 1) for each in STYLES}
        self._reading, self._tactician = Reading({**rest, style: 0.7}), Tactician()

    def decide(self, view: View) -> Decision:
        """Return the play of the style drawn."""
        play = self._tactician.play(view, self._reading)
        return Decision(play.command or "", play.command)


class Players(runner.TableProtocol):
    """A table for two players without threads."""

    def __init__(self, *names: str) -> None:
        self._brains: list[Any] = [
            Embedded(name.partition(":")[2]) if name.startswith("embedded:") else make(Spec.parse(f"scripted:{name}"))
            for name in names
        ]

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays."""
        return SeatInfo("left", "scripted"), SeatInfo("right", "scripted")

    def ask(self, bot: int, view: View) -> Answer:
        """Return the player's answer."""
        return Answer(self._brains[bot].decide(view), "ok", "", 0.0, self.now())

    def now(self) -> str:
        """Return a time that stands still."""
        return "2026-01-01T12:00:00.000000Z"


def match(name: str, seed: int) -> tuple[list[str], list[Record]]:
    """Return the players drawn for a seed, and the records of their game under a shipped configuration."""
    rng = Random(f"analysis/{name}/{seed}")
    names = [rng.choice((*SCRIPTS, f"embedded:{rng.choice(PLAYED)}")) for _ in range(2)]
    return names, list(runner.play(MatchPlan(config.load(name).rules, seed), Players(*names)))


def line(name: str, seed: int) -> dict[str, Any]:
    """Return one game in figures."""
    names, records = match(name, seed)
    rules = config.load(name).rules
    found = [(at.mover, *features(at, rules, outlook_of(at, rules))[1:]) for at in positions(records)]
    won = next(record.result.winner for record in records if hasattr(record, "result"))
    score = 0.5 if won is None else 1.0 - won
    return {"config": name, "seed": seed, "players": names, "score": score, "plays": found}


def seeds(first: int) -> Iterator[int]:
    """Yield a new seed each time."""
    while True:
        yield first
        first += 1


def main() -> None:
    """Simulate until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", action="append", choices=CONFIGS)
    options = parser.parse_args()
    ends = time.monotonic() + options.seconds
    with options.out.open("w", encoding="utf-8") as file:
        for seed in seeds(options.seed):
            for name in options.config or CONFIGS:
                if time.monotonic() > ends:
                    return
                file.write(json.dumps(line(name, seed)) + "\n")
                file.flush()


if __name__ == "__main__":
    main()
