"""`doctor`: a line for each part of the program, what to do where one does not work, and no key."""

from __future__ import annotations

import importlib.metadata
import re
from types import SimpleNamespace

import pytest

from batllm_arcade.cli.main import main
from batllm_arcade.isolation import sandbox
from batllm_arcade.plugin import availability

PARTS = ("pygame", "window", "sound", "model", "server", "sandbox", "films", "browser", "folder", "fonts")


@pytest.fixture
def told(capsys, monkeypatch):
    """Run it on a computer without a screen; return its lines by part, and its exit code."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def run() -> tuple[dict[str, list[str]], int]:
        code = main(["doctor"])
        head, *lines = capsys.readouterr().out.splitlines()
        assert re.match(r"batllm-arcade \d+\.\d+\.\d+, Python 3\.\d+", head)
        parts: dict[str, list[str]] = {}
        for line in lines:
            good, name, said = re.fullmatch(r"(ok|no)  (\w+) +(.+)", line).groups()
            parts.setdefault(name, []).append(f"{good} {said}")
        return parts, code

    return run


def test_each_part_has_a_line_and_a_computer_without_a_screen_is_told(told, monkeypatch):
    monkeypatch.setenv("GROQ_API_KEY", "sk-canary-4711")
    parts, code = told()
    assert tuple(parts) == PARTS
    assert code == 1
    assert parts["window"][0].startswith("no ")
    assert "DISPLAY" in parts["window"][0]
    assert any("Groq" in line for line in parts["server"])  # a server whose key is set is asked
    assert "canary" not in str(parts)


def test_two_pygames_are_told_which_to_remove(told, monkeypatch):
    version = importlib.metadata.version
    both = lambda name: "2.6" if name.startswith("pygame") else version(name)  # noqa: E731
    monkeypatch.setattr(importlib.metadata, "version", both)
    (line,), code = told()[0]["pygame"], told()[1]
    assert line.startswith("no pygame 2.6 and pygame-ce 2.6 are in one folder")
    assert "pip uninstall -y pygame pygame-ce" in line
    assert code == 1


def test_a_container_without_the_libraries_is_told_what_to_install(told, tmp_path, monkeypatch):
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('libgomp.so.1: cannot open shared object file: No such')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    monkeypatch.setattr(availability, "seat_state", lambda *_: SimpleNamespace(problem="", why="key"))
    parts, _ = told()
    assert "apt install libx11-6 libxext6" in parts["window"][0]
    assert "the library libgomp is missing: apt install libgomp1" in parts["model"][0]


def test_a_part_that_fails_is_told_and_the_others_go_on(told, monkeypatch):
    def broken():
        raise RuntimeError("no such device")

    monkeypatch.setattr(sandbox, "sandboxes", broken)
    parts, _ = told()
    assert parts["sandbox"] == ["no it failed with RuntimeError: no such device"]
    assert tuple(parts) == PARTS
