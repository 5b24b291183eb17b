"""One line of text in a row of a form."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.text.text_area import SELECTED, TextArea
from batllm_arcade.app.kit.text.text_buffer import TextBuffer
from batllm_arcade.app.kit.text.text_layout import drawable
from batllm_arcade.app.kit.widgets import Row
from batllm_arcade.view import theme


class Field(Row):
    """A row with one line of text, such as a number; every change calls `changed` with the text.

    `empty` is shown dimly while there is none.
    """

    def __init__(
        self,
        label: str,
        text: str,
        changed: Callable[[str], None],
        *,
        hint: str = "",
        allowed: str = "",
        most: int = 60,
        empty: str = "",
    ) -> None:
        super().__init__(label, hint)
        self.empty = empty
        self.editor = TextBuffer(text, len(text), most=most, lines=False)
        self._changed, self._allowed = changed, allowed
        self._area = TextArea(self.editor)
        self.problem = False

    @property
    def takes_text(self) -> bool:
        """Return True."""
        return True

    def key(self, event: pygame.event.Event) -> bool:
        """Take what a text area takes, in one line."""
        if event.type == pygame.TEXTINPUT and self._allowed and any(c not in self._allowed for c in event.text):
            return True
        before = self.editor.text
        used = self._area.key(event)
        if self.editor.text != before:
            self._changed(self.editor.text)
        return used

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw a sunken line with the text."""
        line = Box(box.x + 4, box.y + 6, box.w - 4, box.h - 12)
        canvas.box(line, theme.SUNKEN, theme.DANGER if self.problem else theme.PANEL_EDGE, width=1, radius=5)
        text = self.editor.text
        # Of a text that is too long the cursor's end is shown, else its own.
        last = self.editor.cursor if focused else len(text)
        shift = max(0.0, canvas.measure(drawable(text[:last]), "mono", 16) - line.w + 24)
        at = (line.x + 10 - shift, line.y + line.h / 2 - 11)
        with canvas.clipped(line):
            start, end = self.editor.selection
            if focused and start < end:
                x0, x1 = (canvas.measure(drawable(text[:place]), "mono", 16) for place in (start, end))
                canvas.box(Box(at[0] + x0, at[1], x1 - x0, 22), SELECTED, None, radius=0)
            canvas.words(at, text, "mono", 16, theme.TEXT)
            if not text and self.empty:
                canvas.words((at[0] + 3, at[1] + 1), self.empty, "label", 15, theme.DIM, width=line.w - 24)
            if focused and now % 1.0 < 0.6:
                x = at[0] + canvas.measure(drawable(text[: self.editor.cursor]), "mono", 16)
                canvas.box(Box(x, at[1] + 1, 2, 20), theme.GOLD, None, radius=0)
