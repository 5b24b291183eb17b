"""What others wrote with another editor: a byte order mark and other line ends change nothing, UTF-16 is refused."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import played, session_values
from leagues import begun, small
from original import trace

from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.reader import load, page_of
from batllm_arcade.isolation.dialect import Garbage, read_line
from batllm_arcade.league.league_file import open_league
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.plugin.dropins import TrustedFiles
from batllm_arcade.processes.child import LineSplitter
from batllm_arcade.settings import config
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.share.write import write_page

SESSION = json.dumps(session_values(played(["M"], ["M"], rules=Rules(total_rounds=1, turns_per_round=1))), indent=1)


def settings_in(path: Path) -> Any:
    file = SettingsFile(path)
    if file.problem:
        raise UsageError(file.problem)
    return file.settings


def trusted_in(path: Path) -> Any:
    file = TrustedFiles(path)
    if file.problem:
        raise UsageError(file.problem)
    return file.trust_in("a", "b")


def line_in(path: Path) -> Any:
    (first, *_) = LineSplitter(1000).feed(path.read_bytes())
    assert isinstance(first, bytes)
    message = read_line(first)
    if isinstance(message, Garbage):
        raise UsageError(message.problem)
    return message


def page(path: Path) -> str:
    session = path.with_name("session.json")
    session.write_text(SESSION)
    write_page(session, path)
    return path.read_text("utf-8")


def league(path: Path) -> str:
    begun(path.parent, small())
    return path.read_text("utf-8")


def with_header(path: Path) -> Any:
    (path.parent / "match.yaml").write_text("system_header: header.txt\n")
    return config.load(str(path.parent / "match.yaml")).header_template


Made = str | Callable[[Path], str]
TEXTS: dict[str, tuple[str, Made, Callable[[Path], Any]]] = {
    "orders": ("win.txt", "Camp.\nNever shoot.\n", lambda path: config.prompt_text(f"@{path}")),
    "a system header": ("header.txt", "Play.\nWell.\n", with_header),
    "a configuration": ("own.yaml", "deadline_s: 20\nprompts:\n  left: win\n", lambda path: config.load(str(path))),
    "settings": ("settings.yaml", "play:\n  rumble: false\n", settings_in),
    "a league's plan": ("plan.yaml", "players:\n- scripted:turtle\n- scripted:dancer\n", load_plan),
    "a session": ("night.json", SESSION, load),
    "a session of the original": ("old.json", json.dumps(trace([[[(1, "M")]]]), indent=1), load),
    "a page": ("page.html", page, lambda path: (load(path), (page_of(path) or "").replace("\r\n", "\n"))),
    "a league": ("league.json", league, lambda path: open_league(path.parent)[0].plan),
    "trusted files": ("trusted.json", '{"trusted":\n [["a", "b"]]}', trusted_in),
    "a bot's line": ("line", '{"type": "ready", "name": "x"}\n{}\n', line_in),
}
"""What is read: the name of its file, what is in it, and what reads it."""


@pytest.mark.parametrize("kind", TEXTS)
def test_a_mark_and_other_line_ends_change_nothing_and_utf_16_is_refused(kind, tmp_path):
    name, made, read = TEXTS[kind]
    path = tmp_path / name
    text = made if isinstance(made, str) else made(path)
    path.write_text(text, "utf-8")
    wanted = read(path)
    for changed in (codecs.BOM_UTF8 + text.encode(), text.replace("\n", "\r\n").encode()):
        path.write_bytes(changed)
        assert read(path) == wanted
    for encoding in ("utf-16-le", "utf-16-be"):
        path.write_bytes("\ufeff".encode(encoding) + text.encode(encoding))
        with pytest.raises(ArcadeError, match=r"UTF-8|nothing is trusted"):
            read(path)
