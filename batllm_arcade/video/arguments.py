"""The arguments of films, for the command line and for the process that makes films for the window."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

TURN = "7 counted through the game, ROUND.TURN like 2.3, or GAME.ROUND.TURN"
"""How a turn is named on the command line."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add those of `video` to a parser; `film_plan.plan_of` takes what it parses."""
    add = parser.add_argument
    what = "a session file or its journal; with --highlights many of them, or folders of them"
    add("files", nargs="+", type=Path, metavar="FILE", help=what)
    add_film(parser, made=False)
    add("--script", type=Path, metavar="FILE", help="write all that it says and when, as lines of JSON, in place of it")
    add("--game", type=_count, metavar="N", help="only this game (else all of them)")
    add("--from", metavar="TURN", help=f"from this turn on: {TURN}")
    add("--to", metavar="TURN", help="up to the end of this turn")
    add("--highlights", action="store_true", help="only the best moments: 30 seconds, of many games a minute")
    alone = "panels and words alone, for editors: .webm and .mov with an alpha layer, .mp4 on green"
    add("--overlay", action="store_true", help=alone)
    add("--captions", choices=("none", "srt"), default="none", help="the bots' thoughts in a file beside the film")


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options that arguments of `video` say, for the window's films."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)


VERSUS = {"game": None, "from": None, "to": None, "highlights": False, "captions": "none", "overlay": False}
"""What those options are for a film of two games side by side, which has none of them."""


def add_film(parser: argparse.ArgumentParser, *, made: bool = True) -> None:
    """Add what every film has: its file (it must be named of one that is `made`), its shape, its sound, what goes
    beside it."""
    add = parser.add_argument
    add("-o", "--output", type=Path, metavar="OUT", required=made, help="the film: .mp4, .webm, .gif or .webp")
    add("--size", metavar="WxH", help="pixels, such as 1920x1080 (1280x720)")
    add("--fps", type=_fps, help="frames a second (60; a gif 25)")
    add("--vertical", action="store_true", help="9:16, for telephones")
    add("--fast", action="store_true", help="never wait for words to be read; no cards, and nothing is cut")
    add("--title", default="", metavar="TEXT", help="what the opening card claims")
    add("--sign", default="", metavar="TEXT", help="a line of yours on the end card: a handle, an address")
    add("--no-cards", action="store_true", help="no opening card and no end card")
    add("--no-sound", action="store_true", help="a silent film")
    music = parser.add_mutually_exclusive_group()
    music.add_argument("--no-music", action="store_true", help="the effects alone")
    music.add_argument("--music", type=Path, metavar="FILE", help="other music than the arcade's, below the effects")
    add(
        "--max-size",
        metavar="SIZE",
        help="at most so large, such as 10MB (a gif: 10MB), or none; it says what it gives up",
    )
    add("--poster", type=Path, metavar="PNG", help="write a picture of it, for pages and feeds")
    add("--force", action="store_true", help="overwrite existing files")


def whole_number(text: str, least: int, most: int) -> int:
    """Return the number; raise ArgumentTypeError if it is not one from `least` to `most`."""
    if re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII) and least <= int(text) <= most:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r:.60} is no whole number from {least} to {most}")


def _fps(text: str) -> int:
    return whole_number(text, 1, 240)


def _count(text: str) -> int:
    return whole_number(text, 1, 1_000_000)
