"""`run`: play without a window."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, TextIO

from batllm_arcade.cli.arguments import add_match_options

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.session.live_session import Console


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("run", help="play without a window")
    add_match_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per game on standard output")
    parser.add_argument("--plays", action="store_true", help="a line per play on standard error, not the conversations")
    parser.add_argument("--quiet", action="store_true", help="nothing but who won each game on standard error")
    parser.add_argument(
        "--log", action="store_true", help="what bots print, and whole tracebacks, each line with its seat"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the session; return 0, 1 if something was lost, or 130, 143, 129 if a signal ended it."""
    from contextlib import redirect_stdout

    from batllm_arcade.cli.match_plan import config_of, isolation_of, load_plugins, plan_of, settle_paths
    from batllm_arcade.seats.brain_thread import PrintsBySeat
    from batllm_arcade.session import headless

    out = own_output() if options.json else None
    # Standard output is for --json alone, whatever a plugin prints.
    with redirect_stdout(PrintsBySeat(sys.stderr) if options.log and sys.stderr is not None else sys.stderr):
        settle_paths(options)
        config = config_of(options, "default")
        plugins = load_plugins(config, isolation_of(options))
        console: Console = "" if options.quiet else "plays" if options.plays else "conversation"
        plan = plan_of(options, config, (None, None), console)
        return headless.run(plan, plugins, out=out)


def own_output() -> TextIO:
    """Return standard output for the program alone: what plugins and their children write goes to standard error."""
    import os

    if sys.stdout is not sys.__stdout__ or sys.stdout is None:
        return sys.stdout  # redirected already, by a test or another program; or closed, which the first game tells
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own
