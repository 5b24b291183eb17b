"""`import`: make a session file of one saved by the original game."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("import", help="make a session file of one saved by the original game")
    parser.add_argument("file", type=Path, metavar="FILE", help="a saved session of BatLLM, schema 2")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="OUT", help="the file to write (else one in your data folder)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite an existing session file")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the session file and print what the two games do not agree about; return 0."""
    from batllm_arcade.errors import UsageError
    from batllm_arcade.history import summary
    from batllm_arcade.history.loader import load_with_source
    from batllm_arcade.history.original_import import import_session
    from batllm_arcade.history.paths import clear_session_path
    from batllm_arcade.history.reader import session_of
    from batllm_arcade.history.writer import SessionWriter
    from batllm_arcade.session.live_session import new_history_file
    from batllm_arcade.terminal.output import write_line

    values, source, *_ = load_with_source(options.file)
    found = import_session(values, source.name)
    contents = summary.contents(session_of(found.session))  # raises before anything is written
    out = options.out or new_history_file()
    if out.resolve() == options.file.resolve():
        raise UsageError(f"{str(out)!r} is the file that is taken over; name another one to write")
    clear_session_path(out, force=options.force)
    writer = SessionWriter(out)
    for record in found.records:
        writer.notify(record)
    write_line(f"{options.file.name!r}: {contents} taken over", sys.stdout)
    for sentence in found.report.sentences():
        write_line(sentence, sys.stdout)
    write_line(f"session: {out}")
    return 0
