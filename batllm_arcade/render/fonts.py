"""The bundled fonts: which of them draws a character; undrawable ones become the name of their script."""

from __future__ import annotations

import io
import re
import unicodedata
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import pygame
import pygame.freetype

from batllm_arcade.render.scripts.system_fonts import reopen_fonts, system_font

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


def _coverage(face: Face) -> pygame.freetype.Font:
    if not pygame.freetype.get_init():
        pygame.freetype.init()
        _opened.cache_clear()  # pygame-ce's fonts do not outlive a window that was closed
        reopen_fonts()
    return _opened(face)


@lru_cache(maxsize=8)
def _opened(face: Face) -> pygame.freetype.Font:
    return pygame.freetype.Font(io.BytesIO(font_file(face)), 12)


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
    found = system_font(character)
    return f"{found[1].code}:{found[0]}" if found else None


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
        found = face_for(character, face)
        if unicodedata.combining(character) and pieces and not is_bundled(pieces[-1][0]):
            found = pieces[-1][0]  # a mark is drawn with its letter
        if found is not None and pieces and pieces[-1][0] == found:
            pieces[-1] = (found, pieces[-1][1] + character)
        elif found is not None:
            pieces.append((found, character))
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
