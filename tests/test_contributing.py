"""The map cannot lie: what CONTRIBUTING says of rooms, of what to edit and of words is held against the code.

Which room imports which is in test_layers.py.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from functools import cache
from importlib import import_module

import pytest
from begin import LONG
from paths import ROOT, TESTS
from sources import constant, is_in, modules, tree

from batllm_arcade import ModelBrain
from batllm_arcade.cli.commands import COMMANDS
from batllm_arcade.match import runner
from batllm_arcade.plugin import hookspecs

HOST = ROOT / "batllm_arcade"
FOLDERS = (HOST, ROOT, ROOT / "plugins")
"""Where a path that is named may begin."""
MAP = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.\w+)?|\w+\.py)`")
"""A folder (with a slash at its end), a file in one, or a module by its name alone, in backquotes."""
QUOTED = re.compile(r"`([A-Za-z_]\w*)`")
"""A class, a function or a constant in backquotes."""
NAMED = re.compile(r"^ *(?:async )?(?:def|class) (\w+)|^(\w+)(?:: [^=]+)? = ", re.MULTILINE)
"""A class or function, or what a module gives a name at its top."""


def section(title: str) -> list[list[str]]:
    """The rows of the table in a section of CONTRIBUTING, without its head."""
    text = MAP.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    assert len(rows) > 9
    return rows[2:]


ROOMS = section("The rooms")


def texts(*places):
    """What is written in modules, or in all those of rooms."""
    paths = [path for place in places for path in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    return "\n".join(path.read_text("utf-8") for path in paths)


@cache
def house():
    """The host's modules, one after the other; by lines, since walking all their syntax trees takes seconds."""
    return texts(HOST)


def calls(path):
    """The calls in a module: what is called, as it is written there."""
    return [ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]


def room(name):
    """The modules of the host in a room and below it, by name."""
    return {each: module for each, module in modules(HOST).items() if is_in(each, name)}


def reached(*names):
    """Every module of the host that these import when they run, also by way of others."""
    done, todo = set(), [each for name in names for each in room(name)]
    while todo:
        name = todo.pop()
        if name in modules(HOST) and name not in done:
            done.add(name)
            named = [each.removeprefix("batllm_arcade.") for each in modules(HOST)[name].imports(typing=False)]
            todo += named + [each.rpartition(".")[0] for each in named]
    return done


# What is named


def test_a_path_that_is_named_exists():
    named = [(page.name, path) for page in PAGES for path in PATH.findall(page.read_text("utf-8"))]
    assert len(named) > 100
    assert [(page, path) for page, path in named if not any((folder / path).exists() for folder in FOLDERS)] == []


def test_a_link_between_pages_leads_somewhere():
    places, links = {}, []
    for page in (*PAGES, ROOT / "SECURITY.md", ROOT / "CHANGELOG.md", ROOT / "mutation" / "README.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
        titles = [
            re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)", text, re.M)
        ]
        places[page] = {"", *titles, *re.findall(r'<a id="([\w-]+)">', text)}
        links += [(page, *link) for link in re.findall(r"\]\(([^)\s#:]*)#?([^)\s:]*)\)", text)]
    assert len(links) > 100
    for page, path, place in links:
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), (page.name, path)
        assert place in places.get(target, {place}), (page.name, path, place)


def test_a_target_of_make_that_is_named_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`make ([a-z-]+)", page.read_text("utf-8"))}
    assert len(named) > 2
    assert named <= targets


@pytest.mark.parametrize("row", section("To change X, look in Y"), ids=lambda row: row[0])
def test_what_a_row_says_to_edit_is_in_the_files_it_names(row):
    paths = [next(folder / path for folder in FOLDERS if (folder / path).exists()) for path in PATH.findall(row[1])]
    assert paths
    written = texts(*(path for path in paths if path.is_file()))
    assert [name for name in QUOTED.findall(row[1]) if not re.search(rf"\b{name}\b", written)] == []


@pytest.mark.parametrize("row", ROOMS, ids=lambda row: row[0].strip("`"))
def test_what_a_room_is_said_to_have_is_defined_in_it(row):
    defined = {name for names in NAMED.findall(texts(HOST / row[0].strip("`"))) for name in names}
    assert set(QUOTED.findall(row[1])) - {"verify"} <= defined


def test_a_class_in_the_glossary_exists_and_the_words_are_few():
    rows = section("Glossary")
    assert len(rows) <= 30
    named = {name for _, meaning in rows for name in re.findall(r"\(`(\w+)`\)", meaning)}
    assert named
    assert named <= {name for names in NAMED.findall(house()) for name in names}


def test_no_two_classes_have_the_same_name():
    names = Counter(re.findall(r"^ *class (\w+)", house(), re.MULTILINE))
    assert len(names) > 300
    assert {name for name, count in names.items() if count > 1} == set()


# What the rooms claim


def test_the_rooms_are_described_in_the_order_in_which_they_may_import_each_other():
    described = [row[0].strip("`").removesuffix("/").removesuffix(".py").replace("/", ".") for row in ROOMS]
    assert described == list(constant(TESTS / "test_layers.py", "ROOMS"))


def test_the_rooms_that_are_called_pure_are_held_to_it():
    called = {row[0].strip("`/").replace("/", ".") for row in ROOMS if re.search(r"\bpure\b", row[1])}
    assert called >= {"core", "prompts", "view", "video.edit"}
    assert called <= set(constant(TESTS / "test_layers.py", "PURE"))


def test_the_terminals_room_is_the_one_place_that_prints():
    streams = ("sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__")
    ways = ("print", "input", *(f"{stream}.write{lines}" for stream in streams for lines in ("", "lines")))
    others = {name: module.path for name, module in modules(HOST).items() if not is_in(name, "terminal")}
    maybe = {
        name: path for name, path in others.items() if re.search(r"\b(print|input)\(|\bsys\.\w+\.write", texts(path))
    }
    assert {name: way for name, path in maybe.items() for way in calls(path) if way in ways} == {}


def test_the_match_runner_is_a_generator_and_waits_for_nothing():
    assert inspect.isgeneratorfunction(runner.play)
    waiting = ("time", "threading", "asyncio", "queue", "socket", "subprocess", "select")
    assert [name for name, module in room("match").items() if any(is_in(it, *waiting) for it in module.imports())] == []


def test_replay_verify_and_films_need_no_match_and_no_brain():
    needed = reached("history.replay", "history.verification", "video.render_job")
    assert "core.rules" in needed
    live = ("seats", "models", "isolation", "plugin", "session.live_session", "session.headless")
    assert [name for name in sorted(needed) if is_in(name, *live)] == []


def test_what_takes_time_in_the_window_runs_in_its_services():
    ways = ("Thread", "Timer", "ThreadPoolExecutor", "Popen")
    elsewhere = {name: module for name, module in room("app").items() if not is_in(name, "app.services")}
    assert [name for name, module in elsewhere.items()
            if any(call.rpartition(".")[2] in ways for call in calls(module.path))] == []  # fmt: skip


def test_the_replays_page_is_made_without_pygame():
    assert [name for name in sorted(reached("share")) if is_in(name, "render", "app", "audio.player")] == []


def test_a_command_is_a_function_that_adds_it_and_is_named_in_commands():
    adders = [
        name
        for path in (HOST / "cli").glob("*.py")
        for name in re.findall(r"^def (add_\w+)\(commands", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert sorted(adders) == sorted(add.__name__ for add in COMMANDS)


def test_a_bundled_plugin_is_a_file_with_an_entry_point_and_a_provider_is_documented():
    lines = (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.entry-points.batllm_arcade]\n")[2]
    points = dict(re.findall(r'^(\w+) = "batllm_arcade_plugins\.(\w+)"$', lines.partition("\n\n")[0], re.MULTILINE))
    files = {path.stem for path in (ROOT / "plugins").glob("*.py")} - {"__init__"}
    assert sorted(points.values()) == sorted(files)
    providers = (ROOT / "docs" / "providers.md").read_text("utf-8")
    models = [name for name, module in points.items() if has_model_brain(f"batllm_arcade_plugins.{module}")]
    assert len(models) > 3
    assert [name for name in models if f"`{name}" not in providers] == []


def has_model_brain(plugin):
    """Whether a plugin defines a model brain."""
    members = vars(import_module(plugin)).values()
    return any(inspect.isclass(each) and issubclass(each, ModelBrain) and each.__module__ == plugin for each in members)


@pytest.mark.parametrize("name", [name for name in vars(hookspecs) if name.startswith("batllm_")])
def test_a_hook_is_called_by_the_plugins_manager(name):
    assert f".hook.{name}" in (HOST / "plugin" / "manager.py").read_text("utf-8")


def test_what_happens_in_a_play_is_shown_by_the_animation():
    events = [node.name for node in tree(HOST / "core" / "events.py").body if isinstance(node, ast.ClassDef)]
    shown = texts(HOST / "view" / "animation.py")
    assert [name for name in events if not re.search(rf"\b{name}\b", shown)] == []


def test_the_tests_mirror_the_rooms():
    rooms = {name.split(".")[0] for name in constant(TESTS / "test_layers.py", "ROOMS")}
    others = {"data", "support", "plugins", "examples", "security"}
    assert {path.name for path in TESTS.iterdir() if any(path.glob("**/test_*.py"))} - others <= rooms


def test_the_files_of_long_tests_are_there():
    assert [name for name in LONG if not (TESTS / name).is_file()] == []
