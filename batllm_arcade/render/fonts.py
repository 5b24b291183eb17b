"""Fonts, also those of the system for other scripts."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Literal
from unicodedata import bidirectional

import pygame
import pygame.freetype


@dataclass(frozen=True, slots=True)
class Script:
    """A script: its code in ISO 15924, a language written in it, the package of Debian and Ubuntu with its font, and
    the files that have it where there is no fontconfig; `rtl` ones run from right to left.
    """

    code: str
    language: str
    package: str
    files: tuple[str, ...] = ()
    rtl: bool = False


_CJK, _CORE = "fonts-noto-cjk", "fonts-noto-core"
_ARIAL = ("C:/Windows/Fonts/arial.ttf", "/Library/Fonts/Arial Unicode.ttf")
_HAN = Script("Hani", "zh-cn", _CJK, ("C:/Windows/Fonts/msyh.ttc", "/System/Library/Fonts/PingFang.ttc",
                                      "/System/Library/Fonts/STHeiti Medium.ttc"))  # fmt: skip
_KANA = Script("Kana", "ja", _CJK, ("C:/Windows/Fonts/msgothic.ttc", "/System/Library/Fonts/ヒラギノ角ゴシック W4.ttc"))
_HANGUL = Script("Hang", "ko", _CJK, ("C:/Windows/Fonts/malgun.ttf", "/System/Library/Fonts/AppleSDGothicNeo.ttc"))
_SCRIPTS = {
    **dict.fromkeys(("CJK", "IDEOGRAPHIC", "FULLWIDTH", "BOPOMOFO"), _HAN),
    **dict.fromkeys(("HIRAGANA", "KATAKANA", "HALFWIDTH"), _KANA),
    "HANGUL": _HANGUL,
    "ARABIC": Script("Arab", "ar", _CORE, (*_ARIAL, "/System/Library/Fonts/GeezaPro.ttc"), rtl=True),
    "HEBREW": Script("Hebr", "he", _CORE, (*_ARIAL, "/System/Library/Fonts/ArialHB.ttc"), rtl=True),
    "THAI": Script("Thai", "th", _CORE, ("C:/Windows/Fonts/leelawui.ttf", "/System/Library/Fonts/ThonburiUI.ttc")),
    "DEVANAGARI": Script("Deva", "hi", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "BENGALI": Script("Beng", "bn", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "TAMIL": Script("Taml", "ta", _CORE, ("C:/Windows/Fonts/Nirmala.ttf",)),
    "GEORGIAN": Script("Geor", "ka", _CORE),
    "ARMENIAN": Script("Armn", "hy", _CORE),
}


def all_scripts() -> tuple[Script, ...]:
    """Return every script once, those of most people first."""
    return tuple(dict.fromkeys(_SCRIPTS.values()))


@lru_cache(maxsize=4096)
def script_of(character: str) -> Script | None:
    """Return the script of a character, None for one that the system's fonts are not asked for."""
    if "\u3000" <= character <= "\u303f":  # brackets and marks
        return _HAN
    return _SCRIPTS.get(unicodedata.name(character, "SIGN").split()[0].split("-")[0])


# The order in which the characters of a line are drawn

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@lru_cache(maxsize=1)
def can_order() -> bool:
    """Return whether the library is installed that puts characters in order."""
    try:
        import bidi  # noqa: F401 - costs time, and only such texts need it
    except ImportError:
        return False
    return True


def from_the_right(line: str) -> bool:
    """Return whether a line begins at the right: its first letter is of a script that does, and can be put in order."""
    if line.isascii() or not _RIGHT_TO_LEFT.search(line) or not can_order():
        return False
    return next((kind != "L" for kind in map(bidirectional, line) if kind in ("L", "R", "AL")), False)


def as_drawn(line: str) -> str:
    """Return a line's characters from left to right; those of most scripts stay as they are."""
    if line.isascii() or not _RIGHT_TO_LEFT.search(line) or not can_order():
        return line
    from bidi import get_display

    ordered = get_display(line)
    return ordered if isinstance(ordered, str) else line


# Fonts of the system for scripts that the bundled ones have not

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


def look_up_fonts() -> None:
    """Look up the fonts of all scripts, so that nothing waits for that when the first word of one is drawn."""
    for script in all_scripts():
        _file_of(script)


def has_font(script: Script) -> bool:
    """Return whether words of a script can be drawn here."""
    return _font_of(script) is not None and (can_order() or not script.rtl)


@lru_cache(maxsize=64)
def _font_of(script: Script) -> Path | None:
    file = _file_of(script)
    return file if file is not None and _opened(file) is not None else None


@lru_cache(maxsize=64)
def _file_of(script: Script) -> Path | None:
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
        return _open(str(path))
    except (OSError, RuntimeError, pygame.error):  # damaged, or of a kind that SDL cannot read
        return None


def _has(path: Path, character: str) -> bool:
    font = _opened(path)
    return font is not None and font.get_metrics(character)[0] is not None


# The bundled fonts

Face = Literal["title", "label", "mono", "bold", "emoji"]
_FILES: dict[Face, str] = {
    "title": "ChakraPetch_700Bold.ttf",
    "label": "ChakraPetch_500Medium.ttf",
    "mono": "JetBrainsMono_400Regular.ttf",
    "bold": "JetBrainsMono_700Bold.ttf",
    "emoji": "NotoEmoji_500Medium.ttf",
}
_DROPPED = re.compile("[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")  # variants of emoji, of which we have one
_EUROPEAN = (range(0x20, 0x530), range(0x1E00, 0x1F00), range(0x2010, 0x2028), range(0x20A0, 0x20C0))
_MOST_MARKS = 2  # combining marks on one letter; more would reach into other lines
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")


@lru_cache(maxsize=8)
def font_file(face: Face) -> bytes:
    """Return the font file's content."""
    return (files("batllm_arcade.assets") / "fonts" / _FILES[face]).read_bytes()


@lru_cache(maxsize=8)
def _coverage(face: Face) -> pygame.freetype.Font:
    return _open(io.BytesIO(font_file(face)))


def _open(file: str | io.BytesIO) -> pygame.freetype.Font:
    pygame.freetype.init()
    pygame.register_quit(_forget)
    return pygame.freetype.Font(file, 12)


def _forget() -> None:
    """Have fonts opened anew: they do not outlive a window that was closed."""
    _opened.cache_clear()
    _coverage.cache_clear()


def has_letters_only(text: str, face: Face) -> bool:
    """Return whether a bundled face draws all of a text, and each of its characters is a letter or sign of its own.

    That is asked of Latin, Greek, Cyrillic and their punctuation alone, once of each; no other text is said to be so.
    """
    return text.isascii() or all(_is_letter(each, face) for each in set(text))


@lru_cache(maxsize=4096)
def _is_letter(character: str, face: Face) -> bool:
    if not any(ord(character) in letters for letters in _EUROPEAN) or not character.isprintable():
        return False
    alone = not unicodedata.combining(character) and unicodedata.is_normalized("NFC", character)
    return alone and _coverage(face).get_metrics(character)[0] is not None


@lru_cache(maxsize=8192)
def face_for(character: str, face: Face) -> str | None:
    """Return the face that draws this character, preferably `face`; None if there is none.

    After the bundled ones comes a font of the system, named by its script and its file.
    """
    for candidate in dict.fromkeys((face, "mono", "emoji")):
        if _coverage(candidate).get_metrics(character)[0] is not None:
            return candidate
    other = system_font(character)
    return f"{other[1].code}:{other[0]}" if other else None


def is_bundled(face: str) -> bool:
    """Return whether a face is one of the bundled ones."""
    return face in _FILES


def made_font(face: str, pixels: int) -> pygame.font.Font:
    """Return a new font of a face, bundled or the system's, that high."""
    if face in _FILES:
        return pygame.font.Font(io.BytesIO(font_file(face)), pixels)
    script, _, path = face.partition(":")
    font = pygame.font.Font(path, pixels)
    font.set_script(script)
    return font


def runs(text: str, face: Face) -> list[tuple[str, str]]:
    """Return the text in runs of one face each; characters without a face are left out."""
    if has_letters_only(text, face):
        return [(face, text)]
    pieces: list[tuple[str, str]] = []
    for character in text:
        drawer = face_for(character, face)
        if unicodedata.combining(character) and pieces and not is_bundled(pieces[-1][0]):
            drawer = pieces[-1][0]  # a mark is drawn with its letter
        if drawer is not None and pieces and pieces[-1][0] == drawer:
            pieces[-1] = (drawer, pieces[-1][1] + character)
        elif drawer is not None:
            pieces.append((drawer, character))
    return pieces


def spell_out(text: str) -> str:
    """Return the text with every run that no font can draw replaced by its script's name, such as `[cjk]`."""
    if has_letters_only(text, "mono"):
        return text
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", _DROPPED.sub("", text)):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > _MOST_MARKS:
            continue
        drawn = character if character == "\n" or face_for(character, "mono") else _named(character)
        if drawn and not (drawn[0] == "[" and kept and kept[-1] == drawn):
            kept.append(drawn)
    return "".join(kept)


@lru_cache(maxsize=4096)
def _named(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    if plain != character and all(face_for(part, "mono") for part in plain):
        return plain
    if unicodedata.combining(character):
        return ""
    script = unicodedata.name(character, "SIGN").split()[0].split("-")[0]
    return "[cjk]" if script in _EAST_ASIAN else f"[{script.lower()}]"
