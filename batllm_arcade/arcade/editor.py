"""A text being edited: a cursor, undo, everything selected or nothing; without pygame."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST = 2000
"""Characters a prompt may have."""


@dataclass
class Editor:
    """The text and where the cursor is; every change can be undone."""

    text: str = ""
    cursor: int = 0
    selected: bool = False
    """Whether the whole text is selected: the next character replaces it."""
    _past: list[tuple[str, int]] = field(default_factory=list)

    def set(self, text: str) -> None:
        """Replace the whole text."""
        self._remember()
        self.text, self.selected = text[:MOST], False
        self.cursor = len(self.text)

    def insert(self, text: str) -> None:
        """Type or paste at the cursor."""
        kept = "".join(c for c in text.replace("\r\n", "\n").replace("\r", "\n") if c in "\n\t" or c.isprintable())
        self._remember()
        if self.selected:
            self.text, self.cursor, self.selected = "", 0, False
        kept = kept[: max(0, MOST - len(self.text))]
        self.text = self.text[: self.cursor] + kept + self.text[self.cursor :]
        self.cursor += len(kept)

    def backspace(self) -> None:
        """Delete the character before the cursor, or all that is selected."""
        if self.selected:
            self.set("")
        elif self.cursor:
            self._remember()
            self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
            self.cursor -= 1

    def delete(self) -> None:
        """Delete the character after the cursor, or all that is selected."""
        if self.selected:
            self.set("")
        elif self.cursor < len(self.text):
            self._remember()
            self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

    def move(self, by: int) -> None:
        """Move the cursor by so many characters, within the text."""
        self.selected = False
        self.cursor = max(0, min(len(self.text), self.cursor + by))

    def undo(self) -> None:
        """Take the last change back."""
        if self._past:
            self.text, self.cursor = self._past.pop()
            self.selected = False

    def _remember(self) -> None:
        self._past.append((self.text, self.cursor))
        del self._past[:-200]
