"""`video`: make a film of a recorded session."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.cli.arguments import add_session_file, frames_per_second, positive, seconds

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("video", help="make a film of a recorded session")
    add_session_file(parser)
    add = parser.add_argument
    add("-o", "--output", type=Path, metavar="OUT", required=True, help="the film: .mp4, .webm, .gif or .webp")
    add("--size", metavar="WxH", help="pixels, such as 1920x1080 (1280x720)")
    add("--fps", type=frames_per_second, help="frames a second (60; a gif 25)")
    add("--vertical", action="store_true", help="9:16, for telephones")
    add("--game", type=positive, metavar="N", help="only this game (else all of them)")
    add("--from", metavar="TURN",
        help="from this turn on: 7 counted through the game, ROUND.TURN like 2.3, or GAME.ROUND.TURN")  # fmt: skip
    add("--to", metavar="TURN", help="up to the end of this turn")
    add("--highlights", action="store_true", help="only the best moments, at most 30 seconds")
    add("--title", default="", metavar="TEXT", help="an opening card with these words")
    add("--captions", choices=("none", "burn", "srt", "soft"), default="none",
        help="the bots' thoughts: in the picture, in a file beside the film, or as a text track")  # fmt: skip
    add("--keep-thinking", type=seconds, nargs="?", const=5.0, metavar="SECONDS",
        help="show the thinking too, each time at most so long (5); else it is cut")  # fmt: skip
    add("--no-sound", action="store_true", help="a silent film")
    add("--no-music", action="store_true", help="the effects alone")
    add("--manifest", type=Path, metavar="FILE", help="write a hash of every picture and of the sound")
    add("--force", action="store_true", help="overwrite existing files")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Make the film; return 0, or 1 if it was stopped."""
    from batllm_arcade.video import options as video_options

    return video_options.film(options)
