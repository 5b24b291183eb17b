"""The texts that are drawn, noted while they are."""

from __future__ import annotations

from typing import NamedTuple

from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view.theme import Color


class DrawnText(NamedTuple):
    """A line of text: its size as it was asked for, and in pixels of the picture as the font and the row are high."""

    text: str
    asked: float
    size: float
    height: int
    color: Color


class Texts(list[DrawnText]):
    """All that was drawn, in that order."""

    @property
    def words(self) -> list[str]:
        """Return the texts alone."""
        return [each.text for each in self]

    def largest(self, figure: str) -> dict[str, float]:
        """Return each text with the largest one of such a figure: `asked`, `size` or `height`."""
        found: dict[str, float] = {}
        for each in self:
            found[each.text] = max(found.get(each.text, 0), getattr(each, figure))
        return found


def note_texts(monkeypatch) -> Texts:
    """Return what is drawn by any `TextRenderer` from now on."""
    texts, line = Texts(), TextRenderer.line

    def noted(self, text, face, size, color, *rest):
        texts.append(DrawnText(text, size, size * self.scale, self.height(face, size), color))
        return line(self, text, face, size, color, *rest)

    monkeypatch.setattr(TextRenderer, "line", noted)
    return texts
