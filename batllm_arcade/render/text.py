"""Text as pictures."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import repeat

import pygame

from batllm_arcade.render.fonts import Face, as_drawn, is_bundled, made_font, runs, spell_out
from batllm_arcade.view.cut_words import ended
from batllm_arcade.view.theme import Color

_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_THAI = "\u0e01-\u0e5b"
_SPACELESS = re.compile(f"[{_EAST_ASIAN}{_THAI}]")
_CLOSES = "\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\uff09\u300d\u300f\u3011\u3009\u300b\u30fb\u30fc\u201d\u2019"
_OPENS = "\uff08\u300c\u300e\u3010\u3008\u300a\u201c\u2018"
_UNIT = re.compile(
    f"[{_OPENS}]*(?:"
    f"[\u0e40-\u0e44]?[{_THAI}][\u0e30-\u0e3a\u0e45-\u0e4e]*"  # a vowel before, a consonant, what follows it
    f"|[{_EAST_ASIAN}]"
    f"|[^{_EAST_ASIAN}{_THAI}{_OPENS}]+"
    f")?[{_CLOSES}]*"
)
"""What stays on one line: a character with the marks beside it, a Thai syllable, a word of other scripts."""
_SCORE = re.compile(r"(?<=\d) : (?=\d)")
_NUMBERED = re.compile(r"\b(in )?(rounds?|turns?) (?=\d)")


def words_of(paragraph: str) -> Iterable[tuple[str, str]]:
    """Return what has to stay on one line, each with what stands before it if both are on the same line."""
    if paragraph.isascii() or not _SPACELESS.search(paragraph):
        return zip(repeat(" "), _spaced(paragraph), strict=False)
    return _units_of(paragraph)


def _spaced(paragraph: str) -> list[str]:
    """Return the words between spaces; a score such as `2 : 1` is one, and so is `in turn 5`."""
    kept = _SCORE.sub("\0:\0", paragraph) if " : " in paragraph else paragraph
    kept = _NUMBERED.sub(lambda found: found[0].replace(" ", "\0"), kept)
    return [word.replace("\0", " ") for word in kept.split(" ")]


def _units_of(paragraph: str) -> Iterator[tuple[str, str]]:
    for word in _spaced(paragraph):
        glue = " "
        for found in _UNIT.finditer(word) if word else ():
            if found[0]:
                yield glue, found[0]
                glue = ""
        if not word:
            yield " ", ""


# Text rendering

MOST_CHARACTERS = 1500
"""Only so many characters of a text are drawn: a surface for 40,000 would be half a million pixels wide."""
_WORD = re.compile(r"([^ ]*)( *)")
_SENTENCE_END = re.compile(r"\n|[.!?;:,] ")
_FIT_SCALES = (1.0, 0.9, 0.8, 0.7)  # tried in turn before a line is cut
LEAST_FIT = _FIT_SCALES[-1]
"""The smallest type, as a share of what is asked for, in which a line that has to fit is not cut."""
_MAX_CACHED_WIDTHS = 4000


class Cache:
    """A least-recently-used cache of at most `size` surfaces."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """Return the surface stored under this key; call `make` for it if there is none."""
        surface = self._kept.get(key)
        if surface is None:
            surface = self._kept[key] = make()
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return surface


def clean(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return at most `most` characters without control and bidi characters, surrogates and what no font can draw."""
    safe = _cleaned(text[:most])
    return safe if len(text) <= most else safe + "\u2026"


def ending(text: str, most: int = MOST_CHARACTERS // 2) -> str:
    """Return the last `most` characters of a growing text, cleaned, from the start of a sentence if there is one."""
    if len(text) <= most:
        return _cleaned(text)
    text = text[-most:]
    sentence = _SENTENCE_END.search(text, 0, most // 2)  # so that wrapped lines stay put while the text grows
    return _cleaned(text[sentence.end() if sentence else 0 :])


@lru_cache(maxsize=512)
def _cleaned(text: str) -> str:
    if text.isprintable():
        return spell_out(text)
    kept = []
    for character in text:
        if character in "\n\t":
            kept.append("\n" if character == "\n" else "  ")
        elif unicodedata.category(character)[0] != "C":
            kept.append(character)
    return spell_out("".join(kept))


class TextRenderer:
    """Fonts of one scale (1.0 is 1280 x 720) and cached surfaces of text; sizes are pixels at scale 1."""

    def __init__(self, scale: float) -> None:
        if not pygame.font.get_init():
            pygame.font.init()
        self.scale = scale
        self._fonts: dict[tuple[str, float], pygame.font.Font] = {}
        self._surfaces = Cache(500)
        self._widths: dict[tuple[str, str, float], int] = {}

    def px(self, length: float) -> int:
        """Return a length in pixels, at least 1."""
        return max(1, round(length * self.scale))

    def font(self, face: str, size: float) -> pygame.font.Font:
        """Return the font of that face and size."""
        key = (face, size)
        if key not in self._fonts:
            self._fonts[key] = made_font(face, max(6, round(size * self.scale)))
        return self._fonts[key]

    def height(self, face: Face, size: float) -> int:
        """Return the line height in pixels."""
        return self.font(face, size).get_linesize()

    def measure(self, text: str, face: Face, size: float) -> int:
        """Return the width in pixels of a text that was cleaned."""
        key = (text, face, size)
        width = self._widths.get(key)
        if width is None:
            if len(self._widths) > _MAX_CACHED_WIDTHS:
                self._widths.clear()
            width = sum(self.font(one, size).size(part)[0] for one, part in runs(as_drawn(text), face))
            self._widths[key] = width
        return width

    def line(self, text: str, face: Face, size: float, color: Color, width: float | None = None) -> pygame.Surface:
        """Return the text on one line, cut with an ellipsis if it is wider than `width` pixels."""
        text = text[: MOST_CHARACTERS + 1]
        key = ("line", text, face, size, color, width)
        return self._surfaces.get(key, lambda: self._line(text, face, size, color, width))

    def fitted(self, text: str, face: Face, size: float, color: Color, width: float) -> pygame.Surface:
        """Return the text on one line that fits into `width` pixels: in a smaller font, else cut."""
        sizes = [size * share for share in _FIT_SCALES]
        return self.line(text, face, self.size_on_a_line(text, face, sizes, width) or sizes[-1], color, width)

    def put(
        self, surface: pygame.Surface, text: str, face: Face, size: float, color: Color, width: float | None = None,
        *, cut: bool = False, **place: tuple[float, float],
    ) -> pygame.Rect:  # fmt: skip
        """Paint a text on one line and return where; a point of its rectangle, such as `midleft`, is at that place.

        In `width` pixels it fits as with `fitted`, or if it is to be `cut` as with `line`.
        """
        fitted = width is not None and not cut
        line = self.fitted(text, face, size, color, width or 0) if fitted else self.line(text, face, size, color, width)
        area = line.get_rect(**place)
        surface.blit(line, area)
        return area

    def size_on_a_line(self, text: str, face: Face, sizes: Iterable[float], width: float) -> float | None:
        """Return the first of these sizes in which a text fits on one line, None if it does in none."""
        cleaned = clean(text).replace("\n", " ")
        return next((size for size in sizes if self.measure(cleaned, face, size) <= width), None)

    def size_in_rows(
        self, text: str, face: Face, sizes: Sequence[float], width: float, height: float, slack: float = 0.0
    ) -> tuple[float, list[str]]:
        """Return the first of these sizes in which a cleaned text fits, no word broken, and its rows, else the last.

        In that they are cut. The last row may lie outside of the height by a `slack` of it.
        """
        for size in sizes:
            high = self.height(face, size)
            most, rows = max(1, int((height + int(high * slack)) // high)), self.wrapped(text, face, size, width)
            if len(rows) <= most and self.breaks_no_word(text, face, size, width):
                return size, rows
        return size, self.rows(text, face, size, width, most)

    def paint_rows(
        self, surface: pygame.Surface, rows: Iterable[str], face: Face, size: float, color: Color, at: tuple[int, int]
    ) -> None:
        """Paint rows below each other; the first one's top left is at that pixel."""
        high = self.height(face, size)
        for number, row in enumerate(rows):
            if row:
                surface.blit(self.line(row, face, size, color), (at[0], at[1] + number * high))

    def _line(self, text: str, face: Face, size: float, color: Color, width: float | None) -> pygame.Surface:
        text = clean(text).replace("\n", " ")
        if width is not None and self.measure(text, face, size) > width:
            whole = text
            while text and self.measure(text + "\u2026", face, size) > width:
                text = text[: -max(1, len(text) // 12)]
            text = ended_line(text, whole)
        return self.drawn(text, face, size, color)

    def drawn(self, text: str, face: Face, size: float, color: Color) -> pygame.Surface:
        """Return a cleaned text on one base line, in as many faces as its characters need."""
        pieces = runs(as_drawn(text), face)
        if len(pieces) < 2 and (not pieces or is_bundled(pieces[0][0])):
            one, part = pieces[0] if pieces else (face, "")
            return self.font(one, size).render(part, True, color)
        fonts = [self.font(one, size) for one, _ in pieces]
        images = [font.render(part, True, color) for font, (_, part) in zip(fonts, pieces, strict=True)]
        height, ascent = self.height(face, size), self.font(face, size).get_ascent()
        surface = pygame.Surface((sum(image.get_width() for image in images), height), pygame.SRCALPHA)
        left = 0
        for font, image in zip(fonts, images, strict=True):
            surface.blit(image, (left, ascent - font.get_ascent()))
            left += image.get_width()
        return surface

    def rows(self, text: str, face: Face, size: float, width: float, lines: int, *, tail: bool = False) -> list[str]:
        """Return cleaned text wrapped to at most `lines` lines, the first ones or (tail) the last ones.

        Where there are more, the first ones end at a clause or word with an ellipsis, in a word only if that is all.
        """
        rows = self._wrap(ending(text) if tail else clean(text), face, size, max(1.0, width))
        if len(rows) > lines:
            rows = rows[-lines:] if tail else self._cut(rows[:lines], face, size, width)
        return rows

    def _cut(self, rows: list[str], face: Face, size: float, width: float) -> list[str]:
        """Return rows of a text that goes on with an ellipsis at their end, after what can end there."""
        *above, last = rows
        while (cut := ended(last)) == "\u2026" or self.measure(cut, face, size) > width:
            *units, (_, left_out) = words_of(last)
            last = "".join(f"{glue}{word}" for glue, word in units)[1:] if units else left_out[:-1]
            if not last and not above:
                return ["\u2026"]
            if not last:
                *above, last = above
        return [*above, cut]

    def breaks_no_word(self, text: str, face: Face, size: float, width: float) -> bool:
        """Return whether all that has to stay on one line fits into `width` pixels."""
        return all(self.measure(unit, face, size) <= width for _, unit in words_of(clean(text).replace("\n", " ")))

    def wrapped(self, text: str, face: Face, size: float, width: float) -> list[str]:
        """Return all lines of a cleaned text wrapped to `width` pixels."""
        return self._wrap(clean(text), face, size, width)

    def even(self, text: str, face: Face, size: float, width: float) -> list[str]:
        """Return all lines of a cleaned text wrapped to `width` pixels, of like lengths where there are several."""
        rows = self.wrapped(text, face, size, width)
        least = self.measure(clean(text).replace("\n", " "), face, size) // len(rows) if rows else 0
        tried = (self.wrapped(text, face, size, room) for room in range(least, int(width), max(1, int(width) // 20)))
        return next((lines for lines in tried if len(lines) == len(rows)), rows) if len(rows) > 1 else rows

    def _wrap(self, text: str, face: Face, size: float, width: float) -> list[str]:
        return wrap(text, lambda part: self.measure(part, face, size), width)

    def block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, *, tail: bool = False
    ) -> pygame.Surface:
        """Return a surface with wrapped text of at most `lines` lines, the first ones or (tail) the last ones."""
        text = text[-MOST_CHARACTERS - 1 :] if tail else text[: MOST_CHARACTERS + 1]
        key = ("block", text, face, size, color, width, lines, tail)
        return self._surfaces.get(key, lambda: self._block(text, face, size, color, width, lines, tail))

    def _block(
        self, text: str, face: Face, size: float, color: Color, width: float, lines: int, tail: bool
    ) -> pygame.Surface:
        rows = self.rows(text, face, size, width, lines, tail=tail) if lines > 0 else []
        height = self.height(face, size)
        surface = pygame.Surface((max(1, int(width)), max(1, height * len(rows))), pygame.SRCALPHA)
        self.paint_rows(surface, rows, face, size, color, (0, 0))
        return surface


_LEAST_OF_LINE = 0.6  # of what there is room for, which is left where a line ends at a word


def ended_line(text: str, whole: str) -> str:
    """Return the beginning of a line with an ellipsis, after a word unless that is far from its end."""
    end = len(text) if whole[len(text) : len(text) + 1] == " " else text.rfind(" ")
    return ended(text[:end]) if end >= _LEAST_OF_LINE * len(text) and text else text + "\u2026"


_NEARLY_FULL = 0.96
"""The share of a line's width above which its words are measured together."""


def wrap(text: str, measure: Callable[[str], float], width: float) -> list[str]:
    """Return the text in lines no wider than `width`; words that are wider are broken.

    `measure` gives the unit of `width`. A line counts as wide as its words and spaces together; one that is nearly
    full is measured as a whole, because fonts set the same words a little wider or narrower in one piece.
    """
    lines: list[str] = []
    space = measure(" ")

    def fits_on(line: str, word: str, wide: float) -> bool:
        return wide <= width and (wide <= _NEARLY_FULL * width or measure(f"{line}{word}") <= width)

    for paragraph in text.split("\n"):
        line, used = "", 0.0
        for glue, word in words_of(paragraph):
            wide = measure(word)
            apart = space if glue else 0.0
            if line and fits_on(line + glue, word, used + apart + wide):
                line, used = f"{line}{glue}{word}", used + apart + wide
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
