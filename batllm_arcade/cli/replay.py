"""`replay`: watch a recorded session in a window."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("replay", help="watch a recorded session in a window")
    add_session_file(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open a window with the replay; return its exit code."""
    from batllm_arcade.app import launch

    return launch.replay(options.file)
