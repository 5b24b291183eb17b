"""Fonts of the system for scripts that the bundled ones have not; what is missing is remembered, to be told."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

import pygame.freetype

from batllm_arcade.render.scripts.reading_order import can_order
from batllm_arcade.render.scripts.script_table import Script, all_scripts, script_of

_LOOK_UP_S = 3.0
_missing: dict[str, None] = {}


def system_font(character: str) -> tuple[Path, Script] | None:
    """Return the font file that draws a character of a script with system fonts; None if there is none.

    A script from right to left is drawn only where its characters can be put in order.
    """
    script = script_of(character)
    if script is None:
        return None
    path = _font_of(script)
    if path is None or (script.rtl and not can_order()):
        _missing[script.package if path is None else "python-bidi"] = None
        return None
    return (path, script) if _has(path, character) else None


def missing_fonts() -> str:
    """Return a sentence on what to install to see what was named by its script so far, "" if nothing was."""
    packages = [name for name in _missing if name != "python-bidi"]
    said = []
    if packages:
        said.append(f"fonts of the system (on Debian and Ubuntu: apt install {' '.join(packages)})")
    if len(packages) < len(_missing):
        said.append("the package python-bidi (pip install 'batllm-arcade[scripts]')")
    return f"some words are shown as the name of their script; to see them install {' and '.join(said)}" if said else ""


def reopen_fonts() -> None:
    """Open all fonts anew: they do not outlive a window that was closed."""
    _opened.cache_clear()


def look_up_fonts() -> None:
    """Look up the fonts of all scripts, so that nothing waits for that when the first word of one is drawn."""
    for script in all_scripts():
        _file_of(script)


@lru_cache(maxsize=64)
def _font_of(script: Script) -> Path | None:
    """Return the system's font of a script, if it can be opened."""
    found = _file_of(script)
    return found if found is not None and _opened(found) is not None else None


@lru_cache(maxsize=64)
def _file_of(script: Script) -> Path | None:
    """Return the file of a script's font, looked up once."""
    return _by_fontconfig(script) or next((Path(name) for name in script.files if Path(name).is_file()), None)


def _by_fontconfig(script: Script) -> Path | None:
    """Return the font that fontconfig names for the script's language, if it really has that."""
    program = shutil.which("fc-match")
    if program is None:
        return None
    pattern = f"sans-serif:lang={script.language}:weight=medium"
    try:
        told = subprocess.run(
            [program, "-f", "%{file}\n%{lang}", pattern], capture_output=True, timeout=_LOOK_UP_S, check=True
        ).stdout.decode("utf-8", "replace")
    except (OSError, subprocess.SubprocessError):
        return None
    file, _, languages = told.partition("\n")
    return Path(file) if script.language in languages.split("|") and Path(file).is_file() else None


@lru_cache(maxsize=64)
def _opened(path: Path) -> pygame.freetype.Font | None:
    try:
        return pygame.freetype.Font(str(path), 12)
    except (OSError, RuntimeError, pygame.error):  # damaged, or of a kind that SDL cannot read
        return None


def _has(path: Path, character: str) -> bool:
    font = _opened(path)
    return font is not None and font.get_metrics(character)[0] is not None
