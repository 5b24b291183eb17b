"""`compare`: where two recorded sessions part."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("compare", help="where two recorded sessions part, or a fork and what it comes from")
    parser.add_argument("one", type=Path, metavar="A", help="a session file or its journal")
    parser.add_argument("other", type=Path, metavar="B", help="another one")
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the first play of each game that differs; return 0, or 1 if there is one."""
    import json

    from batllm_arcade.history.comparison import as_json, compare, lines
    from batllm_arcade.session.recorded import open_recorded
    from batllm_arcade.terminal.output import write_line

    games = compare(open_recorded(options.one), open_recorded(options.other))
    equal = all(game.equal for game in games)
    if options.json:
        found = {"equal": equal, "games": [as_json(game) for game in games]}
        write_line(json.dumps(found), sys.stdout)
    else:
        for game in games:
            for line in lines(game, (options.one.name, options.other.name)):
                write_line(line, sys.stdout)
    return 0 if equal else 1
