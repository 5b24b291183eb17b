"""`verify`: play a recorded session again and compare it with the file."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands

_SHOWN = 10


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("verify", help="play a recorded session again and compare it with the file")
    add_session_file(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the first differences; return 0, or 1 if there are any."""
    from batllm_arcade.history import loader, summary
    from batllm_arcade.history.reader import read_with_values
    from batllm_arcade.history.verification.derivation import not_checked
    from batllm_arcade.history.verification.verify import verify
    from batllm_arcade.terminal.output import write_line

    session, values = read_with_values(options.file)
    differences = [str(each) for each in verify(session)]
    page = loader.page_of(options.file) if not differences else None
    notes = [not_checked(session)]
    if page is not None:
        from batllm_arcade.share.page_check import NOT_COMPARED, page_difference

        found = page_difference(page, session, values)
        (notes if found == NOT_COMPARED else differences).extend([found] if found else [])
    for difference in differences[:_SHOWN]:
        write_line(difference, sys.stdout)
    if len(differences) > _SHOWN:
        write_line(f"... and {summary.counted(len(differences) - _SHOWN, 'more difference')}", sys.stdout)
    if differences:
        return 1
    write_line(
        f"{options.file.name!r}: {summary.contents(session)}, all as recorded{summary.remark(session)}", sys.stdout
    )
    for sentence in filter(None, notes):
        write_line(sentence, sys.stdout)
    return 0
