"""`analyse`: each side's chance to win after every play of a recorded session, and what would have been best."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_session_file, positive

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.history.reader import GameTape, SessionTape

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

    from batllm_arcade.analysis.session import analyse, games_of, lines
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
        write_line(f"  {_tipped(session, tape, game)}", sys.stdout)
    return 0


def _tipped(session: SessionTape, tape: GameTape, analysed: dict[str, Any]) -> str:
    from batllm_arcade.analysis.game import judgements
    from batllm_arcade.history.replay import replay
    from batllm_arcade.story.games import games_of
    from batllm_arcade.story.sentences import say
    from batllm_arcade.story.turning import turning

    (game,) = games_of(replay(replace(session, games=(tape,))))
    found = turning(game, judgements(analysed))
    return say("no turning") if found is None else found.sentence(game.names)


def _report(done: int, every: int) -> None:
    from batllm_arcade.terminal.output import write_line

    if every >= _MANY and done * 10 // every > (done - 1) * 10 // every:
        write_line(f"analysed {done:,} of {every:,} plays")
