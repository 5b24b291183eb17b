"""A list that is searched by typing; where that makes sense, what is typed can be chosen, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.input import clipboard
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.picker import Item, Picker
from batllm_arcade.view import theme

_MOST = 200  # characters that can be typed
_LINE = 38.0


class SearchPicker(Picker):
    """A modal list of texts, each with a line about it; a choice calls `close()`, then `chosen(text)`.

    Letters narrow the list to what holds all the words typed; if none is exactly what was typed, that can be chosen
    where the list is `free`.
    """

    takes_text = True
    above = 60.0 + _LINE + 10

    def __init__(
        self, title: str, items: Sequence[tuple[str, str]], at: str, chosen: Callable[[str], None],
        close: Callable[[], None], moved: Callable[[], None] = lambda: None, *, note: str = "", free: bool = True,
    ) -> None:  # fmt: skip
        self._all, self._at, self._answer, self._free = list(items), at, chosen, free
        self.typed = ""
        place = next((number for number, (text, _) in enumerate(items) if text == at), -1)
        super().__init__(title, items, place, lambda index: chosen(items[index][0]), close, moved, note=note)
        self._tallest = 0.0

    def key(self, event: pygame.event.Event) -> bool:
        """Narrow the list by what is typed or pasted, and widen it by what is deleted."""
        if event.type == pygame.TEXTINPUT:
            self._search(self.typed + event.text)
            return True
        if event.type != pygame.KEYDOWN:
            return False
        control = bool(event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        if event.key == pygame.K_BACKSPACE:
            self._search("" if control else self.typed[:-1])
        elif event.key == pygame.K_DELETE:
            self._search("")
        elif control and event.key == pygame.K_v:
            self._search(self.typed + clipboard.paste().strip())
        else:
            # A letter comes again as text: its key must not choose anything.
            return event.key == pygame.K_SPACE or (not control and len(pygame.key.name(event.key)) == 1)
        return True

    def _search(self, typed: str) -> None:
        self.typed = "".join(c for c in typed if c.isprintable())[:_MOST]
        wanted, words = self.typed.strip(), self.typed.lower().split()
        found = [each for each in self._all if all(word in each[0].lower() for word in words)]
        # What begins with what was typed comes first.
        found.sort(key=lambda each: not each[0].lower().startswith(wanted.lower()))
        items = [self._item(text, more, text) for text, more in found]
        if self._free and wanted and all(text != wanted for text, _ in self._all):
            items.append(self._item(f"Take \u201c{wanted}\u201d as typed", "", wanted))
        self.items = items
        self.form.place([(item, self._scroll) for item in items])
        self.form.focus = items[0] if items else None
        self.form.reveal()

    def _item(self, text: str, more: str, answer: str) -> Item:
        def do() -> None:
            self.close()
            self._answer(answer)

        return Item(text, more, do, answer == self._at)

    def _height(self, items: float) -> float:
        # It does not shrink while it is searched: what is under the mouse would move.
        self._tallest = max(self._tallest, items + 12, 120.0)
        return self._tallest

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draw the list, and the line with what is typed above it."""
        super().draw(canvas, now)
        line = Box(self.box.x + 16, self.box.y + 58, self.box.w - 44, _LINE)
        canvas.box(line, theme.SUNKEN, theme.GOLD if self.typed else theme.PANEL_EDGE, width=1, radius=6)
        at = (line.x + 14, line.y + 9)
        if self.typed:
            canvas.words(at, self.typed, "mono", 16, theme.TEXT, width=line.w - 34)
        else:
            ask = f"type to search{', or a name of your own' if self._free else ''}"
            canvas.words(at, ask, "label", 16, theme.DIM, width=line.w - 34)
        if not self.items:
            middle = (self.box.x + 44, self.box.y + self.above + 16)
            canvas.words(middle, "Nothing in the list is called that", "label", 16, theme.SOFT)
        if now % 1.0 < 0.6:
            x = at[0] + min(line.w - 34, canvas.measure(self.typed, "mono", 16)) - (0 if self.typed else 6)
            canvas.box(Box(x + 1, line.y + 8, 2, 22), theme.GOLD, None, radius=0)
