"""What authors usually get wrong, and the one sentence each is told: with their file, and the line where there is one.

Files are loaded and played inside the test, lines of a bot are read without a process; two cases start one.
"""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path

import pytest
from batllm_arcade_plugins.scripted import VARIANTS
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
DROPPED = "the plugin 'mine' was dropped: "
SERVER = "the OpenAI-style server at http://HOST "
NO_COMMAND = "is no command; a command is C<angle>, A<angle>, M, S1, S0, S or B"


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
    decision, problem = decision_of(partial(brain.decide, VIEW), "mine", brain)
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


MISTAKES = [
    (
        dropped, ('@hookimpl\ndef batllm_brain(): return []',),
        DROPPED + "there is no hook 'batllm_brain'; did you mean batllm_brains? (mine.py, line 2)",
    ),
    (
        dropped, ('def batllm_brain(): return []',),
        DROPPED
        + "there is no hook 'batllm_brain'; did you mean batllm_brains? It needs @hookimpl, too (mine.py, line 2)",
    ),
    (
        dropped, ('def batllm_brains(): return []',),
        DROPPED + 'batllm_brains has no @hookimpl above it, so it is not called (mine.py, line 2)',
    ),
    (
        dropped, ('def batllm_observer(session): return None',),
        DROPPED + 'batllm_observer has no @hookimpl above it, so it is not called (mine.py, line 2)',
    ),
    (
        dropped, ('@hookimpl\ndef batllm_observer(sesion): return None',),
        DROPPED + 'batllm_observer takes the argument session, not sesion (mine.py, line 2)',
    ),
    (
        dropped, ('@hookimpl\ndef batllm_brains(config): return []',),
        DROPPED + 'batllm_brains takes no argument, not config (mine.py, line 2)',
    ),
    (
        dropped, ('@hookimpl\ndef register_models(): return []',),
        DROPPED + "there is no hook 'register_models'; the hooks are batllm_brains, batllm_observer (mine.py, line 2)",
    ),
    (
        dropped, ("@bot\ndef decide(me, foe, clock): return 'M'",),
        DROPPED + '@bot needs a name: write @bot("decide") (mine.py, line 2)',
    ),
    (
        marked, (3, "def decide(me, foe, clock): return 'M'",),
        DROPPED + '@bot needs a name: write @bot("turret") (mine.py, line 2)',
    ),
    (
        marked, ('my bot', "def decide(me, foe, clock): return 'M'",),
        DROPPED + "'my bot' is not a name for a brain; use letters, digits, - and _ (mine.py, line 2)",
    ),
    (
        marked, ('mine', "def decide(me, foe): return 'M'",),
        DROPPED + "the bot 'mine' must take me, foe and clock: def decide(me, foe, clock) (mine.py, line 2)",
    ),
    (
        marked, ('mine', "def decide(): return 'M'",),
        DROPPED + "the bot 'mine' must take me, foe and clock: def decide(me, foe, clock) (mine.py, line 2)",
    ),
    (
        marked, ('mine', "def decide(self, me, foe, clock): return 'M'",),
        DROPPED + "the bot 'mine' must take me, foe and clock: def decide(me, foe, clock) (mine.py, line 2)",
    ),
    (
        marked, ('mine', "class Mine:\n    def play(self, me, foe, clock): return 'M'",),
        DROPPED + "the bot 'mine' has no method decide(self, me, foe, clock) (mine.py, line 2)",
    ),
    (
        marked, ('mine', "class Mine:\n    def decide(me, foe, clock): return 'M'",),
        DROPPED + "the bot 'mine' must take me, foe and clock: def decide(self, me, foe, clock) (mine.py, line 2)",
    ),
    (
        marked,
        ('mine', "class Mine:\n    def __init__(self, depth): pass\n    def decide(self, me, foe, clock): return 'M'"),
        DROPPED + "the bot 'mine' is made anew for every game, without arguments: def __init__(self) (mine.py, line 2)",
    ),
    (dropped, ("bot('mine')('M')",), DROPPED + "the bot 'mine' is no function and no class (mine.py, line 2)"),
    (
        dropped, ("def decide(me, foe, clock): return 'M'",),
        'the plugin \'mine\' offers nothing: mark a bot with @bot("NAME"), a hook with @hookimpl, or begin the '
        'name of a file that others import with _',
    ),
    (
        marked, ('mine', "def one(me, foe, clock): return 'M'\n@bot('mine')\ndef two(me, foe, clock): return 'M'",),
        "the plugin 'mine' offers a brain 'mine', which is that of the plugin 'mine'; it was left out",
    ),
    (dropped, ('import numpi',), DROPPED + "ModuleNotFoundError: No module named 'numpi' (mine.py, line 2)"),
    (
        dropped, ('from batllm_arcade import bots',),
        DROPPED + "ImportError: cannot import name 'bots' from 'batllm_arcade' (__init__.py) (mine.py, line 2)",
    ),
    (
        marked, ('mine', "def decide(me, foe, clock)\n    return 'M'",),
        DROPPED + "SyntaxError: expected ':' (mine.py, line 3)",
    ),
    (
        marked, ('mine', "def decide(me, foe, clock):\nreturn 'M'",),
        DROPPED + 'IndentationError: expected an indented block after function definition on line 3 (mine.py, line 4)',
    ),
    (
        dropped, ("DEPTH = int('four')",),
        DROPPED + "ValueError: invalid literal for int() with base 10: 'four' (mine.py, line 2)",
    ),
    (dropped, ("import sys\nsys.exit('set MY_KEY')",), DROPPED + 'SystemExit: set MY_KEY (mine.py, line 3)'),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): return ['dice']",),
        DROPPED + "batllm_brains must return brain kinds, not 'dice' (mine.py, line 2)",
    ),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): BrainKind('dice', 'a die', print)",),
        DROPPED + 'batllm_brains must return a list of brain kinds, not None (mine.py, line 2)',
    ),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): return [KINDS['dice']]",),
        DROPPED + "NameError: name 'KINDS' is not defined (mine.py, line 3)",
    ),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): return [BrainKind('dice', 'a die')]",),
        DROPPED + "TypeError: BrainKind.__init__() missing 1 required positional argument: 'make' (mine.py, line 3)",
    ),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): return [BrainKind('a die', '', print)]",),
        DROPPED + "'a die' is not a name for a brain; use letters, digits, - and _ (mine.py, line 2)",
    ),
    (
        dropped, ("@hookimpl\ndef batllm_brains(): return [BrainKind('dice', '', object())]",),
        DROPPED + "the brain 'dice' needs a summary that is a text and a make that can be called (mine.py, line 2)",
    ),
    (
        unready, ('class Dice:\n    def __init__(self): pass',),
        'dice could not be made: TypeError: Dice.__init__() takes 1 positional argument but 2 were given (mine.py, '
        'line 2)',
    ),
    (
        unready, ('class Dice:\n    def __init__(self, spec): self.sides = spec.sides',),
        "dice could not be made: AttributeError: 'Spec' object has no attribute 'sides' (mine.py, line 3)",
    ),
    (
        unready, ('def Dice(spec):\n    Dice.sides = 6',),
        'dice is no brain: its factory made None, which has no decide (mine.py, line 2)',
    ),
    (
        unready, ('class Dice:\n    def __init__(self, spec): pass\n    def decid(self, view): pass',),
        'dice is no brain: its factory made a Dice, which has no decide (mine.py, line 2)',
    ),
    (
        unready, ("class Dice:\n    def __init__(self, spec): spec.allow('sides')", 'dice:side=6',),
        "dice has no option 'side'; it knows sides, deadline_s, name, prepare_s",
    ),
    (
        unready, ("class Dice:\n    def __init__(self, spec): spec.number('sides', 6)", 'dice:sides=six',),
        "sides of dice must be a number from 0 up, not 'six'",
    ),
    (
        unready,
        ('class Dice:\n    def __init__(self, spec): pass\n    def decide(self, view): pass', 'dice:deadline_s=soon'),
        "deadline_s of dice must be a number from 0.01 up, not 'soon'",
    ),
    (
        unready, (
            'class Dice:\n    def __init__(self, spec): pass\n    def prepare(self): pass\n    def decide(self, '
            'view): pass',
        ),
        'dice could not start: TypeError: Dice.prepare() takes 1 positional argument but 2 were given (mine.py, '
        'line 4)',
    ),
    (
        unready, (
            "class Dice:\n    def __init__(self, spec): pass\n    def prepare(self, report): open('/no/file')\n    "
            'def decide(self, view): pass',
        ),
        "dice could not start: FileNotFoundError: [Errno 2] No such file or directory: '/no/file' (mine.py, line 4)",
    ),
    (
        decided, ("def decide(self, view): return 'M'",),
        "dice answered 'M'; a brain must return a Decision (mine.py, line 4)",
    ),
    (
        decided, ('def decide(self, view): pass',),
        'dice answered None; a brain must return a Decision (mine.py, line 4)',
    ),
    (
        decided, ("def decide(self, view): return Decision(6, 'M')",),
        "dice answered with raw 6 and command 'M'; both must be text (mine.py, line 4)",
    ),
    (
        decided, ("def decide(self, view): return Decision('M')",),
        "dice failed with TypeError: Decision.__init__() missing 1 required positional argument: 'command' "
        '(mine.py, line 4)',
    ),
    (
        decided, ("def decide(self): return Decision('M', 'M')",),
        'dice failed with TypeError: Dice.decide() takes 1 positional argument but 2 were given (mine.py, line 4)',
    ),
    (
        decided, ("def decide(self, view): return Decision('M', 'M', tokens=7)",),
        'dice answered with tokens, queued_from or raw_cut that are no whole numbers (mine.py, line 4)',
    ),
    (played, ('return 45',), "mine returned 45; return a command's text, a Reply or None (mine.py, line 2)"),
    (
        played, ("return ['C', 45]",),
        "mine returned ['C', 45]; return a command's text, a Reply or None (mine.py, line 2)",
    ),
    (played, ('return Reply(45)',), "mine returned 45; return a command's text, a Reply or None (mine.py, line 2)"),
    (played, ("return 'FIRE'",), "'FIRE' " + NO_COMMAND),
    (played, ("return 'M B'",), "'M B' " + NO_COMMAND),
    (
        played, ('return me.nme',),
        "mine failed with AttributeError: 'BotView' object has no attribute 'nme' (mine.py, line 4)",
    ),
    (played, ('return comand',), "mine failed with NameError: name 'comand' is not defined (mine.py, line 4)"),
    (
        played, ('return me.turn_to(45)',),
        "mine failed with AttributeError: 'int' object has no attribute 'x' (mine.py, line 4)",
    ),
    (
        played, ("import json; return json.loads('{')",),
        'mine failed with JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 '
        '(char 1) (mine.py, line 4)',
    ),
    (
        played, ('return helper()\ndef helper():\n    return 1 / 0',),
        'mine failed with ZeroDivisionError: division by zero (mine.py, line 6)',
    ),
    (played, ('yield 45',), "mine returned 45; return a command's text, a Reply or None (mine.py, line 2)"),
    (played, ('raise SystemExit(3)',), 'mine failed with SystemExit: 3 (mine.py, line 4)'),
    (
        played, ('clock.turn = 1',),
        "mine failed with FrozenInstanceError: cannot assign to field 'turn' (mine.py, line 4)",
    ),
    (
        watched, ('def notfy(self, record): pass',),
        DROPPED + 'a Hits is no observer: it has no notify(record); is its notfy meant? (mine.py, line 3)',
    ),
    (watched, ('pass',), DROPPED + 'a Hits is no observer: it has no notify(record) (mine.py, line 4)'),
    (
        watched, ('def notify(self): pass',),
        DROPPED + 'TypeError: Hits.notify() takes 1 positional argument but 2 were given (mine.py, line 3)',
    ),
    (
        watched, ('def notify(self, record): record.hits += 1',),
        DROPPED + "AttributeError: 'SessionStarted' object has no attribute 'hits' (mine.py, line 3)",
    ),
    (
        watched, ("def __init__(self): open('/no/file')",),
        DROPPED + "FileNotFoundError: [Errno 2] No such file or directory: 'file' (mine.py, line 3)",
    ),
    (
        written, (b'{"type":"play","id":2,"cmd":"B"}',),
        "garbage: a play with neither a command nor null as its 'command'; it has 'cmd'",
    ),
    (
        written, (b'{"type":"play","id":2}',),
        "garbage: a play with neither a command nor null as its 'command'; null is to do nothing on purpose",
    ),
    (written, (b'{"type":"play","command":"B"}',), 'garbage: a play without the number of its decide'),
    (written, (b'{"type":"play","id":"2","command":"B"}',), 'garbage: a play without the number of its decide'),
    (written, (b'{"type":"play","id":2,"command":45}',), 'garbage: a play whose command is no text'),
    (written, (b'{"type":"play","id":2,"command":"B","thought":[]}',), 'garbage: a play whose thought is no text'),
    (written, (b'{"type":"play","id":1,"command":"B"}',), 'a play came with the id 1, and 2 was asked'),
    (
        written, (b"{'type': 'play', 'id': 2, 'command': 'B'}",),
        'it wrote a line that is no JSON: "{\'type\': \'play\', \'id\': 2, \'command\': \'B\'}"',
    ),
    (written, (b'B',), "it wrote a line that is no JSON: 'B'"),
    (written, (b'{"type":"paly","id":2,"command":"B"}',), "it wrote a message of the type 'paly'"),
    (written, (b'{"id":2,"command":"B"}',), 'it wrote a message of no type'),
    (written, (b'{"type":"play","id":2,"command":"B","say":"\xe4"}',), 'garbage: a line that is no UTF-8'),
    (
        greeted, (b'{"type":"ready","protocol":0}',),
        'garbage: its ready names version 0 of the line protocol, and this program speaks 1',
    ),
    (greeted, (b'ready',), "it wrote a line that is no JSON: 'ready'"),
    (started, ('proc:nofile.py',), "left: there is no bot 'nofile.py'; proc:PATH takes the file of a bot"),
    (
        started, ('proc:foo.rb',),
        "left: 'foo.rb' cannot be run; make it executable (chmod +x), name it .py, .js, .mjs, .sh, or write "
        'proc:cmd="..."',
    ),
    (started, ('proc',), 'left: proc needs a bot: write proc:PATH or proc:cmd="node bot.js"'),
    (
        started, ('proc:cmd="nodejs99 bot.js"',),
        "left: the program 'nodejs99' is not installed, and cmd of proc names it",
    ),
    (
        started, ('scriptd:turtle',),
        "left: there is no brain 'scriptd' (did you mean scripted:turtle?);",
    ),
    (started, ('embeded',), "left: there is no brain 'embeded' (did you mean embedded?);"),
    (started, ('xyz',), "left: there is no brain 'xyz';"),
    (
        started, ('bots/matador.py',),
        "left: there is no brain 'bots/matador.py'; a bot's file is played as proc:bots/matador.py, or by the name in "
        "its @bot with --plugins-dir bots (from Python plugins_dir='bots')",
    ),
    (
        started, ('scripted:tortoise',),
        f"left: 'tortoise' is not a variant of scripted; it must be one of {', '.join(VARIANTS)}",
    ),
    (
        started, ('scripted:turtle,levl=rookie',),
        "left: scripted has no option 'levl'; it knows level, deadline_s, name, prepare_s",
    ),
    (
        started, ('scripted:turtle,level=expert',),
        "left: level of scripted must be one of rookie, regular, merciless, not 'expert'",
    ),
    (
        started, ('scripted:turtle,rookie',),
        "'rookie' in the brain 'scripted:turtle,rookie' is not an option; write key=value",
    ),
    (
        started, ('proc:foo.sh,isolation=none',),
        'left: a bot of proc is a program of its own and cannot run inside this one: isolation none is for Python '
        'files of --plugins-dir; write isolation=process',
    ),
    (started, ('keyboard',), "left is a person, and without a window there is no keyboard; use 'batllm-arcade play'"),
    (
        answered, ({"error": {"message": "no such key"}}, 401),
        SERVER + "does not let us in (401: no such key); it wants a key or a permission; say which variable "
        "holds its key: key_env=NAME",
    ),
    (answered, ({"error": {"message": "boom"}}, 500), SERVER + "failed (500: boom); try again, or look at its log"),
    (answered, (b"<html>Welcome!</html>", 200), SERVER + "answered something that is not JSON; check base_url"),
    (refused, ("reply=xml",), "reply of openai must be token or json, not 'xml'"),
    (refused, ("temperature=hot",), "temperature of openai must be a number from 0 up or none, not 'hot'"),
    (
        refused, (),
        'the OpenAI-style server at http://HOST does not take connections; start it (llama.cpp: `llama-server -m '
        'MODEL.gguf`), or check base_url',
    ),
    (
        run_from_a_file, ('import numpi',),
        "left: the plugin 'mine' was dropped: ModuleNotFoundError: No module named 'numpi' (mine.py, line 2)",
    ),
    (
        run_from_a_file, ("def decide(me, foe, clock): return 'M'",),
        'left: the plugin \'mine\' offers nothing: mark a bot with @bot("NAME"), a hook with @hookimpl, or begin '
        'the name of a file that others import with _',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("say", "mistake", "sentence"), MISTAKES)
def test_a_usual_mistake_is_named_in_one_sentence(say, mistake, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if say in (dropped, marked, unready, decided, played, watched):
        monkeypatch.setattr(manager, "entry_points", lambda group: [])  # the file alone is loaded
    assert say(*mistake) == sentence


def test_there_are_enough_of_them():
    assert len(MISTAKES) >= 50
