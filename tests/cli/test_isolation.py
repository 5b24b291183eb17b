"""`--isolation` on the command line: who may be asked for what, what is said, what is kept, what bots print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sandboxing import require_sandbox

from batllm_arcade.cli.main import main
from batllm_arcade.isolation import sandbox
from batllm_arcade.isolation.sandbox import Sandboxes

BOT = """\
import sys
from batllm_arcade import bot
@bot("talker")
def decide(me, foe, clock):
    print("turn", clock.turn)
    sys.stderr.write("\\x1b[31mhm\\n")
    return "B"
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options that load a bot that prints, in a folder with a home of its own."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "talker.py").write_text(BOT)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return ["--plugins-dir", "bots"]


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap is not installed."""
    sandbox.sandboxes.cache_clear()
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox.sandboxes()
    yield
    sandbox.sandboxes.cache_clear()


def played(*options: str) -> int:
    match = ["--left", "talker", "--right", "scripted:turtle", "--rounds", "1", "--turns", "2", "--quiet"]
    return main(["run", *match, "--history", "s.json", "--force", *options])


def seats() -> list[str]:
    return [seat.get("isolation", "") for seat in json.loads(Path("s.json").read_text())["games"][0]["seats"]]


def test_what_bots_print_comes_after_their_seat_and_name_if_it_is_asked_for(bots, capsys):
    assert played(*bots, "--isolation", "process", "--log") == 0
    said = capsys.readouterr().err
    # In one order, for both go to one pipe.
    assert [line for line in said.splitlines() if line.startswith("left")] == [
        "left talker: turn 1", "left talker: hm", "left talker: turn 2", "left talker: hm",
    ]  # fmt: skip
    assert played(*bots, "--isolation", "process") == 0
    assert "turn 1" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--isolation", "process"], "process"), (["--isolation", "none"], "none"), (["--trust-plugins"], "none"),
        (["--trust-plugins", "--isolation", "none"], "none"), (["--isolation", "sandbox"], "sandbox"),
        ([], "sandbox"), (["--isolation", "auto"], "sandbox"),
    ],
)  # fmt: skip
def test_the_session_says_which_it_was(options, found, bots):
    if found == "sandbox":
        require_sandbox()
    assert played(*bots, *options) == 0
    assert seats() == [found, ""]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--trust-plugins", "--isolate"], "--trust-plugins and --isolate contradict each other"),
        (["--isolation", "none", "--isolate"], "--isolation none and --isolate contradict each other"),
        (
            ["--trust-plugins", "--isolation", "sandbox"],
            "--trust-plugins and --isolation sandbox contradict each other",
        ),
        (["--isolation", "none", "--right", "proc:bots/talker.py"], "right: a bot of proc is a program of its own"),
        (["--right", "proc:bots/talker.py,isolation=none"], "right: a bot of proc is a program of its own"),
        (
            ["--right", "talker:isolation=jail"],
            "isolation of talker must be auto, sandbox, process or none, not 'jail'",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(options, sentence, bots, capsys):
    assert played(*bots, *options) == 2
    assert sentence in capsys.readouterr().err
    assert not Path("s.json").exists()


def test_without_a_sandbox_auto_is_a_process_and_says_why_and_a_sandbox_is_refused(bots, no_sandbox, capsys):
    assert played(*bots) == 0
    assert (
        "which can read your files and use the network: bubblewrap (the program bwrap) is not"
        in capsys.readouterr().err
    )
    assert seats() == ["process", ""]
    Path("s.json").unlink()
    for options in (["--isolation", "sandbox"], ["--left", "talker:isolation=sandbox"]):
        assert played(*bots, *options) == 2
        assert "no sandbox can be made: bubblewrap (the program bwrap) is not installed" in capsys.readouterr().err
        assert not Path("s.json").exists()


def test_brains_say_where_bots_run(bots, capsys, monkeypatch):
    monkeypatch.setattr(sandbox, "_tried", lambda program: Sandboxes(problem="no"))
    assert main(["brains", *bots, "--isolation", "process"]) == 0
    found = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert found["talker"].endswith("; in a process, no sandbox")
    assert found["proc"].endswith("; in a process, no sandbox")
    assert "process" not in found["scripted"]
    assert main(["brains", *bots, "talker:isolation=none", "talker:isolation=process"]) == 0
    inside, process = capsys.readouterr().out.splitlines()
    assert inside.endswith("(runs inside the program: it can do what the program can)")
    assert "(runs in a process of its own, no sandbox: it can read your files" in process


@pytest.mark.parametrize(("given", "kept"), [("process", "process"), ("none", "none"), ("", "process")])
def test_a_league_keeps_what_it_was_begun_with(given, kept, bots, no_sandbox, capsys):
    options = ["--isolation", given] if given else []
    league = ["league", "talker", "scripted:turtle", "--pairs", "1", "--rounds", "1", "--turns", "1", "--workers", "1"]
    assert main([*league, "--sessions", "all", "--quiet", "--out", "out", *bots, *options]) == 0
    assert json.loads(Path("out/league.json").read_text())["run"]["isolation"] == kept
    games = json.loads(Path("out/sessions/1-1.json").read_text())["games"]
    assert games[0]["seats"][0]["isolation"] == kept
