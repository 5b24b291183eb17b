"""The brain `proc`: partial texts, answers that come late, results, options, files that change, and Python's `@bot`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from fakes import PublishedTexts
from resources import nothing_left
from views import view as a_view

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError, Decision, Spec, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.isolation.sandbox import own_packages, python_paths
from batllm_arcade.plugin import manager

KINDS = manager.load().kinds
PROC = KINDS["proc"]
ARENA = game_rules.start(Random(1), Rules())
ECHO = """\
import json, os, sys, time
options = {}
def say(**values): print(json.dumps(values), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        options = message["options"]
        say(type="ready", name="echo", version="2", extra=[1])
    elif kind == "decide":
        if message["id"] == 1 and "slow" in options:
            late = message["id"]
            while json.loads(sys.stdin.readline())["type"] != "stop": pass
            say(type="play", id=late, command="B")
            continue
        say(type="partial", id=message["id"], text="hm")
        say(type="novelty")
        found = [name for name in os.listdir() if not any(path.startswith(os.path.abspath(name)) for path in SHOWN)]
        facts = [message["budget_ms"], os.getcwd() != HOME, found, message["view"]["round_prompt"]["self"]]
        say(type="play", id=message["id"], command="C1", thought=json.dumps(facts), say=json.dumps(options))
    elif kind == "quit":
        break
    else:
        print(line, end="", file=sys.stderr, flush=True)
"""


def view(live: Live | None = None, game: int = 1) -> View:
    stream = f"7/{game}/left"
    return a_view(arena=ARENA, game=game, prompts=("win", ""), stream=stream, live=live or Live(30), rng=Random(1))


@pytest.fixture
def started(tmp_path: Path) -> Callable[..., ProcessBrain]:
    brains: list[ProcessBrain] = []

    def start(text: str, name: str = "bot.py", **options: str) -> ProcessBrain:
        shown = [str(tmp_path), *python_paths(), *own_packages()]  # a sandbox shows these, also where they lie in /tmp
        (tmp_path / name).write_text(text.replace("HOME", repr(os.getcwd())).replace("SHOWN", repr(shown)))
        brain = PROC.make(Spec("proc", str(tmp_path / name), options))
        assert isinstance(brain, ProcessBrain)
        brains.append(brain)
        brain.prepare(lambda _: None)
        return brain

    with nothing_left():
        yield start
        for each in brains:
            each.close()


def test_a_bot_is_told_everything_and_its_texts_arrive(started):
    brain = started(ECHO, depth="3", memory_mb="99", deadline_s="4")
    assert (brain.title, brain.model) == ("echo", "echo 2")
    live = PublishedTexts()
    decision = brain.decide(view(live))
    assert decision == Decision("C1", "C1", '[null, true, [], "win"]', '{"depth": "3"}')
    assert live.texts == ["hm"]
    assert '"budget_ms"' not in "".join(brain.log.lines())
    brain.end_game({"game": 1, "bot": 0, "winner": 1, "reason": "points"})
    brain.close()
    game, result = brain.log.lines()
    assert game.startswith('{"type":"game","game":1,"seed":"7/1/left","rules":{"arena_width":1000')
    assert result == '{"type":"result","result":{"game":1,"winner":1,"reason":"points","outcome":"lost"}}'
    with pytest.raises(Cancelled):
        brain.decide(view())


def test_an_answer_that_comes_late_is_dropped_and_counted(started):
    brain = started(ECHO, slow="yes")
    live = Live(0.2)
    with pytest.raises(Cancelled):
        brain.decide(view(live))
    live.cancel()  # as the table does
    assert brain.decide(view()).command == "C1"
    assert str(brain.faults) == "late 1, dropped 1"


def test_a_python_file_with_a_bot_is_a_bot_and_is_loaded_again_when_it_has_changed(started, tmp_path):
    text = "import sys\nfrom batllm_arcade import bot\n@bot('own')\ndef decide(me, foe, clock): return 'C1'\n"
    brain = started(text)
    assert brain.title == "own"
    assert [brain.decide(view()).command for _ in range(2)] == ["C1", "C1"]
    (tmp_path / "bot.py").write_text(text.replace("C1", "C22"))
    assert brain.decide(view()).command == "C1"  # not in the middle of a game
    assert brain.decide(view(game=2)).command == "C22"
    assert not str(brain.faults)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("proc", "proc needs a bot: write proc:PATH"),
        ("proc:no/such.py", "there is no bot 'such.py'"),
        (f'proc:x.py,cmd="{sys.executable}"', "proc needs a bot"),
        (f'proc:cmd="{sys.executable}",memory_mb=1', "memory_mb of proc must be a number from 16 up"),
        (f'proc:cmd="{sys.executable}",processes=none', "processes of proc must be a number from 1 up"),
    ],
)
def test_a_spec_that_names_no_bot_is_refused(spec, told):
    with pytest.raises(UsageError, match=told):
        PROC.make(Spec.parse(spec))


SPEAKING = """\
import sys, json
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print('{"type": "ready"}')
    elif asked["type"] == "decide":
        print(json.dumps({"type": "play", "id": asked["id"], "command": "C1"}))
"""
"""Flushes nothing."""
HOSTED = "from batllm_arcade import bot\n@bot('own')\ndef decide(me, foe, clock): return 'C1'\n"
POLICY = "def load(folder): return 0\ndef act(policy, observation, action_mask, rng): return 1\n"


@pytest.mark.parametrize(
    "spec",
    [
        "proc:../a b/speaking.py", "proc:../a b/hosted.py", "policy:../a b/policy.py", "proc:../link/hosted.py",
        "proc:../link/../a b/speaking.py", 'proc:"../c, d/speaking.py"', 'policy:"../c, d/policy.py"',
        "proc:cmd=\"'{venv}/bin/python' '../a b/speaking.py'\"",
    ],
)  # fmt: skip
@pytest.mark.parametrize("isolation", ["auto", "process"])
def test_a_bot_plays_from_wherever_it_is_named(spec, isolation, tmp_path, monkeypatch):
    """From a folder beside the bot's, through a link, with blanks and commas; and its Python is named so, too."""
    for folder in ("a b", "c, d"):
        (tmp_path / folder).mkdir()
        for name, text in {"speaking": SPEAKING, "hosted": HOSTED, "policy": POLICY}.items():
            (tmp_path / folder / f"{name}.py").write_text(text)
    (tmp_path / "here").mkdir()
    (tmp_path / "link").symlink_to("a b")
    monkeypatch.chdir(tmp_path / "here")
    prefix = Path(sys.prefix)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "here" / os.path.relpath(sys.executable, tmp_path / "here")))
    read = Spec.parse(spec.format(venv=prefix / "lib" / ".."))
    brain = KINDS[read.name].make(replace(read, options={**read.options, "isolation": isolation}))
    try:
        brain.prepare(lambda _: None)
        assert brain.decide(view()).command
    finally:
        brain.close()


def test_a_bot_that_flushes_nothing_is_told_to():
    brain = PROC.make(Spec("proc", "", {"cmd": "sleep 9", "prepare_s": "0.2"}))
    with pytest.raises(BrainError, match=r"silent: .* flush its output after every line$"):
        brain.prepare(lambda _: None)
    brain.close()


def test_a_comma_in_a_path_is_told_how_to_be_written():
    with pytest.raises(UsageError, match="double quotes keep a comma in a value: 'proc:\"my, file\"'"):
        Spec.parse("proc:c, d/bot.py")
