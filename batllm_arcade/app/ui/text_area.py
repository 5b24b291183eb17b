"""Where text is written: real editing by keyboard and mouse, in several lines or one."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import pygame

from batllm_arcade.app.input import clipboard
from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.text_buffer import TextBuffer
from batllm_arcade.app.ui.widgets import Row, Widget
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

_PAD = 12.0
_SELECTED = mixed(theme.PANEL_EDGE, theme.SEAT_COLORS[0], 0.35)


class TextArea(Widget):
    """A text in visual lines; `covered` hides it behind a sentence, `empty` is said while there is none.

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
        self._rows: list[tuple[int, int]] = [(0, 0)]
        self._column: float | None = None  # where up and down aim at, pixels
        self._visible = 1
        self._canvas: Canvas | None = None

    @property
    def takes_text(self) -> bool:
        """Whether what is typed goes here."""
        return not self.covered

    # -- keys -----------------------------------------------------------------------------------

    def take(self, intent: Intent) -> bool:
        """Confirm uncovers what is covered."""
        if intent == "confirm" and self.covered:
            self.uncover()
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Text, moving, deleting, the clipboard; what it does not know goes on."""
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
            self._edit(lambda: editor.step(1 if event.key == pygame.K_RIGHT else -1, select=select, word=word))
        elif event.key in (pygame.K_HOME, pygame.K_END):
            start, end = (0, len(editor.text)) if word else self._rows[self._row_of(editor.cursor)]
            self._edit(lambda: editor.go(end if event.key == pygame.K_END else start, select))
        elif event.key in (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN) and editor.lines:
            page = self._visible - 1 if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN) else 1
            self._lines(page if event.key in (pygame.K_DOWN, pygame.K_PAGEDOWN) else -page, select)
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

    def _lines(self, by: int, select: bool) -> None:
        """Up or down by visual lines, towards the column where this began."""
        row = self._row_of(self.editor.cursor)
        if self._column is None:
            self._column = self._x_of(self.editor.cursor, row)
        column, target = self._column, row + by
        if target < 0 or target >= len(self._rows):
            self.editor.go(0 if target < 0 else len(self.editor.text), select)
        else:
            self.editor.go(self._at(column, target), select)
        self._column = column
        self._show_cursor()

    # -- the mouse ------------------------------------------------------------------------------

    def press(self, x: float, y: float, clicks: int) -> None:
        """Put the cursor there; a second click takes the word, a third everything."""
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
        """Scroll the text."""
        most = max(0, len(self._rows) - self._visible)
        before, self._first = self._first, round(max(0, min(most, self._first - 3 * by)))
        return most > 0 and self._first != before

    def _under(self, x: float, y: float) -> int:
        canvas = self._canvas
        if canvas is None:
            return 0
        row = self._first + int(
            (y - self.box.y - _PAD) * canvas.scale // canvas.text_renderer.height("mono", self._size)
        )
        row = max(0, min(len(self._rows) - 1, row))
        return self._at((x - self.box.x - _PAD) * canvas.scale, row)

    # -- where things are -----------------------------------------------------------------------

    def _row_of(self, at: int) -> int:
        return max(row for row, (start, _) in enumerate(self._rows) if start <= at or row == 0)

    def _x_of(self, at: int, row: int) -> float:
        words = _safe(self.editor.text[self._rows[row][0] : at])
        return float(self._canvas.text_renderer.measure(words, "mono", self._size)) if self._canvas else 0.0

    def _at(self, x: float, row: int) -> int:
        """The place in the text nearest to a pixel of a row."""
        start, end = self._rows[row]
        return min(range(start, end + 1), key=lambda at: abs(self._x_of(at, row) - x))

    def _show_cursor(self) -> None:
        self._arrange()
        row = self._row_of(self.editor.cursor)
        self._first = max(row - self._visible + 1, min(self._first, row), 0)

    def _arrange(self) -> None:
        if self._canvas is not None:
            text_renderer, inner = self._canvas.text_renderer, (self.box.w - 2 * _PAD) * self._canvas.scale
            self._rows = list(_rows(self.editor.text, text_renderer, self._size, inner))
            high = (self.box.h - 2 * _PAD) * self._canvas.scale
            self._visible = max(1, int(high // text_renderer.height("mono", self._size)))
            self._first = max(0, min(self._first, len(self._rows) - self._visible))

    # -- picture --------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, focused: bool, now: float) -> None:
        """The text, the selection, the cursor; or what covers it."""
        self._canvas = canvas
        self._arrange()
        canvas.box(self.box, theme.SUNKEN, self._color if focused else theme.PANEL_EDGE)
        if focused:
            canvas.ring(self.box, self._color, now)
        if self.covered:
            self._draw_cover(canvas)
            return
        if not self.editor.text:
            at = (self.box.x + _PAD, self.box.y + _PAD)
            canvas.block(at, self._empty, "mono", self._size, theme.DIM, self.box.w - 2 * _PAD, 6)
        with canvas.clipped(self.box.inset(2)):
            self._draw_rows(canvas, focused, now)
        self._draw_scroll(canvas)

    def _draw_rows(self, canvas: Canvas, focused: bool, now: float) -> None:
        editor, high = self.editor, canvas.text_renderer.height("mono", self._size)
        left, top = canvas.rect(self.box.inset(_PAD)).topleft
        (begin, stop), at = editor.selection, self._row_of(editor.cursor)
        for row in range(self._first, min(len(self._rows), self._first + self._visible + 1)):
            start, end = self._rows[row]
            y = top + (row - self._first) * high
            if begin < stop and begin <= end and stop > start:
                x0, x1 = self._x_of(max(begin, start), row), self._x_of(min(stop, end), row)
                if stop > end:
                    x1 += high / 3
                pygame.draw.rect(canvas.target, _SELECTED, (left + x0, y, max(2, x1 - x0), high))
            words = _safe(editor.text[start:end])
            if words:
                canvas.target.blit(canvas.text_renderer.line(words, "mono", self._size, theme.TEXT), (left, y))
            if focused and row == at and now % 1.0 < 0.6:
                x = left + self._x_of(editor.cursor, row)
                pygame.draw.rect(canvas.target, self._color, (round(x), y + 1, canvas.px(2), high - 2))

    def _draw_scroll(self, canvas: Canvas) -> None:
        total = len(self._rows)
        if total > self._visible:
            track = Box(self.box.right - 9, self.box.y + 8, 4, self.box.h - 16)
            high = max(16.0, track.h * self._visible / total)
            top = track.y + (track.h - high) * self._first / (total - self._visible)
            canvas.box(Box(track.x, top, 4, high), theme.DIM, None, radius=2)

    def _draw_cover(self, canvas: Canvas) -> None:
        with canvas.clipped(self.box.inset(3)):
            for step in range(-int(self.box.h), int(self.box.w), 26):
                corners = [
                    (self.box.x + step, self.box.bottom), (self.box.x + step + self.box.h, self.box.y),
                    (self.box.x + step + self.box.h + 11, self.box.y), (self.box.x + step + 11, self.box.bottom),
                ]  # fmt: skip
                pixels = [(x * canvas.scale, y * canvas.scale) for x, y in corners]
                pygame.draw.polygon(canvas.target, mixed(theme.SUNKEN, theme.PANEL_EDGE, 0.35), pixels)
        x, y = self.box.middle
        wide = min(self.box.w - 24, canvas.measure(self.covered, "label", 17) + 32)
        canvas.box(Box(x - wide / 2, y - 22, wide, 44), theme.PANEL, self._color, radius=8)
        canvas.words((x, y), self.covered, "label", 17, theme.TEXT, width=wide - 16, side="middle")


class Field(Row):
    """One line of text in a row of a form, such as a number; `changed` is told every time."""

    def __init__(
        self,
        label: str,
        text: str,
        changed: Callable[[str], None],
        *,
        hint: str = "",
        allowed: str = "",
        most: int = 60,
    ) -> None:
        super().__init__(label, hint)
        self.editor = TextBuffer(text, len(text), most=most, lines=False)
        self._changed, self._allowed = changed, allowed
        self._area = TextArea(self.editor)
        self.problem = False

    @property
    def takes_text(self) -> bool:
        """Always."""
        return True

    def key(self, event: pygame.event.Event) -> bool:
        """What a text area takes, in one line."""
        if event.type == pygame.TEXTINPUT and self._allowed and any(c not in self._allowed for c in event.text):
            return True
        before = self.editor.text
        taken = self._area.key(event)
        if self.editor.text != before:
            self._changed(self.editor.text)
        return taken

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """A sunken line with the text."""
        line = Box(box.x + 4, box.y + 6, box.w - 4, box.h - 12)
        canvas.box(line, theme.SUNKEN, theme.DANGER if self.problem else theme.PANEL_EDGE, width=1, radius=5)
        at, text = (line.x + 10, line.y + line.h / 2 - 11), self.editor.text
        with canvas.clipped(line):
            start, end = self.editor.selection
            if focused and start < end:
                x0, x1 = (canvas.measure(_safe(text[:place]), "mono", 16) for place in (start, end))
                canvas.box(Box(at[0] + x0, at[1], x1 - x0, 22), _SELECTED, None, radius=0)
            canvas.words(at, text, "mono", 16, theme.TEXT)
            if focused and now % 1.0 < 0.6:
                x = at[0] + canvas.measure(_safe(text[: self.editor.cursor]), "mono", 16)
                canvas.box(Box(x, at[1] + 1, 2, 20), theme.GOLD, None, radius=0)


def _is_letter(event: pygame.event.Event) -> bool:
    """A key that comes again as text: nothing else may act on it."""
    plain = not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT)
    return (plain and len(pygame.key.name(event.key)) == 1) or event.key == pygame.K_SPACE


@lru_cache(maxsize=4096)
def _safe(text: str) -> str:
    """The text as it can be drawn, a character for a character."""
    return "".join(c if c.isascii() else _one(c) for c in text.replace("\t", " "))


def _one(character: str) -> str:
    shown = clean(character)
    return shown if len(shown) == 1 else "\u25a1"


@lru_cache(maxsize=16)
def _rows(text: str, text_renderer: TextRenderer, size: float, width: float) -> tuple[tuple[int, int], ...]:
    """Where each visual line begins and ends; lines break after spaces, words longer than a line anywhere."""
    rows: list[tuple[int, int]] = []
    start = 0
    for paragraph in text.split("\n"):
        rows += _broken(paragraph, start, lambda part: text_renderer.measure(part, "mono", size), width)
        start += len(paragraph) + 1
    return tuple(rows)


def _broken(paragraph: str, at: int, measure: Callable[[str], float], width: float) -> list[tuple[int, int]]:
    rows, start, safe = [], 0, _safe(paragraph)
    while measure(safe[start:]) > width and len(safe) - start > 1:
        low, high = start + 1, len(safe)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if measure(safe[start:middle]) <= width else (low, middle - 1)
        space = safe.rfind(" ", start, low + 1)
        end = space + 1 if space > start else low
        rows.append((at + start, at + end))
        start = end
    return [*rows, (at + start, at + len(safe))]
