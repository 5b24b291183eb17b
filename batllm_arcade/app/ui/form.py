"""A form: widgets of which one has the focus, moved by intents and the mouse; parts of it may scroll."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.widgets import NOWHERE, Widget
from batllm_arcade.view import theme

_SMOOTH = 0.35  # the share of the way that scrolling goes in a frame


class Scroll:
    """A window onto widgets that are higher together than it is; their boxes count from its top."""

    def __init__(self) -> None:
        self.box = NOWHERE
        self.height = 0.0
        self.offset = self._wanted = 0.0

    @property
    def most(self) -> float:
        """How far it can be scrolled."""
        return max(0.0, self.height - self.box.h)

    def by(self, amount: float) -> None:
        """Scroll by so much."""
        self._wanted = min(self.most, max(0.0, self._wanted + amount))

    def go(self, share: float) -> None:
        """Scroll so that this share of it is in the middle."""
        self._wanted = share * self.height - self.box.h / 2
        self.by(0)

    def reveal(self, top: float, bottom: float) -> None:
        """Scroll so far that this stretch is seen."""
        if top - 10 < self._wanted:
            self._wanted = top - 10
        elif bottom + 10 > self._wanted + self.box.h:
            self._wanted = bottom + 10 - self.box.h
        self.by(0)

    def settle(self, at_once: bool = False) -> None:
        """Come nearer to where it is to be; once a frame."""
        self.by(0)
        gap = self._wanted - self.offset
        self.offset = self._wanted if at_once or abs(gap) < 0.5 else self.offset + gap * _SMOOTH

    def draw_bar(self, canvas: Canvas) -> None:
        """Where it stands, where it scrolls at all."""
        if self.most > 0:
            box = self.box
            canvas.box(Box(box.right - 5, box.y, 5, box.h), theme.SUNKEN, None, radius=2.5)
            high = max(24.0, box.h * box.h / self.height)
            top = box.y + (box.h - high) * self.offset / self.most
            canvas.box(Box(box.right - 5, top, 5, high), theme.DIM, None, radius=2.5)


class Form:
    """Widgets in their order; `chosen` is told when the focus moves."""

    def __init__(self, chosen: Callable[[], None] = lambda: None) -> None:
        self.widgets: list[Widget] = []
        self.focus: Widget | None = None
        self._scrolls: dict[int, Scroll] = {}
        self._held: Widget | None = None
        self._bar: Scroll | None = None
        self._left: dict[str, Widget] = {}  # what had the focus in a group that was left
        self._chosen = chosen

    def place(self, widgets: Iterable[tuple[Widget, Scroll | None]]) -> None:
        """These are the widgets from now on, each with what it scrolls in."""
        placed = list(widgets)
        self.widgets = [widget for widget, _ in placed]
        self._scrolls = {id(widget): scroll for widget, scroll in placed if scroll is not None}
        if self.focus not in self.widgets:
            self.focus = next(iter(self.widgets), None)

    def shown(self, widget: Widget) -> Box:
        """Where a widget is on the screen now."""
        scroll = self._scrolls.get(id(widget))
        return widget.box if scroll is None else widget.box.moved(0, scroll.box.y - scroll.offset)

    def set_focus(self, widget: Widget | None) -> None:
        """Move the focus, and scroll to it."""
        if widget is not None and widget is not self.focus:
            self.focus = widget
            self._chosen()
        self.reveal()

    def reveal(self) -> None:
        """Scroll to what has the focus."""
        scroll = self._scrolls.get(id(self.focus)) if self.focus else None
        if scroll is not None and self.focus is not None:
            scroll.reveal(self.focus.box.y, self.focus.box.bottom)

    # -- intents --------------------------------------------------------------------------------

    def take(self, intent: Intent) -> bool:
        """Give an intent to what has the focus, or move the focus; False where neither did anything."""
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
        """To the group's next one; where it was left, if somebody has been there before."""
        groups = list(dict.fromkeys(widget.group for widget in self.widgets))
        if len(groups) < 2 or self.focus is None:
            at = self.widgets.index(self.focus) if self.focus in self.widgets else -1
            self.set_focus(self.widgets[(at + by) % len(self.widgets)])
            return
        self._left[self.focus.group] = self.focus
        group = groups[(groups.index(self.focus.group) + by) % len(groups)]
        known = self._left.get(group)
        self.set_focus(known if known in self.widgets else next(w for w in self.widgets if w.group == group))

    def _nearest(self, intent: Intent) -> Widget | None:
        """The next widget in a direction: little sideways counts more than little forwards."""
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
        """At a column's end, its other end."""
        if self.focus is None or intent in ("left", "right"):
            return None
        here = self.shown(self.focus)
        other: Intent = "up" if intent == "down" else "down"
        apart = [(_apart(here, self.shown(widget), other), widget) for widget in self.widgets]
        column = [(ahead, widget) for (ahead, aside), widget in apart if ahead > 0 and aside == 0]
        return max(column, key=lambda each: each[0])[1] if column else None

    # -- the mouse ------------------------------------------------------------------------------

    def under(self, x: float, y: float) -> Widget | None:
        """The widget at a point."""
        for widget in reversed(self.widgets):
            scroll = self._scrolls.get(id(widget))
            if self.shown(widget).holds(x, y) and (scroll is None or scroll.box.holds(x, y)):
                return widget
        return None

    def hover(self, x: float, y: float) -> None:
        """The mouse moved: what is under it gets the focus, unless somebody is typing."""
        if self._held is not None:
            self._held.drag(x, y + self._held.box.y - self.shown(self._held).y)
        elif self._bar is not None:
            self._bar.go((y - self._bar.box.y) / self._bar.box.h)
        else:
            widget = self.under(x, y)
            typing = self.focus is not None and self.focus.takes_text
            if widget is not None and widget is not self.focus and not widget.takes_text and not typing:
                self.focus = widget
                self._chosen()

    def press(self, x: float, y: float, clicks: int = 1) -> bool:
        """The mouse's button went down; whether anything is there."""
        for scroll in set(self._scrolls.values()):
            if scroll.most > 0 and scroll.box.holds(x, y) and x > scroll.box.right - 12:
                self._bar = scroll
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
        """It came up again."""
        self._held = self._bar = None

    def wheel(self, x: float, y: float, by: float) -> None:
        """The wheel was turned, upwards where `by` is positive."""
        widget = self.under(x, y)
        if widget is not None and widget.wheel(by):
            return
        for scroll in set(self._scrolls.values()):
            if scroll.box.holds(x, y):
                scroll.by(-by * 60)

    # -- picture --------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float, *, still: bool = False, active: bool = True) -> None:
        """Draw all widgets, the scrolled ones within their windows."""
        for scroll in set(self._scrolls.values()):
            scroll.settle(still)
        for widget in self.widgets:
            focused = active and widget is self.focus
            within = self._scrolls.get(id(widget))
            if within is None:
                widget.draw(canvas, focused, now)
            elif self.shown(widget).bottom > within.box.y and self.shown(widget).y < within.box.bottom:
                self._draw_scrolled(canvas, widget, within, focused, now)
        for scroll in set(self._scrolls.values()):
            scroll.draw_bar(canvas)

    def _draw_scrolled(self, canvas: Canvas, widget: Widget, scroll: Scroll, focused: bool, now: float) -> None:
        own = widget.box
        widget.box = self.shown(widget)
        try:
            with canvas.clipped(scroll.box.inset(-6, 0)):
                widget.draw(canvas, focused, now)
        finally:
            widget.box = own


def _apart(here: Box, there: Box, intent: Intent) -> tuple[float, float]:
    """How far a box lies ahead in a direction (not at all: 0 or less), and how far aside."""
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
