"""`transcript`: print a recorded session as the bots' conversations."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("transcript", help="print a recorded session as the bots' conversations")
    add_session_file(parser)
    parser.add_argument("--seat", choices=("left", "right"), help="one bot's conversation (else both in one)")
    parser.add_argument("--json", action="store_true", help="the arrays themselves, one JSON object per game")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the conversations; return 0."""
    from batllm_arcade.history.replay import replay
    from batllm_arcade.match import transcript
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.terminal.output import write_line

    records = replay(open_recorded(options.file))
    seat = None if options.seat is None else ("left", "right").index(options.seat)
    for line in transcript.all_json(records, seat) if options.json else transcript.all_lines(records, seat):
        write_line(line, sys.stdout)
    return 0
