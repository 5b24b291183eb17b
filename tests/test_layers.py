"""Who may import whom: dependencies point one way, and pygame keeps to its place."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import batllm_arcade

HOST = Path(batllm_arcade.__file__).parent
PLUGINS = Path(find_spec("batllm_arcade_plugins").submodule_search_locations[0])
ROOMS = (
    "errors", "terminal", "core", "files", "brains", "prompts", "match", "isolation", "models", "seats", "settings",
    "history", "plugin", "session", "league",
    "view", "render", "audio", "video.edit", "video.encode", "video.draw", "video", "share",
    "app.input", "app.services", "app.ui", "app.match", "app.replay", "app.menus", "app", "cli", "__main__",
)  # fmt: skip
"""Every room of the house; a module imports its own room and those named before it, never one named after it."""
PURE = (
    "core",
    "brains.protocol",
    "brains.bot_view",
    "brains.functions",
    "brains.options",
    "brains.tactics",
    "brains.orders",
    "brains.places",
    "brains.styles",
    "brains.tactician",
    "prompts",
    "match",
    "view",
    "video.edit",
    "settings.user_settings",
    "settings.display",
    "league.statistics.outcome",
    "league.plan",
    "league.statistics.rating",
    "league.statistics.sprt",
    "league.statistics.standings",
    "league.statistics.tally",
    "league.output.words",
    "league.output.text",
    "league.output.charts",
)
"""Rooms and modules without window, network, processes and plugin machinery."""
TIMELESS = ("core", "view", "video.edit", "settings.display")
"""Rooms that read no clock and no file."""
PYGAME = ("render", "audio.player", "app", "video")
"""The only places that know pygame."""
SHELL = ("pygame", "requests", "numpy", "xllamacpp", "av", "pluggy", "yaml", "subprocess", "socket")
"""What a pure module does not import."""
SLOW = {
    "pygame": PYGAME,
    "requests": ("models.connections",),
    "pydantic": ("prompts.button_models",),
    "numpy": ("audio.mixer", "video"),
    "av": ("audio.mixer", "video"),
    "xllamacpp": (),
    "distributed": (),
    "tqdm": (),
    "batllm_arcade.prompts.button_models": (),
    "batllm_arcade.models.connections": (),
    "batllm_arcade.render": PYGAME,
}
"""What is slow to import, and the modules that may do so at their top; all others do it where it is used."""
LARGEST = 300
"""Lines of the longest module."""


def modules(folder):
    """Every module below the folder: its dotted name within the package, and its syntax tree."""
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield dotted, ast.parse(path.read_text("utf-8"), str(path))


def is_in(name, *places):
    return any(name == place or name.startswith(f"{place}.") for place in places)


def guarded(tree):
    """The nodes that only a type checker reads."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            found.update(id(inner) for one in node.body for inner in ast.walk(one))
    return found


@cache
def imports(tree, *, typing=False, top_level=False):
    """Absolute names a module imports, `from a import b` as `a.b`; those for types alone only if asked."""
    return tuple(_imports(tree, typing, top_level))


def _imports(tree, typing, top_level):
    skipped = set() if typing else guarded(tree)
    if top_level:
        skipped |= {
            id(inner)
            for node in ast.walk(tree)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for inner in ast.walk(node)
        }
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


HOST_MODULES = dict(modules(HOST))
PLUGIN_MODULES = dict(modules(PLUGINS))
EVERYTHING = {**HOST_MODULES, **{f"plugins.{name}": tree for name, tree in PLUGIN_MODULES.items() if name}}


def those(*places):
    return [name for name in HOST_MODULES if is_in(name, *places)]


def room(name):
    return max((one for one in ROOMS if is_in(name, one)), key=len, default=None)


def module(imported):
    """The host's module behind an imported name, "" if it is none of the host's."""
    name = imported.removeprefix("batllm_arcade").removeprefix(".") if is_in(imported, "batllm_arcade") else ""
    while name and name not in HOST_MODULES:
        name = name.rpartition(".")[0]
    return name


GRAPH = {
    name: {found for imported in imports(tree, typing=True) if (found := module(imported))} - {name}
    for name, tree in HOST_MODULES.items()
    if name
}


@pytest.mark.parametrize("name", GRAPH)
def test_a_module_is_in_a_room_and_imports_no_room_below_its_own(name):
    assert room(name) is not None, f"{name} is in no room"
    below = [each for each in GRAPH[name] if ROOMS.index(room(each)) > ROOMS.index(room(name))]
    assert not below, f"{name} imports {below}"


def test_no_module_imports_itself_by_way_of_others():
    done, path = set(), []

    def walk(name):
        assert name not in path, f"a cycle: {' -> '.join([*path[path.index(name) :], name])}"
        if name not in done:
            path.append(name)
            for each in sorted(GRAPH.get(name, ())):
                walk(each)
            done.add(path.pop())

    for name in GRAPH:
        walk(name)


@pytest.mark.parametrize("name", HOST_MODULES)
def test_a_module_can_be_read_in_one_go(name):
    path = HOST.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    assert len(path.read_text("utf-8").splitlines()) <= LARGEST


def test_nothing_lies_loose_at_the_root_and_no_folder_is_crowded():
    loose = {path.name for path in HOST.glob("*.py")}
    assert loose == {"__init__.py", "__main__.py", "errors.py"}
    for folder in {path.parent for path in HOST.rglob("*.py")}:
        assert len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) <= 16, folder


@pytest.mark.parametrize("name", those("core"))
def test_the_core_imports_only_itself_the_errors_and_the_standard_library(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        if not is_in(imported, "batllm_arcade"):
            assert imported.split(".")[0] in sys.stdlib_module_names, imported


@pytest.mark.parametrize("name", those("core"))
def test_the_core_gets_randomness_as_an_argument_and_opens_no_file(name):
    tree = HOST_MODULES[name]
    for imported in imports(tree):
        assert imported in ("random.Random",) or not is_in(imported, "random"), "randomness is an argument"
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("name", those(*PURE))
def test_what_is_pure_imports_no_window_no_network_and_no_plugin_machinery(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, *SHELL), imported


@pytest.mark.parametrize("name", those(*TIMELESS))
def test_what_is_a_function_of_its_arguments_reads_no_clock_and_no_files(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, "time", "datetime", "os", "io", "pathlib", "socket", "threading"), imported


@pytest.mark.parametrize("name", EVERYTHING)
def test_pygame_is_used_where_pixels_and_sounds_are_made(name):
    if not is_in(name, *PYGAME):
        assert not [imported for imported in imports(EVERYTHING[name], typing=True) if is_in(imported, "pygame")]


@pytest.mark.parametrize("name", HOST_MODULES)
def test_the_host_never_imports_a_bundled_plugin(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, "batllm_arcade_plugins", "plugins"), imported


@pytest.mark.parametrize("name", PLUGIN_MODULES)
def test_a_bundled_plugin_uses_public_names_only(name):
    for imported in imports(PLUGIN_MODULES[name], typing=True):
        if is_in(imported, "batllm_arcade"):
            public = imported.removeprefix("batllm_arcade.")
            assert public in batllm_arcade.__all__, imported
        assert not is_in(imported, "batllm_arcade_plugins", "plugins"), f"{imported}: each file works as a drop-in"


@pytest.mark.parametrize("name", EVERYTHING)
def test_what_is_slow_to_import_is_imported_where_it_is_used(name):
    for imported in imports(EVERYTHING[name], top_level=True):
        for slow, allowed in SLOW.items():
            assert not is_in(imported, slow) or is_in(name, *allowed, slow.removeprefix("batllm_arcade.")), imported


# The public names


def aliases():
    """The names in the package's TYPE_CHECKING block: public name to (module, attribute)."""
    tree = HOST_MODULES[""]
    block = next(node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    return {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}


@pytest.mark.parametrize("name", batllm_arcade.__all__)
def test_a_public_name_is_what_type_checkers_take_it_for(name):
    module, attribute = aliases()[name]
    assert getattr(batllm_arcade, name) is getattr(import_module(module), attribute)


def test_every_public_name_is_listed_once_and_known_to_type_checkers():
    assert sorted(batllm_arcade.__all__) == sorted(set(batllm_arcade.__all__)) == sorted(aliases())


def test_a_name_that_is_not_public_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        batllm_arcade.nonsense  # noqa: B018
