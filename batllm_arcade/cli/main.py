"""The command line: one module a command; each imports what it needs when it runs, so that --help stays fast."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from batllm_arcade.cli import brains, import_session, play, replay, run, transcript, verify, video
from batllm_arcade.cli.arguments import add_match_options

COMMANDS = (play, run, replay, verify, video, import_session, transcript, brains)
"""The commands in the order of --help; each has `add_to(commands)`, which sets `run(options) -> exit code`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return 0 done, 1 failed or lost something, 2 bad arguments or files."""
    options = _parser().parse_args(arguments)
    from batllm_arcade.errors import ArcadeError, UsageError

    try:
        command: Callable[[argparse.Namespace], int] = options.run
        return command(options)
    except UsageError as error:
        return _complain(error, 2)
    except ArcadeError as error:
        return _complain(error, 1)
    except KeyboardInterrupt:
        return _complain("stopped", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _complain(what: object, code: int) -> int:
    print(f"batllm-arcade: {what}", file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Exit with one line, without the usage."""
        self.exit(2, f"batllm-arcade: {message} (see '{self.prog} --help')\n")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_given: object) -> NoReturn:
        """Print the version, looked up only now: that takes longer than --help."""
        from batllm_arcade.history.version import program

        print(program())
        parser.exit()


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
