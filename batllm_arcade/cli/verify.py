"""`verify`: play a recorded session again and compare it with the file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_session_file

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.history.reader import SessionTape

_SHOWN = 10
NOT_CHECKED = 3
"""The exit code where it is not checked who played, or a page, for another version of the program may have made it."""


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("verify", help="play a recorded session again and compare it with the file")
    add_session_file(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the first differences; return 0, 1 if there are any, NOT_CHECKED where scripts or a page are not."""
    from batllm_arcade.history import summary
    from batllm_arcade.history.reader import read_with_values
    from batllm_arcade.history.verification import SCRIPTED, ScriptedSeats, not_checked, stands_alone, verify
    from batllm_arcade.plugin.manager import bundled_kind
    from batllm_arcade.terminal.output import write_line

    session, values = read_with_values(options.file)
    scripts = ScriptedSeats(session, bundled_kind(SCRIPTED))
    differences = [str(each) for each in verify(session, scripts)]
    of_page, compared = _of_page(options.file, session, values, as_recorded=not differences)
    differences[:0] = [of_page] if of_page and compared else []
    for difference in differences[:_SHOWN]:
        write_line(difference, sys.stdout)
    if len(differences) > _SHOWN:
        write_line(f"... and {summary.counted(len(differences) - _SHOWN, 'more difference')}", sys.stdout)
    if differences:
        return 1
    all_as_recorded = f"{summary.contents(session)}, all as recorded{summary.remark(session)}"
    session_of = "" if compared else "the session in "
    unsure = (of_page, *scripts.sentences())
    notes = (stands_alone(session), not_checked(session))
    for sentence in filter(None, (*unsure, f"{session_of}{options.file.name!r}: {all_as_recorded}", *notes)):
        write_line(sentence, sys.stdout)
    return NOT_CHECKED if of_page or scripts.open else 0


def _of_page(file: Path, session: SessionTape, values: Any, *, as_recorded: bool) -> tuple[str, bool]:
    """Return what is wrong with a page ("" if nothing is, or it is none), and whether it could be compared.

    One whose session is not `as_recorded` is looked at for what no page holds, and not made again.
    """
    from batllm_arcade.history import loader

    page = loader.page_of(file)
    if page is None:
        return "", True
    from batllm_arcade.share.page import foreign_markup
    from batllm_arcade.share.page_check import NOT_COMPARED, page_difference

    found = page_difference(page, session, values) if as_recorded else foreign_markup(page)
    return found, found != NOT_COMPARED
