"""A match in which a cassette plays: its recording says which seed, rules and orders it needs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.session.recorded_match import recorded_game
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config


def as_recorded(seats: Iterable[Spec], config: Config, options: argparse.Namespace) -> tuple[Config, int | None]:
    """Return the configuration and the seed of a match, which are those of its first cassette unless they are given."""
    game = recorded_game(seats)
    if game is None:
        return config, options.seed
    if options.config is None:
        config = replace(config, rules=game.rules)
        config = configuration.with_lengths(config, options.rounds, options.turns)
    if game.rounds and options.left_prompt is None and options.right_prompt is None:
        config = replace(config, prompts=game.rounds[0].prompts)
    return config, game.seed if options.seed is None else options.seed
