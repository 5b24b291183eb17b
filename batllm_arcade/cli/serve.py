"""The command that serves a match to phones and browsers."""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_match_options, add_port
from batllm_arcade.errors import UsageError
from batllm_arcade.terminal.output import write_line
from batllm_arcade.video.arguments import whole_number

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.plugin.manager import Plugins
    from batllm_arcade.serve.lobby import Lobby
    from batllm_arcade.serve.server import Server
    from batllm_arcade.session.live_session import SessionPlan

_WRITERS = {"": (), "left": (0,), "right": (1,), "both": (0, 1)}


def add_serve(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="a match for phones and browsers: seats, orders, spectators")
    add_match_options(parser)
    parser.add_argument("--lan", action="store_true", help="open it to your network; without, to this computer alone")
    add_port(parser)
    orders = "whose orders are written in pages, before the match and between rounds: left, right or both"
    parser.add_argument("--orders", choices=tuple(_WRITERS)[1:], default="", metavar="SEAT", help=orders)
    clock = "seconds that a person has for a turn (0: as long as they like)"
    parser.add_argument("--clock", type=lambda text: whole_number(text, 0, 3600), default=0, metavar="S", help=clock)
    parser.set_defaults(run=run_serve)


def run_serve(options: argparse.Namespace) -> int:
    """Serve the match until it is over; return what `run` does."""
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of
    from batllm_arcade.cli.matches import usual_rules
    from batllm_arcade.serve.seat import close_pages, open_pages
    from batllm_arcade.serve.served_match import ServedMatch
    from batllm_arcade.session import headless

    with redirect_stdout(sys.stderr):
        config, plugins = config_and_plugins(options, usual_rules())
        plan = plan_of(options, config, ("browser", "browser"))
        writers = _WRITERS[options.orders]
        server = open_pages(options, port=options.port, lan=options.lan)
        try:
            _expect(plan, plugins, server.lobby, writers)
            _invite(server)
            match = ServedMatch(server.lobby, writers)
            config = replace(plan.config, prompts=match.orders(plan.config.prompts))
            plan = replace(plan, config=config, intervals=bool(writers), turn_clock_s=float(options.clock))
            return headless.run(plan, plugins, out=None, attendant=match)
        finally:
            close_pages(options)


def _expect(plan: SessionPlan, plugins: Plugins, lobby: Lobby, writers: tuple[int, ...]) -> None:
    """Let pages take the seats of people, and write the orders of these seats; raise UsageError if one takes none."""
    from batllm_arcade.core.model import SEATS
    from batllm_arcade.seats.brain_thread import find_kind

    for bot, spec in enumerate(plan.seats):
        kind = find_kind(plugins.kinds, spec)
        if kind.remote:
            lobby.expect(bot)
        if bot in writers:
            if not kind.prompted:
                raise UsageError(f"--orders: {SEATS[bot]} takes no orders; choose a model with --{SEATS[bot]}")
            reader = kind.orders_reader(spec) if kind.orders_reader is not None else None
            lobby.want_orders(bot, plan.config.prompts[bot], reader)


def _invite(server: Server) -> None:
    """Say where the pages are, with the codes; on a terminal a QR code for each that a phone opens."""
    from batllm_arcade.core.model import SEATS
    from batllm_arcade.serve.invitation import qr_lines
    from batllm_arcade.serve.seat import addresses

    server.lobby.invited = True
    found, shows = addresses(server), server.lan and sys.stderr.isatty()
    for bot, seat in enumerate(SEATS):
        wanted = server.lobby.places[bot].wanted
        if wanted:
            what = "plays" if wanted == "seat" else "gets its orders"
            write_line(f"{seat} {what} at {found[seat]}  (code {server.lobby.codes.by_door[seat]})")
            for line in qr_lines(found[seat]) if shows else ():
                write_line(line)
    watch = found["watch"] if server.lan else found["watch"].partition("#")[0]
    write_line(f"watch at {watch}  (for OBS: {watch.replace('/watch', '/overlay')})")
