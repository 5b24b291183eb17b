"""The command line: one module a command; each imports what it needs when it runs, so that --help stays fast."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from batllm_arcade.cli import (
    analyse,
    brains,
    check,
    compare,
    fork,
    import_session,
    league,
    new,
    orders,
    play,
    replay,
    run,
    share,
    transcript,
    verify,
    versus,
    video,
)
from batllm_arcade.cli.arguments import add_match_options
from batllm_arcade.terminal import output as terminal

COMMANDS = (
    play, run, fork, replay, verify, analyse, compare, video, versus, share, import_session, transcript,
    brains, check, orders, league, new,
)  # fmt: skip
"""The commands in the order of --help; each has `add_to(commands)`, which sets `run(options) -> exit code`."""
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
    from batllm_arcade.errors import ArcadeError, UsageError

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

        from batllm_arcade.history.version import program

        terminal.write_line(program(), sys.stdout)
        parser.exit()


@lru_cache(maxsize=1)
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="batllm-arcade",
        description="Two bots fight, and a plugin decides for each. "
        "Without a command the arcade opens; it takes the options of play.",
    )
    parser.set_defaults(run=play.arcade)
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    add_match_options(parser, hidden=True)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        command.add_to(commands)
    return parser
