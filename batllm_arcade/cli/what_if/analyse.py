"""`analyse`: each side's chance to win after every play of a recorded session, and what would have been best."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file, positive

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands

_MANY = 400
"""Plays from which on it is said how far it is."""


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("analyse", help="each side's chance after every play, and what would have been best")
    add_session_file(parser)
    parser.add_argument("--game", type=positive, metavar="N", help="only this game (else all of them)")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the analysis; return 0."""
    import json

    from batllm_arcade.analysis.session import analyse, games_of
    from batllm_arcade.analysis.text import lines
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.terminal.output import write_line

    session = open_recorded(options.file)
    found = analyse(session, options.game, _report)
    if options.json:
        write_line(json.dumps(found), sys.stdout)
        return 0
    for game, tape in zip(found["games"], games_of(session, options.game), strict=True):
        for line in lines(game, (tape.seats[0].name, tape.seats[1].name)):
            write_line(line, sys.stdout)
    return 0


def _report(done: int, every: int) -> None:
    """Say on standard error how far a long session is, ten times in all."""
    from batllm_arcade.terminal.output import write_line

    if every >= _MANY and done * 10 // every > (done - 1) * 10 // every:
        write_line(f"analysed {done:,} of {every:,} plays")
