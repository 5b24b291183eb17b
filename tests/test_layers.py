"""Who may import whom: dependencies point one way, and pygame keeps to its place."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import batllm_arcade

HOST = Path(batllm_arcade.__file__).parent
PLUGINS = Path(find_spec("batllm_arcade_plugins").submodule_search_locations[0])
PURE = (
    "core", "prompts", "match", "records", "brains", "errors", "bots", "history.replay", "history.layout",
    "history.node", "history.original", "history.original_parts", "open_game", "transcript",
)  # fmt: skip
PURE_VIEW = (
    "view.timeline", "view.staging", "view.index", "view.scene", "view.camera", "view.layout", "view.reply",
    "view.phrases", "view.theme", "view.look", "view.report", "sound.cues", "settings",
)  # fmt: skip
PURE_FILM = ("video.cuts", "video.waits", "video.captions", "video.highlights", "video.selection", "video.formats")
PAINTERS = (
    "view.brush", "view.draw", "view.stage", "view.fight", "view.fighters", "view.effects", "view.shots", "view.lights",
    "view.sprites", "view.speech", "view.banners", "view.marks", "view.hud", "view.waiting",
    "view.panel_head", "view.panel_words", "view.text", "view.faces", "sound.player", "arcade", "video",
)  # fmt: skip
PAINTED = tuple(f"batllm_arcade.{name}" for name in PAINTERS)
SHELL = ("pygame", "requests", "numpy", "xllamacpp", "av", "pluggy", "yaml", "subprocess", "socket")
GATEWAYS = (*PAINTERS, "sound.mixdown", "wire", "prompts.button_models")
SLOW = (
    "pygame",
    "requests",
    "pydantic",
    "batllm_arcade.prompts.button_models",
    "numpy",
    "xllamacpp",
    "av",
    "batllm_arcade.models.connections",
    "batllm_arcade.render.renderer",
)


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


def imports(tree, *, typing=False, top_level=False):
    """Absolute names a module imports, `from a import b` as `a.b`; those for types alone only if asked."""
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


@pytest.mark.parametrize("name", those("core"))
def test_the_core_imports_only_itself_the_errors_and_the_standard_library(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        if is_in(imported, "batllm_arcade"):
            assert is_in(imported, "batllm_arcade.core", "batllm_arcade.errors"), imported
        else:
            assert imported.split(".")[0] in sys.stdlib_module_names, imported


@pytest.mark.parametrize("name", those("core"))
def test_the_core_reads_no_clock_and_opens_no_file(name):
    tree = HOST_MODULES[name]
    for imported in imports(tree):
        assert imported.split(".")[0] not in ("time", "datetime", "os", "io", "pathlib", "socket", "threading"), (
            imported
        )
        assert imported in ("random.Random",) or not is_in(imported, "random"), "randomness is an argument"
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"open", "print", "input", "exec", "eval", "__import__"}


@pytest.mark.parametrize("name", those(*PURE_FILM))
def test_what_a_film_shows_when_is_decided_without_drawing_or_encoding(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, *SHELL), imported


@pytest.mark.parametrize("name", those(*PURE, *PURE_VIEW))
def test_what_is_pure_imports_no_window_no_network_and_no_plugin_machinery(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, *SHELL), imported
        assert not is_in(imported, "batllm_arcade.arcade", "batllm_arcade.video", "batllm_arcade.cli.main"), imported


@pytest.mark.parametrize("name", those("match", "records", "prompts", "brains", "view.timeline", "view.scene"))
def test_what_is_pure_does_not_depend_on_who_finds_the_plugins_or_seats_the_brains(name):
    for imported in imports(HOST_MODULES[name]):
        assert not is_in(
            imported, "batllm_arcade.plugin.manager", "batllm_arcade.seats.table", "batllm_arcade.session.live_session",
            "batllm_arcade.settings.config", "batllm_arcade.models.http_client",
        ), imported  # fmt: skip


@pytest.mark.parametrize("name", EVERYTHING)
def test_pygame_is_used_by_the_painters_the_window_and_the_films_alone(name):
    if not is_in(name, *PAINTERS):
        assert not [imported for imported in imports(EVERYTHING[name], typing=True) if is_in(imported, "pygame")]


@pytest.mark.parametrize("name", those(*PURE_VIEW))
def test_what_is_shown_and_heard_is_a_function_without_clock_or_files(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        outside = ("time", "datetime", "os", "io", "pathlib", "threading", "random", *PAINTED)
        assert not is_in(imported, *outside), imported


@pytest.mark.parametrize(
    "name", [name for name in HOST_MODULES if not is_in(name, "arcade", "video", "cli", "__main__")]
)
def test_nothing_below_the_window_imports_the_window_or_the_command_line(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, "batllm_arcade.arcade", "batllm_arcade.video", "batllm_arcade.cli.main"), imported


@pytest.mark.parametrize("name", those("video"))
def test_films_are_made_without_the_window(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        assert not is_in(imported, "batllm_arcade.arcade", "batllm_arcade.cli.main"), imported


@pytest.mark.parametrize("name", those("arcade.ui"))
def test_a_widget_knows_no_screen(name):
    for imported in imports(HOST_MODULES[name], typing=True):
        known = [f"batllm_arcade.arcade.{name}" for name in ("ui", "controls", "screen", "clipboard", "editor")]
        assert not is_in(imported, "batllm_arcade.arcade") or is_in(imported, *known), imported


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
    if not is_in(name, *GATEWAYS):
        for imported in imports(EVERYTHING[name], top_level=True):
            assert not is_in(imported, *SLOW), imported


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
