"""The part of the reference that tells of the commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from markup import cell, code, section, table

from batllm_arcade.cli.commands import _parser

INTRO = """\
`batllm-arcade` without a command opens the arcade, with the options of `play`. The options of a match may also stand
before the command. A brain is `NAME` or `NAME:VARIANT,key=value,...`. Exit codes: 0 done, 1 the program failed or
lost something, or `verify` found a difference, 2 bad arguments or files, 3 `verify` could not check all of it, 130, 143
and 129 after ctrl-C, SIGTERM and SIGHUP."""


def commands() -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Yield each command: its name, what it does, its parser; of a command that has commands of its own, these, too."""
    yield from _below(_parser(), "")


def _below(parser: argparse.ArgumentParser, before: str) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help or "" for each in action._choices_actions}
            for name, inner in action.choices.items():
                yield f"{before}{name}", helps.get(name, ""), inner
                yield from _below(inner, f"{before}{name} ")


def options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments and options of a command that are shown."""
    left_out = (argparse._HelpAction, argparse._SubParsersAction)
    return [each for each in parser._actions if not isinstance(each, left_out) and each.help != argparse.SUPPRESS]


def written(action: argparse.Action) -> str:
    """Return an argument or option as it is written: `-o, --output OUT`."""
    taken = action.metavar if isinstance(action.metavar, str) else "|".join(map(str, action.choices or ()))
    taken = taken or ("" if action.nargs == 0 else action.dest.upper())
    taken = f"[{taken}]" if action.nargs == "?" else f"{taken}..." if action.nargs in ("*", "+") else taken
    return " ".join(filter(None, (", ".join(action.option_strings), taken)))


def sections() -> list[str]:
    """Return the section of the command line; raise KeyError for an option without a sentence."""
    found = []
    for name, what, parser in commands():
        rows = []
        for action in options(parser):
            if not action.help:
                raise KeyError(f"{written(action)} of {name} has no help")
            rows.append([code(written(action)), cell(action.help)])
        found.append(
            section(
                f"batllm-arcade {name}",
                f"{what[:1].upper()}{what[1:]}.",
                table(("argument", "what it does"), rows),
                level=3,
            )
        )
    return [section("Command line", INTRO, *found)]
