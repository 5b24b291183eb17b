"""What authors usually get wrong, and the one sentence each is told: with their file, and the line where there is one.

Files are loaded and played inside the test, lines of a bot are read without a process; two cases start one.
"""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path

import pytest
from approved import approve, cases_in
from links import FakeLink
from model_server import ScriptedServer, answer, closed_port, endless
from outages import quick_brain

from batllm_arcade import play
from batllm_arcade.brains.protocol import Spec, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.isolation.dialect import Dialect
from batllm_arcade.isolation.process_brain import BotFaults, BotProtocol, Greeting, PlayQuestion
from batllm_arcade.match.records import SessionStarted
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import INSIDE
from batllm_arcade.processes.child import ChildLog, LineSplitter
from batllm_arcade.seats.brain_thread import BrainThread
from batllm_arcade.seats.plugin_calls import decision_of

FACING = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 90, True))
VIEW = View(0, Rules(), 1, 2, 3, 5, (0, 1), ("", ""), FACING, FACING)


def loaded(text):
    """The plugins of a folder with this one file."""
    Path("mine.py").write_text(text)
    return manager.load(Path(), INSIDE)


def dropped(text):
    """What is said of a file when it is loaded."""
    return "; ".join(loaded(f"from batllm_arcade import BrainKind, bot, hookimpl\n{text}\n").problems)


def marked(name, text):
    """What is said of a file with a function under `@bot`."""
    return dropped(f"@bot({name!r})\n{text}")


HOOK = "@hookimpl\ndef batllm_brains():\n    return [BrainKind('dice', 'a die', Dice)]\n"
MAKER = "class Dice:\n    def __init__(self, spec): pass\n"


def brains(text):
    """The brains of a file with a class or function `Dice`, which nothing is wrong with yet."""
    plugins = loaded(f"from batllm_arcade import BrainKind, Decision, hookimpl\n{text}\n{HOOK}")
    assert plugins.problems == []
    return plugins.kinds


def unready(text, spec="dice"):
    """What is said of a brain when it is made and prepared."""
    with pytest.raises(ArcadeError) as told:
        BrainThread(brains(text), Spec.parse(spec), 30.0).prepare(lambda _line: None)
    return str(told.value)


def decided(text):
    """What is said of a brain's decision."""
    brain = brains(f"{MAKER}    {text}")["dice"].make(Spec("dice"))
    return decision_of(partial(brain.decide, VIEW), "dice", brain)[1]


def played(body):
    """What is said of the command of a function under `@bot`."""
    plugins = loaded(f"from batllm_arcade import Reply, bot\n@bot('mine')\ndef decide(me, foe, clock):\n    {body}\n")
    assert plugins.problems == []
    brain = plugins.kinds["mine"].make(Spec("mine"))
    decision, problem, _ = decision_of(partial(brain.decide, VIEW), "mine", brain)
    return problem or game_rules.read_command(decision.command, VIEW.rules).reason


def watched(text):
    """What is said of an observer that is made and told of a record."""

    class Session:
        history, console = None, ""

    plugins = loaded(
        f"from batllm_arcade import hookimpl\nclass Hits:\n    {text}\n@hookimpl\ndef batllm_observer(session):\n"
        "    return Hits()\n"
    )
    assert plugins.problems == []
    plugins.observers(Session()).notify(SessionStarted(1, "", ""))
    return "; ".join(plugins.problems)


def asked(exchange, lines):
    protocol = BotProtocol(ChildLog(), BotFaults())
    protocol.connected(FakeLink())
    protocol.begin(exchange)
    for line in LineSplitter(64 * 1024).feed(lines + b"\n"):
        protocol.received(line)
    return f"garbage: {exchange.wait(0).problem}" if exchange.state == "done" else exchange.instead


def written(line):
    """What is said of a line that a bot writes where the play 2 is awaited."""
    return asked(PlayQuestion(2, b"", print), line)


def greeted(line):
    """What is said of a line that a bot writes where it should say that it is ready."""
    return asked(Greeting(Dialect(), "left", {}, print), line)


def started(left):
    """What `run` says of a brain on the command line."""
    Path("foo.rb").write_text("puts 1")
    Path("foo.sh").write_text("echo 1")
    with pytest.raises(ArcadeError) as told, warnings.catch_warnings():
        play(left, "scripted:turtle", history=None)
    return str(told.value).partition(" choose one of")[0]  # the others that are installed do not matter


def answered(body, status):
    """What is said of a server that answers like this, however often it is asked."""
    with ScriptedServer(endless(answer(body, status))) as server, pytest.raises(ArcadeError) as told:
        quick_brain("openai", server.url).prepare(lambda _line: None)
    return str(told.value).replace(server.url.split("//")[1], "HOST")


def refused(*options):
    """What is said of a brain with such options where no server is."""
    url = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(ArcadeError) as told:
        quick_brain("openai", url, **dict(each.split("=") for each in options)).prepare(lambda _line: None)
    return str(told.value).replace(url.split("//")[1], "HOST")


def run_from_a_file(text):
    """What is said of a bot in a process of its own that does not load."""
    Path("mine.py").write_text(f"from batllm_arcade import bot\n{text}\n")
    with pytest.raises(ArcadeError) as told:
        next(play("proc:mine.py", "scripted:turtle", history=None))
    return str(told.value)


SAY = {say.__name__: say for say in (dropped, marked, unready, decided, played, watched, written, greeted, started,
                                     answered, refused, run_from_a_file)}  # fmt: skip
MISTAKES = Path(__file__).parent / "approved" / "mistakes.txt"


def test_a_usual_mistake_is_named_in_one_sentence(tmp_path, monkeypatch):
    def said(mistake):
        name, *what = mistake
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            if name in ("dropped", "marked", "unready", "decided", "played", "watched"):
                patch.setattr(manager, "entry_points", lambda group: [])  # the file alone is loaded
            return SAY[name](*what)

    assert len(cases_in(MISTAKES)) >= 50
    approve(MISTAKES, said)
