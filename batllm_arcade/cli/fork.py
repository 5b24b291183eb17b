"""`fork`: play on from a turn of a recorded session."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_allowed_addresses, add_plugin_options, add_session_file

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("fork", help="play on from a turn of a recorded session, with other players or orders")
    add_session_file(parser)
    place = "what was played up to the end of this turn is taken over"
    parser.add_argument("--at", required=True, metavar="[GAME.]ROUND.TURN", help=place)
    for seat in ("left", "right"):
        add = parser.add_argument
        add(f"--{seat}", metavar="BRAIN", default=argparse.SUPPRESS, help=f"who plays on {seat} (else who sat there)")
    for seat in ("left", "right"):
        what = f"the {seat} player's new prompt (else the one it had)"
        parser.add_argument(f"--{seat}-prompt", metavar="TEXT|@FILE", default=argparse.SUPPRESS, help=what)
    kept = "the session file to write (else one in your data folder)"
    parser.add_argument("--history", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=kept)
    style = "how models are asked, and the fallback: default, couch, arena, classic, or a YAML file"
    parser.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help=style)
    parser.add_argument("--json", action="store_true", help="the game as a JSON object on standard output")
    parser.add_argument("--quiet", action="store_true", help="nothing but who won on standard error")
    add_allowed_addresses(parser)
    add_plugin_options(parser)
    overwrite = "overwrite an existing session file"
    parser.add_argument("--force", action="store_true", default=argparse.SUPPRESS, help=overwrite)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the fork to its end; return what `run` does."""
    from contextlib import redirect_stdout
    from dataclasses import replace

    from batllm_arcade.cli.fork_plan import fork_plan, with_orders
    from batllm_arcade.cli.match_plan import isolation_of, load_plugins, settle_paths
    from batllm_arcade.cli.run import own_output
    from batllm_arcade.history.forking import fork_at, parse_place
    from batllm_arcade.session import headless
    from batllm_arcade.session.live_session import origin_sentence, recorded_config
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.settings import config as configuration
    from batllm_arcade.terminal.output import write_line

    place = parse_place(options.at)
    out = own_output() if options.json else None
    with redirect_stdout(sys.stderr):
        settle_paths(options)
        session = open_recorded(options.file)
        fork = with_orders(fork_at(session, place), options)
        config = configuration.load(options.config) if options.config else recorded_config(fork)
        config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
        plugins = load_plugins(config, isolation_of(options))
        plan = fork_plan(fork, options, config, plugins.kinds)
        code = headless.run(plan, plugins, out=out)
        write_line(origin_sentence(session.games[place.game - 1]))
    return code
