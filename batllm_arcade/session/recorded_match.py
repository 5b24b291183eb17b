"""The match that a cassette needs: the seed, the rules and the orders of the game that it plays again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.reader import GameTape, read

CASSETTE = "cassette"
"""The brain that plays a seat of a recorded session."""


def recorded_game(seats: Iterable[Spec]) -> GameTape | None:
    """Return the game that the first cassette plays first, None without one, and where there is no such game.

    A recording that cannot be read is told where its brain gets ready.
    """
    return next(filter(None, map(_recorded, seats)), None)


def _recorded(spec: Spec) -> GameTape | None:
    file, number = spec.variant or spec.text("file"), spec.text("game", "1")
    if spec.name != CASSETTE or not file:
        return None
    try:
        games = read(Path(file).expanduser()).games
    except HistoryError:
        return None
    return next((game for game in games if str(game.number) == number), None)
