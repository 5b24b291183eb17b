"""Arguments that several commands share, and the types of their values."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from batllm_arcade.configs import SHIPPED
from batllm_arcade.video.arguments import whole_number

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add_session_file(parser: argparse.ArgumentParser) -> None:
    """Add FILE, the recorded session a command reads."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a session file or its journal")


def add_allowed_addresses(parser: argparse.ArgumentParser) -> None:
    """Add what says which servers may be asked that only a file names."""
    what = "a server that may be asked though only the file names it; may be given again for another"
    parser.add_argument("--allow-address", action="append", metavar="ADDRESS", help=what)


def add_match_options(parser: argparse.ArgumentParser, *, hidden: bool = False) -> None:
    """Add the options of a match; `hidden` ones are those before the command, which count for every command."""

    def add(*names: str, **how: object) -> None:
        if hidden:
            how["help"] = argparse.SUPPRESS
        else:  # a default here would overwrite what was given before the command
            how["default"] = argparse.SUPPRESS
        parser.add_argument(*names, **how)  # type: ignore[arg-type]

    add("--config", metavar="NAME|FILE", help=f"{', '.join(SHIPPED)}, or a YAML file")
    add("--left", metavar="BRAIN", help="who plays left: NAME or NAME:VARIANT,key=value,...")
    add("--right", metavar="BRAIN", help="who plays right")
    add("--seed", type=seed, help="the same seed and the same answers give the same games")
    add("--games", type=positive, default=1, help="how many games (1)")
    add("--rounds", type=positive, help="rounds a game")
    add("--turns", type=positive, help="turns a round")
    add("--left-prompt", metavar="TEXT|@FILE", help="the left player's prompt")
    add("--right-prompt", metavar="TEXT|@FILE", help="the right player's prompt")
    add("--history", type=Path, metavar="FILE", help="the session file to write (else one in your data folder)")
    add_plugin_options(parser, hidden=hidden)
    add("--force", action="store_true", help="overwrite an existing session file")


def add_plugin_options(parser: argparse.ArgumentParser, *, hidden: bool = False, few: bool = False) -> None:
    """Add what says where plugins are loaded from and which of them run in processes of their own.

    With `few` there are the folder, how its bots run and which of them are trusted, and no more.
    """

    def add(*names: str, what: str, default: object, **how: object) -> None:
        shown = (
            {"help": argparse.SUPPRESS, "default": default} if hidden else {"help": what, "default": argparse.SUPPRESS}
        )
        parser.add_argument(*names, **how, **shown)  # type: ignore[arg-type]

    folder = "load your plugins from this folder; its bots run isolated"
    add("--plugins-dir", what=folder, default=None, type=Path, metavar="DIR")
    how = "how bots run: auto (in a sandbox where one can be made, else in a process), sandbox, process, none (inside)"
    add("--isolation", what=how, default=None, choices=("auto", "sandbox", "process", "none"))
    trust = "let this file of that folder, named without .py, run inside the program, where it can do what that can"
    add("--trust", what=trust, default=(), action="append", metavar="NAME")
    if few:
        return
    add("--trust-plugins", what="--isolation none for the bots of that folder", default=False, action="store_true")
    add("--always", what="remember that, until the file is changed", default=False, action="store_true")
    replace = "let a plugin take the place of this bundled brain or plugin"
    add("--replace", what=replace, default=(), action="append", metavar="NAME")
    without = "leave this plugin out, a file named without .py or an installed one"
    add("--without", what=without, default=(), action="append", metavar="PLUGIN")
    add("--isolate", what="isolate installed bots, too", default=False, action="store_true")


def add_port(parser: argparse.ArgumentParser, where: str = "") -> None:
    """Add the port of a server of pages; `where` says with what else it counts."""
    help_text = f"the port to listen at{where} (8765, or any that is free)"
    parser.add_argument(
        "--port", type=lambda text: whole_number(text, 1, 65535), default=0, metavar="N", help=help_text
    )


def positive(text: str) -> int:
    """Return a whole number from 1 to a million; raise ArgumentTypeError if it is none."""
    return whole_number(text, 1, 1_000_000)


def amount(text: str) -> float:
    """Return an amount above 0, of money or minutes; raise ArgumentTypeError if it is none."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"must be a number above 0, such as 0.50, not {text!r}")
    return value


def seed(text: str) -> int:
    """Return a seed, a whole number of up to 18 digits; raise ArgumentTypeError if it is none."""
    return whole_number(text, 1 - 10**18, 10**18 - 1)
