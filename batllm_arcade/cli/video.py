"""`video`: make a film of recorded sessions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from batllm_arcade.video.arguments import add_arguments

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line, and `reel`, as its highlights were called, which --help does not name."""
    for parser, highlights in (
        (commands.add_parser("video", help="make a film of a recorded session, or of the best of many"), False),
        (commands.add_parser("reel"), True),
    ):
        add_arguments(parser)
        parser.set_defaults(run=_reel if highlights else run)


def run(options: argparse.Namespace) -> int:
    """Make the film; return 0, or 1 if it was stopped."""
    from batllm_arcade.video import options as video_options

    return video_options.film(options)


def _reel(options: argparse.Namespace) -> int:
    from batllm_arcade.terminal.output import complain

    complain("reel is now called video FILE... --highlights; its old name will go")
    options.highlights = True
    return run(options)
