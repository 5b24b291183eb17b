"""A list to choose from, drawn over the screen that asks; it scrolls when it is long."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.form import Form
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Pressable
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

_HIGH = 38.0
_MORE = 15  # the size of the smaller line
_MOST_LINES = 2


class Item(Pressable):
    """One line of the list, with a smaller one below where there is more to say."""

    def __init__(self, text: str, more: str, do: Callable[[], None], mark: bool) -> None:
        super().__init__(text, do)
        self.more, self._mark = more, mark
        self._measured = (0.0, 0.0, 0.0)  # for which width and scale it was measured, and how high it is then

    def high(self, canvas: Canvas, width: float) -> float:
        """Return how high it is, with the gap below it, where it is this wide."""
        if self._measured[:2] != (width, canvas.scale):
            count = canvas.lines(self.more, "label", _MORE, width - 44, _MOST_LINES) if self.more else 0
            line = canvas.type_size(_MORE) * 1.3
            self._measured = (width, canvas.scale, _HIGH + (count * line + 6 if count else 0))
        return self._measured[2]

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """The line, lit while it has the focus."""
        if focused:
            canvas.box(box, mixed(theme.PANEL, theme.GOLD, 0.24), theme.GOLD, radius=6)
        if self._mark:
            canvas.box(Box(box.x + 9, box.y + 15, 8, 8), theme.GOLD, None, radius=4)
        color = theme.TEXT if focused else theme.SOFT
        canvas.words((box.x + 28, box.y + 8), self.text, "label", 18, color, width=box.w - 40)
        if self.more:
            color = theme.SOFT if focused else theme.DIM
            canvas.block((box.x + 28, box.y + 32), self.more, "label", _MORE, color, box.w - 44, _MOST_LINES)


class Picker:
    """A modal list; a choice calls `close()`, then `chosen(index)`."""

    takes_text = False
    """Whether letters are typed into it."""
    above = 60.0
    """What its title takes, logical units."""

    def __init__(
        self, title: str, items: Sequence[tuple[str, str]], at: int, chosen: Callable[[int], None],
        close: Callable[[], None], moved: Callable[[], None] = lambda: None, *, note: str = "",
    ) -> None:  # fmt: skip
        self._title, self._note, self.close = title, note, close
        self._scroll = Scroll()
        self.form = Form(moved)
        self.items = [
            Item(text, more, lambda index=index: self._choose(index, chosen), index == at)  # type: ignore[misc]
            for index, (text, more) in enumerate(items)
        ]
        self.form.place([(item, self._scroll) for item in self.items])
        self.form.focus = self.items[at] if 0 <= at < len(self.items) else self.form.focus
        self.form.reveal()
        self.box = Box(0, 0, 0, 0)

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key or text; return False to leave it to the list."""
        return False

    def _choose(self, index: int, chosen: Callable[[int], None]) -> None:
        self.close()
        chosen(index)

    def arrange(self, canvas: Canvas) -> None:
        """Lay the list out in the middle of the canvas."""
        wide = min(640.0, canvas.width - 40)
        highs = [item.high(canvas, wide - 44) for item in self.items]
        high, above = min(canvas.height - 130 - self.above, self._height(sum(highs))), self.above + 14
        self.box = Box((canvas.width - wide) / 2, (canvas.height - high - above) / 2, wide, high + above)
        self._scroll.box = Box(self.box.x + 16, self.box.y + self.above, wide - 32, high)
        top = 6.0
        for item, each in zip(self.items, highs, strict=True):
            item.box = Box(self._scroll.box.x, top, wide - 32 - 12, each - 2)
            top += each
        self._scroll.height = top + 6

    def _height(self, items: float) -> float:
        """Return how high the list would like to be that shows items so high."""
        return items + 12

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draw the list over the darkened screen."""
        canvas.veil(190)
        box = self.box
        canvas.panel(box, theme.PANEL_EDGE)
        canvas.words((box.x + 24, box.y + 18), self._title, "title", 24, theme.TEXT, width=box.w - 48)
        if self._note:
            canvas.words((box.right - 24, box.y + 24), self._note, "mono", 12, theme.DIM, side="right")
        self.form.draw(canvas, now)
