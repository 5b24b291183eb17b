"""What the sections of a panel's body share: font sizes, lengths, labels, sunken boxes and wrapped text."""

from __future__ import annotations

import pygame

from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

LABEL, THOUGHT = 15, 17
"""Font sizes of a section's label and of its text, in pixels at scale 1; films may have larger text."""


class PanelBoxes:
    """Paints labels, boxes and text of one panel; `scale` is pixels per logical pixel.

    `text` is the size of its text, `label_size` that of the label above each box.
    """

    def __init__(
        self, text_renderer: TextRenderer, scale: float, text: float = THOUGHT, label_size: float = LABEL
    ) -> None:
        self.text_renderer, self._scale, self.text, self.label_size = text_renderer, scale, text, label_size
        self.pad = self.px(12)
        self.label_height = text_renderer.height("label", label_size) + self.px(2)
        self.line_height = text_renderer.height("label", text)

    def px(self, value: float) -> int:
        """Return a logical length in pixels, at least 1."""
        return max(1, round(value * self._scale))

    def label(self, surface: pygame.Surface, text: str, top: int) -> None:
        """Paint a section's label."""
        surface.blit(self.text_renderer.line(text, "label", self.label_size, theme.DIM), (self.pad, top))

    def text_width(self, surface: pygame.Surface) -> int:
        """Return the width of the text in a sunken box."""
        return max(1, surface.get_width() - 2 * self.px(8) - 2 * self.px(7))

    def sunken(self, surface: pygame.Surface, top: int, height: int) -> pygame.Rect:
        """Paint a sunken box across the panel; return the area for text in it."""
        box = pygame.Rect(self.px(8), top, surface.get_width() - 2 * self.px(8), max(1, height))
        pygame.draw.rect(surface, mixed(theme.SUNKEN, theme.NIGHT, 0.3), box, border_radius=self.px(6))
        area = box.inflate(-2 * self.px(7), -2 * self.px(5))
        area.size = self.text_width(surface), max(1, area.height)
        return area

    def block(
        self, surface: pygame.Surface, area: pygame.Rect, text: str, color: Color, lines: int, *, tail: bool = False
    ) -> int:
        """Paint wrapped text of at most `lines` lines, the first ones or (tail) the last ones; return how many."""
        rows = self.text_renderer.rows(text, "label", self.text, area.width, lines, tail=tail)
        for number, row in enumerate(rows):
            line = self.text_renderer.line(row, "label", self.text, color)
            top = area.top + number * self.line_height
            surface.blit(line, (area.left, top), (0, 0, area.width, self.line_height))
        return len(rows)
