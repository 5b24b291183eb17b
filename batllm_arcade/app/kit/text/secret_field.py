"""A row in which a secret is typed or pasted: it is never drawn, and no more than a few dots tell its length."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from batllm_arcade.app.input import clipboard
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Row
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

MOST_DOTS = 12
"""Dots that are drawn for the longest secret."""
LONGEST = 1000
_PASTE_WIDE = 76.0


class SecretField(Row):
    """`secret` is what was typed; `empty` is shown while there is nothing.

    It cannot be copied, only replaced and deleted. `changed` is called after every change.
    """

    def __init__(self, label: str, changed: Callable[[], None], *, hint: str = "", empty: str = "") -> None:
        super().__init__(label, hint)
        self.empty = empty
        self.secret, self._changed = "", changed

    @property
    def takes_text(self) -> bool:
        """Return whether it can be changed."""
        return self.enabled

    @property
    def dots(self) -> int:
        """Return how many dots are drawn: one a character, up to twelve."""
        return min(len(self.secret), MOST_DOTS)

    def key(self, event: pygame.event.Event) -> bool:
        """Take letters, deleting and pasting; return False for any other key."""
        if not self.enabled:
            return False
        if event.type == pygame.TEXTINPUT:
            self._set(self.secret + event.text)
            return True
        if event.type != pygame.KEYDOWN:
            return False
        control = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        if control and event.key == pygame.K_v:
            self.paste()
        elif event.key == pygame.K_DELETE or (control and event.key in (pygame.K_BACKSPACE, pygame.K_a, pygame.K_x)):
            self._set("")
        elif event.key == pygame.K_BACKSPACE:
            self._set(self.secret[:-1])
        else:
            # A letter comes again as text: nothing else may act on its key.
            return event.key == pygame.K_SPACE or (not control and len(pygame.key.name(event.key)) == 1)
        return True

    def paste(self) -> None:
        """Replace it by what is in the clipboard."""
        pasted = clipboard.paste().strip()
        if pasted:
            self._set(pasted)

    def _set(self, secret: str) -> None:
        kept = "".join(c for c in secret if c.isprintable() and not c.isspace())[:LONGEST]
        if kept != self.secret:
            self.secret = kept
            self._changed()

    def press(self, x: float, y: float, clicks: int) -> None:
        """Paste on a click on the word that says so."""
        if self.enabled and x > self.box.right - 12 - _PASTE_WIDE:
            self.paste()

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw dots in a sunken line, and where to click to paste."""
        line = Box(box.x + 4, box.y + 6, box.w - 4 - _PASTE_WIDE, box.h - 12)
        canvas.box(line, theme.SUNKEN, theme.PANEL_EDGE, width=1, radius=5)
        x, y = line.x + 12, line.y + line.h / 2
        for dot in range(self.dots):
            canvas.box(Box(x + 12 * dot, y - 3.5, 7, 7), theme.TEXT, None, radius=3.5)
        if not self.secret and self.empty:
            canvas.words((x, y - 10), self.empty, "label", 15, theme.DIM, width=line.w - 24)
        if focused and self.enabled and now % 1.0 < 0.6:
            canvas.box(Box(x - 5 + 12 * self.dots, y - 10, 2, 20), theme.GOLD, None, radius=0)
        chip = Box(box.right - _PASTE_WIDE + 6, box.y + 8, _PASTE_WIDE - 8, box.h - 16)
        color = theme.SOFT if self.enabled else theme.DIM
        canvas.box(chip, mixed(theme.PANEL, theme.GOLD, 0.12), theme.PANEL_EDGE, width=1, radius=6)
        canvas.words(chip.middle, "paste", "label", 15, color, side="middle")
