"""`brains`: what is installed, and whether each brain could play now."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_plugin_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.seats.brain_thread import Kinds


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("brains", help="what is installed, and whether each could play now")
    parser.add_argument("specs", nargs="*", metavar="BRAIN", help="check these as they would play, with their options")
    parser.add_argument(
        "--config", metavar="NAME|FILE", default=argparse.SUPPRESS,
        help="check the brains of this configuration as they would play; its plugins_dir is looked in, too",
    )  # fmt: skip
    parser.add_argument(
        "--options", action="store_true", dest="list_options", help="list the options that these brains have"
    )
    add_plugin_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a line or two per brain; return 0, or 1 if one that was named could not play."""
    from dataclasses import replace

    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.cli.match_plan import isolation_of, load_plugins
    from batllm_arcade.plugin import availability
    from batllm_arcade.session.bot_check import check_brain
    from batllm_arcade.settings import config as configuration
    from batllm_arcade.terminal.output import write_line

    config = configuration.load(options.config or "default")
    config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
    named = [Spec.parse(text) for text in options.specs] or [seat for seat in config.seats if seat is not None]
    kinds = load_plugins(config, isolation_of(options)).kinds
    if options.list_options:
        return _list_options(kinds, named)
    ready = True
    for spec in dict.fromkeys(map(str, named)):
        found = check_brain(kinds, Spec.parse(spec), config.deadline_s, write_line)
        ready = ready and not found.problem
        for line in availability.told(found.name, found.problem, found.summary):
            write_line(line, sys.stdout)
    if options.specs:
        return 0 if ready else 1
    # A brain that a seat of the configuration names was checked as that seat plays it.
    others = {name: kind for name, kind in kinds.items() if name not in {spec.name for spec in named}}
    for line in availability.lines(others):
        write_line(line, sys.stdout)
    return 0 if ready else 1


def _list_options(kinds: Kinds, named: Sequence[Spec]) -> int:
    from batllm_arcade.brains.protocol import Spec, option_lines
    from batllm_arcade.seats.brain_thread import find_kind
    from batllm_arcade.terminal.output import write_line

    for spec in named or [Spec(name) for name in sorted(kinds)]:
        kind = find_kind(kinds, spec)
        if not named and kind.options is None:
            continue
        write_line(f"{spec.short}: {kind.summary}", sys.stdout)
        for line in option_lines(kind, spec.variant):
            write_line(f"  {line}", sys.stdout)
        if kind.presets:
            write_line(f"  known servers, as {kind.name}:NAME: {', '.join(kind.presets)}", sys.stdout)
        if kind.options is None:
            write_line("  it does not say which others it has", sys.stdout)
    return 0
