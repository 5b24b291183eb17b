"""`brains`: what is installed, and whether each brain could play now."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("brains", help="what is installed, and whether each could play now")
    parser.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help="whose plugins_dir to look in")
    parser.add_argument(
        "--plugins-dir", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="load your plugins from this folder"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a line or two per brain; return 0."""
    from dataclasses import replace

    from batllm_arcade.cli.match_plan import load_plugins
    from batllm_arcade.plugin import availability
    from batllm_arcade.settings import config as configuration

    config = configuration.load(options.config or "default")
    config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
    for line in availability.lines(load_plugins(config).kinds):
        print(line)
    return 0
