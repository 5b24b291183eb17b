"""The commands on those who play: brains, plugins, check, orders, new."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from importlib.resources import files
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

from batllm_arcade.cli.arguments import add_plugin_options
from batllm_arcade.cli.matches import own_output
from batllm_arcade.errors import UsageError, with_article
from batllm_arcade.files.bot_folder import MARKER
from batllm_arcade.terminal.output import complain, write_line, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from batllm_arcade.brains.orders import Reading, ReadsOrders
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.cli.arguments import Commands
    from batllm_arcade.match.records import Record
    from batllm_arcade.plugin.manager import Plugins
    from batllm_arcade.seats.brain_thread import Kinds
    from batllm_arcade.session.bot_check import BotCheck


def add_brains(commands: Commands) -> None:
    parser = commands.add_parser("brains", help="what is installed, and whether each could play now")
    parser.add_argument("specs", nargs="*", metavar="BRAIN", help="check these as they would play, with their options")
    parser.add_argument(
        "--config", metavar="NAME|FILE", default=argparse.SUPPRESS,
        help="check the brains of this configuration as they would play; its plugins_dir is looked in, too",
    )  # fmt: skip
    parser.add_argument(
        "--options", action="store_true", dest="list_options", help="list the options that these brains have"
    )
    add_plugin_options(parser)
    parser.set_defaults(run=run_brains)


def run_brains(options: argparse.Namespace) -> int:
    """Print a line or two per brain; return 0, or 1 if one that was named could not play."""
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.cli.match_plan import isolation_of, load_plugins
    from batllm_arcade.plugin import availability
    from batllm_arcade.session.bot_check import check_brain
    from batllm_arcade.settings import config as configuration

    config = configuration.load(options.config or "default")
    config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
    named = [Spec.parse(text) for text in options.specs] or [seat for seat in config.seats if seat is not None]
    kinds = load_plugins(config, isolation_of(options)).kinds
    if options.list_options:
        return _list_options(kinds, named)
    ready = True
    for spec in dict.fromkeys(map(str, named)):
        checked = check_brain(kinds, Spec.parse(spec), config.deadline_s, write_line)
        ready = ready and not checked.problem
        for line in availability.brain_lines(checked.name, checked.problem, checked.summary):
            write_line(line, sys.stdout)
    if options.specs:
        return 0 if ready else 1
    # A brain that a seat of the configuration names was checked as that seat plays it.
    others = {name: kind for name, kind in kinds.items() if name not in {spec.name for spec in named}}
    for line in availability.lines(others):
        write_line(line, sys.stdout)
    return 0 if ready else 1


def _list_options(kinds: Kinds, named: Sequence[Spec]) -> int:
    from batllm_arcade.brains.protocol import Spec, option_lines
    from batllm_arcade.seats.brain_thread import find_kind

    for spec in named or [Spec(name) for name in sorted(kinds)]:
        kind = find_kind(kinds, spec)
        if not named and kind.options is None:
            continue
        write_line(f"{spec.short}: {kind.summary}", sys.stdout)
        for line in option_lines(kind, spec.variant):
            write_line(f"  {line}", sys.stdout)
        if kind.presets:
            write_line(f"  known servers, as {kind.name}:NAME: {', '.join(kind.presets)}", sys.stdout)
        if kind.options is None:
            write_line("  it does not say which others it has", sys.stdout)
    return 0


def add_plugins(commands: Commands) -> None:
    parser = commands.add_parser("plugins", help="which plugins there are, of which packages, and what they offer")
    parser.add_argument("--config", metavar="NAME|FILE", default=argparse.SUPPRESS, help="look in its plugins_dir, too")
    add_plugin_options(parser)
    parser.set_defaults(run=run_plugins)


def run_plugins(options: argparse.Namespace) -> int:
    """Print a line for each plugin; return 0."""
    from batllm_arcade.cli.match_plan import isolation_of, load_plugins
    from batllm_arcade.settings import config as configuration

    config = configuration.load(options.config or "default")
    config = replace(config, plugins_dir=options.plugins_dir or config.plugins_dir)
    plugins = load_plugins(config, isolation_of(options))
    for name, _ in sorted(plugins.manager.list_name_plugin()):
        entry = plugins.installed.get(name)
        package = None if entry is None else entry.dist
        origin = f"{name}.py" if package is None else f"{package.name} {package.version}"
        offers = [f"brains: {', '.join(plugins.offers[name])}"] if plugins.offers.get(name) else []
        offers += ["an observer"] if name in plugins.observing else []
        write_line(f"{name:18} {origin:24} {'; '.join(offers) or 'nothing'}", sys.stdout)
    return 0


def add_check(commands: Commands) -> None:
    parser = commands.add_parser("check", help="play a bot against four characters and say what is wrong with it")
    parser.add_argument("bot", metavar="BOT", help="a brain, the file of a bot or a plugin, or a folder with plugins")
    add_plugin_options(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.set_defaults(run=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Print figures and findings; return 0, 1 if there are findings, 2 if something else is needed to check it.

    Raise UsageError if there is no such brain, or the folder offers nothing.
    """
    out = own_output() if options.json else sys.stdout
    with redirect_stdout(sys.stderr):  # standard output is for what is found alone, whatever a bot prints
        checks, findings = _check(options)
    everything = [*findings, *(finding for check in checks for finding in check.findings)]
    if options.json:
        write_lines([json.dumps({"bots": [check.values() for check in checks], "findings": findings})], out)
    else:
        lines = [line for check in checks for line in _check_lines(check)] + [f"finding: {each}" for each in findings]
        needs = any(check.needs for check in checks)
        write_lines(lines if everything or needs else [*lines, "no findings"], out)
    return 1 if everything else 2 if any(check.needs for check in checks) else 0


def _check(options: argparse.Namespace) -> tuple[list[BotCheck], list[str]]:
    from batllm_arcade.brains import protocol
    from batllm_arcade.session.bot_check import check_bot, explained

    plugins, specs = _bots_meant(options)
    for note in plugins.notes:
        complain(note)
    notify = _observing(plugins)
    if specs:
        checks = [check_bot(plugins.kinds, spec, notify) for spec in specs]
        return checks, [*map(explained, plugins.problems)]
    if not plugins.problems:  # observers alone, which shall see games
        check_bot(plugins.kinds, protocol.Spec("scripted", "turtle", bundled=True), notify)
    return [], [*map(explained, plugins.problems)]


def _bots_meant(options: argparse.Namespace) -> tuple[Plugins, list[Spec]]:
    """Return the plugins as they are loaded to play, and the bots that are to be checked.

    Raise UsageError if a file needs the program itself and is not trusted: what is checked may be a stranger's.
    """
    from batllm_arcade.brains import protocol
    from batllm_arcade.cli.match_plan import isolation_of
    from batllm_arcade.isolation.sandbox import INTERPRETERS
    from batllm_arcade.plugin import manager
    from batllm_arcade.plugin.dropins import plugin_files

    path, isolation = Path(options.bot).expanduser(), replace(isolation_of(options), strict=True)
    if path.is_dir():
        plugins = manager.load(path, isolation)
        stems = [each.stem for each in plugin_files(path)]
    elif path.is_file() and _is_plugin(path):
        plugins, stems = manager.load(path.parent, isolation, only=path.name), [path.stem]
    else:
        elsewhere = PureWindowsPath(options.bot)  # a path of Windows may be typed anywhere
        is_path = ":" not in options.bot and (path.suffix in INTERPRETERS or len(path.parts) > 1)
        if not path.is_file() and (is_path or len(elsewhere.drive) == 2):
            raise UsageError(f"there is no file {options.bot!r}; name a bot's file, a folder with plugins, or a brain")
        if path.suffix == ".py" and path.is_file():
            _refuse_silent(path)
        spec = protocol.Spec("proc", str(path)) if path.is_file() else protocol.Spec.parse(options.bot)
        return manager.load(options.plugins_dir, isolation), [spec]
    return plugins, [protocol.Spec(name) for stem in stems for name in plugins.offers.get(stem, ())]


def _refuse_silent(path: Path) -> None:
    """Raise UsageError if a Python file is neither a plugin nor a program that reads lines."""
    from batllm_arcade.files.reading import read_text

    try:
        text = read_text(path)
    except (OSError, ValueError):
        return
    if not re.search(r"\bstdin\b|\binput\(|\bopen\(0|\bfileinput\b", text, re.MULTILINE):
        lines = (number for number, line in enumerate(text.splitlines(), 1) if line.startswith(("def ", "class ")))
        raise UsageError(
            f'there is no bot in it: write "from batllm_arcade import bot" and @bot("{path.stem}") above its function, '
            f"or read the line protocol from standard input ({path.name}, line {next(lines, 1)})"
        )


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


def _check_lines(check: BotCheck) -> list[str]:
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


def add_orders(commands: Commands) -> None:
    parser = commands.add_parser("orders", help="how the embedded model reads orders")
    parser.add_argument("texts", nargs="+", metavar="TEXT", help="orders, in quotation marks")
    parser.add_argument("--json", action="store_true", help="print one JSON object a text")
    parser.set_defaults(run=run_orders)


def run_orders(options: argparse.Namespace) -> int:
    """Print how each text is read; return 0. Raise BrainError if the model is missing or fails."""
    from batllm_arcade.files.reading import argument_text

    reader = _orders_reader()
    try:
        reader.prepare(complain if not options.json else lambda _: None)
        for text in map(argument_text, options.texts):
            reading = reader.read_orders(text)
            line = "; ".join(
                filter(
                    None,
                    [f"{' '.join(text.split())}: {reading.summary()}", reading.manner_in_words, reading.not_understood],
                )
            )
            values = {"orders": text, **_reading_values(reading)}
            write_line(json.dumps(values, ensure_ascii=False) if options.json else line, sys.stdout)
            if reading.note:
                complain(reading.note)
    finally:
        reader.close()
    return 0


def _orders_reader() -> ReadsOrders:
    from batllm_arcade.brains.protocol import BrainError, Spec
    from batllm_arcade.plugin import manager

    kind = manager.load().kinds.get("embedded")
    reader = kind.orders_reader(Spec("embedded")) if kind is not None and kind.orders_reader is not None else None
    if reader is None:
        raise BrainError("no brain called 'embedded' reads orders here; a plugin of yours may have taken its name")
    return reader


def _reading_values(reading: Reading) -> dict[str, object]:
    then = {"then": _reading_values(reading.then)} if reading.then is not None else {}
    cases = {"cases": {name: _reading_values(case) for name, case in reading.cases}} if reading.cases else {}
    manner = {"manner": reading.manner._asdict()} if reading.manner is not None else {}
    place = {"place": reading.place} if reading.place else {}
    unread = {"not_understood": reading.unread} if reading.unread else {}
    return {"weights": reading.weights, "rules": reading.rules, **manner, **place, **unread, **cases, **then}


_NEW = {
    "provider": "a package with a brain that asks a model server, a scripted server to try it with, and a test",
    "js": "a bot in JavaScript beside arena.mjs, and a test",
    "bot": "a bot in Python, and a test",
    "policy": "a policy to be trained, as a Python file, and a test",
    "observer": "a package with what is told all that happens in matches, and a test",
}
_TESTED = "python -m unittest discover tests    # its own tests"
_TYPE_NEXT = {
    "bot": (
        _TESTED,
        "batllm-arcade check {name}.py        # does it play as it should?",
        "batllm-arcade run --left proc:{name}.py --right scripted:turtle --config couch --quiet",
    ),
    "policy": (
        _TESTED,
        "batllm-arcade check policy:{name}.py # does it play as it should?",
        "batllm-arcade run --left policy:{name}.py --right scripted:turtle --config couch --quiet",
    ),
    "observer": (
        _TESTED,
        "pip install -e .                     # from now on it is told of all matches",
        "batllm-arcade plugins                # is it there?",
    ),
    "provider": (
        "python -m unittest discover tests    # its own tests, against the scripted server",
        "pip install -e .                     # from now on the arcade has it",
        "python tests/scripted_server.py      # in another terminal",
        "batllm-arcade check {name}           # does it play as it should?",
    ),
    "js": (
        "node --test                          # its own tests",
        "batllm-arcade check {name}.mjs       # does it play as it should?",
        "batllm-arcade run --left proc:{name}.mjs --right scripted:turtle --config couch --quiet",
    ),
}
"""What to type then, in the folder."""


def add_new(commands: Commands) -> None:
    parser = commands.add_parser("new", help="make the files of a bot, a policy, an observer or a provider")
    kinds = parser.add_subparsers(title="what to make", metavar="WHAT", required=True)
    for what, sentence in _NEW.items():
        each = kinds.add_parser(what, help=sentence)
        each.add_argument("name", metavar="NAME", help="what it is called, and the folder that is made for it")
        each.set_defaults(run=run_new, what=what)


def run_new(options: argparse.Namespace) -> int:
    """Write the files into a new folder and say what to type next; return 0."""
    name = _new_name(options.name, options.what)
    made = _write_files(Path(name), dict(_new_files(options.what, name)))
    cd = [f"cd {name}", *(line.format(name=name) for line in _TYPE_NEXT[options.what])]
    write_lines([*made, "", "next:", *(f"  {line}" for line in cd)], sys.stdout)
    return 0


def _new_name(text: str, what: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", text, re.ASCII):
        raise UsageError(f"{text!r:.60} is no name for it; use small letters, digits, - and _, a letter first")
    if what == "js" and text == "arena":
        raise UsageError("arena.mjs has the helpers; choose another name")
    if what in ("provider", "bot"):
        from batllm_arcade.plugin import manager

        if text in manager.load().kinds:
            raise UsageError(f"there is a brain {text!r} already; choose another name")
    return text


def _new_files(what: str, name: str) -> Iterator[tuple[str, str]]:
    title = name.replace("-", " ").replace("_", " ").title()
    words = {
        "@NAME@": name,
        "@MODULE@": f"batllm_{name.replace('-', '_')}",
        "@TITLE@": title,
        "@A_TITLE@": with_article(title),
        "@An_TITLE@": f"A{with_article(title)[1:]}",
        "@CLASS@": "".join(part.title() for part in re.split("[-_]", name)),
        "@VARIABLE@": name.replace("-", "_").upper(),
    }
    for path, text in _templates(files("batllm_arcade.assets") / "templates" / what):
        path = path.replace("NAME", name).replace("MODULE", words["@MODULE@"]).removesuffix(".txt")
        yield path, re.sub("|".join(words), lambda word: words[word[0]], text)
    if what == "js":
        helpers = files("batllm_arcade.examples") / "bots" / "helpers" / "arena.mjs"
        yield "arena.mjs", helpers.read_text("utf-8")
    if what in ("js", "policy"):
        yield MARKER, "A bot may read all files in this folder: it has several, and nothing else is here.\n"


def _templates(folder: Any, before: str = "") -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _templates(each, f"{before}{each.name}/")
        else:
            yield before + each.name, each.read_text("utf-8")


def _write_files(folder: Path, made: Mapping[str, str]) -> list[str]:
    try:
        folder.mkdir()
        for path, text in made.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(text.encode())
    except FileExistsError:
        raise UsageError(f"{str(folder)!r} is there already; choose another name, or remove it first") from None
    except OSError as error:
        raise UsageError(f"{str(folder)!r} cannot be written: {error.strerror}") from None
    return [(folder / path).as_posix() for path in made]
