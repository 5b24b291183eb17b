"""The lines of a text being edited: which line a place in the text is on, and where on it."""

from __future__ import annotations

from functools import lru_cache
from math import inf

from batllm_arcade.render.fonts import Face
from batllm_arcade.render.scripts.reading_order import from_the_right
from batllm_arcade.render.text import TextRenderer, clean, wrap_spans

_FACE: Face = "mono"


class TextLayout:
    """A text in lines of a width in pixels; places are indices into the text, x is in pixels from a line's start."""

    def __init__(self, text: str, text_renderer: TextRenderer, size: float, width: float) -> None:
        self.text, self._text_renderer, self._size = text, text_renderer, size
        self._width = width if width < inf else 0.0
        self.rows = wrap_spans(drawable(text), self._measure, width)
        """Where each line begins and ends."""

    def _measure(self, text: str) -> float:
        return self._text_renderer.measure(text, _FACE, self._size)

    def row_of(self, place: int) -> int:
        """Return the line that a place is on."""
        return max(row for row, (start, _) in enumerate(self.rows) if start <= place or row == 0)

    def shown(self, row: int) -> str:
        """Return a line as it is drawn."""
        start, end = self.rows[row]
        return drawable(self.text[start:end])

    def from_the_right(self, row: int) -> bool:
        """Return whether a line is of a script that runs from right to left, and so begins at the right."""
        return from_the_right(self.shown(row))

    def left_of(self, row: int) -> float:
        """Return where a line is drawn."""
        return max(0.0, self._width - self._measure(self.shown(row))) if self.from_the_right(row) else 0.0

    def x_of(self, place: int, row: int) -> float:
        """Return where a place is on a line; words of the other direction in it count as one piece."""
        before = self._measure(drawable(self.text[self.rows[row][0] : place]))
        if not self.from_the_right(row):
            return before
        return self.left_of(row) + self._measure(self.shown(row)) - before

    def place_at(self, x: float, row: int) -> int:
        """Return the place on a line that is nearest to x."""
        start, end = self.rows[row]
        return min(range(start, end + 1), key=lambda place: abs(self.x_of(place, row) - x))


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """Return the text as it can be drawn, a character for a character."""
    return "".join(c if c.isascii() else _one(c) for c in text.replace("\t", " "))


def _one(character: str) -> str:
    shown = clean(character)
    return shown if len(shown) == 1 else "\u25a1"
