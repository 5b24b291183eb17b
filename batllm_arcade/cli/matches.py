"""The commands that play: run, play, fork, and the arcade, which opens without a command."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from batllm_arcade.cli.arguments import add_allowed_addresses, add_match_options, add_plugin_options, add_session_file
from batllm_arcade.configs import SHIPPED
from batllm_arcade.terminal.output import write_line

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.session.live_session import Console


def add_run(commands: Commands) -> None:
    parser = commands.add_parser("run", help="play without a window")
    add_match_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per game on standard output")
    parser.add_argument("--plays", action="store_true", help="a line per play on standard error, not the conversations")
    parser.add_argument("--quiet", action="store_true", help="nothing but who won each game on standard error")
    parser.add_argument(
        "--log", action="store_true", help="what bots print, and whole tracebacks, each line with its seat"
    )
    parser.set_defaults(run=run_headless)


def run_headless(options: argparse.Namespace) -> int:
    """Play the session; return 0, 1 if something was lost, or 130, 143, 129 if a signal ended it."""
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of
    from batllm_arcade.seats.brain_thread import PrintsBySeat
    from batllm_arcade.session import headless

    out = own_output() if options.json else None
    # Standard output is for --json alone, whatever a plugin prints.
    with redirect_stdout(PrintsBySeat(sys.stderr) if options.log and sys.stderr is not None else sys.stderr):
        config, plugins = config_and_plugins(options, "default")
        console: Console = "" if options.quiet else "plays" if options.plays else "conversation"
        plan = plan_of(options, config, (None, None), console)
        return headless.run(plan, plugins, out=out)


def own_output() -> TextIO:
    """Return standard output for the program alone: what plugins and their children write goes to standard error."""
    if sys.stdout is not sys.__stdout__ or sys.stdout is None:
        return sys.stdout  # redirected already, by a test or another program; or closed, which the first game tells
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


_USUAL_SEATS = ("keyboard", "embedded")


def usual_rules() -> str:
    """Return the rules of a window where nobody names any: the arena's, in a person's first match ever the couch's."""
    from batllm_arcade.settings.store import SettingsFile

    return "arena" if SettingsFile().settings.played else "couch"


def add_play(commands: Commands) -> None:
    parser = commands.add_parser("play", help="straight into a match, in a window")
    add_match_options(parser)
    parser.add_argument("--record", type=Path, metavar="OUT", help="film the window into this file, an .mp4")
    parser.set_defaults(run=run_play)


def run_play(options: argparse.Namespace) -> int:
    """Open a window with a match; return its exit code."""
    from batllm_arcade.app import launch, recording
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of

    if options.record is not None:
        recording.check(options.record, force=options.force)
        options.record = options.record.absolute()
    config, plugins = config_and_plugins(options, usual_rules())
    unnamed = (options.left is None and not config.seats[0], options.right is None and not config.seats[1])
    return launch.play(plan_of(options, config, _USUAL_SEATS), plugins, options.record, unnamed=unnamed)


def run_arcade(options: argparse.Namespace) -> int:
    """Open the arcade; return its exit code."""
    from batllm_arcade.app import launch
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of

    config, plugins = config_and_plugins(options, usual_rules())
    return launch.arcade(plan_of(options, config, _USUAL_SEATS, problems=plugins.problems), plugins)


def add_fork(commands: Commands) -> None:
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
    where = "the session file to write (else one in your data folder)"
    parser.add_argument("--history", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=where)
    style = f"how models are asked, and the fallback: {', '.join(SHIPPED)}, or a YAML file"
    parser.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help=style)
    parser.add_argument("--json", action="store_true", help="the game as a JSON object on standard output")
    parser.add_argument("--quiet", action="store_true", help="nothing but who won on standard error")
    add_allowed_addresses(parser)
    add_plugin_options(parser)
    overwrite = "overwrite an existing session file"
    parser.add_argument("--force", action="store_true", default=argparse.SUPPRESS, help=overwrite)
    parser.set_defaults(run=run_fork)


def run_fork(options: argparse.Namespace) -> int:
    """Play the fork to its end; return what `run` does."""
    from batllm_arcade.cli.match_plan import fork_plan, isolation_of, load_plugins, settle_paths, with_orders
    from batllm_arcade.history.forking import fork_at, parse_place
    from batllm_arcade.session import headless
    from batllm_arcade.session.live_session import origin_sentence, recorded_config
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.settings import config as configuration

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
