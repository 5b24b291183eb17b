"""A match in which a cassette plays: its recording says which seed, rules and orders it needs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.reader import GameTape, read
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

CASSETTE = "cassette"
"""The brain that plays a seat of a recorded session."""


def as_recorded(seats: Iterable[Spec], config: Config, options: argparse.Namespace) -> tuple[Config, int | None]:
    """Return the configuration and the seed of a match, which are those of its first cassette unless they are given.

    A recording that cannot be read is told where its brain gets ready.
    """
    game = next(filter(None, map(_recorded, seats)), None)
    if game is None:
        return config, options.seed
    if options.config is None:
        config = replace(config, rules=game.rules)
        config = configuration.with_lengths(config, options.rounds, options.turns)
    if game.rounds and options.left_prompt is None and options.right_prompt is None:
        config = replace(config, prompts=game.rounds[0].prompts)
    return config, game.seed if options.seed is None else options.seed


def _recorded(spec: Spec) -> GameTape | None:
    """Return the game that a cassette plays first, None for any other brain and where there is no such game."""
    file, number = spec.variant or spec.text("file"), spec.text("game", "1")
    if spec.name != CASSETTE or not file:
        return None
    try:
        games = read(Path(file).expanduser()).games
    except HistoryError:
        return None
    return next((game for game in games if str(game.number) == number), None)
