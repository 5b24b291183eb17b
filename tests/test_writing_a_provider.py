"""docs/writing-a-provider.md: every step prints what the page says, and the file it shows is the one that is made."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import assert_prints, blocks, commands, typed
from model_server import closed_port

from batllm_arcade.cli.main import main

PAGE = "writing-a-provider.md"
PORT = "7070"
STEPS = [command for block in blocks("console") if block.page == PAGE for command in commands(block)]


class Terminal:
    """A reader's terminal: what is typed there, and the server that goes on in another one."""

    def __init__(self, folder: Path, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.port, self.monkeypatch = folder, port, monkeypatch
        self.server: subprocess.Popen[str] | None = None

    def type(self, line: str) -> str:
        """What a command prints."""
        words = shlex.split(line)
        if words[0] == "batllm-arcade":
            printed = typed(line)[1]
            if words[1] == "new":
                self.move_the_server()
            return printed
        if words[0] == "cd":
            self.folder /= words[1]
            self.monkeypatch.chdir(self.folder)
        elif words[:2] == ["pip", "install"]:
            self.install()
        elif words[1].endswith("server.py"):
            return self.serve(words[1])
        else:
            assert words[0] == "python"
            done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, timeout=60)
            return done.stdout + done.stderr
        return ""

    def move_the_server(self) -> None:
        """Use a free port in place of the one in the files, which another program may have."""
        for path in self.folder.rglob("*.py"):
            path.write_text(path.read_text("utf-8").replace(PORT, self.port), "utf-8")

    def install(self) -> None:
        """Do what `pip install -e` does: the folder is looked in, and the package is known."""
        text = (self.folder / "pyproject.toml").read_text("utf-8")
        name, module = re.search(r'^\[project.entry-points.batllm_arcade\].*\n(\S+) = "(\w+)"', text, re.M).groups()
        known = self.folder.parent / "site" / f"batllm_{name}-0.1.0.dist-info"
        known.mkdir(parents=True)
        (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: batllm-{name}\nVersion: 0.1.0\n")
        (known / "entry_points.txt").write_text(f"[batllm_arcade]\n{name} = {module}\n")
        self.monkeypatch.syspath_prepend(known.parent)
        self.monkeypatch.syspath_prepend(self.folder)
        self.monkeypatch.delitem(sys.modules, module, raising=False)

    def serve(self, script: str) -> str:
        self.server = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
        assert self.server.stdout is not None
        return self.server.stdout.readline()

    def close(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.communicate()


@pytest.fixture
def terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = Terminal(tmp_path, str(closed_port()), monkeypatch)
    yield made
    made.close()


def test_every_step_prints_what_the_page_says(terminal):
    assert len(STEPS) >= 8
    for step in STEPS:
        printed = terminal.type(step.line)
        if step.prints:
            assert_prints(printed, step.prints.replace(PORT, terminal.port))


def test_the_file_that_is_shown_is_the_one_that_is_made(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "provider", "parley"]) == 0
    (shown,) = (block.text for block in blocks("python") if block.page == PAGE)
    assert shown == Path("parley/batllm_parley.py").read_text("utf-8")
