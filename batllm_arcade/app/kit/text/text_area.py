"""A text area: editing by keyboard and mouse, in several lines."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from batllm_arcade.app.input import clipboard
from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.scroll import draw_scrollbar
from batllm_arcade.app.kit.text.text_buffer import TextBuffer
from batllm_arcade.app.kit.text.text_layout import TextLayout
from batllm_arcade.app.kit.widgets import Widget
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

_PAD = 12.0
SELECTED = mixed(theme.PANEL_EDGE, theme.SEAT_COLORS[0], 0.35)
"""The colour behind selected text."""


class TextArea(Widget):
    """A text in wrapped lines; `covered` hides it behind a sentence, `empty` is shown while there is no text.

    What is covered takes no text; `uncover` is called when its owner asks for it (confirm, or a click).
    """

    def __init__(
        self, editor: TextBuffer, *, empty: str = "", hint: str = "", color: theme.Color = theme.GOLD, size: float = 15
    ) -> None:
        super().__init__(hint)
        self.editor, self._empty, self._color, self._size = editor, empty, color, size
        self.covered = ""
        self.uncover: Callable[[], None] = lambda: None
        self._first = 0  # the line at the top
        self._column: float | None = None  # where up and down aim at, pixels
        self._canvas: Canvas | None = None
        self._laid_out: tuple[TextLayout, TextRenderer, float] | None = None  # with what it was made for

    @property
    def takes_text(self) -> bool:
        """Return whether what is typed goes here."""
        return not self.covered

    # -- keys -----------------------------------------------------------------------------------

    def take(self, intent: Intent) -> bool:
        """Uncover the text on confirm."""
        if intent == "confirm" and self.covered:
            self.uncover()
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Take text and the keys for moving, deleting and the clipboard; return False for any other."""
        if self.covered:
            return False
        if event.type == pygame.TEXTINPUT:
            self._edit(lambda: self.editor.insert(event.text))
            return True
        if event.type != pygame.KEYDOWN:
            return False
        control = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        if control and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return False
        done = self._shortcut(event.key, bool(event.mod & pygame.KMOD_SHIFT)) if control else False
        return done or self._move_key(event, control) or self._change_key(event.key, control) or _is_letter(event)

    def _edit(self, change: Callable[[], None]) -> None:
        change()
        self._column = None
        self._show_cursor()

    def _shortcut(self, key: int, shift: bool) -> bool:
        editor = self.editor
        does: dict[int, Callable[[], None]] = {
            pygame.K_a: editor.select_all,
            pygame.K_c: lambda: self._copy(editor.selected),
            pygame.K_x: lambda: self._copy(editor.cut()),
            pygame.K_v: lambda: editor.insert(clipboard.paste()),
            pygame.K_z: editor.redo if shift else editor.undo,
            pygame.K_y: editor.redo,
        }
        if key in does:
            self._edit(does[key])
        return key in does

    @staticmethod
    def _copy(text: str) -> None:
        if text:
            clipboard.copy(text)

    def _move_key(self, event: pygame.event.Event, word: bool) -> bool:
        editor, select = self.editor, bool(event.mod & pygame.KMOD_SHIFT)
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            from_the_right = self.layout.from_the_right(self.layout.row_of(editor.cursor))
            by = 1 if (event.key == pygame.K_RIGHT) != from_the_right else -1
            self._edit(lambda: editor.step(by, select=select, word=word))
        elif event.key in (pygame.K_HOME, pygame.K_END):
            start, end = (0, len(editor.text)) if word else self.layout.rows[self.layout.row_of(editor.cursor)]
            self._edit(lambda: editor.go(end if event.key == pygame.K_END else start, select))
        elif event.key in (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN) and editor.lines:
            page = self._visible - 1 if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN) else 1
            self._move_rows(page if event.key in (pygame.K_DOWN, pygame.K_PAGEDOWN) else -page, select)
        else:
            return False
        return True

    def _change_key(self, key: int, word: bool) -> bool:
        editor = self.editor
        if key == pygame.K_BACKSPACE:
            self._edit(lambda: editor.backspace(word))
        elif key == pygame.K_DELETE:
            self._edit(lambda: editor.delete(word))
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER) and editor.lines:
            self._edit(lambda: editor.insert("\n"))
        else:
            return False
        return True

    def _move_rows(self, by: int, select: bool) -> None:
        """Move up or down by lines, towards the column where this began."""
        layout = self.layout
        row = layout.row_of(self.editor.cursor)
        column = layout.x_of(self.editor.cursor, row) if self._column is None else self._column
        target = row + by
        if target < 0 or target >= len(layout.rows):
            self.editor.go(0 if target < 0 else len(self.editor.text), select)
        else:
            self.editor.go(layout.place_at(column, target), select)
        self._column = column
        self._show_cursor()

    # -- the mouse ------------------------------------------------------------------------------

    def press(self, x: float, y: float, clicks: int) -> None:
        """Put the cursor there; a second click selects the word, a third everything."""
        if self.covered:
            self.uncover()
            return
        at = self._under(x, y)
        if clicks == 2:
            self.editor.select_word(at)
        elif clicks > 2:
            self.editor.select_all()
        else:
            self.editor.go(at, bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        self._column = None

    def drag(self, x: float, y: float) -> None:
        """Select up to there."""
        if not self.covered:
            self.editor.go(self._under(x, y), select=True)
            self._show_cursor()

    def wheel(self, by: float) -> bool:
        """Scroll the text; return whether it moved."""
        most, before = max(0, len(self.layout.rows) - self._visible), self._top
        self._first = round(max(0, min(most, before - 3 * by)))
        return self._first != before

    def _under(self, x: float, y: float) -> int:
        """Return the place in the text under a point of the canvas."""
        layout, canvas = self.layout, self._canvas
        if canvas is None:
            return 0
        high = canvas.text_renderer.height("mono", self._size)
        row = self._top + int((y - self.box.y - _PAD) * canvas.scale // high)
        row = max(0, min(len(layout.rows) - 1, row))
        return layout.place_at((x - self.box.x - _PAD) * canvas.scale, row)

    # -- where things are -----------------------------------------------------------------------

    @property
    def layout(self) -> TextLayout:
        """Return the text in lines as wide as the area; before it was first laid out, at a scale of 1."""
        if self._canvas is None:
            self._canvas = Canvas((theme.WIDTH, theme.HEIGHT))
        self._laid_out = self._text_layout(self._canvas)
        return self._laid_out[0]

    def _text_layout(self, canvas: Canvas) -> tuple[TextLayout, TextRenderer, float]:
        """Return the text in lines, and what they were made for: the ones kept if nothing has changed."""
        text_renderer = canvas.text_renderer
        width = (self.box.w - 2 * _PAD) * canvas.scale if self.editor.lines else math.inf
        kept = self._laid_out
        if kept is not None and (kept[0].text, kept[1], kept[2]) == (self.editor.text, text_renderer, width):
            return kept
        return TextLayout(self.editor.text, text_renderer, self._size, width), text_renderer, width

    @property
    def _visible(self) -> int:
        """Return how many lines fit into the area."""
        if self._canvas is None:
            return 1
        high = (self.box.h - 2 * _PAD) * self._canvas.scale
        return max(1, int(high // self._canvas.text_renderer.height("mono", self._size)))

    @property
    def _top(self) -> int:
        """Return the line at the top, which deleting text or a larger area may have moved."""
        return max(0, min(self._first, len(self.layout.rows) - self._visible))

    def _show_cursor(self) -> None:
        row = self.layout.row_of(self.editor.cursor)
        self._first = max(row - self._visible + 1, min(self._top, row), 0)

    def lay_out(self, canvas: Canvas, box: Box) -> None:
        """Place it in a box of the canvas it is drawn on, and break its text into lines as wide as that."""
        self._canvas, self.box = canvas, box
        self._laid_out = self._text_layout(canvas)

    # -- picture --------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the text, the selection and the cursor, or what covers them."""
        canvas.box(box, theme.SUNKEN, self._color if focused else theme.PANEL_EDGE)
        if focused:
            canvas.ring(box, self._color, now)
        if self.covered:
            self._draw_cover(canvas, box)
            return
        if not self.editor.text:
            at = (box.x + _PAD, box.y + _PAD)
            canvas.block(at, self._empty, "mono", self._size, theme.DIM, box.w - 2 * _PAD, 6)
        with canvas.clipped(box.inset(2)):
            self._draw_rows(canvas, box, focused, now)
        self._draw_scroll(canvas, box)

    def _draw_rows(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        editor, high, layout = self.editor, canvas.text_renderer.height("mono", self._size), self.layout
        left, top = canvas.rect(box.inset(_PAD)).topleft
        (begin, stop), at = editor.selection, layout.row_of(editor.cursor)
        for row in range(self._top, min(len(layout.rows), self._top + self._visible + 1)):
            start, end = layout.rows[row]
            y = top + (row - self._top) * high
            if begin < stop and begin <= end and stop > start:
                x0, x1 = sorted((layout.x_of(max(begin, start), row), layout.x_of(min(stop, end), row)))
                if stop > end:
                    x1 += high / 3
                pygame.draw.rect(canvas.target, SELECTED, (left + x0, y, max(2, x1 - x0), high))
            if shown := layout.shown(row):
                line = canvas.text_renderer.line(shown, "mono", self._size, theme.TEXT)
                canvas.target.blit(line, (left + layout.left_of(row), y))
            if focused and row == at and now % 1.0 < 0.6:
                x = left + layout.x_of(editor.cursor, row)
                pygame.draw.rect(canvas.target, self._color, (round(x), y + 1, canvas.px(2), high - 2))

    def _draw_scroll(self, canvas: Canvas, box: Box) -> None:
        track = Box(box.right - 9, box.y + 8, 5, box.h - 16)
        draw_scrollbar(canvas, track, self._visible, len(self.layout.rows), self._top)

    def _draw_cover(self, canvas: Canvas, box: Box) -> None:
        with canvas.clipped(box.inset(3)):
            for step in range(-int(box.h), int(box.w), 26):
                corners = [
                    (box.x + step, box.bottom), (box.x + step + box.h, box.y),
                    (box.x + step + box.h + 11, box.y), (box.x + step + 11, box.bottom),
                ]  # fmt: skip
                pixels = [(x * canvas.scale, y * canvas.scale) for x, y in corners]
                pygame.draw.polygon(canvas.target, mixed(theme.SUNKEN, theme.PANEL_EDGE, 0.35), pixels)
        x, y = box.middle
        wide = min(box.w - 24, canvas.measure(self.covered, "label", 17) + 32)
        canvas.box(Box(x - wide / 2, y - 22, wide, 44), theme.PANEL, self._color, radius=8)
        canvas.words((x, y), self.covered, "label", 17, theme.TEXT, width=wide - 16, side="middle")


def _is_letter(event: pygame.event.Event) -> bool:
    """Return whether a key comes again as text, so that nothing else may act on it."""
    plain = not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT)
    return (plain and len(pygame.key.name(event.key)) == 1) or event.key == pygame.K_SPACE
