"""The lines of a text being edited: which line a place in the text is on, and where on it."""

from __future__ import annotations

from functools import lru_cache

from batllm_arcade.render.fonts import Face
from batllm_arcade.render.text import TextRenderer, clean, wrap_spans

_FACE: Face = "mono"


class TextLayout:
    """A text in lines of a width in pixels; places are indices into the text, x is in pixels from a line's start."""

    def __init__(self, text: str, text_renderer: TextRenderer, size: float, width: float) -> None:
        self.text, self._text_renderer, self._size = text, text_renderer, size
        self.rows = wrap_spans(drawable(text), self._measure, width)
        """Where each line begins and ends."""

    def _measure(self, text: str) -> float:
        return self._text_renderer.measure(text, _FACE, self._size)

    def row_of(self, place: int) -> int:
        """Return the line that a place is on."""
        return max(row for row, (start, _) in enumerate(self.rows) if start <= place or row == 0)

    def x_of(self, place: int, row: int) -> float:
        """Return where a place is on a line."""
        return self._measure(drawable(self.text[self.rows[row][0] : place]))

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
