"""The fenced blocks of the README and of docs/: what is in them, and the commands that a reader is to type."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from paths import DOCS, ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(DOCS.glob("*.md"))]
LANGUAGES = ("python", "sh", "powershell", "console", "yaml", "json", "toml", "js", "text")
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    language: str
    text: str
    number: int
    """Its place among the page's blocks, from 1."""

    @property
    def name(self) -> str:
        return f"{self.page.removesuffix('.md')}-{self.number}"


class Command(NamedTuple):
    """What is typed into a terminal, and what it prints, None where the page does not show it."""

    line: str
    prints: str | None = None


def blocks(*languages: str) -> list[Block]:
    """The blocks of all pages, or those in some languages."""
    return [block for page in PAGES for block in _blocks(page.name, page.read_text("utf-8"))
            if not languages or block.language in languages]  # fmt: skip


def _blocks(page: str, text: str) -> Iterator[Block]:
    for number, found in enumerate(_FENCE.finditer(text), 1):
        indent, language, inner = found.groups()
        yield Block(page, language, "".join(line[len(indent) :] for line in inner.splitlines(keepends=True)), number)


def commands(block: Block) -> list[Command]:
    """The commands of a block, without comments: of `sh` its lines, of `console` those behind a `$`."""
    if block.language == "console":
        return [
            Command(line, printed) for line, printed in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.M)
        ]
    joined = re.sub(r" *\\\n *", " ", block.text)
    lines = re.sub(r" && *\n *", " && ", joined).splitlines()
    return [Command(line) for line in (re.sub(r"(^|\s+)# .*$", "", line).strip() for line in lines) if line]


def typed(line: str) -> tuple[int, str]:
    """The exit code of a command of the program, run in this process, and all that it prints, in order."""
    from batllm_arcade.cli.main import main

    words, printed = shlex.split(line), io.StringIO()
    assert words[0] == "batllm-arcade"
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            code = main(words[1:])
        except SystemExit as ended:  # --help, or an option that there is not
            code = int(ended.code or 0)
    return code, printed.getvalue()


def assert_prints(printed: str, shown: str) -> None:
    """Fail unless this was printed; `...` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    assert re.fullmatch(pattern, printed.strip(), re.S), f"printed:\n{printed}\nthe page says:\n{shown}"
