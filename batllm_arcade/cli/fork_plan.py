"""The options of `fork` to the fork and its plan."""

from __future__ import annotations

import argparse
from dataclasses import replace

from batllm_arcade.cli.match_plan import written_spec
from batllm_arcade.match.runner import Fork
from batllm_arcade.seats.brain_thread import Kinds
from batllm_arcade.session.live_session import Console, SessionPlan, fork_config, fork_seats, new_history_file
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.foreign import Recorded, own_origins
from batllm_arcade.terminal.output import complain


def with_orders(fork: Fork, options: argparse.Namespace) -> Fork:
    """Return a fork with the new players and orders that the options name."""
    texts = [options.left_prompt, options.right_prompt]
    left, right = (None if text is None else configuration.prompt_text(text) for text in texts)
    return replace(fork, new=(options.left is not None, options.right is not None), prompts=(left, right))


def fork_plan(fork: Fork, options: argparse.Namespace, config: Config, kinds: Kinds) -> SessionPlan:
    """Return the session to play; raise UsageError if a seat's brain cannot be made again, or asks a strange server."""
    left, right = (None if given is None else written_spec(given) for given in (options.left, options.right))
    recorded = Recorded(kinds, own_origins(options.allow_address or ()))
    console: Console = "" if options.quiet else "plays"
    return SessionPlan(
        config=fork_config(config, fork),
        seats=fork_seats(fork, (left, right), recorded, complain),
        seed=fork.started.seed,
        history=options.history or new_history_file(),
        console=console,
        force=options.force,
        history_name=options.history_name,
        fork=fork,
    )
