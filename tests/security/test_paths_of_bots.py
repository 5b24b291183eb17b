"""Bots' files are found by any honest path, and import what is theirs; what they name shows nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sandboxing import bot_program, require_sandbox

from batllm_arcade.cli.main import main
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import IsolationChoice

SHARING = (
    'import _common\nfrom batllm_arcade import bot\n@bot("hon")\ndef decide(me, foe, clock): return _common.PLAY\n'
)
MATCH = ("--right", "scripted:turtle", "--rounds", "1", "--turns", "1", "--quiet", "--force", "--history", "s.json")


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A folder of bots beside the current one, one of programs, and links to the folders below them."""
    require_sandbox()
    folder, programs = tmp_path / "bots", tmp_path / "programs"
    (tmp_path / "work").mkdir()
    for place, link in ((folder, "link"), (programs, "other")):
        (place / "sub").mkdir(parents=True)
        (tmp_path / "work" / link).symlink_to(place / "sub")
    bot_program(programs / "plain.py")
    (folder / "hon.py").write_text(SHARING.replace("_common.PLAY", '"M"').replace("import _common\n", ""))
    monkeypatch.chdir(tmp_path / "work")
    return folder


def test_a_path_with_dots_is_a_path_in_the_sandbox_too(bots, capsys):
    """`..` after a link leads to where the system says it does."""
    for bot in ("proc:../programs/plain.py", "proc:link/../hon.py", f'proc:cmd="{sys.executable} other/../plain.py"'):
        assert main(["run", "--isolation", "sandbox", "--left", bot, *MATCH]) == 0, bot
    for folder in ("../bots", "../bots/sub/..", "link/.."):
        plugins = manager.load(Path(folder), IsolationChoice(how="sandbox"))
        assert "hon" in plugins.kinds, folder
    assert main(["run", "--plugins-dir", "../bots", "--isolation", "sandbox", "--left", "hon", *MATCH]) == 0


@pytest.mark.parametrize("mode", ["sandbox", "process"])
def test_a_file_imports_what_it_shares_and_none_of_its_rivals(bots, mode):
    (bots / "hon.py").write_text(SHARING)
    (bots / "_common.py").write_text('PLAY = "M"\n')
    (bots / "_socket.py").write_text("raise SystemExit\n")
    (bots / "thief.py").write_text("import socket, hon\n" + SHARING.replace("hon", "thief"))
    plugins = manager.load(bots, IsolationChoice(how=mode))
    assert {"hon"} == {"hon", "thief"} & set(plugins.kinds)
    assert "the plugin 'thief' was dropped: ModuleNotFoundError: No module named 'hon'" in plugins.problems[-1]
