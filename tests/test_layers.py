"""Who may import whom: dependencies point one way, and pygame keeps to its place."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from sources import is_in, modules

import batllm_arcade

HOST = Path(batllm_arcade.__file__).parent
PLUGINS = Path(find_spec("batllm_arcade_plugins").submodule_search_locations[0])
ROOMS = (
    "errors", "terminal", "processes", "core", "files", "brains", "prompts", "match", "isolation", "models", "seats",
    "settings", "history", "plugin", "session", "analysis", "story", "league", "cup",
    "view", "render", "audio", "video.edit", "video.encode", "video.draw", "video", "share", "serve", "agents", "env",
    "app.input", "app.kit", "app.services", "app.pictures", "app.orders", "app.shell", "app.servers",
    "app.match", "app.replay",
    "app.menus", "app", "cli", "__main__",
)  # fmt: skip
"""Every room of the house; a module imports its own room and those named before it, never one named after it."""
PURE = ("core", "brains", "prompts", "match", "analysis", "story", "view", "video.edit")
"""Rooms without window, network, processes and plugin machinery."""
TIMELESS = ("core", "story", "view", "video.edit")
"""Rooms that read no clock and no file."""
PYGAME = ("render", "audio", "app", "video", "env")
"""The only rooms that know pygame."""
KIT_KNOWS = ("app.kit", "app.input", "render", "view", "settings", "errors", "core.geometry")
"""All that the kit of widgets imports: nothing of matches, sessions, seats or brains."""
SHELL = ("pygame", "requests", "numpy", "xllamacpp", "av", "pluggy", "yaml", "subprocess")
"""What a pure room does not import."""
SLOW = {
    "pygame": PYGAME,
    "requests": ("models",),
    "pydantic": ("prompts",),
    "numpy": ("audio", "video", "league.statistics", "env"),
    "gymnasium": ("env",),
    "pettingzoo": ("env",),
    "onnxruntime": (),
    "av": ("video",),
    "xllamacpp": (),
    "distributed": (),
    "tqdm": (),
    "hashlib": ("share", "league"),
    "starlette": ("serve",),
    "uvicorn": ("serve",),
    "websockets": (),
    "segno": (),
    "batllm_arcade.serve": ("agents",),
    "mcp": ("agents",),
    "anyio": ("agents",),
    "batllm_arcade.agents": (),
    "secrets": (),
    "batllm_arcade.render": PYGAME,
    "batllm_arcade.env": (),
}
"""What is slow or large to import (hashlib is OpenSSL: 4 MB), and the rooms that may do so at their top; all others
do it where it is used."""


def host():
    return modules(HOST)


def everything():
    return {**host(), **{f"plugins.{name}": module for name, module in modules(PLUGINS).items() if name}}


def those(*places):
    """The host's modules in these places; fails if there are none."""
    found = {name: module for name, module in host().items() if is_in(name, *places)}
    assert {place for place in places if not any(is_in(name, place) for name in found)} == set()
    return found


def wrong(modules, is_wrong, **which):
    """The imports of the modules that are wrong, as sentences."""
    return [
        f"{name} imports {imported}"
        for name, module in modules.items()
        for imported in module.imports(**which)
        if is_wrong(name, imported)
    ]


def room(name):
    return max((one for one in ROOMS if is_in(name, one)), key=len, default=None)


@cache
def graph():
    """The host's modules that each of its modules imports."""
    return {
        name: {found for imported in module.imports() if (found := module_of(imported))} - {name}
        for name, module in host().items()
        if name
    }


def module_of(imported):
    """The host's module behind an imported name, "" if it is none of the host's."""
    name = imported.removeprefix("batllm_arcade").removeprefix(".") if is_in(imported, "batllm_arcade") else ""
    while name and name not in host():
        name = name.rpartition(".")[0]
    return name


def test_modules_are_found_with_what_they_import():
    """Else what follows would hold for nothing."""
    assert len(host()) > 200
    assert len(modules(PLUGINS)) > 8
    assert sum(map(len, graph().values())) > 500
    kinds = {each[1:] for module in everything().values() for each in module.imported}
    assert kinds >= {(False, False), (True, False), (False, True)}


def test_a_module_is_in_a_room_and_imports_no_room_below_its_own():
    assert [name for name in graph() if room(name) is None] == []
    below = [
        f"{name} imports {each}"
        for name, imported in graph().items()
        for each in imported
        if ROOMS.index(room(each)) > ROOMS.index(room(name))
    ]
    assert below == []


def test_no_module_imports_itself_by_way_of_others():
    done, path = set(), []

    def walk(name):
        assert name not in path, f"a cycle: {' -> '.join([*path[path.index(name) :], name])}"
        if name not in done:
            path.append(name)
            for each in sorted(graph().get(name, ())):
                walk(each)
            done.add(path.pop())

    for name in graph():
        walk(name)


def test_nothing_lies_loose_at_the_root():
    assert {path.name for path in HOST.glob("*.py")} == {"__init__.py", "__main__.py", "errors.py"}


def test_the_core_imports_only_itself_the_errors_and_the_standard_library():
    known = (*sys.stdlib_module_names, "batllm_arcade")
    assert wrong(those("core"), lambda _, imported: imported.split(".")[0] not in known) == []


def test_the_core_gets_randomness_as_an_argument_and_opens_no_file():
    core = those("core")
    assert wrong(core, lambda _, it: is_in(it, "random") and it != "random.Random", typing=False) == []
    for name, module in core.items():
        calls = (node.func for node in ast.walk(module.tree) if isinstance(node, ast.Call))
        called = {function.id for function in calls if isinstance(function, ast.Name)}
        assert not called & {"open", "print", "input", "exec", "eval", "__import__"}, name


def test_what_is_pure_imports_no_window_no_network_and_no_plugin_machinery():
    assert wrong(those(*PURE), lambda _, imported: is_in(imported, *SHELL)) == []


def test_the_kit_of_widgets_knows_nothing_of_matches():
    kit = {name: imported for name, imported in graph().items() if is_in(name, "app.kit")}
    assert len(kit) > 5
    assert [f"{name} imports {it}" for name, found in kit.items() for it in found if not is_in(it, *KIT_KNOWS)] == []


def test_what_is_a_function_of_its_arguments_reads_no_clock_and_no_files():
    outside = ("time", "datetime", "os", "io", "pathlib", "socket", "threading")
    assert wrong(those(*TIMELESS), lambda _, imported: is_in(imported, *outside)) == []


def test_pygame_is_used_where_pixels_and_sounds_are_made():
    assert wrong(everything(), lambda name, it: is_in(it, "pygame") and not is_in(name, *PYGAME)) == []


def test_the_host_never_imports_a_bundled_plugin():
    assert wrong(host(), lambda _, imported: is_in(imported, "batllm_arcade_plugins", "plugins")) == []


def test_a_bundled_plugin_uses_public_names_only():
    def private(_, imported):
        return is_in(imported, "batllm_arcade") and imported.removeprefix("batllm_arcade.") not in batllm_arcade.__all__

    plugins = modules(PLUGINS)
    assert wrong(plugins, private) == []
    drop_in = "each file works as a drop-in"
    assert wrong(plugins, lambda _, it: is_in(it, "batllm_arcade_plugins", "plugins")) == [], drop_in


def test_what_is_slow_to_import_is_imported_where_it_is_used():
    def too_early(name, imported):
        return any(
            is_in(imported, slow) and not is_in(name, *allowed, slow.removeprefix("batllm_arcade."))
            for slow, allowed in SLOW.items()
        )

    assert wrong(everything(), too_early, typing=False, top_level=True) == []


def test_the_program_starts_where_the_encoder_of_films_is_not_installed():
    seen, ahead = set(), {"app.application", "app.services.film_jobs", "cli.main", "video.films", "video.recorder"}
    while ahead:
        seen |= ahead
        tops = {name: host()[name].imports(typing=False, top_level=True) for name in ahead}
        assert [name for name, imported in tops.items() if any(is_in(each, "av") for each in imported)] == []
        ahead = {module_of(each) for imported in tops.values() for each in imported} - seen - {""}


# The public names


def aliases():
    """The names in the package's TYPE_CHECKING block: public name to (module, attribute)."""
    body = host()[""].tree.body
    block = next(node for node in body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    return {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}


def test_a_public_name_is_what_type_checkers_take_it_for():
    for name, (module, attribute) in aliases().items():
        assert getattr(batllm_arcade, name) is getattr(import_module(module), attribute), name


def test_every_public_name_is_listed_once_and_known_to_type_checkers():
    assert sorted(batllm_arcade.__all__) == sorted(set(batllm_arcade.__all__)) == sorted(aliases())


def test_a_name_that_is_not_public_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        batllm_arcade.nonsense  # noqa: B018
