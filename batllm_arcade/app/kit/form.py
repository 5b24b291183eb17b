"""Forms, and pickers in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.text_fields import EndBuffer, draw_line, edit_by_key
from batllm_arcade.app.kit.widgets import Pressable, Row, Widget, place, rows
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- A form


class Form:
    """Widgets in their order; `moved` is called when the focus moves."""

    def __init__(self, moved: Callable[[], None] = lambda: None) -> None:
        self.widgets: list[Widget] = []
        self.focus: Widget | None = None
        self._scrolls: dict[int, Scroll] = {}
        self._held: Widget | None = None
        self._dragged_bar: Scroll | None = None
        self._last_focus: dict[str, Widget] = {}  # by group: what had the focus when the group was left
        self._reveals = False  # the focus is to be scrolled to as soon as it is known where it is
        self._moved = moved

    def place(self, *parts: tuple[str, Sequence[Widget], Scroll | None]) -> None:
        """Replace the widgets: of each part their group, the widgets, and what they scroll in.

        The focus stays if its widget is still there, else it goes to the one that is called the same in its group.
        """
        self.widgets, self._scrolls = [], {}
        for group, widgets, scroll in parts:
            for widget in widgets:
                widget.group = group
                self.widgets.append(widget)
                if scroll is not None:
                    self._scrolls[id(widget)] = scroll
        if self.focus not in self.widgets:
            self.focus = self._successor() or next(iter(self.widgets), None)

    def _successor(self) -> Widget | None:
        lost = self.focus
        if not isinstance(lost, Row):
            return None
        alike = (row for row in self.widgets if isinstance(row, Row) and row.group == lost.group)
        return next((row for row in alike if row.label == lost.label), None)

    def shown(self, widget: Widget) -> Box:
        """Return where a widget is on the screen now."""
        scroll = self._scrolls.get(id(widget))
        return widget.box if scroll is None else scroll.shown(widget.box)

    def set_focus(self, widget: Widget | None) -> None:
        """Move the focus, and scroll to it."""
        if widget is not None and widget is not self.focus:
            self.focus = widget
            self._moved()
        self.reveal()

    def reveal(self) -> None:
        """Scroll to the widget with the focus, with the next update after it has been laid out."""
        self._reveals = True

    def update(self) -> None:
        """Scroll to the widget with the focus where it has moved, once it has been laid out."""
        scroll = self._scrolls.get(id(self.focus))
        if self._reveals and self.focus is not None and self.focus.box.h > 0:
            self._reveals = False
            if scroll is not None:
                scroll.reveal(self.focus.box.y, self.focus.box.bottom)

    def take(self, intent: Intent) -> bool:
        """Give an intent to the widget with the focus, or move the focus; return False if neither did anything."""
        if self.focus is not None and self.focus.take(intent):
            return True
        if intent in ("next", "previous") and self.widgets:
            self._travel(1 if intent == "next" else -1)
            return True
        if intent in ("up", "down", "left", "right"):
            target = self._nearest(intent) or self._around(intent)
            self.set_focus(target)
            return target is not None
        return False

    def _travel(self, by: int) -> None:
        """Move the focus to the next group: to the widget last used there, else to its first."""
        groups = list(dict.fromkeys(widget.group for widget in self.widgets))
        if len(groups) < 2 or self.focus is None:
            at = self.widgets.index(self.focus) if self.focus in self.widgets else -1
            self.set_focus(self.widgets[(at + by) % len(self.widgets)])
            return
        self._last_focus[self.focus.group] = self.focus
        group = groups[(groups.index(self.focus.group) + by) % len(groups)]
        known = self._last_focus.get(group)
        self.set_focus(known if known in self.widgets else next(w for w in self.widgets if w.group == group))

    def _nearest(self, intent: Intent) -> Widget | None:
        """Return the next widget in a direction; distance aside counts three times as much as distance ahead."""
        if self.focus is None:
            return next(iter(self.widgets), None)
        here, least, nearest = self.shown(self.focus), 1e12, None
        for widget in self.widgets:
            there = self.shown(widget)
            ahead, aside = _apart(here, there, intent)
            if widget is not self.focus and ahead > 0 and ahead + 3 * aside < least:
                least, nearest = ahead + 3 * aside, widget
        return nearest

    def _around(self, intent: Intent) -> Widget | None:
        """Return the other end of the column when the focus is at its end."""
        if self.focus is None or intent in ("left", "right"):
            return None
        here = self.shown(self.focus)
        other: Intent = "up" if intent == "down" else "down"
        apart = [(_apart(here, self.shown(widget), other), widget) for widget in self.widgets]
        column = [(ahead, widget) for (ahead, aside), widget in apart if ahead > 0 and aside == 0]
        return max(column, key=lambda each: each[0])[1] if column else None

    def under(self, x: float, y: float) -> Widget | None:
        """Return the widget at a point, None if there is none."""
        for widget in reversed(self.widgets):
            scroll = self._scrolls.get(id(widget))
            if self.shown(widget).holds(x, y) and (scroll is None or scroll.box.holds(x, y)):
                return widget
        return None

    def hover(self, x: float, y: float) -> None:
        """Handle the mouse's movement: drag, or focus what is under it unless somebody is typing."""
        if self._held is not None:
            self._held.drag(x, y + self._held.box.y - self.shown(self._held).y)
        elif self._dragged_bar is not None:
            self._dragged_bar.go((y - self._dragged_bar.box.y) / self._dragged_bar.box.h)
        else:
            widget = self.under(x, y)
            typing = self.focus is not None and self.focus.takes_text
            if widget is not None and widget is not self.focus and not widget.takes_text and not typing:
                self.focus = widget
                self._moved()

    def press(self, x: float, y: float, clicks: int = 1) -> bool:
        """Handle the mouse's button going down; return whether anything is there."""
        for scroll in set(self._scrolls.values()):
            if scroll.most > 0 and scroll.box.holds(x, y) and x > scroll.box.right - 12:
                self._dragged_bar = scroll
                self.hover(x, y)
                return True
        widget = self.under(x, y)
        if widget is None:
            return False
        self.set_focus(widget)
        self._held = widget
        widget.press(x, y + widget.box.y - self.shown(widget).y, clicks)
        return True

    def release(self) -> None:
        """Handle the mouse's button coming up."""
        self._held = self._dragged_bar = None

    def wheel(self, x: float, y: float, by: float) -> None:
        """Handle the wheel, turned upwards if `by` is positive."""
        widget = self.under(x, y)
        if widget is not None and widget.wheel(by):
            return
        for scroll in set(self._scrolls.values()):
            if scroll.box.holds(x, y):
                scroll.by(-by * 60)

    def draw(self, canvas: Canvas, now: float, *, active: bool = True) -> None:
        """Draw all widgets, the scrolled ones within their windows."""
        for widget in self.widgets:
            focused = active and widget is self.focus
            within = self._scrolls.get(id(widget))
            box = self.shown(widget)
            if within is None:
                widget.draw(canvas, box, focused, now)
            elif box.bottom > within.box.y and box.y < within.box.bottom:
                with canvas.clipped(within.box.inset(-6, 0)):
                    widget.draw(canvas, box, focused, now)
        for scroll in set(self._scrolls.values()):
            scroll.draw_bar(canvas)


def _apart(here: Box, there: Box, intent: Intent) -> tuple[float, float]:
    """Return how far a box lies ahead in a direction (0 or less: not at all), and how far aside."""
    (x, y), (u, v) = here.middle, there.middle
    if intent in ("up", "down"):
        ahead = v - y if intent == "down" else y - v
        aside = max(0.0, there.x - here.right, here.x - there.right)
        clear = there.y >= here.bottom - 4 if intent == "down" else there.bottom <= here.y + 4
    else:
        ahead = u - x if intent == "right" else x - u
        aside = max(0.0, there.y - here.bottom, here.y - there.bottom)
        clear = there.x >= here.right - 4 if intent == "right" else there.right <= here.x + 4
    return (ahead if clear else 0.0), aside


# -- A list to choose from

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
        if focused:
            canvas.box(box, mixed(theme.PANEL, theme.GOLD, 0.24), theme.GOLD, radius=6)
        if self._mark:
            canvas.box(Box(box.x + 9, box.y + 15, 8, 8), theme.GOLD, None, radius=4)
        color = theme.TEXT if focused else theme.SOFT
        canvas.words((box.x + 28, box.y + 8), self.text, "label", 18, color, width=box.w - 40)
        if self.more:
            color = theme.SOFT if focused else theme.DIM
            canvas.block((box.x + 28, box.y + 32), self.more, "label", _MORE, color, box.w - 44, _MOST_LINES)


_MOST = 200  # characters that can be typed
_LINE = 38.0
_ABOVE = 60.0  # what the title takes, logical units


class Picker:
    """A modal list; a choice calls `close()`, then `chosen(index)`.

    Letters narrow one that is `searched` to what holds all the words typed; if none is exactly what was typed, that can
    be chosen, too, where there is something to be called with it (`free`).
    """

    def __init__(
        self, title: str, items: Sequence[tuple[str, str]], at: int, chosen: Callable[[int], None],
        close: Callable[[], None], moved: Callable[[], None] = lambda: None, *, note: str = "", searched: bool = False,
        free: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        self._title, self._note, self.close, self._free = title, note, close, free
        self.takes_text = searched
        """Whether letters are typed into it."""
        self._above = _ABOVE + (_LINE + 10 if searched else 0.0)
        self._typed = EndBuffer(most=_MOST, lines=False)
        self._tallest = 120.0 if searched else 0.0
        self._scroll, self.form, self.box = Scroll(), Form(moved), Box(0, 0, 0, 0)
        self._all = [
            self._item(text, more, lambda index=index: chosen(index), index == at)  # type: ignore[misc]
            for index, (text, more) in enumerate(items)
        ]
        self._show(self._all, at if 0 <= at < len(items) else 0)

    def _item(self, text: str, more: str, answer: Callable[[], None], mark: bool) -> Item:
        def do() -> None:
            self.close()
            answer()

        return Item(text, more, do, mark)

    def _show(self, items: list[Item], focus: int) -> None:
        self.items = items
        self.form.place(("", items, self._scroll))
        self.form.focus = items[focus] if items else None
        self.form.reveal()

    def key(self, event: pygame.event.Event) -> bool:
        """Narrow a list that is searched by what is typed or pasted, and widen it by what is deleted.

        Return False to leave the event to the list.
        """
        if not self.takes_text:
            return False
        before = self._typed.text
        edited = edit_by_key(self._typed, event)
        if self._typed.text != before:
            self._search(self._typed.text.strip())
        return edited

    def _search(self, wanted: str) -> None:
        words = wanted.lower().split()
        fitting = [item for item in self._all if all(word in item.text.lower() for word in words)]
        # What begins with what was typed comes first.
        fitting.sort(key=lambda item: not item.text.lower().startswith(wanted.lower()))
        free = self._free
        if free is not None and wanted and all(item.text != wanted for item in self._all):
            fitting.append(self._item(f"Take \u201c{wanted}\u201d as typed", "", lambda: free(wanted), False))
        self._show(fitting, 0)

    def arrange(self, canvas: Canvas) -> None:
        """Lay the list out in the middle of the canvas."""
        wide = min(640.0, canvas.width - 40)
        highs = [item.high(canvas, wide - 44) for item in self.items]
        if self.takes_text:  # it does not shrink while it is searched: what is under the mouse would move
            self._tallest = max(self._tallest, sum(highs) + 12)
        high = min(canvas.height - 130 - self._above, max(self._tallest, sum(highs) + 12))
        above = self._above + 14
        self.box = Box((canvas.width - wide) / 2, (canvas.height - high - above) / 2, wide, high + above)
        self._scroll.box = Box(self.box.x + 16, self.box.y + self._above, wide - 32, high)
        area = Box(self._scroll.box.x, 6.0, wide - 32 - 12, 0)
        place(self.items, rows(area, [item_high - 2 for item_high in highs], 2))
        self._scroll.height = 6 + sum(highs) + 6

    def draw(self, canvas: Canvas, now: float) -> None:
        """Draw it over the screen, which is darker."""
        canvas.veil(190)
        box = self.box
        canvas.panel(box, theme.PANEL_EDGE)
        canvas.words((box.x + 24, box.y + 18), self._title, "title", 24, theme.TEXT, width=box.w - 48)
        if self._note:
            canvas.words((box.right - 24, box.y + 24), self._note, "mono", 12, theme.DIM, side="right")
        self.form.draw(canvas, now)
        if not self.takes_text:
            return
        line, edge = (
            Box(box.x + 16, box.y + 58, box.w - 44, _LINE),
            theme.GOLD if self._typed.text else theme.PANEL_EDGE,
        )
        empty = f"type to search{', or a name of your own' if self._free else ''}"
        draw_line(canvas, line, self._typed, empty, now, focused=True, edge=edge)
        if not self.items:
            at = (box.x + 44, box.y + self._above + 16)
            canvas.words(at, "Nothing in the list is called that", "label", 16, theme.SOFT)
