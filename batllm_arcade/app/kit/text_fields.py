"""Fields for typed text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from math import inf

import pygame

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas, draw_scrollbar
from batllm_arcade.app.kit.widgets import Row, Widget
from batllm_arcade.render.fonts import Face, from_the_right
from batllm_arcade.render.text import TextRenderer, clean, wrap_spans
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

MOST = 2000
"""Characters a prompt may have."""
_WORD = re.compile(r"\w+|[^\w\s]+")

State = tuple[str, int, int]


# -- The text and the keys that edit it


@dataclass
class TextBuffer:
    """The text, the cursor and the selection's other end (`anchor`); letters typed in a row are undone together."""

    text: str = ""
    cursor: int = 0
    anchor: int = 0
    most: int = MOST
    lines: bool = True
    """Whether it may have more than one line."""
    takes: Callable[[str], bool] = str.isprintable
    """Which characters it takes, beside line breaks and tabs where it has lines."""
    _past: list[State] = field(default_factory=list)
    _future: list[State] = field(default_factory=list)
    _typing: bool = False

    def __post_init__(self) -> None:
        self.anchor = self.cursor

    @property
    def selection(self) -> tuple[int, int]:
        """Where the selection begins and ends; twice the cursor if there is none."""
        return min(self.cursor, self.anchor), max(self.cursor, self.anchor)

    @property
    def selected(self) -> str:
        """The selected text."""
        start, end = self.selection
        return self.text[start:end]

    def set(self, text: str) -> None:
        """Replace the whole text."""
        self._remember()
        self.text = self._taken(text)[: self.most]
        self.cursor = self.anchor = len(self.text)

    def insert(self, text: str) -> None:
        """Replace the selection by text that is typed or pasted."""
        start, end = self.selection
        taken = self._taken(text)[: max(0, self.most - (len(self.text) - (end - start)))]
        if not taken and start == end:
            return
        typed = len(taken) == 1 and not taken.isspace() and start == end
        if not (typed and self._typing):
            self._remember()
        self.text = self.text[:start] + taken + self.text[end:]
        self.cursor = self.anchor = start + len(taken)
        self._typing = typed

    def _taken(self, text: str) -> str:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not self.lines:
            text = text.replace("\n", " ").replace("\t", " ")
        return "".join(c for c in text if (self.lines and c in "\n\t") or self.takes(c))

    def paste(self, text: str) -> None:
        """Replace the selection by what is in the clipboard."""
        self.insert(text)

    def backspace(self, word: bool = False) -> None:
        """Delete the selection, or the character or word before the cursor."""
        if self.cursor == self.anchor:
            self.anchor = self.word_before(self.cursor) if word else max(0, self.cursor - 1)
        self.cut()

    def delete(self, word: bool = False) -> None:
        """Delete the selection, or the character or word after the cursor."""
        if self.cursor == self.anchor:
            self.anchor = self.word_after(self.cursor) if word else min(len(self.text), self.cursor + 1)
        self.cut()

    def cut(self) -> str:
        """Delete the selection and return it."""
        (start, end), removed = self.selection, self.selected
        if removed:
            self._remember()
            self.text = self.text[:start] + self.text[end:]
        self.cursor = self.anchor = start
        return removed

    def go(self, to: int, select: bool = False) -> None:
        """Move the cursor to a place; with `select` the selection is extended to it."""
        self.cursor = max(0, min(len(self.text), to))
        if not select:
            self.anchor = self.cursor
        self._typing = False

    def step(self, by: int, *, select: bool = False, word: bool = False) -> None:
        """Move by a character or word to the left (-1) or right (1); without `select` a selection ends at that side."""
        start, end = self.selection
        if start < end and not select and not word:
            self.go(start if by < 0 else end)
        elif word:
            self.go(self.word_before(self.cursor) if by < 0 else self.word_after(self.cursor), select)
        else:
            self.go(self.cursor + by, select)

    def word_before(self, place: int) -> int:
        """Return where the word before a place begins."""
        starts = [word.start() for word in _WORD.finditer(self.text, 0, place)]
        return starts[-1] if starts else 0

    def word_after(self, place: int) -> int:
        """Return where the next word begins, or the end of the text."""
        return next((word.start() for word in _WORD.finditer(self.text) if word.start() > place), len(self.text))

    def select_word(self, place: int) -> None:
        """Select the word at a place, as a double click does."""
        word = next((word for word in _WORD.finditer(self.text) if word.start() <= place <= word.end()), None)
        if word:
            self.anchor, self.cursor = word.span()

    def select_all(self) -> None:
        """Select the whole text."""
        self.anchor, self.cursor, self._typing = 0, len(self.text), False

    def undo(self) -> None:
        """Undo the last change."""
        self._travel(self._past, self._future)

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self._travel(self._future, self._past)

    def _travel(self, source: list[State], back: list[State]) -> None:
        if source:
            back.append((self.text, self.cursor, self.anchor))
            self.text, self.cursor, self.anchor = source.pop()
        self._typing = False

    def _remember(self) -> None:
        self._past.append((self.text, self.cursor, self.anchor))
        del self._past[:-200]
        self._future.clear()
        self._typing = False


class EndBuffer(TextBuffer):
    """A line written at its end alone: nothing of it is selected, copied or remembered.

    Delete and cut empty it, and what is pasted replaces it.
    """

    def paste(self, text: str) -> None:
        if text.strip():
            self.set(text.strip())

    def backspace(self, word: bool = False) -> None:
        self.set("" if word else self.text[:-1])

    def delete(self, word: bool = False) -> None:
        self.set("")

    def cut(self) -> str:
        self.set("")
        return ""

    def select_all(self) -> None:
        self.set("")

    def _remember(self) -> None: ...


def edit_by_key(text: TextBuffer, event: pygame.event.Event) -> bool:
    """Edit a text as typed text or a key says; return False for what edits none.

    A letter's key counts as taken, for it comes again as text: nothing else may act on it.
    """
    if event.type == pygame.TEXTINPUT:
        held = pygame.key.get_mods() if pygame.display.get_init() else 0
        if not held & pygame.KMOD_CTRL or held & (pygame.KMOD_ALT | pygame.KMOD_MODE):  # AltGr writes
            text.insert(event.text)
        return True
    if event.type != pygame.KEYDOWN:
        return False
    control = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
    edits: dict[int, Callable[[], object]] = {
        pygame.K_BACKSPACE: lambda: text.backspace(control),
        pygame.K_DELETE: lambda: text.delete(control),
    }
    if control:
        edits |= {
            pygame.K_a: text.select_all,
            pygame.K_c: lambda: _copy(text.selected),
            pygame.K_x: lambda: _copy(text.cut()),
            pygame.K_v: lambda: text.paste(clipboard.paste()),
            pygame.K_z: text.redo if event.mod & pygame.KMOD_SHIFT else text.undo,
            pygame.K_y: text.redo,
        }
    elif text.lines:
        edits |= dict.fromkeys((pygame.K_RETURN, pygame.K_KP_ENTER), lambda: text.insert("\n"))
    if event.key in edits:
        edits[event.key]()
        return True
    plain = not control and not event.mod & pygame.KMOD_ALT
    return (plain and len(pygame.key.name(event.key)) == 1) or event.key == pygame.K_SPACE


def _copy(text: str) -> None:
    if text:
        clipboard.copy(text)


# -- The lines of a text being edited

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


_text_layout = lru_cache(maxsize=8)(TextLayout)


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """Return the text as it can be drawn, a character for a character."""
    return "".join(c if c.isascii() else _one(c) for c in text.replace("\t", " "))


def _one(character: str) -> str:
    shown = clean(character)
    return shown if len(shown) == 1 else "\u25a1"


# -- A text area

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

    @property
    def takes_text(self) -> bool:
        return not self.covered

    def take(self, intent: Intent) -> bool:
        if intent == "confirm" and self.covered:
            self.uncover()
            return True
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Take text and the keys for moving, deleting and the clipboard; return False for any other."""
        if self.covered:
            return False
        if event.type == pygame.KEYDOWN and self._moves(event):
            return True
        edited = edit_by_key(self.editor, event)
        if edited:
            self._column = None
            self._show_cursor()
        return edited

    def _moves(self, event: pygame.event.Event) -> bool:
        editor, select = self.editor, bool(event.mod & pygame.KMOD_SHIFT)
        word = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        if event.key in (pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN) and editor.lines:
            page = self._visible - 1 if event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN) else 1
            self._move_rows(page if event.key in (pygame.K_DOWN, pygame.K_PAGEDOWN) else -page, select)
            return True
        row = self.layout.row_of(editor.cursor)
        if event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            ahead = (event.key == pygame.K_RIGHT) != self.layout.from_the_right(row)
            editor.step(1 if ahead else -1, select=select, word=word)
        elif event.key in (pygame.K_HOME, pygame.K_END):
            start, end = (0, len(editor.text)) if word else self.layout.rows[row]
            editor.go(end if event.key == pygame.K_END else start, select)
        else:
            return False
        self._column = None
        self._show_cursor()
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

    def press(self, x: float, y: float, clicks: int) -> None:
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
        if not self.covered:
            self.editor.go(self._under(x, y), select=True)
            self._show_cursor()

    def wheel(self, by: float) -> bool:
        most, before = max(0, len(self.layout.rows) - self._visible), self._top
        self._first = round(max(0, min(most, before - 3 * by)))
        return self._first != before

    def _under(self, x: float, y: float) -> int:
        layout, canvas = self.layout, self._canvas
        if canvas is None:
            return 0
        high = canvas.text_renderer.height("mono", self._size)
        row = self._top + int((y - self.box.y - _PAD) * canvas.scale // high)
        row = max(0, min(len(layout.rows) - 1, row))
        return layout.place_at((x - self.box.x - _PAD) * canvas.scale, row)

    @property
    def layout(self) -> TextLayout:
        """Return the text in lines as wide as the area; before it was first laid out, at a scale of 1."""
        if self._canvas is None:
            self._canvas = Canvas((theme.WIDTH, theme.HEIGHT))
        width = (self.box.w - 2 * _PAD) * self._canvas.scale if self.editor.lines else inf
        return _text_layout(self.editor.text, self._canvas.text_renderer, self._size, width)

    @property
    def _visible(self) -> int:
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
        """Place it in a box of the canvas it is drawn on."""
        self._canvas, self.box = canvas, box

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
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
        track = Box(box.right - 9, box.y + 8, 5, box.h - 16)
        draw_scrollbar(canvas, track, self._visible, len(self.layout.rows), self._top)

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

    def _draw_cover(self, canvas: Canvas, box: Box) -> None:
        x, y = box.middle
        wide = min(box.w - 24, canvas.measure(self.covered, "label", 17) + 32)
        canvas.box(Box(x - wide / 2, y - 22, wide, 44), theme.PANEL, self._color, radius=8)
        canvas.words((x, y), self.covered, "label", 17, theme.TEXT, width=wide - 16, side="middle")


# -- Rows of a form that are typed into


class TextRow(Row):
    """A row that is typed into; every change calls `changed` with the text. `empty` is shown while there is none."""

    def __init__(
        self, label: str, editor: TextBuffer, changed: Callable[[str], None], *, hint: str = "", empty: str = ""
    ) -> None:
        super().__init__(label, hint)
        self.editor, self._changed, self.empty = editor, changed, empty
        self._take_key: Callable[[pygame.event.Event], bool] = partial(edit_by_key, editor)

    @property
    def takes_text(self) -> bool:
        return self.enabled

    def key(self, event: pygame.event.Event) -> bool:
        """Take text and the keys that edit it, while it can be changed."""
        before = self.editor.text
        edited = self.enabled and self._take_key(event)
        self._tell(before)
        return edited

    def _tell(self, before: str) -> None:
        if self.editor.text != before:
            self._changed(self.editor.text)


def draw_line(
    canvas: Canvas, line: Box, editor: TextBuffer, empty: str, now: float, *, focused: bool, edge: theme.Color
) -> None:
    """Draw one line of text in its box, with the cursor if it is focused; `empty` while there is none."""
    canvas.box(line, theme.SUNKEN, edge, width=1, radius=5)
    text = editor.text
    # Of a text that is too long the cursor's end is shown, else its own.
    last = editor.cursor if focused else len(text)
    shift = max(0.0, canvas.measure(drawable(text[:last]), "mono", 16) - line.w + 24)
    at = (line.x + 10 - shift, line.y + line.h / 2 - 11)
    with canvas.clipped(line):
        start, end = editor.selection
        if focused and start < end:
            x0, x1 = (canvas.measure(drawable(text[:place]), "mono", 16) for place in (start, end))
            canvas.box(Box(at[0] + x0, at[1], x1 - x0, 22), SELECTED, None, radius=0)
        canvas.words(at, text, "mono", 16, theme.TEXT)
        if not text and empty:
            canvas.words((at[0] + 3, at[1] + 1), empty, "label", 15, theme.DIM, width=line.w - 24)
        if focused and now % 1.0 < 0.6:
            x = at[0] + canvas.measure(drawable(text[: editor.cursor]), "mono", 16)
            canvas.box(Box(x, at[1] + 1, 2, 20), theme.GOLD, None, radius=0)


class Field(TextRow):
    """A row with one line of text, such as a number."""

    def __init__(
        self, label: str, text: str, changed: Callable[[str], None], *, hint: str = "",
        takes: Callable[[str], bool] = str.isprintable, most: int = 60, empty: str = "",
    ) -> None:  # fmt: skip
        editor = TextBuffer(text, len(text), most=most, lines=False, takes=takes)
        super().__init__(label, editor, changed, hint=hint, empty=empty)
        self._take_key = TextArea(editor).key
        self.problem = False

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        line = Box(box.x + 4, box.y + 6, box.w - 4, box.h - 12)
        edge = theme.DANGER if self.problem else theme.PANEL_EDGE
        draw_line(canvas, line, self.editor, self.empty, now, focused=focused, edge=edge)


class NumberField(Field):
    """A text that should be a number from `least` to `most`; `usual` is shown while nothing is typed.

    Arrow keys move in the text, as anywhere; a gamepad's directions go `step` up or down from what is there.
    """

    def __init__(
        self, label: str, text: str, changed: Callable[[str], None], *, usual: str, step: float,
        limits: tuple[float, float], hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(label, text, changed, hint=hint, most=20, empty=usual)
        self._step, self._limits = step, limits

    def take(self, intent: Intent) -> bool:
        """Step on left and right, which come here only from a gamepad."""
        if intent not in ("left", "right"):
            return False
        try:
            now = float(self.editor.text or self.empty)
        except ValueError:
            now = self._limits[0]
        least, most = self._limits
        stepped = min(most, max(least, now + (self._step if intent == "right" else -self._step)))
        self.editor.set(f"{round(stepped, 6):g}")
        self._changed(self.editor.text)
        return True


MOST_DOTS = 12
"""Dots that are drawn for the longest secret."""
LONGEST = 1000
_PASTE_WIDE = 76.0


class SecretField(TextRow):
    """A row for a secret, which is never drawn, only a few dots, and never copied, only replaced and deleted."""

    def __init__(self, label: str, changed: Callable[[str], None], *, hint: str = "", empty: str = "") -> None:
        editor = EndBuffer(most=LONGEST, lines=False, takes=lambda c: c.isprintable() and not c.isspace())
        super().__init__(label, editor, changed, hint=hint, empty=empty)

    @property
    def dots(self) -> int:
        """How many dots are drawn: one a character, up to twelve."""
        return min(len(self.editor.text), MOST_DOTS)

    def press(self, x: float, y: float, clicks: int) -> None:
        if self.enabled and x > self.box.right - 12 - _PASTE_WIDE:
            before = self.editor.text
            self.editor.paste(clipboard.paste())
            self._tell(before)

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        line = Box(box.x + 4, box.y + 6, box.w - 4 - _PASTE_WIDE, box.h - 12)
        canvas.box(line, theme.SUNKEN, theme.PANEL_EDGE, width=1, radius=5)
        x, y = line.x + 12, line.y + line.h / 2
        for dot in range(self.dots):
            canvas.box(Box(x + 12 * dot, y - 3.5, 7, 7), theme.TEXT, None, radius=3.5)
        if not self.editor.text and self.empty:
            canvas.words((x, y - 10), self.empty, "label", 15, theme.DIM, width=line.w - 24)
        if focused and self.enabled and now % 1.0 < 0.6:
            canvas.box(Box(x - 5 + 12 * self.dots, y - 10, 2, 20), theme.GOLD, None, radius=0)
        chip = Box(box.right - _PASTE_WIDE + 6, box.y + 8, _PASTE_WIDE - 8, box.h - 16)
        color = theme.SOFT if self.enabled else theme.DIM
        canvas.box(chip, mixed(theme.PANEL, theme.GOLD, 0.12), theme.PANEL_EDGE, width=1, radius=6)
        canvas.words(chip.middle, "paste", "label", 15, color, side="middle")
