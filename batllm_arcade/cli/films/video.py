"""`video`: make a film of a recorded session."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from batllm_arcade.video.arguments import add_arguments

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("video", help="make a film of a recorded session")
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the film; return 0, or 1 if it was stopped."""
    from batllm_arcade.video import options as video_options

    return video_options.film(options)
