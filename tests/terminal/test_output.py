"""What reaches a terminal: nothing that acts on it, from one place; a stream that fails is an error once."""

from __future__ import annotations

import ast
import io
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import batllm_arcade
from batllm_arcade.terminal import output
from batllm_arcade.terminal.output import OutputError, printable, write_line, write_lines

HOST = Path(batllm_arcade.__file__).parent
PLUGINS = Path(find_spec("batllm_arcade_plugins").submodule_search_locations[0])
ONLY = HOST / "terminal" / "output.py"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("café 🎯 日本 👨‍👩‍👧", "café 🎯 日本 👨‍👩‍👧"),
        ("\x1b]0;owned\x07\x1b[2J", "\\x1b]0;owned\\x07\\x1b[2J"),
        ("one\r\nFAKE\ttwo\0", "one\\r\\nFAKE\\ttwo\\x00"),
        ("\x9b31m\x85", "\\x9b31m\\x85"),
        ("abc\u202edef\u2066\u200f\u061c", "abc\\u202edef\\u2066\\u200f\\u061c"),
        ("\u2028\u2029\ufeff\u200b\U000e0041", "\\u2028\\u2029\\ufeff\\u200b\\U000e0041"),
        ("\ud83d\udcff"[0], "\\ud83d"),
        ("\x7f", "\\u007f"),
    ],
)
def test_what_could_act_on_a_terminal_is_shown_as_an_escape(text, shown):
    assert printable(text) == shown
    out = io.StringIO()
    write_lines([text, text], out)
    assert out.getvalue() == f"{shown}\n{shown}\n"


def writes(tree: ast.AST):
    """The lines of a module that print, or touch the standard streams, other than to name or redirect them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called == "print" or called.endswith((".stdout.write", ".stderr.write", ".stdout.buffer.write")):
                yield f"{called} in line {node.lineno}"
            if called in ("os.write", "logging.basicConfig", "warnings.warn", "traceback.print_exc", "input"):
                yield f"{called} in line {node.lineno}"


PIPES = ("bot_host.py", "guard.py", "child.py")
"""What speaks to a process: its pipes are written with os.write, and none is a terminal."""


FOR_PROGRAMMERS = ("games.py", "recorded.py", "single.py")
"""What is called from Python, where a warning is what a caller expects and can turn off."""


def test_nothing_else_prints():
    paths = [path for folder in (HOST, PLUGINS) for path in sorted(folder.rglob("*.py")) if path != ONLY]
    found = {path.name: list(writes(ast.parse(path.read_text("utf-8")))) for path in paths}
    for name in PIPES:
        found[name] = [line for line in found[name] if not line.startswith("os.write")]
    for name in FOR_PROGRAMMERS:
        found[name] = [line for line in found[name] if not line.startswith("warnings.warn")]
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_print_anywhere_would_be_found():
    found = "print(1)\nsys.stderr.write('')\nsys.stdout.buffer.write(b'')\nos.write(2, b'')"
    assert len(list(writes(ast.parse(found)))) == 4


class Full(io.StringIO):
    """A stream whose disk is full."""

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("out", [Full(), None], ids=["full", "closed"])
def test_a_stream_that_takes_nothing_is_an_error_in_one_sentence(out, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with pytest.raises(OutputError, match=r"^the output cannot be written: [A-Z]"):
        write_line("hello", out)


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader is told otherwise there")
def test_a_reader_that_has_gone_is_told_once_and_the_rest_fails_no_more():
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        with pytest.raises(OutputError, match="its reader has gone"):
            write_line("hello", out)
        write_line("again", out)


def test_a_character_the_stream_cannot_encode_is_written_as_an_escape():
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, "ascii", newline="\n")
    write_line("café", out)
    assert raw.getvalue() == b"caf\\xe9\n"


def test_the_bar_of_progress_holds_no_escapes_but_its_own():
    out = io.StringIO()
    output.redraw("50% \x1b[2J", out)
    assert out.getvalue() == "\r50% \\x1b[2J\x1b[K"
