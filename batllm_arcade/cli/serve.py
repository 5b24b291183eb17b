"""The command that serves a match to phones and browsers."""

from __future__ import annotations

import argparse
import shlex
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_match_options, add_port, amount
from batllm_arcade.errors import UsageError
from batllm_arcade.terminal.output import write_line
from batllm_arcade.video.arguments import whole_number

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.plugin.manager import Plugins
    from batllm_arcade.serve.lesson import Lesson
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
    vote = "what spectators vote on: who wins (winner), or the next orders of left, right or both"
    parser.add_argument("--vote", choices=("winner", *tuple(_WRITERS)[1:]), default="", metavar="WHAT", help=vote)
    school = (
        "a cup of all who join by name and write orders for the brain of --left (embedded); DIR goes on if it has begun"
    )
    parser.add_argument("--class", dest="school", nargs="?", const="", metavar="DIR", help=school)
    lesson = "with --class: play the cup within so many minutes"
    parser.add_argument("--minutes", type=amount, default=0.0, metavar="M", help=lesson)
    best_of = "with --class: games of a match at most"
    parser.add_argument("--best-of", type=int, choices=(1, 3), default=1, help=best_of)
    parser.set_defaults(run=run_serve)


def run_serve(options: argparse.Namespace) -> int:
    """Serve the match, or the cup of a class, until it is over; return what `run` does."""
    if options.school is not None:
        return _run_class(options)
    if options.minutes or options.best_of > 1:
        raise UsageError("--minutes and --best-of are for --class; leave them out")
    from batllm_arcade.brains.ready_made import library
    from batllm_arcade.cli.match_plan import config_and_plugins, plan_of
    from batllm_arcade.cli.matches import usual_rules
    from batllm_arcade.serve.seat import close_pages, open_pages
    from batllm_arcade.serve.served_match import ServedMatch
    from batllm_arcade.serve.votes import orders_ballot
    from batllm_arcade.session import headless

    with redirect_stdout(sys.stderr):
        config, plugins = config_and_plugins(options, usual_rules())
        plan = plan_of(options, config, ("browser", "browser"))
        writers, voted = _WRITERS[options.orders], _WRITERS.get(options.vote, ())
        server = open_pages(options, port=options.port, lan=options.lan)
        try:
            _expect(plan, plugins, server.lobby, writers)
            _check_votes(plan, plugins, voted, writers)
            _invite(server)
            match = ServedMatch(
                server.lobby, writers, voted=voted, asks_winner=options.vote == "winner",
                propose=lambda seat, round_, present: orders_ballot(seat, round_, present, library(), plan.seed),
            )  # fmt: skip
            config = replace(plan.config, prompts=match.orders(plan.config.prompts))
            intervals = bool(writers or voted)
            plan = replace(plan, config=config, intervals=intervals, turn_clock_s=float(options.clock))
            return headless.run(plan, plugins, out=None, attendant=match)
        finally:
            close_pages(options)


def _run_class(options: argparse.Namespace) -> int:
    """Serve the cup of a class until there is a champion; return what `run` does."""
    from batllm_arcade.cli.match_plan import config_of, isolation_of, load_plugins, written_spec
    from batllm_arcade.cup.folder import new_folder
    from batllm_arcade.league.kept_files import PAGE
    from batllm_arcade.seats.brain_thread import find_kind
    from batllm_arcade.serve.lesson import Lesson, LessonPlan
    from batllm_arcade.serve.lobby import Lobby
    from batllm_arcade.serve.seat import close_pages, open_pages, pages_missing
    from batllm_arcade.session.live_session import new_seed

    for name in ("right", "left_prompt", "right_prompt", "history", "orders"):
        if getattr(options, name):
            raise UsageError(f"--{name.replace('_', '-')} is for a match of two; leave it out with --class")
    if options.vote not in ("", "winner"):
        raise UsageError("a class votes on who wins; write --vote winner")
    with redirect_stdout(sys.stderr):
        config = config_of(options, "arena")
        config = replace(config, style=replace(config.style, mode="independent"))
        plugins = load_plugins(config, isolation_of(options))
        brain = options.left or "embedded"
        spec = written_spec(brain)
        kind = find_kind(plugins.kinds, spec)
        if not kind.prompted and not kind.remote:
            raise UsageError(f"{brain} takes no orders; choose a model with --left, or browser for pupils who play")
        if kind.missing is not None and (problem := kind.missing(spec)):
            raise UsageError(problem)
        reader = kind.orders_reader(spec) if kind.orders_reader is not None else None
        plan = LessonPlan(
            Path(options.school) if options.school else new_folder(), brain, options.config or "arena", config,
            new_seed() if options.seed is None else options.seed, options.best_of, options.minutes,
            float(options.clock), bool(options.vote),
        )  # fmt: skip
        if problem := pages_missing():
            raise UsageError(problem)
        lesson = Lesson(Lobby(), plan, plugins, "seat" if kind.remote else "orders", reader)
        server = open_pages(options, port=options.port, lan=options.lan, club=lesson.club)
        try:
            _invite_class(server, lesson, plan.folder)
            code = lesson.run()
            write_line(f"cup: {plan.folder / PAGE}")
            return code
        finally:
            close_pages(options)
            if reader is not None:
                reader.close()


def _invite_class(server: Server, lesson: Lesson, folder: Path) -> None:
    """Say where a class joins, where it is led and where the wall is, and how it goes on after a fall."""
    from batllm_arcade.serve.invitation import qr_code
    from batllm_arcade.serve.seat import addresses

    server.lobby.invited = True
    found = addresses(server)
    home, _, _ = found["class"].rpartition("/")
    rows = ["".join(map(str, row)) for row in qr_code(found["class"])]
    lesson.club.invitation = {"address": home.partition("//")[2], "qr": rows}
    write_line(f"the class joins at {found['class']}  (code {server.lobby.codes.by_door['class']})")
    write_line(f"lead it at {found['teach']}")
    write_line(f"show it on the wall: {found['watch'].replace('/watch', '/wall')}")
    write_line(f"if it is interrupted, go on with the same options and --class {shlex.quote(str(folder))}")


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


def _check_votes(plan: SessionPlan, plugins: Plugins, voted: tuple[int, ...], writers: tuple[int, ...]) -> None:
    """Raise UsageError if spectators cannot choose the orders of one of these seats."""
    from batllm_arcade.core.model import SEATS
    from batllm_arcade.seats.brain_thread import find_kind

    for bot in voted:
        if bot in writers:
            raise UsageError(f"--vote and --orders contradict each other for {SEATS[bot]}; choose one of them")
        if not find_kind(plugins.kinds, plan.seats[bot]).prompted:
            raise UsageError(f"--vote: {SEATS[bot]} takes no orders; choose a model with --{SEATS[bot]}")


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
