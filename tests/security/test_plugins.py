"""Files of a plugins folder: none gets into the program, or into another's place, but by a person's word."""

from __future__ import annotations

import json
import py_compile
import shutil
import warnings
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType

import pygame
import pytest
from hostile_dropins import OWN, REVIEWED, code_of, forged
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from menus import press, shell
from sandboxing import require_sandbox

from batllm_arcade import bot, play
from batllm_arcade.app import launch
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.dropins import ASKS, import_file
from batllm_arcade.plugin.isolated import ISOLATED, inspect_all, read_offer
from batllm_arcade.processes.child import ChildLog
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config

HONEST = 'from batllm_arcade import bot\n@bot("honest")\ndef decide(me, foe, clock): return "M"\n'
MATCH = ("--left", "honest", "--right", "scripted:turtle", "--rounds", "1", "--turns", "2", "--quiet")
NEEDY = ("observer", "early_line", "person", "changes_the_host", "imports_server", "misses", "named_hook", "says_yes")
"""Those that say of themselves that they need the program."""


class Folder:
    """A folder of hostile files and an honest one; what they read or write outside their fences is in `found`."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.marks, self.log = path / "bots", path / "marks", []
        self.home = path / "home"
        for each in (self.path, self.marks, self.home, path / "above"):
            each.mkdir()
        (self.home / "canary.txt").write_text("CANARY-FILE")
        (path / "above" / "secret_module.py").write_text("print('LEAKED above')\n")
        monkeypatch.setenv("CANARY_KEY", "CANARY-VARIABLE")
        monkeypatch.setenv("HOME", str(self.home))
        monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
        monkeypatch.chdir(path)
        write = ChildLog.write
        monkeypatch.setattr(ChildLog, "write", lambda log, text: (self.log.append(bytes(text)), write(log, text))[1])
        self.add("honest", HONEST)
        self.options = ["--plugins-dir", str(self.path)]

    def add(self, name: str, code: str | None = None) -> Path:
        file = self.path / f"{name}.py"
        above = str(self.path.parent / "above")
        file.write_text(code or code_of(name, str(self.home / "canary.txt"), str(self.marks), above), "utf-8")
        return file

    def assert_nothing_came_out(self) -> None:
        assert [mark.name for mark in self.marks.iterdir()] == []
        assert [line for line in b"".join(self.log).splitlines() if b"LEAKED" in line] == []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    require_sandbox()
    return Folder(tmp_path, monkeypatch)


@pytest.fixture
def all_of_them(folder):
    for name in {**REVIEWED, **OWN}.keys() - ODD.keys() - {"our_voice"}:
        folder.add(name)
    return folder


@pytest.fixture(autouse=True)
def _inspected_once(monkeypatch):
    """Each file is looked at once: what several commands do with what was found is the question here."""
    known: dict[object, object] = {}

    def inspected(sources, mode="auto"):
        keys = {(each, mode, Path(each.source).read_bytes()): each for each in sources}
        new = [each for key, each in keys.items() if key not in known]
        found = inspect_all(new, mode)
        known.update({key: found[each.name] for key, each in keys.items() if each.name in found})
        return {each.name: known[key] for key, each in keys.items()}

    monkeypatch.setattr(manager, "inspect_all", inspected)


def test_no_file_gets_into_the_program_or_reads_outside_its_fence_by_what_it_says(all_of_them, monkeypatch, capsys):
    """`run`, `brains`, `league` and the window, with some thirty kinds of files in one folder.

    What is odd about offers is in a test of its own.
    """
    shipped = manager.load().kinds
    windows = []
    monkeypatch.setattr(launch, "arcade", lambda plan, plugins: windows.append(plugins) or 0)
    monkeypatch.setattr(launch, "play", lambda plan, plugins, record, unnamed: windows.append(plugins) or 0)
    assert main(["run", *MATCH, *all_of_them.options, "--history", "s.json"]) == 0
    said = capsys.readouterr().err
    assert said.isprintable() or all(line.isprintable() for line in said.splitlines())
    for name in ("lines_while_it_plays", "deep", "late_line"):
        own = ["--left", f"b_{name}", *MATCH[2:], "--history", "b.json", "--force"]
        assert main(["run", *own, *all_of_them.options]) == 0
    assert main(["brains", *all_of_them.options]) == 0
    assert main([*all_of_them.options]) == 0
    assert main(["play", *MATCH[:-1], *all_of_them.options]) == 0
    for name in {**REVIEWED, **OWN}.keys() - {*NEEDY[:4], "lines_while_it_plays"}:  # a league's processes look at all
        (all_of_them.path / f"{name}.py").unlink(missing_ok=True)
    players = ["honest", "b_lines_while_it_plays", "scripted:turtle"]
    how = ["--pairs", "1", "--workers", "1", "--turns", "2", "--rounds", "1", "--quiet", "--out", "out"]
    assert main(["league", *players, *all_of_them.options, *how]) == 0
    all_of_them.assert_nothing_came_out()
    for plugins in windows:
        assert {name for name, kind in plugins.kinds.items() if kind.human} == {"browser", "keyboard"}
        assert all(plugins.kinds[name].summary == kind.summary for name, kind in shipped.items())
        bots = set(plugins.kinds) - set(shipped)
        assert {plugins.kinds[name].isolation for name in bots} == {"auto"}
        assert set(NEEDY) <= set(plugins.untrusted)
    for name in NEEDY:
        assert f"the plugin '{name}' has " in said
        assert f"--trust {name} lets it in" in said
    verified = json.loads(Path("s.json").read_text())["games"][0]["seats"]
    assert [seat["brain"] for seat in verified] == ["honest", "scripted:turtle"]


@pytest.mark.parametrize("name", NEEDY[:4])
def test_check_refuses_a_file_that_asks_for_more(folder, name, capsys):
    assert main(["check", str(folder.add(name))]) == 2
    assert f"--trust {name} lets it in, or take the file away" in capsys.readouterr().err
    folder.assert_nothing_came_out()


def test_a_sandbox_that_was_asked_for_is_no_sandbox_with_a_file_that_asks_for_more(folder, capsys):
    folder.add("observer")
    own = folder.options
    for command in (["run", *MATCH, *own], ["brains", *own], ["league", "honest", "scripted:turtle", *own],
                    ["play", *MATCH[:-1], *own], ["check", str(folder.path / "observer.py")]):  # fmt: skip
        assert main([*command, "--isolation", "sandbox"]) == 2
        assert "the plugin 'observer' has an observer, which runs inside the program" in capsys.readouterr().err
    folder.assert_nothing_came_out()


def test_a_file_runs_inside_the_program_by_a_persons_word_until_it_is_changed(folder, capsys):
    file = folder.add("observer")

    def run(*options: str) -> tuple[int, str]:
        match = ["--left", "scripted:dancer", *MATCH[2:], "--history", "s.json", "--force"]
        code = main(["run", *match, *folder.options, *options])
        return code, capsys.readouterr().err

    def marks() -> bool:
        found = list(folder.marks.iterdir())
        for each in found:
            each.unlink()
        return bool(found)

    assert run()[0] == 0
    assert not marks()
    code, said = run("--trust", "observer")
    assert (code, marks()) == (0, True)
    assert "the plugin 'observer' runs inside the program, where it can do what the program can" in said
    assert run()[0] == 0
    assert not marks(), "it was for once"
    assert run("--trust", "observer.py", "--always", "--isolation", "sandbox")[0] == 0
    assert marks()
    for more in ([], ["--isolation", "sandbox"]):
        assert run(*more)[0] == 0
        assert marks(), "it is remembered"
    shutil.copy(file, file.with_name("another.py"))
    file.write_text(file.read_text() + "# changed\n")
    code, said = run()
    assert (code, marks()) == (0, False)
    assert "; its file was changed since you trusted it; it was left out: --trust observer lets it in" in said
    assert "the plugin 'another' has an observer" in said, "the same content by another name"
    assert run("--trust", "nobody")[0] == 2
    assert run("--always")[0] == 2


def test_what_lies_compiled_beside_a_trusted_file_is_not_run(folder):
    """Its hash is that of the text that a person has read."""
    file = folder.add("watcher", HONEST.replace("honest", "watched"))
    evil = folder.add("evil", code_of("imports_server", "", str(folder.marks), ""))
    compiled = Path(cache_from_source(str(file)))
    compiled.parent.mkdir()
    py_compile.compile(str(evil), str(compiled), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    evil.unlink()
    plugins = manager.load(folder.path, ISOLATED.trusting("watcher"))
    assert "watched" in plugins.kinds
    folder.assert_nothing_came_out()


def test_what_a_person_trusts_is_asked_of_the_file_not_of_a_brain_that_calls_itself_so(folder, capsys):
    folder.add("evil", code_of("observer", "", "", "").replace("b_observer", "turret"))
    folder.add("mine", HONEST.replace("honest", "turret"))
    assert main(["run", "--trust", "turret", *MATCH, *folder.options]) == 2
    assert "there is no file 'turret.py' to trust" in capsys.readouterr().err
    assert main(["run", "--left", "turret", *MATCH[2:], *folder.options, "--history", "s.json"]) == 0, "it is mine"


def test_a_brain_that_two_files_offer_does_not_run_inside_the_program_by_its_name(folder, capsys):
    folder.add("a_thief", code_of("json", "", str(folder.marks), "").replace("b_json", "turret"))
    folder.add("mine", HONEST.replace("honest", "turret"))
    command = ["run", "--left", "turret:isolation=none", *MATCH[2:], *folder.options, "--history", "s.json", "--force"]
    assert main(command) == 2
    assert "several plugins offer a brain 'turret'" in capsys.readouterr().err
    assert main([*command, "--trust", "mine"]) == 0, "what is trusted comes first"
    folder.assert_nothing_came_out()
    (folder.path / "a_thief.py").unlink()
    assert main(command) == 0


def test_a_file_that_is_changed_after_it_was_let_in_does_not_run_in_the_workers_of_a_league(folder):
    folder.add("mine", HONEST)
    let_in = manager.load(folder.path, ISOLATED.trusting("mine")).trusted
    assert manager.load(folder.path, ISOLATED.trusting(let_in)).trusted == let_in
    folder.add("mine", HONEST + "changed = True\n")
    with pytest.raises(UsageError, match=r"'mine\.py' was changed"):
        manager.load(folder.path, ISOLATED.trusting(let_in))


def test_a_plugin_that_is_trusted_from_python_is_inside(folder):
    folder.add("observer")
    for trusted in ((), "observer"):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            games = play(
                "honest", "scripted:turtle", rounds=1, turns=1, history=None, plugins_dir=folder.path, trust=trusted
            )
            list(games)
        assert any("the plugin 'observer' runs inside" in str(each.message) for each in said) == bool(trusted)
        assert bool(list(folder.marks.iterdir())) == bool(trusted)


def test_the_window_shows_what_was_left_out_and_lets_it_in_only_by_a_choice_that_is_not_the_first(folder):
    file = folder.add("observer")
    plan = SessionPlan(config.load("couch"), (Spec("scripted", "turtle"), Spec("scripted", "dancer")), seed=1)
    read = file.read_text()

    def opened(*keys: int) -> tuple[str, bool]:
        with shell(plan, manager.load(folder.path, ISOLATED)) as app:
            app.go.title()
            there = [button.text for button in app.screen.form.widgets]
            if "PLUGINS LEFT OUT" in there:
                app.screen.form.set_focus(app.screen.form.widgets[there.index("PLUGINS LEFT OUT")])
                for key in keys:
                    press(app, key)
            return app.screen.problem, "PLUGINS LEFT OUT" in there

    enter, down, escape = pygame.K_RETURN, pygame.K_DOWN, pygame.K_ESCAPE
    for keys in ((enter, enter, enter), (enter, escape), (enter, enter, escape)):
        assert opened(*keys) == ("", True)
    folder.assert_nothing_came_out()
    said, _ = opened(enter, enter, down, enter)
    assert said == "observer.py is trusted: it is there when you open the arcade again"
    folder.assert_nothing_came_out()
    file.write_text(f"{read}# changed\n")
    assert opened() == ("", True)
    folder.assert_nothing_came_out()
    file.write_text(read)
    assert opened() == ("", False)
    assert list(folder.marks.iterdir()), "it runs inside the program"


# ------------------------------------------------------------------------------ others' names

TAKES = {
    "scripted": HONEST,
    "history_recorder": HONEST.replace("honest", "recorder"),
    "takes": 'from batllm_arcade import bot\n@bot("scripted")\ndef decide(me, foe, clock): return "M"\n',
    "looks": 'from batllm_arcade import bot\n@bot("s\\u0441ripted")\ndef decide(me, foe, clock): return "M"\n',
}


def commands_of(bot: int) -> set[str]:
    """What a bot has done in the session that was recorded."""
    made = [record for record in replay(read(Path("s.json"))) if isinstance(record, Play)]
    return {each.decision.raw for each in made if each.bot == bot}


@pytest.fixture
def takers(tmp_path, monkeypatch):
    found = Folder(tmp_path, monkeypatch)
    for name in ("scripted", "history_recorder"):
        found.add(name, TAKES[name])
    found.options += ["--isolation", "process"]
    return found


def test_bundled_names_are_the_bundled_plugins(takers, capsys):
    for name in ("takes", "looks"):
        takers.add(name, TAKES[name])
    assert main(["run", *MATCH, *takers.options, "--history", "s.json"]) == 0
    said = capsys.readouterr().err
    for name in ("scripted", "history_recorder"):
        assert f"the file '{name}.py' has the name of a bundled plugin; it was left out" in said
    assert "the plugin 'takes' offers a brain 'scripted', which is a bundled one's name; it was left out" in said
    assert "'s\u0441ripted' is not a name for a brain; use letters, digits, - and _ (looks.py, line " in said
    assert main(["verify", "s.json"]) == 0
    assert commands_of(1) != {"M"}


class Package:
    """A package that somebody has installed, as its entries know it."""

    def __init__(self, name):
        self.name = name


def test_an_installed_package_that_takes_a_bundled_name_is_left_out(monkeypatch, capsys):
    class Stranger:
        name, value, dist = "scripted", "stranger.module", Package("batllm-arcade-stranger")

        def load(self):
            raise AssertionError("it was loaded")

    own = list(manager.entry_points(group="batllm_arcade"))
    monkeypatch.setattr(manager, "entry_points", lambda group: [Stranger(), *own])
    plugins = manager.load()
    assert plugins.problems == [
        "the installed plugin 'scripted' (stranger.module) has the name of a bundled one; it was left out: "
        "--replace scripted lets it take that place"
    ]
    assert "turtle" in plugins.kinds["scripted"].variants


def test_a_bundled_brain_is_replaced_where_a_person_says_so_and_the_fallback_is_not(takers, capsys):
    (takers.path / "scripted.py").unlink()
    takers.add("takes", TAKES["takes"])
    takers.add("fails", 'from batllm_arcade import bot\n@bot("fails")\ndef decide(me, foe, clock): raise ValueError\n')
    options = [*takers.options, "--replace", "scripted", "--rounds", "1", "--turns", "9", "--history", "s.json"]
    assert main(["run", "--left", "fails", "--right", "scripted", *options, "--quiet"]) == 1
    said = capsys.readouterr().err
    assert "scripted is not the bundled brain here (--replace scripted)" in said
    seats = json.loads(Path("s.json").read_text())["games"][0]
    assert commands_of(1) == {"M"}
    assert seats["seats"][1]["isolation"] == "process"
    assert '"scripted:random"' in Path("s.json").read_text(), "the fallback is the bundled one"
    assert main(["check", "takes", *takers.options, "--replace", "scripted"]) == 2, "no brain has that name"


def test_no_league_replaces_a_bundled_brain(takers, capsys):
    assert main(["league", "scripted", "honest", *takers.options, "--replace", "scripted", "--out", "out"]) == 2
    assert "a league's table calls the bundled brains by their names" in capsys.readouterr().err


def test_who_names_the_session_has_seen_it(takers, capsys):
    more = ["--replace", "history_recorder", "--trust", "history_recorder"]
    assert main(["run", *MATCH, *takers.options, *more, "--history", "s.json"]) == 1
    said = capsys.readouterr().err
    assert "session: s.json" not in said
    assert "no plugin has recorded this session: there is no file 's.json'" in said


TELLS = """\
from batllm_arcade import BrainKind, Decision, hookimpl
class Telling:
    title = "it"
    def __init__(self, spec):
        self.key = spec.options.get("api_key", "no key")
    def decide(self, view):
        view.live.publish(self.key)
        return Decision("B" + self.key, "B" + self.key, "the key is " + self.key, self.key)
@hookimpl
def batllm_brains():
    return [BrainKind("parley", "tells", Telling)]
"""
KEEPS = (
    TELLS.replace('"B" + self.key', '"M"').replace("view.live.publish(self.key)", "pass").replace("self.key)", '"")')
)
KEY = "sk-canary-71c0ffee"


def played(folder: Folder, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[set[str], str]:
    """What the bot `parley`, which is given a key, has played, and what was said."""
    seats = ["--left", f"parley:api_key={KEY}", "--right", "scripted:turtle", "--rounds", "1", "--turns", "1"]
    main(["run", *seats, *folder.options, "--history", "s.json", "--force", *options])
    said = capsys.readouterr()
    assert KEY not in Path("s.json").read_text() + said.out + said.err
    return commands_of(0), said.err


def test_no_file_takes_the_brain_of_one_that_is_trusted_nor_tells_its_key(takers, capsys):
    """The first file in the folder is a stranger's; what a bot hands over has no key of its seat in any case."""
    takers.add("aaa", TELLS)
    assert played(takers, capsys)[0] == {"B***"}
    file = takers.add("parley", KEEPS)
    commands, said = played(takers, capsys, "--trust", "parley", "--always")
    assert commands == {"M"}
    assert "the plugin 'aaa' offers a brain 'parley', which is that of the plugin 'parley'; it was left out" in said
    file.write_text(file.read_text() + "# changed\n")
    assert played(takers, capsys)[0] == {"M"}, "its name is not free for that"


def test_no_file_takes_the_brain_of_an_installed_package(takers, monkeypatch, capsys):
    class Installed:
        name, value, dist, module = "parley", "a.module", Package("parley"), "a.module"

        def load(self):
            return import_file(takers.path.parent / "installed.py", KEEPS.encode())

    own = list(manager.entry_points(group="batllm_arcade"))
    monkeypatch.setattr(manager, "entry_points", lambda group: [Installed(), *own])
    takers.add("aaa", TELLS)
    takers.add("parley", TELLS)
    commands, said = played(takers, capsys)
    assert commands == {"M"}
    assert "the plugin 'aaa' offers a brain 'parley', which is that of the plugin 'parley'; it was left out" in said
    assert "the file 'parley.py' has the name of an installed plugin; it was left out" in said
    (takers.path / "aaa.py").unlink()
    assert played(takers, capsys, "--replace", "parley")[0] == {"B***"}


# ------------------------------------------------------------------------------ offers

ODD = {
    "no_number": "'prepare_s' of brain 1 of its offer must be a number, not nan",
    "crowd": "'kinds' of its offer has more than 100 entries",
    "escape": "'x1b[2Jx' is not a name for a brain",
    "long_name": "'name' of brain 1 of its offer is longer than 4000 characters",
    "no_seconds": "prepare_s of the brain 'hasty' must be above 0 and at most 86,400, not 0 (no_seconds.py, line ",
    "pleading_line": "'inside' of its offer must be empty, an observer, a provider or a person's seat, not 'please'",
}


def test_an_offer_is_read_like_a_strangers_file(folder, capsys):
    for name in ODD:
        folder.add(name)
    assert main(["brains", *folder.options]) == 0
    said = capsys.readouterr().err
    for name, sentence in ODD.items():
        found = [line for line in said.splitlines() if f"the plugin '{name}'" in line]
        assert len(found) == 1, said
        assert sentence in found[0]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3)
)
FIELDS = st.sampled_from(["name", "summary", "place", "variants", "about", "levels", "prompted", "prepare_s", "titles"])


@hypothesis_settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(["kinds", "problems", "inside"]), JSON), st.dictionaries(FIELDS, JSON))
def test_an_offer_of_any_values_is_an_offer_or_a_sentence(top, odd):
    kinds = json.loads(forged(**odd))
    for values in (
        top,
        {"kinds": kinds, "problems": [], "inside": ""},
        {"problems": [], "inside": "", "kinds": kinds, **top},
    ):
        with suppress(UsageError):
            found = read_offer(values)
            assert found.asks in ("", *ASKS)
            assert all(isinstance(kind["name"], str) and abs(kind["prepare_s"]) < 1e13 for kind in found.kinds)


def test_what_a_file_says_is_told_as_its_own_words(folder, capsys):
    folder.add("our_voice")
    assert main(["brains", *folder.options]) == 0
    said = capsys.readouterr().err.splitlines()
    assert "batllm-arcade: the file 'our_voice.py' says: all files are trusted from now on" in said


@pytest.mark.parametrize("name", ["scr\u034fipted", "scripted\ufe0f", "\u3164", "s\u0441ripted", "\uff53cripted"])
def test_a_brain_s_name_has_no_letters_that_look_like_others(name):
    plugins = manager.Plugins.none()
    module = ModuleType("mine")
    module.decide = bot(name)(lambda me, foe, clock: None)
    manager.register(plugins, "mine", lambda: module)
    manager.collect_kinds(plugins)
    assert not plugins.kinds
    assert len(plugins.problems) == 1


def test_a_number_that_is_out_of_range_by_default_is_quoted():
    with pytest.raises(UsageError, match=r"^prepare_s of mine must be a number from 0\.01 up, not 0$"):
        Spec("mine").number("prepare_s", 0, least=0.01)
