"""`play`: straight into a match, in a window; and the arcade, which opens without a command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_match_options

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands

_SEATS = ("keyboard", "embedded")


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("play", help="straight into a match, in a window")
    add_match_options(parser)
    parser.add_argument("--record", type=Path, metavar="OUT", help="film the window into this file, an .mp4")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open a window with a match; return its exit code."""
    from batllm_arcade.app import launch, recording
    from batllm_arcade.cli.match_plan import config_of, isolation_of, load_plugins, plan_of, settle_paths

    settle_paths(options)
    if options.record is not None:
        recording.check(options.record, force=options.force)
        options.record = options.record.absolute()
    config = config_of(options, "couch")
    plugins = load_plugins(config, isolation_of(options))
    unnamed = (options.left is None and not config.seats[0], options.right is None and not config.seats[1])
    return launch.play(plan_of(options, config, _SEATS), plugins, options.record, unnamed=unnamed)


def arcade(options: argparse.Namespace) -> int:
    """Open the arcade; return its exit code."""
    from batllm_arcade.app import launch
    from batllm_arcade.cli.match_plan import config_of, isolation_of, load_plugins, plan_of, settle_paths

    settle_paths(options)
    config = config_of(options, "couch")
    plugins = load_plugins(config, isolation_of(options))
    return launch.arcade(plan_of(options, config, _SEATS, problems=plugins.problems), plugins)
