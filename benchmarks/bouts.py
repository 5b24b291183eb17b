"""Games of embedded models and scripts, two bouts at a time: orders are read once, and nobody waits for a thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from typing import Any, NamedTuple, TypeVar

from batllm_arcade.brains.orders import Reading
from batllm_arcade.brains.protocol import Decision, SeatInfo, Spec, View
from batllm_arcade.brains.tactician import Tactician, level_of
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Record
from batllm_arcade.plugin import manager
from batllm_arcade.settings import config

T = TypeVar("T")
Game = list[Record]


class Bout(NamedTuple):
    """Some games of two players, left first, under a shipped configuration; `orders` are for those who read them."""

    config: str
    left: str
    right: str
    orders: tuple[str, str] = ("", "")
    seed: int = 7
    games: int = 30


class Ordered:
    """Plays as the embedded model does whose orders were read before."""

    def __init__(self, spec: Spec, readings: Mapping[str, Reading]) -> None:
        self._tactician, self._readings = Tactician(level=level_of(spec)), readings

    def decide(self, view: View) -> Decision:
        """Return the play that the tactician makes of the orders."""
        play = self._tactician.play(view, self._readings[view.prompt])
        return Decision(play.style, play.command, thought=play.thought)


class Players(runner.TableProtocol):
    """A table for two players without threads."""

    def __init__(self, brains: Sequence[Any]) -> None:
        self._brains = brains

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays."""
        return SeatInfo("left", "left"), SeatInfo("right", "right")

    def ask(self, bot: int, view: View) -> runner.Answer:
        """Return the player's answer."""
        return runner.Answer(self._brains[bot].decide(view), "ok", "", 0.0, self.now())

    def now(self) -> str:
        """Return a time that stands still."""
        return "2026-01-01T12:00:00.000000Z"


def read(orders: Iterable[str]) -> dict[str, Reading]:
    """Return how the embedded model reads each of some orders."""
    kind = manager.load().kinds["embedded"]
    assert kind.orders_reader is not None
    reader = kind.orders_reader(Spec("embedded"))
    assert reader is not None
    reader.prepare(lambda _: None)
    try:
        return {text: reader.read_orders(text) for text in dict.fromkeys(orders)}
    finally:
        reader.close()


def games(bout: Bout, readings: Mapping[str, Reading]) -> Iterator[Game]:
    """Yield the records of each game of a bout; a readable order is in `readings`."""
    chosen, kinds = config.load(bout.config), manager.load().kinds
    specs = [Spec.parse(name) for name in bout[1:3]]
    brains = [Ordered(spec, readings) if spec.name == "embedded" else kinds[spec.name].make(spec) for spec in specs]
    game: Game = []
    plan = runner.MatchPlan(chosen.rules, bout.seed, bout.games, bout.orders, header_template="$commands")
    for record in runner.games(plan, Players(brains)):
        game.append(record)
        if isinstance(record, GameEnded):
            yield game
            game = []


def fought(
    bouts: Sequence[Bout], count: Callable[[Game], T], readings: Mapping[str, Reading] | None = None
) -> Iterator[list[T]]:
    """Yield for each bout what `count`, a function of a module, makes of each of its games; read the orders first."""
    if readings is None:
        readings = read(chain.from_iterable(bout.orders for bout in bouts))
    with ProcessPoolExecutor(min(2, os.cpu_count() or 1), get_context("spawn")) as pool:
        yield from pool.map(_counted, [(bout, count, readings) for bout in bouts])


def _counted(given: tuple[Bout, Callable[[Game], T], Mapping[str, Reading]]) -> list[T]:
    bout, count, readings = given
    return [count(game) for game in games(bout, readings)]
