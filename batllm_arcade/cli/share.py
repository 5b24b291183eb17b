"""`share`: make a page of a recorded session that plays it in any browser."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file, positive
from batllm_arcade.errors import ArcadeError
from batllm_arcade.video.arguments import TURN

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.share.shown import Selection


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("share", help="make one web page that replays a recorded session anywhere")
    add_session_file(parser)
    add = parser.add_argument
    add("-o", "--output", type=Path, metavar="PAGE", required=True, help="the page, such as match.html")
    add("--game", type=positive, metavar="N", help="only this game (else all of them)")
    add("--from", metavar="TURN", help=f"from this turn on: {TURN}")
    add("--to", metavar="TURN", help="up to the end of this turn")
    add("--title", default="", metavar="TEXT", help="the page's title (else who plays whom)")
    add("--url", metavar="ADDRESS", help="where it will be: a picture is written beside it for posts with that address")
    add("--autoplay", action="store_true", help="it starts by itself")
    add("--loop", action="store_true", help="it begins again at its end")
    add("--embed", action="store_true", help="without a frame, for an iframe")
    add("--force", action="store_true", help="overwrite an existing file")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page; return 0."""
    from batllm_arcade.files.paths import check_output
    from batllm_arcade.files.reading import argument_text
    from batllm_arcade.share import page as preview
    from batllm_arcade.share.made import PageLook
    from batllm_arcade.share.shown import Selection
    from batllm_arcade.share.write import write_page
    from batllm_arcade.terminal.output import write_line
    from batllm_arcade.video.edit.selection import parse_turn_option

    chosen = Selection(
        options.game,
        parse_turn_option("--from", getattr(options, "from")),
        parse_turn_option("--to", options.to),
    )
    look = PageLook(argument_text(options.title), options.autoplay, options.loop, options.embed)
    if options.url is not None:
        picture = preview.picture_of(options.output)
        look = replace(look, url=preview.checked_address(argument_text(options.url)), picture=picture.name)
        check_output(picture, force=options.force)
    written = write_page(options.file, options.output, chosen, look, force=options.force)
    if options.url is not None:
        _write_picture(written.path, chosen, look.title, force=options.force)
    write_line(written.sentence, sys.stderr)
    return 0


def _write_picture(page: Path, chosen: Selection, title: str, *, force: bool) -> None:
    import batllm_arcade.render  # noqa: F401 - first, for it imports pygame
    from batllm_arcade.history.reader import read
    from batllm_arcade.share.page import SIZE, picture_of
    from batllm_arcade.share.shown import Shown
    from batllm_arcade.video.draw.cards import fight_poster, write_picture

    shown, out = Shown(read(page), chosen), picture_of(page)
    try:
        poster = fight_poster(shown.timeline, [(shown.start, shown.end)], title, SIZE)
        write_picture(poster, out, force=force)
    except OSError as error:
        raise ArcadeError(f"{str(out)!r} cannot be written: {error.strerror}") from None
