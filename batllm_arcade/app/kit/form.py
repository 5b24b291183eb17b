"""A form: widgets of which one has the focus; intents and the mouse move it, parts of the form may scroll."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Row, Widget


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

    def place(self, widgets: Iterable[tuple[Widget, Scroll | None]]) -> None:
        """Replace the widgets, each given with what it scrolls in.

        The focus stays if its widget is still there, else it goes to the one that is called the same in its group.
        """
        placed = list(widgets)
        self.widgets = [widget for widget, _ in placed]
        self._scrolls = {id(widget): scroll for widget, scroll in placed if scroll is not None}
        if self.focus not in self.widgets:
            self.focus = self._successor() or next(iter(self.widgets), None)

    def _successor(self) -> Widget | None:
        """Return the row that has come in place of the one with the focus, None if there is none."""
        lost = self.focus
        if not isinstance(lost, Row):
            return None
        rows = (each for each in self.widgets if isinstance(each, Row) and each.group == lost.group)
        return next((row for row in rows if row.label == lost.label), None)

    def shown(self, widget: Widget) -> Box:
        """Return where a widget is on the screen now."""
        scroll = self._scrolls.get(id(widget))
        return widget.box if scroll is None else widget.box.moved(0, scroll.box.y - scroll.offset)

    def set_focus(self, widget: Widget | None) -> None:
        """Move the focus, and scroll to it."""
        if widget is not None and widget is not self.focus:
            self.focus = widget
            self._moved()
        self.reveal()

    def reveal(self) -> None:
        """Scroll to the widget with the focus, with the next update after it has been laid out."""
        self._reveals = True

    def update(self, now: float, *, at_once: bool = False) -> None:
        """Scroll on by the time since the last update, or (`at_once`) all the way."""
        scroll = self._scrolls.get(id(self.focus))
        if self._reveals and self.focus is not None and self.focus.box.h > 0:
            self._reveals = False
            if scroll is not None:
                scroll.reveal(self.focus.box.y, self.focus.box.bottom)
        for each in set(self._scrolls.values()):
            each.update(now, at_once=at_once)

    # -- intents --------------------------------------------------------------------------------

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
        here, best, found = self.shown(self.focus), 1e12, None
        for widget in self.widgets:
            there = self.shown(widget)
            ahead, aside = _apart(here, there, intent)
            if widget is not self.focus and ahead > 0 and ahead + 3 * aside < best:
                best, found = ahead + 3 * aside, widget
        return found

    def _around(self, intent: Intent) -> Widget | None:
        """Return the other end of the column when the focus is at its end."""
        if self.focus is None or intent in ("left", "right"):
            return None
        here = self.shown(self.focus)
        other: Intent = "up" if intent == "down" else "down"
        apart = [(_apart(here, self.shown(widget), other), widget) for widget in self.widgets]
        column = [(ahead, widget) for (ahead, aside), widget in apart if ahead > 0 and aside == 0]
        return max(column, key=lambda each: each[0])[1] if column else None

    # -- the mouse ------------------------------------------------------------------------------

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

    # -- picture --------------------------------------------------------------------------------

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
