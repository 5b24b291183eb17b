"""Text in a film that is not wide; lengths and sizes are pixels of a film 1080 wide."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.render.text import TextRenderer

TOLD = (48, 44, 40, 36, 32, 29, 26)
"""Sizes of what both seats were told, and of what was said."""


class UprightText:
    """Finds the sizes of texts among some `sizes`, the largest first; `scale` is pixels per pixel of such a film."""

    def __init__(self, scale: float, sizes: Sequence[int] = TOLD) -> None:
        self.scale, self.renderer, self._sizes = scale, TextRenderer(scale), sizes

    def px(self, value: float) -> int:
        """Return a length in pixels of the picture, at least one."""
        return max(1, round(value * self.scale))

    def fitting(self, text: str, width: int, height: int) -> tuple[int, list[str]]:
        """Return the largest size in which a text fits, and its rows; a longer one is cut at a word."""
        for size in self._sizes:
            most = max(1, height // self.renderer.height("label", size))
            rows = self.renderer.wrapped(text, "label", size, width)
            if len(rows) <= most and self.renderer.breaks_no_word(text, "label", size, width):
                return size, rows
        return size, self.renderer.rows(text, "label", size, width, most)
