"""`check`: what an author should know of a bot, a provider or an observer, found by playing it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_plugin_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.match.records import Record
    from batllm_arcade.plugin.manager import Plugins
    from batllm_arcade.session.bot_check import BotCheck


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("check", help="play a bot against four characters and say what is wrong with it")
    parser.add_argument("bot", metavar="BOT", help="a brain, the file of a bot or a plugin, or a folder with plugins")
    add_plugin_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print figures and findings; return 0, 1 if there are findings, 2 if something else is needed to check it.

    Raise UsageError if there is no such brain, or the folder offers nothing.
    """
    from contextlib import redirect_stdout

    from batllm_arcade.cli.run import own_output

    out = own_output() if options.json else sys.stdout
    with redirect_stdout(sys.stderr):  # standard output is for what is found alone, whatever a bot prints
        checks, findings = _checked(options)
    everything = [*findings, *(finding for check in checks for finding in check.findings)]
    if options.json:
        _print([json.dumps({"bots": [check.values() for check in checks], "findings": findings})], out)
    else:
        lines = [line for check in checks for line in _lines(check)] + [f"finding: {each}" for each in findings]
        needs = any(check.needs for check in checks)
        _print(lines if everything or needs else [*lines, "no findings"], out)
    return 1 if everything else 2 if any(check.needs for check in checks) else 0


def _print(lines: list[str], out: Any) -> None:
    from batllm_arcade.terminal.output import write_lines

    write_lines(lines, out)


def _checked(options: argparse.Namespace) -> tuple[list[BotCheck], list[str]]:
    from batllm_arcade.brains import protocol
    from batllm_arcade.session.bot_check import check_bot
    from batllm_arcade.terminal.output import complain

    plugins, specs = _meant(options)
    for note in plugins.notes:
        complain(note)
    notify = _observing(plugins)
    if specs:
        checks = [check_bot(plugins.kinds, spec, notify) for spec in specs]
        return checks, list(plugins.problems)
    if not plugins.problems:  # observers alone, which shall see games
        check_bot(plugins.kinds, protocol.Spec("scripted", "turtle", bundled=True), notify)
    return [], list(plugins.problems)


def _meant(options: argparse.Namespace) -> tuple[Plugins, list[Spec]]:
    """Return the plugins as they are loaded to play, and the bots that are to be checked.

    Raise UsageError if a file needs the program itself and is not trusted: what is checked may be a stranger's.
    """
    from dataclasses import replace

    from batllm_arcade.brains import protocol
    from batllm_arcade.cli.match_plan import isolation_of
    from batllm_arcade.errors import UsageError
    from batllm_arcade.isolation.environment import INTERPRETERS
    from batllm_arcade.plugin import manager

    path, isolation = Path(options.bot).expanduser(), replace(isolation_of(options), strict=True)
    if path.is_dir():
        plugins = manager.load(path, isolation)
        stems = [each.stem for each in sorted(path.glob("[!_]*.py"))]
    elif path.is_file() and _is_plugin(path):
        plugins, stems = manager.load(path.parent, isolation, only=path.name), [path.stem]
    else:
        if not path.is_file() and (path.suffix in INTERPRETERS or len(path.parts) > 1) and ":" not in options.bot:
            raise UsageError(f"there is no file {options.bot!r}; name a bot's file, a folder with plugins, or a brain")
        spec = protocol.Spec("proc", str(path)) if path.is_file() else protocol.Spec.parse(options.bot)
        return manager.load(options.plugins_dir, isolation), [spec]
    return plugins, [protocol.Spec(name) for stem in stems for name in plugins.offers.get(stem, ())]


def _is_plugin(path: Path) -> bool:
    """Return whether a Python file is to be loaded as a plugin, not run as a program that speaks the line protocol."""
    from batllm_arcade.files.reading import read_text
    from batllm_arcade.plugin.isolated import imports_program

    try:
        return path.suffix == ".py" and imports_program(read_text(path))
    except (OSError, ValueError):
        return False


def _observing(plugins: Plugins) -> Callable[[Record], None]:
    class NoSession:
        history = None
        console = ""

    return plugins.observers(NoSession()).notify


def _lines(check: BotCheck) -> list[str]:
    from batllm_arcade.history.summary import counted
    from batllm_arcade.session.bot_check import KINDS

    if check.needs:
        return [f"{check.name}: not checked: {check.needs}"]
    lines = [f"{check.name}: {counted(check.games, 'game')}, {counted(len(check.plays), 'play')}"]
    if check.plays:
        values = check.values()
        shares = ", ".join(f"{values[kind]:.0%} {kind}" for kind in KINDS)
        times = f"median {1000 * values['median_s']:.1f} ms, slowest {1000 * values['slowest_s']:.1f} ms"
        lines.append(f"  {shares}; {times}")
    return [*lines, *(f"  finding: {finding}" for finding in check.findings)]
