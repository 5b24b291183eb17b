"""The texts that are drawn, noted while they are."""

from __future__ import annotations

from typing import NamedTuple

import pygame

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


class Noted(pygame.Surface):
    """A surface that notes where pictures are laid on it."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__(size, 0, 32)
        self.places: list[pygame.Rect] = []

    def blit(self, source, dest, *rest, **options):
        place = super().blit(source, dest, *rest, **options)
        light = options.get("special_flags") or any(rest[1:])
        if not light and source.get_width() and source.get_height():
            self.places.append(pygame.Rect(getattr(dest, "topleft", dest), source.get_size()))
        return place


def assert_laid_out(picture: Noted, slack: float = 0.26) -> None:
    """Fail where something is cut off at an edge, or lies over another thing without being within it.

    Rows may overlap by that share of their height, for that is where nothing is drawn.
    """
    for number, place in enumerate(picture.places):
        drawn = place.inflate(-2, -2 - slack * place.height)
        assert picture.get_rect().contains(drawn), place
        for other in picture.places[:number]:
            below = other.inflate(-2, -2 - slack * other.height)
            within = place.contains(below) or other.contains(drawn)
            assert within or not drawn.colliderect(below), (place, other)
