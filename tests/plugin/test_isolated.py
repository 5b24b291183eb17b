"""Bots of a folder in processes of their own: the same games, byte for byte, and no fault reaches the program."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from resources import nothing_left
from sandboxing import require_sandbox

from batllm_arcade.brains.protocol import BrainError, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.core.streams import seat_stream_name
from batllm_arcade.errors import UsageError
from batllm_arcade.history import schema
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameStarted, Play, Record, SeatSwapped
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import INSIDE, IsolationChoice
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import BrainThread
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config

PROCESS = IsolationChoice("files", "process")
BOTS = '''\
import os, random, sys
from batllm_arcade import BotView, BrainError, BrainKind, Cancelled, Decision, Reply, bot, hookimpl

class Odd:
    """Draws, remembers, fails and breaks things."""
    model = "m1"
    def __init__(self, spec):
        spec.allow("shade", variants=VARIANTS)
        self.variant, self.title, self.told = spec.variant, "Odd " + spec.text("shade"), []
    def prepare(self, report):
        report("getting odd")
        if self.variant == "late start": raise BrainError("the odd one overslept")
    def end_game(self, result):
        self.told.append((result["winner"], result["reason"]))
    def decide(self, view):
        print("a line on standard output")
        rng, number = view.rng, view.number
        if self.variant == "breaks" and number > 2: del rng.gauss_next
        if self.variant == "breaks": return Decision("C9", "C9")
        if self.variant == "raises" and rng.random() < 0.4: raise ValueError("no idea in /home/me/secret/file.txt")
        if self.variant == "raises" and rng.random() < 0.4: raise BrainError("cut off", raw="half an ans")
        if self.variant == "raises" and rng.random() < 0.2: return "M"
        if self.variant == "raises" and rng.random() < 0.2: raise Cancelled
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        seen = (view.history[-1].plays[0].raw if view.history else "", view.prompt, view.stream, len(view.history),
            view.system_header[:9], view.style.order, view.gamepad.a, view.live.seconds_left() is None, self.told)
        turn = rng.gauss(0, 40) if rng.random() < 0.5 else me.bearing_to(foe)
        command = rng.choice(["M", "B", f"C{turn % 360:.3f}", None, "nonsense"])
        return Decision(f"raw {command}\\u2028", command, thought=str(seen), say="ha" * rng.randint(0, 3),
            tokens={"prompt": 3}, invalid="so be it" if rng.random() < 0.1 else "")

VARIANTS = ("draws", "raises", "breaks", "late start")

@hookimpl
def batllm_brains():
    about = {"draws": "draws"}
    return [BrainKind("odd", "an odd one", Odd, VARIANTS, prompted=True, prepare_s=9, about=about)]

@bot("planner")
def plan(me, foe, clock):
    """Draws from a stream that it has kept, which moves nobody else's."""
    kept = clock.rng
    while True:
        yield Reply(f"C{kept.uniform(0, 90):.4f}", f"{clock.rng.random()}", "so") if clock.turn % 2 else "B"

@bot("counting")
class Counting:
    def __init__(self):
        self.plays, self.rng = 0, None
    def decide(self, me, foe, clock):
        self.plays, self.rng = self.plays + 1, self.rng or clock.rng
        return "M" if self.rng.random() < 0.5 else f"A{self.plays}.{clock.rng.randint(0, 999)}"
'''


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plugins, Plugins]:
    """The plugins of a folder with an odd one, inside the program and isolated."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.py").write_text(BOTS)
    return manager.load(folder, INSIDE), manager.load(folder, PROCESS)


@pytest.fixture
def mode(request: pytest.FixtureRequest) -> str:
    """How a bot is isolated."""
    if request.param == "sandbox":
        require_sandbox()
    return str(request.param)


def without_isolation(record: Record) -> Record:
    """A record without how the bots that it names are isolated."""
    if isinstance(record, GameStarted):
        left, right = (replace(seat, isolation="") for seat in record.seats)
        return replace(record, seats=(left, right))
    return replace(record, seat=replace(record.seat, isolation="")) if isinstance(record, SeatSwapped) else record


def play(plugins: Plugins, left: str, right: str) -> list[Record]:
    table = Table(plugins.kinds, (Spec.parse(left), Spec.parse(right)), fallback=Spec("scripted", "turtle"))
    try:
        table.prepare(lambda _: None)
        plan = MatchPlan(Rules(total_rounds=2, turns_per_round=8), 5, 2, ("hold", "charge \U0001f916"))
        return [
            replace(record, latency_s=0.0, timestamp="") if isinstance(record, Play) else without_isolation(record)
            for record in runner.play(plan, table)
            if type(record).__name__ not in ("SessionStarted", "SessionEnded")
        ]
    finally:
        table.close()


@pytest.mark.parametrize(
    ("seats", "mode"),
    [(("odd:draws,shade=blue", "odd:raises"), "process"), (("odd:breaks", "scripted:dancer"), "sandbox")],
    indirect=["mode"],
)
def test_a_game_is_the_same_isolated_or_not(odd, seats, mode, tmp_path):
    (tmp_path / "odd.py").write_text(BOTS)
    with nothing_left():
        isolated = play(manager.load(tmp_path, IsolationChoice("files", mode)), *seats)
        assert isolated == play(odd[0], *seats)


_TIMES = re.compile(rb'("(?:session_start|session_end|timestamp)": ?)"[^"]*"|("latency_s": ?)[0-9.e-]+')


def session_file(plugins: Plugins, path: Path, left: str, right: str) -> bytes:
    """Return the session file of three games between these brains, without times."""
    rules = replace(config.with_lengths(config.load("couch"), 2, 8), prompts=("hold", "charge \U0001f916"))
    plan = SessionPlan(rules, (Spec.parse(left), Spec.parse(right)), seed=11, games=3, history=path)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    try:
        table.prepare(lambda _: None)
        for _ in session.match(plan, table):
            pass
    finally:
        session.close()
        table.close()
    written = path.read_bytes()
    assert list(verify(read(path))) == []
    return _TIMES.sub(rb"\1\2", written)


@pytest.mark.parametrize(
    ("seats", "mode"),
    [(("odd:draws,shade=blue", "odd:raises"), "sandbox"), (("planner", "counting"), "process")],
    indirect=["mode"],
)
def test_the_session_file_is_the_same_isolated_or_not_byte_for_byte_apart_from_times(tmp_path, seats, mode):
    (tmp_path / "odd.py").write_text(BOTS)
    found = []
    for how in ("none", mode):
        choice = IsolationChoice("nothing" if how == "none" else "files", how)
        text = session_file(manager.load(tmp_path, choice), tmp_path / f"{how}.json", *seats)
        assert text.count(b'"isolation":"%s"' % how.encode()) >= 4  # a game may begin with a fallback at a seat
        found.append(text.replace(b'"isolation":"%s"' % how.encode(), b'"isolation":""'))
    assert found[0].count(b'"latency_s"') > 40
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("given", "how", "expected"),
    [
        ("counting:isolation=none", "process", "none"),
        ("counting:isolation=process", "auto", "process"),
        ("counting", "process", "process"),
        ("counting", "none", "none"),
        ("counting:isolation=none", "none", "none"),
        ("scripted:turtle", "process", ""),
    ],
)
def test_a_seat_says_how_its_bot_was_isolated(given, how, expected, tmp_path):
    (tmp_path / "odd.py").write_text(BOTS)
    plugins = manager.load(tmp_path, IsolationChoice("nothing" if how == "none" else "files", how))
    table = Table(plugins.kinds, (Spec.parse(given), Spec("scripted", "turtle")), fallback=Spec("scripted", "turtle"))
    try:
        table.prepare(lambda _: None)
        assert table.seat(0).isolation == expected
        assert schema.seat(table.seat(0)).get("isolation", "") == expected
    finally:
        table.close()


def test_a_bot_that_runs_inside_the_program_cannot_be_put_into_a_process_of_its_own(tmp_path):
    (tmp_path / "odd.py").write_text(BOTS)
    kinds = manager.load(tmp_path, IsolationChoice("nothing", "none")).kinds
    for wrong, sentence in (
        ("counting:isolation=sandbox", "counting runs inside the program, as its file is trusted to"),
        ("counting:isolation=jail", "isolation of counting must be auto, sandbox, process or none, not 'jail'"),
        ("proc:x.sh,isolation=none", "a bot of proc is a program of its own and cannot run inside this one"),
        ("proc:x.sh", "a bot of proc is a program of its own and cannot run inside this one"),
        ("proc:x.sh,isolation=process,network=maybe", "network of proc must be no, yes or loopback, not 'maybe'"),
    ):
        (tmp_path / "x.sh").write_text("read line\n")
        spec = Spec.parse(wrong.replace("x.sh", str(tmp_path / "x.sh")))
        with pytest.raises(UsageError, match=f"^{re.escape(sentence)}"):
            BrainThread(kinds, spec, 9)


DRAWING = """\
import os
from batllm_arcade import bot
@bot("drawing")
def draw(me, foe, clock):
    if (clock.game, clock.round) == (1, 1) and clock.turn in (3, 5):
        os._exit(3)
    return f"C{[clock.rng.gauss(0, 9) for _ in range(clock.turn)][-1] % 360:.6f}"
"""


def test_a_bot_that_is_started_again_draws_on_where_its_stream_stood(tmp_path):
    (tmp_path / "drawing.py").write_text(DRAWING)
    with nothing_left():
        found = play(manager.load(tmp_path, PROCESS), "drawing", "scripted:turtle")
    stream = Random(seat_stream_name(5, 1, "left"))
    plays = [each for each in found if isinstance(each, Play) and each.bot == 0]
    failed = [each.turn for each in plays if each.status != "ok"]
    assert failed == [3, 5]
    for each in (each for each in plays if each.game == 1 and each.status == "ok"):
        command = [stream.gauss(0, 9) for _ in range(each.turn)][-1] % 360
        assert each.decision.raw == f"C{command:.6f}"


def test_a_kind_says_the_same_of_itself_and_a_brain_that_cannot_start_fails_with_the_same_sentence(odd):
    inside, isolated = (plugins.kinds["odd"] for plugins in odd)
    for name in ("name", "summary", "variants", "prompted", "about", "levels", "prepare_s"):
        assert getattr(inside, name) == getattr(isolated, name)
    for spec in ("odd:late start", "odd:draws,colour=red"):
        sentences = []
        for plugins in odd:
            with pytest.raises(Exception) as failure:  # inside the program the factory refuses options, here `prepare`
                play(plugins, spec, "scripted:turtle")
            sentences.append(str(failure.value))
        assert sentences[0] == sentences[1]


FILES = {
    "exits": "import os; os._exit(0)",
    "crashes": "import ctypes; ctypes.string_at(0)",
    "raises": "1 / 0",
    "rude": "import json; json.dumps = None\nfrom batllm_arcade import bot\n@bot('rude')\ndef decide(*_): return 'M'",
    "forged": 'import os; os.write(3, b\'{"type":"loaded","kinds":[{"name":7}],"problems":[],"inside":""}\\n\')',
}


def test_a_file_that_breaks_the_program_is_dropped(tmp_path):
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    dumps = json.dumps
    with nothing_left():
        plugins = manager.load(tmp_path, PROCESS)
    assert json.dumps is dumps
    dropped = {problem.split("'")[1]: problem.partition(" was dropped: ")[2] for problem in plugins.problems}
    assert dropped.pop("crashes").startswith("crashed while it was loaded: it used memory that is not its own")
    assert dropped == {
        "exits": "crashed while it was loaded: it ended with exit code 0",
        "raises.py": "ZeroDivisionError: division by zero (raises.py, line 1)",
        "rude": "crashed while it was loaded: it ended with exit code 1; its log ends with: "
        "TypeError: 'NoneType' object is not callable",
        "forged": "garbage while it was loaded: 'name' of brain 1 of its offer must be a text, not 7",
    }
    assert plugins.notes == []


def test_installed_bots_are_isolated_when_asked_for_and_the_others_are_not(monkeypatch):
    from batllm_arcade.isolation.process_brain import ProcessBrain

    entries = [each for each in manager.entry_points(group="batllm_arcade") if each.name in ("scripted", "keyboard")]
    monkeypatch.setattr(manager, "entry_points", lambda group: entries)
    plugins = manager.load(choice=IsolationChoice("all", "process"))
    assert plugins.problems == plugins.notes == []
    assert plugins.kinds["keyboard"].human
    brain = plugins.kinds["scripted"].make(Spec.parse("scripted:strategist,depth=1"))
    assert isinstance(brain, ProcessBrain)
    with pytest.raises(BrainError, match=r"depth of scripted:strategist must be one of 1, 2, 3, 4, not '9'"):
        plugins.kinds["scripted"].make(Spec.parse("scripted:strategist,depth=9")).prepare(lambda _: None)
