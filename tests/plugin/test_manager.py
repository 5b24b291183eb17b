"""Plugins: four lines are enough, one that fails is named and dropped, and the rest goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fakes import eventful, plays
from fakes import kind as fake_kind
from sentences import without_place

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.hookspecs import hookimpl
from batllm_arcade.plugin.isolated import INSIDE
from batllm_arcade.plugin.manager import Observers, Plugins
from batllm_arcade.seats.table import Table

TURRET = """\
from batllm_arcade import bot
@bot("turret")
def decide(me, foe, clock):
    return "S0" if me.shield else "B" if me.aims_at(foe) else me.turn_to(foe)
"""
BUNDLED = {
    "scripted", "keyboard", "ollama", "gemini", "mistral", "openai", "anthropic", "embedded", "proc", "browser",
    "cassette", "policy", "mcp",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _no_dropins_left() -> Iterator[None]:
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("batllm_arcade_dropin_"):
            del sys.modules[name]


def loaded(folder: Path, *, replaced: tuple[str, ...] = (), **files: str) -> Plugins:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return manager.load(folder, replace(INSIDE, replaced=replaced))


def assert_rest_is_there(plugins: Plugins, *names: str) -> None:
    assert set(plugins.kinds) >= {"scripted", "keyboard", *names}


def test_the_bundled_plugins_are_found_without_a_problem():
    plugins = manager.load()
    assert plugins.problems == []
    assert set(plugins.kinds) == BUNDLED


def test_a_bot_of_four_lines_plays(tmp_path):
    plugins = loaded(tmp_path, turret=TURRET)
    assert plugins.problems == []
    table = Table(plugins.kinds, (Spec("turret"), Spec("scripted", "turtle")), fallback=Spec("scripted", "random"))
    rules = Rules(total_rounds=1, turns_per_round=6)
    made = [play for play in plays(runner.play(MatchPlan(rules, 1), table)) if play.bot == 0]
    table.close()
    assert [play.status for play in made] == ["ok"] * 6
    assert made[0].command.token == "S0"
    assert made[1].command.token[0] in "CAB"
    assert "B" in {play.command.token for play in made}


def test_a_dropin_takes_the_place_of_the_bundled_plugin_of_its_name_where_it_may(tmp_path):
    plugins = loaded(tmp_path, replaced=("scripted",), scripted=TURRET)
    assert plugins.problems == []
    assert set(plugins.kinds) == (BUNDLED - {"scripted"}) | {"turret"}


BAD = {
    "raises on import": ("1 / 0", "ZeroDivisionError: division by zero"),
    "exits on import": ("import sys; sys.exit(7)", "SystemExit: 7"),
    "is no Python": ("def (", "SyntaxError: "),
    "imports what is not there": ("import no_such_module_at_all", "ModuleNotFoundError: No module named"),
    "prints no text": (
        "class Odd(Exception):\n    def __str__(self): raise SystemExit\nraise Odd",
        "was dropped: Odd",
    ),
    "misspells a hook": (
        "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_brain(): return []",
        "there is no hook 'batllm_brain'; did you mean batllm_brains? (bad.py, line 2)",
    ),
    "asks for other arguments": (
        "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_observer(game): return None",
        "batllm_observer takes the argument session, not game (bad.py, line 2)",
    ),
    "fails in its hook": (
        "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_brains(): raise SystemExit('no')",
        "SystemExit: no",
    ),
    "offers nothing": (
        "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_brains(): pass",
        "batllm_brains must return a list of brain kinds, not None (bad.py, line 2)",
    ),
    "offers something else": (
        "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_brains(): return ['turret']",
        "batllm_brains must return brain kinds, not 'turret'",
    ),
    "mixes up what a brain is made of": (
        "from batllm_arcade import BrainKind, hookimpl\n@hookimpl\n"
        "def batllm_brains(): return [BrainKind('odd', lambda spec: None, 'a brain')]",
        "the brain 'odd' needs a summary that is a text and a make that can be called",
    ),
    "has a name that cannot be written": (
        "from batllm_arcade import bot\n@bot('a:b')\ndef decide(me, foe, clock): return None",
        "'a:b' is not a name for a brain",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_dropin_is_named_and_dropped_and_the_rest_loads(tmp_path, name):
    text, what = BAD[name]
    # The bot in it must not be offered either, and its observer never be asked.
    extra = "\nfrom batllm_arcade import bot, hookimpl\n@bot('half')\ndef half(me, foe, clock): return None\n"
    extra += "@hookimpl(specname='batllm_observer')\ndef watch(session): raise AssertionError('asked')\n"
    if name == "asks for other arguments":
        extra = extra.partition("@hookimpl")[0]
    plugins = loaded(tmp_path, bad=text + extra, turret=TURRET)
    (problem,) = plugins.problems
    assert problem.startswith("the plugin 'bad' was dropped: ")
    assert what in problem
    assert "\n" not in problem
    assert_rest_is_there(plugins, "turret")
    assert "half" not in plugins.kinds
    plugins.observers(Session())
    assert plugins.problems == [problem]


def test_a_dropin_that_never_gets_ready_is_named_and_not_waited_for(tmp_path, monkeypatch):
    loaded(tmp_path)  # so that only what hangs takes time
    monkeypatch.setattr("batllm_arcade.plugin.manager.LOAD_S", 0.5)
    hang = "from threading import Event\n"
    hook = "from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_brains(): Event().wait()"
    plugins = loaded(tmp_path, imports=f"{hang}Event().wait()", offers=f"{hang}{hook}", turret=TURRET)
    todo = "within 0.5 s; what takes time belongs in a brain's prepare"
    assert plugins.problems == [
        f"the plugin 'imports' was dropped: it was not imported {todo}",
        f"the plugin 'offers' was dropped: batllm_brains did not return {todo} (offers.py, line 3)",
    ]
    assert_rest_is_there(plugins, "turret")


def test_half_a_module_is_not_left_behind(tmp_path):
    loaded(tmp_path, bad="1 / 0", turret=TURRET)
    assert "batllm_arcade_dropin_turret" in sys.modules
    assert "batllm_arcade_dropin_bad" not in sys.modules


def test_a_bad_dropin_does_not_shadow_the_bundled_plugin(tmp_path):
    plugins = loaded(
        tmp_path, replaced=("scripted",), scripted="from batllm_arcade import hookimpl\n@hookimpl\ndef batllm_x(): pass"
    )
    assert len(plugins.problems) == 1
    assert set(plugins.kinds) == BUNDLED


def test_ctrl_c_while_loading_gets_through(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        loaded(tmp_path, impatient="raise KeyboardInterrupt")


def test_a_brain_name_that_is_taken_is_left_out_and_the_first_one_stays(tmp_path):
    second = TURRET.replace('"S0" if me.shield', '"M" if me.shield')
    more = "\n@bot('other')\ndef other(me, foe, clock): return None"
    plugins = loaded(tmp_path, a=TURRET, b=second + more)
    assert plugins.problems == [
        "the plugin 'b' offers a brain 'turret', which is that of the plugin 'a'; it was left out (b.py, line 2)"
    ]
    assert_rest_is_there(plugins, "turret", "other")
    kind = plugins.kinds["turret"]
    table = Table({"turret": kind}, (Spec("turret"), Spec("turret")), fallback=Spec("turret"))
    play = next(iter(plays(runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=1), 1), table))))
    assert play.command.token == "S0"


def test_a_dropin_bot_takes_a_bundled_brains_name_where_it_may(tmp_path):
    plugins = loaded(tmp_path, replaced=("keyboard",), mine=TURRET.replace("turret", "keyboard"))
    assert plugins.problems == []
    assert plugins.notes == ["keyboard is not the bundled brain here (--replace keyboard)"]
    assert not plugins.kinds["keyboard"].human


def test_one_function_under_two_names_is_one_bot(tmp_path):
    assert loaded(tmp_path, twice=TURRET + "again = decide\n").problems == []


def test_nothing_is_picked_up_from_the_current_directory(tmp_path, monkeypatch):
    (tmp_path / "turret.py").write_text(TURRET)
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "turret.py").write_text(TURRET)
    monkeypatch.chdir(tmp_path)
    assert set(manager.load().kinds) == BUNDLED


def test_files_that_begin_with_an_underscore_and_other_files_are_no_plugins(tmp_path):
    (tmp_path / "notes.txt").write_text("1 / 0")
    plugins = loaded(tmp_path, _helper="1 / 0")
    assert plugins.problems == []


@pytest.mark.parametrize("name", ["missing", "file.py", "x" * 300])
def test_a_folder_that_is_none_is_refused(tmp_path, name):
    (tmp_path / "file.py").write_text(TURRET)
    with pytest.raises(UsageError, match="is not a folder; --plugins-dir takes the folder"):
        manager.load(tmp_path / name)


class Entry:
    dist = None

    def __init__(self, name: str, load: Any) -> None:
        self.name, self.load = name, load


def module(name: str, **content: Any) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(content)
    return made


def offering(name: str) -> ModuleType:
    return module(name, batllm_brains=hookimpl(specname="batllm_brains")(lambda: [fake_kind(name, None)]))


def broken() -> ModuleType:
    raise SystemExit("this package needs another Python")


def test_installed_packages_are_loaded_one_by_one(monkeypatch):
    entries = [Entry("a", lambda: offering("a")), Entry("b", broken), Entry("c", lambda: offering("c"))]
    monkeypatch.setattr(manager, "entry_points", lambda group: entries)
    plugins = manager.load()
    assert set(plugins.kinds) == {"a", "c"}
    (problem,) = plugins.problems
    assert without_place(problem) == "the plugin 'b' was dropped: SystemExit: this package needs another Python"
    monkeypatch.setattr(manager, "entry_points", lambda group: [Entry("odd", lambda: 17)])  # which has no namespace
    assert [problem.partition(":")[0] for problem in manager.load().problems] == ["the plugin 'odd' was dropped"]


def test_a_package_that_is_entered_twice_keeps_its_first_name(monkeypatch):
    same = offering("a")
    monkeypatch.setattr(manager, "entry_points", lambda group: [Entry("a", lambda: same), Entry("b", lambda: same)])
    plugins = manager.load()
    assert set(plugins.kinds) == {"a"}
    assert [problem.partition(":")[0] for problem in plugins.problems] == ["the plugin 'b' was dropped"]


class Session:
    history = None
    console = False


class Telling:
    def __init__(self, fails_at: int | None = None, error: BaseException | None = None) -> None:
        self.told: list[Any] = []
        self.fails_at, self.error = fails_at, error or RuntimeError("the printer is on fire")

    def notify(self, record: Any) -> None:
        if len(self.told) == self.fails_at:
            raise self.error
        self.told.append(record)


def watched(*observers: Any) -> Observers:
    made = Observers()
    for number, observer in enumerate(observers):
        made.add(f"observer {number}", observer)
    return made


@pytest.mark.parametrize("error", [RuntimeError("the printer is on fire"), SystemExit("the printer is on fire")])
def test_an_observer_that_fails_is_named_and_dropped_and_the_others_are_told_everything(error):
    before, bad, after = Telling(), Telling(5, error), Telling()
    observers, records = watched(before, bad, after), eventful()
    for record in records:
        observers.notify(record)
    assert before.told == after.told == records
    assert bad.told == records[:5]
    kind = type(error).__name__
    (problem,) = observers.problems
    assert without_place(problem) == f"the plugin 'observer 1' was dropped: {kind}: the printer is on fire"
    assert not observers.loss


def test_a_recorder_is_told_before_anybody_shows_anything():
    order: list[str] = []

    class Noting:
        def __init__(self, name: str, required: bool) -> None:
            self.name, self.required = name, required

        def notify(self, record: Any) -> None:
            order.append(self.name)

    watched(Noting("log", False), Noting("recorder", True), Noting("lamp", False)).notify(eventful()[0])
    assert order == ["recorder", "log", "lamp"]


def test_the_loss_of_a_required_observer_is_remembered():
    bad = Telling(0)
    bad.required = True  # type: ignore[attr-defined]
    observers = watched(bad)
    observers.notify(eventful()[0])
    assert observers.loss
    with pytest.raises(KeyboardInterrupt):
        watched(Telling(0, KeyboardInterrupt())).notify(eventful()[0])


def test_observers_are_made_anew_for_each_session_and_one_that_cannot_be_is_dropped(monkeypatch):
    made: list[Telling] = []

    def make(session: Any) -> Telling:
        made.append(Telling())
        return made[-1]

    def fail(session: Any) -> None:
        raise OSError(28, "No space left on device")

    hook = hookimpl(specname="batllm_observer")
    entries = [
        Entry("a", lambda: module("a", batllm_observer=hook(fail))),
        Entry("b", lambda: module("b", batllm_observer=hook(make))),
        Entry("c", lambda: module("c", batllm_observer=hook(lambda: None))),
    ]
    monkeypatch.setattr(manager, "entry_points", lambda group: entries)
    plugins = manager.load()
    for count in (1, 2):
        plugins.observers(Session()).notify(eventful()[0])
        assert [len(observer.told) for observer in made] == [1] * count
    problem = "the plugin 'a' was dropped: OSError: [Errno 28] No space left on device"
    assert list(map(without_place, plugins.problems)) == [problem] * 2


def test_kinds_keep_what_they_say_about_themselves():
    kinds = manager.load().kinds
    assert isinstance(kinds["scripted"], BrainKind)
    assert kinds["keyboard"].human
    assert not kinds["scripted"].human
    assert {"turtle", "strategist"} <= set(kinds["scripted"].variants) == set(kinds["scripted"].about)
