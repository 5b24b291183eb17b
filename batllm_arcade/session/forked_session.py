"""What a fork of a recorded session is played with: its rules, and the brains that sat at its seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from batllm_arcade.brains.protocol import SeatInfo, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.history.reader import GameTape
from batllm_arcade.match.forked_game import Fork
from batllm_arcade.match.result_text import describe_result
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.foreign import Recorded, brain_of_file

Chosen = tuple[Spec | None, Spec | None]
"""The new brains of a fork, left first; None for a seat whose brain plays on."""


def recorded_config(fork: Fork) -> Config:
    """Return the shipped configuration with the rules of the forked game, whatever its length; else the default."""
    rules = replace(fork.started.rules, total_rounds=1, turns_per_round=1)
    for name in configuration.SHIPPED:
        config = configuration.load(name)
        if replace(config.rules, total_rounds=1, turns_per_round=1) == rules:
            return config
    return configuration.load("default")


def fork_config(config: Config, fork: Fork) -> Config:
    """Return a configuration with what the forked game is played by: its rules, orders, how its models are asked."""
    tape = fork.round
    mode: Literal["shared", "independent"] = "independent" if tape.independent else "shared"
    style = replace(config.style, mode=mode, aug=tape.augmented)
    return replace(config, rules=fork.started.rules, prompts=fork.orders, style=style)


def fork_seats(fork: Fork, chosen: Chosen, recorded: Recorded, tell: Callable[[str], None]) -> tuple[Spec, Spec]:
    """Return who plays on, left first: a new brain, else the one that sat there; `tell` gets what it plays without.

    Raise UsageError if that cannot be made again from what is recorded of it, ForeignAddress if nobody has allowed the
    address that it asks.
    """
    left, right = (
        _again(info, seat, recorded, tell) if spec is None else spec
        for spec, info, seat in zip(chosen, fork.seats, SEATS, strict=True)
    )
    return left, right


def _again(info: SeatInfo, seat: str, recorded: Recorded, tell: Callable[[str], None]) -> Spec:
    """Return the brain of a seat as it was recorded, without what is not taken from a file."""
    spec = Spec.parse(info.brain) if info.brain else Spec("")
    spec = replace(spec, options={key: str(value) for key, value in info.options.items()})
    found = brain_of_file(spec, seat, recorded)
    left_out = ", ".join(key for key in spec.options if key not in found.options)
    if left_out:
        tell(f"{seat} plays without {left_out}, which no file decides; add --{seat} BRAIN to say so yourself")
    return found


def origin_sentence(game: GameTape) -> str:
    """Return how the game ended that a fork plays on from."""
    if game.result is None:
        return "the original game never ended"
    turns = f"round {len(game.rounds)}, turn {(len(game.rounds[-1].plays) + 1) // 2}" if game.rounds else "no round"
    names = (f"{game.seats[0].name} (left)", f"{game.seats[1].name} (right)")
    return f"the original game ended in {turns}: {describe_result(game.result, names)}"
