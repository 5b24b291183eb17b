"""Words to pixels: fonts at any scale, wrapped and cached; whatever a model sends is made safe to draw."""

from __future__ import annotations

import io
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from importlib.resources import files
from typing import Literal, TypeVar

import pygame

from batllm_arcade.view.theme import Color

Face = Literal["title", "label", "mono", "bold"]
_FILES: dict[Face, str] = {
    "title": "ChakraPetch_700Bold.ttf",
    "label": "ChakraPetch_500Medium.ttf",
    "mono": "JetBrainsMono_400Regular.ttf",
    "bold": "JetBrainsMono_700Bold.ttf",
}
MOST_CHARACTERS = 1500
"""Characters of a text that are ever drawn; a surface for 40,000 would be half a million pixels wide."""

_T = TypeVar("_T")


class Cache:
    """The most recently used surfaces, at most `size` of them."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The surface kept under this key, made now if there is none."""
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = make()
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return found


@lru_cache(maxsize=512)
def clean(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text without what a font cannot draw or a screen should not obey: control and bidi marks, surrogates."""
    kept = []
    for character in text[: most + 1]:
        if character in "\n\t":
            kept.append("\n" if character == "\n" else "  ")
        elif unicodedata.category(character)[0] != "C":
            kept.append(character if ord(character) < 0x10000 else "\u25a1")
    safe = "".join(kept)
    return safe if len(text) <= most else safe[:most] + "\u2026"


class Letters:
    """Fonts of one scale (1.0 is 1280 x 720) and the text surfaces made with them."""

    def __init__(self, scale: float) -> None:
        if not pygame.font.get_init():
            pygame.font.init()
        self._scale = scale
        self._fonts: dict[tuple[Face, float], pygame.font.Font] = {}
        self._surfaces = Cache(400)

    def font(self, face: Face, size: float) -> pygame.font.Font:
        """A font whose size is given in pixels at scale 1."""
        key = (face, size)
        if key not in self._fonts:
            data = (files("batllm_arcade.assets") / "fonts" / _FILES[face]).read_bytes()
            self._fonts[key] = pygame.font.Font(io.BytesIO(data), max(6, round(size * self._scale)))
        return self._fonts[key]

    def line(self, text: str, face: Face, size: float, color: Color, width: float | None = None) -> pygame.Surface:
        """One line, cut with an ellipsis where it is wider than `width` pixels."""
        key = ("line", text, face, size, color, width)
        return self._surfaces.get(key, lambda: self._line(text, face, size, color, width))

    def _line(self, text: str, face: Face, size: float, color: Color, width: float | None) -> pygame.Surface:
        font, text = self.font(face, size), clean(text).replace("\n", " ")
        if width is not None and font.size(text)[0] > width:
            while text and font.size(text + "\u2026")[0] > width:
                text = text[: -max(1, len(text) // 12)]
            text += "\u2026"
        return font.render(text, True, color)

    def block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, *, tail: bool = False
    ) -> pygame.Surface:
        """Wrapped text of at most `lines` lines, the first ones or (tail) the last ones."""
        key = ("block", text, face, size, color, width, lines, tail)
        return self._surfaces.get(key, lambda: self._block(text, face, size, color, width, lines, tail))

    def _block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, tail: bool
    ) -> pygame.Surface:
        font = self.font(face, size)
        wrapped = wrap(clean(text), lambda part: font.size(part)[0], width)
        if len(wrapped) > lines:
            wrapped = wrapped[-lines:] if tail else [*wrapped[: lines - 1], wrapped[lines - 1][:-1] + "\u2026"]
        height = font.get_linesize()
        surface = pygame.Surface((max(1, int(width)), max(1, height * len(wrapped))), pygame.SRCALPHA)
        for row, words in enumerate(wrapped):
            if words:
                surface.blit(font.render(words, True, color), (0, row * height))
        return surface


def wrap(text: str, measure: Callable[[str], float], width: float) -> list[str]:
    """Lines no wider than `width`; words longer than a line are broken."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            candidate = f"{line} {word}" if line else word
            if measure(candidate) <= width:
                line = candidate
                continue
            if line:
                lines.append(line)
            while word and measure(word) > width:
                fits = _fitting(word, measure, width)
                lines.append(word[:fits])
                word = word[fits:]
            line = word
        lines.append(line)
    return lines


def _fitting(word: str, measure: Callable[[str], float], width: float) -> int:
    """How many characters of the word fit, at least 1."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(word[:middle]) <= width else (low, middle - 1)
    return low
