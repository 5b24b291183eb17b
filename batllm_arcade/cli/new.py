"""`new`: the files of a provider, or of a bot in JavaScript, to begin with."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.errors import UsageError, with_article
from batllm_arcade.files.bot_folder import MARKER

if TYPE_CHECKING:
    from batllm_arcade.cli.arguments import Commands

_WHAT = {
    "provider": "a package with a brain that asks a model server, a scripted server to try it with, and a test",
    "js": "a bot in JavaScript beside arena.mjs, and a test",
}
_NEXT = {
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


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("new", help="make the files of a provider or of a bot in JavaScript")
    kinds = parser.add_subparsers(title="what to make", metavar="WHAT", required=True)
    for what, sentence in _WHAT.items():
        each = kinds.add_parser(what, help=sentence)
        each.add_argument("name", metavar="NAME", help="what it is called, and the folder that is made for it")
        each.set_defaults(run=run, what=what)


def run(options: argparse.Namespace) -> int:
    """Write the files into a new folder and say what to type next; return 0."""
    from batllm_arcade.terminal.output import write_lines

    name = _name(options.name, options.what)
    made = _written(Path(name), dict(_made(options.what, name)))
    cd = [f"cd {name}", *(line.format(name=name) for line in _NEXT[options.what])]
    write_lines([*made, "", "next:", *(f"  {line}" for line in cd)], sys.stdout)
    return 0


def _name(text: str, what: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,30}", text, re.ASCII):
        raise UsageError(f"{text!r:.60} is no name for it; use small letters, digits, - and _, a letter first")
    if what == "js" and text == "arena":
        raise UsageError("arena.mjs has the helpers; choose another name")
    if what == "provider":
        from batllm_arcade.plugin import manager

        if text in manager.load().kinds:
            raise UsageError(f"there is a brain {text!r} already; choose another name")
    return text


def _made(what: str, name: str) -> Iterator[tuple[str, str]]:
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
        yield path, _filled(text, words)
    if what == "js":
        helpers = files("batllm_arcade.examples") / "bots" / "helpers" / "arena.mjs"
        yield "arena.mjs", helpers.read_text("utf-8")
        yield MARKER, "A bot may read all files in this folder: it has several, and nothing else is here.\n"


def _templates(folder: Any, before: str = "") -> Iterator[tuple[str, str]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _templates(each, f"{before}{each.name}/")
        else:
            yield before + each.name, each.read_text("utf-8")


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _written(folder: Path, made: Mapping[str, str]) -> list[str]:
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
