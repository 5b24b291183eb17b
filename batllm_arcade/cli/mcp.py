"""The command that lets agents play by MCP."""

from __future__ import annotations

import argparse
import threading
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_plugin_options, add_port
from batllm_arcade.configs import SHIPPED
from batllm_arcade.errors import UsageError
from batllm_arcade.terminal.output import write_line
from batllm_arcade.video.arguments import whole_number

if TYPE_CHECKING:
    from batllm_arcade.agents.matches import Matches
    from batllm_arcade.cli.arguments import Commands


def add_mcp(commands: Commands) -> None:
    parser = commands.add_parser("mcp", help="let agents play: a server of the Model Context Protocol")
    parser.add_argument("--http", action="store_true", help="by HTTP, for several agents; without, by standard input")
    add_port(parser, " with --http")
    deadline = "seconds that an agent has for a play (900; 0: as long as it likes)"
    parser.add_argument(
        "--deadline", type=lambda text: whole_number(text, 0, 86400), default=900, metavar="S", help=deadline
    )
    rules = f"the rules of matches for which an agent names none: {', '.join(SHIPPED)}, or a YAML file"
    parser.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help=rules)
    add_plugin_options(parser)
    parser.set_defaults(run=run_mcp)


def run_mcp(options: argparse.Namespace) -> int:
    """Serve agents until their program ends, or somebody ends this one; return 0."""
    import sys

    from batllm_arcade.agents.here import agents_missing

    if problem := agents_missing():
        raise UsageError(problem)
    from batllm_arcade.agents.matches import Matches
    from batllm_arcade.agents.tools import agent_server
    from batllm_arcade.cli.match_plan import isolation_of, load_plugins
    from batllm_arcade.settings import config as configuration

    with redirect_stdout(sys.stderr):
        config = configuration.load(options.config or "default")
        config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
        plugins = load_plugins(config, isolation_of(options))
    matches = Matches(plugins, config, float(options.deadline))
    try:
        if options.http:
            _serve(options, matches)
        else:
            agent_server(matches).run("stdio")
    finally:
        matches.close()
    return 0


def _serve(options: argparse.Namespace, matches: Matches) -> None:
    from batllm_arcade.agents.connecting import clients
    from batllm_arcade.agents.seat import address
    from batllm_arcade.agents.tools import mount
    from batllm_arcade.serve.seat import close_pages, open_pages
    from batllm_arcade.session.interrupts import ENDING, on_interrupt

    server, ended = open_pages(options, port=options.port), threading.Event()
    try:
        mount(server, matches)
        write_line(f"agents connect to {address(server)}")
        for name, told in clients(address(server)):
            write_line(f"  {name}: {told}")
        write_line(f"watch the last match at http://127.0.0.1:{server.port}/watch")
        with on_interrupt(ended.set, ENDING):
            while not ended.wait(1.0):
                pass
    finally:
        close_pages(options)
