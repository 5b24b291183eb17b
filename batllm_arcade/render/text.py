"""Words to pixels: fonts at any scale, wrapped and cached; whatever a model sends is made safe to draw."""

from __future__ import annotations

import io
import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache

import pygame

from batllm_arcade.render.fonts import Face, font_file, runs, spelled
from batllm_arcade.view.theme import Color

MOST_CHARACTERS = 1500
"""Characters of a text that are ever drawn; a surface for 40,000 would be half a million pixels wide."""
_WORD = re.compile(r"([^ ]*)( *)")
_PAUSE = re.compile(r"\n|[.!?;:,] ")
_SMALLER = (1.0, 0.9, 0.8, 0.7)  # what a title is shrunk to before it is cut

_MOST_WIDTHS = 4000  # words whose widths are remembered


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


def clean(text: str, most: int = MOST_CHARACTERS) -> str:
    """The text without what a font cannot draw or a screen should not obey: control and bidi marks, surrogates."""
    safe = _cleaned(text[:most])
    return safe if len(text) <= most else safe + "\u2026"


def ending(text: str, most: int = MOST_CHARACTERS // 2) -> str:
    """The last characters of a text that still grows, from a line's beginning where there is one."""
    if len(text) <= most:
        return _cleaned(text)
    text = text[-most:]
    pause = _PAUSE.search(text, 0, most // 2)  # its lines stay as they are while the text grows
    return _cleaned(text[pause.end() if pause else 0 :])


@lru_cache(maxsize=512)
def _cleaned(text: str) -> str:
    if text.isprintable():
        return spelled(text)
    kept = []
    for character in text:
        if character in "\n\t":
            kept.append("\n" if character == "\n" else "  ")
        elif unicodedata.category(character)[0] != "C":
            kept.append(character)
    return spelled("".join(kept))


class TextRenderer:
    """Fonts of one scale (1.0 is 1280 x 720) and the text surfaces made with them."""

    def __init__(self, scale: float) -> None:
        if not pygame.font.get_init():
            pygame.font.init()
        self._scale = scale
        self._fonts: dict[tuple[Face, float], pygame.font.Font] = {}
        self._surfaces = Cache(500)
        self._widths: dict[tuple[str, Face, float], int] = {}

    def font(self, face: Face, size: float) -> pygame.font.Font:
        """A font whose size is given in pixels at scale 1."""
        key = (face, size)
        if key not in self._fonts:
            self._fonts[key] = pygame.font.Font(io.BytesIO(font_file(face)), max(6, round(size * self._scale)))
        return self._fonts[key]

    def height(self, face: Face, size: float) -> int:
        """Pixels from one line to the next."""
        return self.font(face, size).get_linesize()

    def measure(self, text: str, face: Face, size: float) -> int:
        """The width in pixels of a clean text."""
        key = (text, face, size)
        width = self._widths.get(key)
        if width is None:
            if len(self._widths) > _MOST_WIDTHS:
                self._widths.clear()
            width = sum(self.font(one, size).size(part)[0] for one, part in runs(text, face))
            self._widths[key] = width
        return width

    def line(self, text: str, face: Face, size: float, color: Color, width: float | None = None) -> pygame.Surface:
        """One line, cut with an ellipsis where it is wider than `width` pixels."""
        text = text[: MOST_CHARACTERS + 1]
        key = ("line", text, face, size, color, width)
        return self._surfaces.get(key, lambda: self._line(text, face, size, color, width))

    def fitted(self, text: str, face: Face, size: float, color: Color, width: float) -> pygame.Surface:
        """One line in smaller letters where it would be too wide, cut where even those are."""
        words = clean(text).replace("\n", " ")
        fits = (share for share in _SMALLER if self.measure(words, face, size * share) <= width)
        return self.line(text, face, size * next(fits, _SMALLER[-1]), color, width)

    def _line(self, text: str, face: Face, size: float, color: Color, width: float | None) -> pygame.Surface:
        text = clean(text).replace("\n", " ")
        if width is not None and self.measure(text, face, size) > width:
            while text and self.measure(text + "\u2026", face, size) > width:
                text = text[: -max(1, len(text) // 12)]
            text += "\u2026"
        return self.drawn(text, face, size, color)

    def drawn(self, text: str, face: Face, size: float, color: Color) -> pygame.Surface:
        """A clean text in as many faces as it takes, on one base line."""
        pieces = runs(text, face)
        if len(pieces) < 2:
            one, words = pieces[0] if pieces else (face, "")
            return self.font(one, size).render(words, True, color)
        fonts = [self.font(one, size) for one, _ in pieces]
        images = [font.render(words, True, color) for font, (_, words) in zip(fonts, pieces, strict=True)]
        height, ascent = self.height(face, size), self.font(face, size).get_ascent()
        surface = pygame.Surface((sum(image.get_width() for image in images), height), pygame.SRCALPHA)
        left = 0
        for font, image in zip(fonts, images, strict=True):
            surface.blit(image, (left, ascent - font.get_ascent()))
            left += image.get_width()
        return surface

    def rows(self, text: str, face: Face, size: float, width: float, lines: int, *, tail: bool = False) -> list[str]:
        """Wrapped clean text of at most `lines` lines, the first ones or (tail) the last ones."""
        wrapped = wrap(
            ending(text) if tail else clean(text), lambda part: self.measure(part, face, size), max(1.0, width)
        )
        if len(wrapped) > lines:
            wrapped = wrapped[-lines:] if tail else [*wrapped[: lines - 1], wrapped[lines - 1][:-1] + "\u2026"]
        return wrapped

    def block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, *, tail: bool = False
    ) -> pygame.Surface:
        """Wrapped text of at most `lines` lines, the first ones or (tail) the last ones."""
        text = text[-MOST_CHARACTERS - 1 :] if tail else text[: MOST_CHARACTERS + 1]
        key = ("block", text, face, size, color, width, lines, tail)
        return self._surfaces.get(key, lambda: self._block(text, face, size, color, width, lines, tail))

    def _block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, tail: bool
    ) -> pygame.Surface:
        wrapped = self.rows(text, face, size, width, lines, tail=tail) if lines > 0 else []
        height = self.height(face, size)
        surface = pygame.Surface((max(1, int(width)), max(1, height * len(wrapped))), pygame.SRCALPHA)
        for row, words in enumerate(wrapped):
            if words:
                surface.blit(self.line(words, face, size, color), (0, row * height))
        return surface


def wrap(text: str, measure: Callable[[str], float], width: float) -> list[str]:
    """Lines no wider than `width`, a line being as wide as its words and spaces; longer words are broken."""
    lines: list[str] = []
    space = measure(" ")
    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for word in paragraph.split(" "):
            wide = measure(word)
            if line and used + space + wide <= width:
                line, used = f"{line} {word}", used + space + wide
                continue
            if line:
                lines.append(line)
            while word and wide > width:
                fits = _fitting(word, measure, width)
                lines.append(word[:fits])
                word = word[fits:]
                wide = measure(word)
            line, used = word, wide
        lines.append(line)
    return lines


def _fitting(word: str, measure: Callable[[str], float], width: float) -> int:
    """How many characters of the word fit, at least 1."""
    low, high = 1, len(word)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(word[:middle]) <= width else (low, middle - 1)
    return low


def wrap_spans(text: str, measure: Callable[[str], float], width: float) -> list[tuple[int, int]]:
    """Return where each line begins and ends, for text whose every character keeps its place: one being edited or read.

    Lines are no wider than `width` but for spaces, which stay at the end of a line; longer words are broken.
    """
    spans: list[tuple[int, int]] = []
    start, space = 0, measure(" ")
    for paragraph in text.split("\n"):
        begin = at = start
        used = 0.0
        for word, spaces in _WORD.findall(paragraph):
            wide = measure(word)
            if at > begin and used + wide > width:
                spans.append((begin, at))
                begin, used = at, 0.0
            while wide > width and len(word) > 1:
                fits = _fitting(word, measure, width)
                at += fits
                spans.append((begin, at))
                begin, word = at, word[fits:]
                wide = measure(word)
            used += wide + space * len(spaces)
            at += len(word) + len(spaces)
        spans.append((begin, at))
        start += len(paragraph) + 1
    return spans
