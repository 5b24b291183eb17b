"""The command line; each command imports what it needs when it runs, so that --help stays fast."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from batllm_arcade.cli.arguments import add_match_options
from batllm_arcade.cli.brains import add_brains, add_check, add_new, add_orders, add_plugins
from batllm_arcade.cli.doctor import add_doctor
from batllm_arcade.cli.films import add_versus, add_video
from batllm_arcade.cli.league import add_league
from batllm_arcade.cli.matches import add_fork, add_play, add_run, run_arcade
from batllm_arcade.cli.mcp import add_mcp
from batllm_arcade.cli.recorded import (
    add_analyse,
    add_compare,
    add_import,
    add_replay,
    add_share,
    add_transcript,
    add_verify,
)
from batllm_arcade.cli.serve import add_serve
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.terminal import output as terminal

COMMANDS: tuple[Callable[[Any], None], ...] = (
    add_play, add_run, add_serve, add_mcp, add_fork, add_replay, add_verify, add_analyse, add_compare, add_video,
    add_versus, add_share, add_import, add_transcript, add_brains, add_plugins, add_check, add_orders, add_league,
    add_new, add_doctor,
)  # fmt: skip
"""What adds the commands, in the order of --help; each sets `run`, a function of the options to an exit code."""
INTERRUPTED = 130
"""The exit code after ctrl-C, as shells count it."""


def run_command(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return 0 done, 1 failed or lost something, 2 bad arguments or files, 130 after ctrl-C.

    Raise SystemExit with such a code for --help, --version and arguments that cannot be parsed.
    """
    terminal.open_missing_streams()
    try:
        options = _parser().parse_args(arguments)
        code = _run(options)
        terminal.flush()
        return code
    except terminal.OutputError as error:
        return _complain(error, 1)


def _run(options: argparse.Namespace) -> int:
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        return command(options)
    except terminal.OutputError:
        raise
    except UsageError as error:
        return _complain(error, 2)
    except ArcadeError as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except SystemExit as error:  # nothing here exits by itself: a plugin did, where nobody expected it
        return _complain(f"a plugin ended the program with {error.code!r:.60}; what was played is in the journal", 1)


def _complain(what: object, code: int) -> int:
    try:
        terminal.complain(what)
    except terminal.OutputError:
        return code or 1  # nobody is there to be told
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Exit with one line, without the usage."""
        self.exit(_complain(f"{message} (see '{self.prog} --help')", 2))

    def _print_message(self, message: str, file: Any = None) -> None:
        terminal.write_lines(message.removesuffix("\n").split("\n"), file)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        """Print the version, looked up only now: that takes longer than --help."""
        import sys

        from batllm_arcade.history.paths import program

        terminal.write_line(program(), sys.stdout)
        parser.exit()


@lru_cache(maxsize=1)
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="batllm-arcade",
        description="Two bots fight, and a plugin decides for each. "
        "Without a command the arcade opens; it takes the options of play.",
    )
    parser.set_defaults(run=run_arcade)
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    add_match_options(parser, hidden=True)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser
