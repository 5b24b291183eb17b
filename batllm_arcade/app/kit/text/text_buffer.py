"""A text being edited: a cursor, a selection, undo and redo; without pygame."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOST = 2000
"""Characters a prompt may have."""
_WORD = re.compile(r"\w+|[^\w\s]+")

State = tuple[str, int, int]


@dataclass
class TextBuffer:
    """The text, the cursor and the selection's other end (`anchor`); letters typed in a row are undone together."""

    text: str = ""
    cursor: int = 0
    anchor: int = 0
    most: int = MOST
    lines: bool = True
    """Whether it may have more than one line."""
    _past: list[State] = field(default_factory=list)
    _future: list[State] = field(default_factory=list)
    _typing: bool = False

    def __post_init__(self) -> None:
        self.anchor = self.cursor

    @property
    def selection(self) -> tuple[int, int]:
        """Return where the selection begins and ends; twice the cursor if there is none."""
        return min(self.cursor, self.anchor), max(self.cursor, self.anchor)

    @property
    def selected(self) -> str:
        """Return the selected text."""
        start, end = self.selection
        return self.text[start:end]

    def set(self, text: str) -> None:
        """Replace the whole text."""
        self._remember()
        self.text = self._kept(text)[: self.most]
        self.cursor = self.anchor = len(self.text)

    def insert(self, text: str) -> None:
        """Replace the selection by text that is typed or pasted."""
        kept = self._kept(text)
        start, end = self.selection
        kept = kept[: max(0, self.most - (len(self.text) - (end - start)))]
        if not kept and start == end:
            return
        typed = len(kept) == 1 and not kept.isspace() and start == end
        if not (typed and self._typing):
            self._remember()
        self.text = self.text[:start] + kept + self.text[end:]
        self.cursor = self.anchor = start + len(kept)
        self._typing = typed

    def _kept(self, text: str) -> str:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not self.lines:
            text = " ".join(text.split("\n"))
        return "".join(c for c in text if c in "\n\t" or c.isprintable())

    def backspace(self, word: bool = False) -> None:
        """Delete the selection, or the character or word before the cursor."""
        if self.cursor == self.anchor:
            self.anchor = self.before(self.cursor) if word else max(0, self.cursor - 1)
        self._cut()

    def delete(self, word: bool = False) -> None:
        """Delete the selection, or the character or word after the cursor."""
        if self.cursor == self.anchor:
            self.anchor = self.after(self.cursor) if word else min(len(self.text), self.cursor + 1)
        self._cut()

    def _cut(self) -> None:
        start, end = self.selection
        if start < end:
            self._remember()
            self.text = self.text[:start] + self.text[end:]
        self.cursor = self.anchor = start

    def cut(self) -> str:
        """Delete the selection and return it."""
        removed = self.selected
        if removed:
            self._cut()
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
            self.go(self.before(self.cursor) if by < 0 else self.after(self.cursor), select)
        else:
            self.go(self.cursor + by, select)

    def before(self, at: int) -> int:
        """Return where the word before a place begins."""
        starts = [found.start() for found in _WORD.finditer(self.text, 0, at)]
        return starts[-1] if starts else 0

    def after(self, at: int) -> int:
        """Return where the next word begins, or the end of the text."""
        return next((found.start() for found in _WORD.finditer(self.text) if found.start() > at), len(self.text))

    def select_word(self, at: int) -> None:
        """Select the word at a place, as a double click does."""
        found = next((each for each in _WORD.finditer(self.text) if each.start() <= at <= each.end()), None)
        if found:
            self.anchor, self.cursor = found.span()

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
