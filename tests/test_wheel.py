"""What an installed copy must have: every package, module, entry point and data file; and its commands work.

`.ci/wheel` runs this file against a wheel that is installed away from the checkout, whose data files it names in
BATLLM_CHECKOUT; in a checkout it runs against the editable installation.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from paths import ROOT

import batllm_arcade
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import IsolationChoice

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HOST = Path(batllm_arcade.__file__).parent
CHECKOUT = Path(os.environ.get("BATLLM_CHECKOUT", ROOT))
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
FOLDERS = PYPROJECT["tool"]["setuptools"]["package-dir"]
"""Packages that lie in a folder of another name."""
SCRIPT = shutil.which("batllm-arcade", path=sysconfig.get_path("scripts"))
DATA = sorted(
    f"{folder}/{path.relative_to(CHECKOUT / folder).as_posix()}"
    for folder in ("assets", "configs", "examples")
    for path in (CHECKOUT / folder).rglob("*")
    if path.is_file() and path.suffix not in (".py", ".pyc")
)
PLUGINS = Path(find_spec("batllm_arcade_plugins").submodule_search_locations[0])
PLUGIN_FILES = sorted(PLUGINS.glob("[!_]*.py"))


def modules_below(folder: Path) -> set[Path]:
    """The package's modules; an installed copy also holds the packages that lie elsewhere in the checkout."""
    elsewhere = {folder / name.rpartition(".")[2] for name in FOLDERS}
    return {path for path in folder.rglob("*.py") if not elsewhere & set(path.parents)}


def arcade(*arguments: str, cwd: Path) -> str:
    """What the installed command prints; fails the test where it fails."""
    assert SCRIPT, "the command batllm-arcade is not installed beside this Python"
    done = subprocess.run([SCRIPT, *arguments], cwd=cwd, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_of_another_name_is_a_package(name):
    assert (CHECKOUT / FOLDERS[name] / "__init__.py").is_file()


def test_every_module_is_installed_and_can_be_imported():
    here = CHECKOUT / "batllm_arcade"
    theirs = {path.relative_to(here) for path in modules_below(here)}
    assert {path.relative_to(HOST) for path in modules_below(HOST)} == theirs
    names = [".".join(("batllm_arcade", *path.with_suffix("").parts)) for path in sorted(theirs)]
    names = [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]
    code = f"from importlib import import_module\nfor name in {names}: import_module(name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", DATA)
def test_a_data_file_is_installed_as_it_is_in_the_checkout(name):
    folder, _, rest = name.partition("/")
    installed = files(f"batllm_arcade.{folder}").joinpath(rest)
    assert installed.is_file(), f"{name} is not in the package"
    assert installed.read_bytes() == (CHECKOUT / name).read_bytes()


def test_fonts_sounds_configurations_headers_and_the_mark_of_types_are_among_the_data():
    kinds = {(Path(name).parts[:-1], Path(name).suffix) for name in DATA}
    assert kinds >= {
        (("assets", "fonts"), ".ttf"), (("assets", "sounds"), ".wav"), (("assets", "sounds"), ".ogg"),
        (("assets", "headers"), ".txt"), (("assets", "prompts"), ".txt"), (("configs",), ".yaml"),
        (("assets", "schemas"), ".json"), (("assets", "templates", "js"), ".txt"), (("examples", "bots"), ".c"),
        (("examples", "bots", "helpers"), ".mjs"),
    }  # fmt: skip
    assert files("batllm_arcade").joinpath("py.typed").is_file()


def test_what_makes_the_sounds_stays_out_of_a_wheel():
    if HOST.parent != CHECKOUT:
        assert not list((HOST / "assets" / "sounds").glob("*.py"))


def test_the_published_description_leads_to_the_repository(monkeypatch):
    told: dict[str, Any] = {}
    monkeypatch.setitem(sys.modules, "setuptools", SimpleNamespace(find_packages=lambda include: [], setup=told.update))
    monkeypatch.setenv("BATLLM_ARCADE_HOME", "https://example.org/bat/arcade/")
    runpy.run_path(str(CHECKOUT / "setup.py"))
    links = re.findall(r"\]\(([^)#]+)", told["long_description"])
    assert [link for link in links if not link.startswith("https://")] == []
    assert "https://example.org/bat/arcade/raw/HEAD/docs/pictures/match.webp" in links
    assert told["project_urls"]["Source"] == "https://example.org/bat/arcade"


def test_every_entry_point_is_installed_and_loads():
    declared = PYPROJECT["project"]["entry-points"]["batllm_arcade"]
    installed = {entry.name: entry for entry in entry_points(group="batllm_arcade")}
    assert {name: installed[name].value for name in declared} == declared
    assert {path.stem for path in PLUGIN_FILES} == set(declared)
    for name in declared:
        installed[name].load()
    assert manager.load().problems == []


@pytest.mark.parametrize("path", PLUGIN_FILES, ids=lambda path: path.stem)
def test_a_bundled_plugin_also_works_as_a_drop_in(path, tmp_path):
    shutil.copy(path, tmp_path)
    plugins = manager.load(tmp_path, IsolationChoice("nothing", replaced=(path.stem,)))
    assert plugins.problems == []
    assert Path(plugins.manager.get_plugin(path.stem).__file__).parent == tmp_path
    assert set(plugins.kinds) == set(manager.load().kinds)


def test_a_match_is_played_verified_and_made_into_a_film_by_the_installed_command(tmp_path):
    pytest.importorskip("av")
    seats = ("--left", "scripted:dancer", "--right", "scripted:turtle")
    arcade("run", *seats, "--rounds", "1", "--turns", "2", "--seed", "3", "--history", "match.json", cwd=tmp_path)
    arcade("verify", "match.json", cwd=tmp_path)
    arcade("video", "match.json", "-o", "match.mp4", "--size", "240x136", "--fps", "10", cwd=tmp_path)
    assert (tmp_path / "match.mp4").read_bytes()[4:8] == b"ftyp"


def test_every_bundled_configuration_is_found_by_its_name(tmp_path):
    for name in (Path(name).stem for name in DATA if Path(name).parent == Path("configs")):
        arcade("run", "--config", name, "--left", "scripted:dancer", "--right", "scripted:turtle", "--rounds", "1",
               "--turns", "1", "--games", "1", "--history", f"{name}.json", cwd=tmp_path)  # fmt: skip
        assert (tmp_path / f"{name}.json").is_file()
