"""`new` makes a provider and a bot in JavaScript whose own tests pass, and whose names are sensible."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import unittest
from importlib import import_module
from pathlib import Path

import pytest
from paths import ROOT

from batllm_arcade.cli.main import main
from batllm_arcade.session import bot_check

CHECKOUT = Path(os.environ.get("BATLLM_CHECKOUT", ROOT))


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def made(what: str, name: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The files that are made, as they are printed."""
    assert main(["new", what, name]) == 0
    printed = capsys.readouterr().out
    files = printed.partition("\n\n")[0].splitlines()
    assert sorted(files) == sorted(path.as_posix() for path in Path(name).rglob("*") if path.is_file())
    assert f"cd {name}\n" in printed
    assert [path for path in files if re.search("@[A-Za-z_]+@", Path(path).read_text("utf-8"))] == []
    return files


@pytest.mark.parametrize("name", ["parley", "own-oracle_2"])
def test_a_new_provider_passes_its_own_tests(name, capsys, monkeypatch):
    files = made("provider", name, capsys)
    module = f"batllm_{name.replace('-', '_')}"
    assert {Path(path).name for path in files} == {
        "pyproject.toml", "README.md", f"{module}.py", f"test_{module}.py", "scripted_server.py",
    }  # fmt: skip
    title = {"parley": "a Parley server", "own-oracle_2": "an Own Oracle 2 server"}[name]
    assert title in Path(f"{name}/README.md").read_text("utf-8")
    for folder in (name, f"{name}/tests"):
        monkeypatch.syspath_prepend(Path(folder).absolute())
    for each in (module, f"test_{module}", "scripted_server"):
        monkeypatch.delitem(sys.modules, each, raising=False)
    own = unittest.defaultTestLoader.loadTestsFromModule(import_module(f"test_{module}"))
    done = unittest.TestResult()
    own.run(done)
    assert done.testsRun == 3
    assert [text for _, text in (*done.failures, *done.errors)] == []


@pytest.mark.parametrize(
    ("what", "files", "tests", "checked"),
    [
        ("bot", {"own-1.py", "tests/test_bot.py"}, 2, "own-1.py"),
        ("policy", {"own-1.py", "tests/test_policy.py", ".batllm-bot"}, 1, "policy:own-1.py"),
        ("observer", {"pyproject.toml", "README.md", "batllm_own_1.py", "tests/test_batllm_own_1.py"}, 1, ""),
    ],
)
def test_what_is_made_in_python_passes_its_own_tests_and_the_check(what, files, tests, checked, capsys, monkeypatch):
    assert {path.removeprefix("own-1/") for path in made(what, "own-1", capsys)} == files
    monkeypatch.chdir("own-1")
    monkeypatch.syspath_prepend(Path().absolute())
    own = unittest.TestLoader().discover("tests", top_level_dir="tests")
    done = unittest.TestResult()
    own.run(done)
    assert [text for _, text in (*done.failures, *done.errors)] == []
    assert done.testsRun == tests
    if checked:
        monkeypatch.setattr(bot_check, "OPPONENTS", ("turtle",))
        assert main(["check", checked, "--isolation", "process"]) == 0, capsys.readouterr().out


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_new_bot_in_javascript_passes_its_own_tests(capsys):
    files = made("js", "rover", capsys)
    assert sorted(files) == ["rover/.batllm-bot", "rover/arena.mjs", "rover/rover.mjs", "rover/rover.test.mjs"]
    helpers = CHECKOUT / "examples" / "bots" / "helpers" / "arena.mjs"
    assert Path("rover/arena.mjs").read_text("utf-8") == helpers.read_text("utf-8")
    done = subprocess.run(["node", "--test"], cwd="rover", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "# pass 4" in done.stdout.replace("ℹ", "#")
