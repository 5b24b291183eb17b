"""Widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import pygame

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.view import layout, theme
from batllm_arcade.view.theme import Color, mixed

# -- The widgets

ROW = 42.0
"""How high a row of a form is."""
NOWHERE = Box(0, 0, 0, 0)
T = TypeVar("T")


class Widget:
    """Anything with a box that can have the focus; `hint` is said at the bottom of the screen while it has it."""

    def __init__(self, hint: str = "") -> None:
        self.box = NOWHERE
        self.hint = hint
        self.enabled = True
        self.group = ""
        """Next and previous go from group to group, where there are several."""

    @property
    def takes_text(self) -> bool:
        """Return whether what is typed goes here while it has the focus."""
        return False

    def take(self, intent: Intent) -> bool:
        """Do what an intent means here; return False to leave it to the form."""
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key or text while focused; return False to leave it to others."""
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        """Handle the mouse's button going down here."""

    def drag(self, x: float, y: float) -> None:
        """Handle the mouse moving with the button held since `press`."""

    def wheel(self, by: float) -> bool:
        """Handle the wheel; return False to scroll what the widget lies in."""
        return False

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw it in a box: its own, scrolled with what it lies in; change nothing."""


class Pressable(Widget):
    """Does something on confirm and on a click, while it is enabled."""

    def __init__(self, text: str, do: Callable[[], None], hint: str = "") -> None:
        super().__init__(hint)
        self.text, self.do = text, do

    def take(self, intent: Intent) -> bool:
        if intent == "confirm" and self.enabled:
            self.do()
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        if self.enabled:
            self.do()


class Button(Pressable):
    """A button; `big` is the one that matters most."""

    def __init__(
        self, text: str, do: Callable[[], None], *, hint: str = "", big: bool = False, color: Color = theme.GOLD
    ) -> None:
        super().__init__(text, do, hint)
        self.big, self.color = big, color
        self.chosen = False
        """Whether it stands for what is shown now."""

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        size = 30 if self.big else 18
        if focused:
            glow = 0.82 + 0.18 * abs((now * 0.9) % 2 - 1) if self.big else 0.9
            fill, color = mixed(theme.PANEL, self.color, round(glow * 12) / 12), theme.NIGHT
        else:
            fill = mixed(theme.PANEL, self.color, 0.20) if self.big or self.chosen else theme.PANEL
            color = self.color if self.chosen else theme.TEXT if self.enabled else theme.DIM
        canvas.box(box, fill, self.color if self.big or focused else theme.PANEL_EDGE, radius=10 if self.big else 8)
        if focused:
            canvas.ring(box, self.color, now, radius=10 if self.big else 8)
        canvas.words(
            box.middle, self.text, "title" if self.big else "label", size, color, width=box.w - 16, side="middle"
        )


class Row(Widget):
    """A row of a form: its label at the left, its value at the right; `mark` marks a value that is not the default."""

    def __init__(self, label: str, hint: str = "") -> None:
        super().__init__(hint)
        self.label, self.name = label, ""
        self.mark = False
        self.label_share = 0.46

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.75) if focused else theme.PANEL, None, radius=7)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        color = theme.TEXT if focused else theme.SOFT if self.enabled else theme.DIM
        at = (box.x + 16, box.y + box.h / 2 - 10)
        canvas.words(at, self.label, "label", 17, color, width=self.label_room(box))
        if self.mark:
            canvas.box(Box(box.x + 5, box.y + box.h / 2 - 3, 6, 6), theme.GOLD, None, radius=3)
        left = box.x + box.w * self.label_share
        self.draw_value(canvas, Box(left, box.y, box.right - left - 12, box.h), focused, now)

    def label_room(self, box: Box) -> float:
        """Return how wide the label may be in the box of the row."""
        return box.w * self.label_share - 26

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the value within a box."""


class ValueRow(Row):
    """Shows a value, and calls `open` on confirm and on a click; a direction calls `step` with -1 or 1."""

    def __init__(
        self, label: str, value: str, open: Callable[[], None], *, hint: str = "",
        step: Callable[[int], None] | None = None, color: Color = theme.TEXT,
    ) -> None:  # fmt: skip
        super().__init__(label, hint)
        self.value, self._open, self._step, self.color = value, open, step, color

    @property
    def shown(self) -> str:
        """The value as it is drawn."""
        return self.value

    @property
    def steps(self) -> bool:
        """Whether there are arrows."""
        return self._step is not None

    def take(self, intent: Intent) -> bool:
        if intent == "confirm" and self.enabled:
            self._open()
            return True
        if intent in ("left", "right") and self._step is not None:
            self._step(1 if intent == "right" else -1)
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        left = self.box.x + self.box.w * self.label_share
        at_arrow: Intent | None = "left" if x < left + 26 else "right" if x > self.box.right - 38 else None
        self.take(at_arrow if at_arrow and self._step is not None else "confirm")

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        color = self.color if self.enabled else theme.DIM
        tint = theme.GOLD if focused else theme.DIM
        canvas.words(box.middle, self.shown, "label", 18, color, width=box.w - 44, side="middle")
        if self.steps:
            for x, side in ((box.x + 10, -1), (box.right - 10, 1)):
                canvas.arrow((x, box.y + box.h / 2), side, tint, 5.5)
        elif self._step is None:  # three dots: it opens something
            for dot in range(3):
                canvas.box(Box(box.right - 18 + 6 * dot, box.y + box.h / 2 - 2, 3, 3), tint, None, radius=1.5)


class Choice(ValueRow):
    """One of several; left and right go through them, confirm opens a list if there is a `pick`."""

    def __init__(
        self, label: str, options: Sequence[str], chosen: int, changed: Callable[[int], None], *, hint: str = "",
        pick: Callable[[Choice], None] | None = None, color: Color = theme.TEXT,
    ) -> None:  # fmt: skip
        super().__init__(label, "", self._confirm, hint=hint, step=self._go, color=color)
        self.options, self.chosen = tuple(options), chosen
        self._changed, self._pick = changed, pick

    @classmethod
    def among(
        cls, label: str, values: Sequence[T], value: T, changed: Callable[[T], None], words: Callable[[T], str] = str,
        *, hint: str = "",
    ) -> Choice:  # fmt: skip
        """Return a choice of one of these values, each shown in words; `changed` gets the one chosen."""
        options = [words(option) for option in values]
        return cls(label, options, values.index(value), lambda index: changed(values[index]), hint=hint)

    @property
    def shown(self) -> str:
        return self.options[self.chosen] if self.options else "-"

    @property
    def steps(self) -> bool:
        return self.enabled and len(self.options) > 1

    def choose(self, index: int) -> None:
        """Choose one by its number."""
        self.chosen = index
        self._changed(index)

    def _go(self, by: int) -> None:
        if self.steps:
            self.choose((self.chosen + by) % len(self.options))

    def _confirm(self) -> None:
        if self._pick is not None and len(self.options) > 3:
            self._pick(self)
        else:
            self._go(1)


class Toggle(Row):
    """On or off."""

    def __init__(self, label: str, on: bool, changed: Callable[[bool], None], *, hint: str = "") -> None:
        super().__init__(label, hint)
        self.on, self._changed = on, changed

    def take(self, intent: Intent) -> bool:
        if intent not in ("left", "right", "confirm"):
            return False
        target = not self.on if intent == "confirm" else intent == "right"
        if target != self.on and self.enabled:
            self.on = target
            self._changed(target)
        return True

    def press(self, x: float, y: float, clicks: int) -> None:
        self.take("confirm")

    def label_room(self, box: Box) -> float:
        return box.w - 126

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        track = Box(box.right - 54, box.y + box.h / 2 - 11, 46, 22)
        canvas.box(track, theme.GOOD if self.on else theme.SUNKEN, theme.GOOD if self.on else theme.DIM, radius=11)
        knob = Box(track.x + (26 if self.on else 3), track.y + 3, 17, 16)
        canvas.box(knob, theme.NIGHT if self.on else theme.SOFT, None, radius=8)
        at = (track.x - 12, box.y + box.h / 2 - 10)
        canvas.words(at, "on" if self.on else "off", "label", 17, theme.TEXT if self.on else theme.DIM, side="right")


class Slider(Row):
    """A number in a range, in steps."""

    def __init__(
        self, label: str, value: float, span: tuple[float, float, float], changed: Callable[[float], None], *,
        hint: str = "", shown: Callable[[float], str] = "{:g}".format,
    ) -> None:  # fmt: skip
        super().__init__(label, hint)
        self.value, self._span, self._changed, self._shown = value, span, changed, shown

    def set(self, value: float) -> None:
        """Go to the step nearest to a value."""
        least, most, step = self._span
        steps = round((min(most, max(least, value)) - least) / step)
        value = min(most, round(least + steps * step, 6))
        if value != self.value:
            self.value = value
            self._changed(value)

    def take(self, intent: Intent) -> bool:
        if intent in ("left", "right"):
            self.set(self.value + (self._span[2] if intent == "right" else -self._span[2]))
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        if x > self.box.x + self.box.w * self.label_share - 8:
            self.drag(x, y)

    def drag(self, x: float, y: float) -> None:
        track = self._track(self.box.x + self.box.w * self.label_share, self.box.right - 12)
        least, most, _ = self._span
        self.set(least + (x - track[0]) / (track[1] - track[0]) * (most - least))

    @staticmethod
    def _track(left: float, right: float) -> tuple[float, float]:
        return left + 6, right - 92

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        least, most, _ = self._span
        left, right = self._track(box.x, box.right)
        middle, share = box.y + box.h / 2, (self.value - least) / (most - least)
        tint = theme.GOLD if focused else theme.SOFT
        canvas.box(Box(left, middle - 3, right - left, 6), theme.SUNKEN, theme.PANEL_EDGE, width=1, radius=3)
        if share > 0:
            canvas.box(Box(left, middle - 3, max(6.0, (right - left) * share), 6), tint, None, radius=3)
        canvas.box(Box(left + (right - left) * share - 8, middle - 8, 16, 16), tint, theme.NIGHT, width=2, radius=8)
        shown = self._shown(self.value)
        canvas.words((box.right - 2, middle - 10), shown, "label", 17, theme.TEXT, width=84, side="right")


class ListEntry(Widget, Generic[T]):
    """A row of a list, for an `entry`; `chosen(row, opens)` is called when it is selected or opened."""

    def __init__(self, entry: T, chosen: Callable[[Any, bool], None]) -> None:
        super().__init__()
        self.entry, self._chosen = entry, chosen
        self.selected = False

    def take(self, intent: Intent) -> bool:
        if intent == "confirm":
            self._chosen(self, True)
        return intent == "confirm"

    def press(self, x: float, y: float, clicks: int) -> None:
        self._chosen(self, clicks > 1)

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        fill = mixed(theme.PANEL, theme.PANEL_EDGE, 0.75 if self.selected else 0.3 if focused else 0.0)
        canvas.box(box, fill, theme.GOLD if self.selected else None, radius=8)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=8)


# -- Boxes in rows and columns


def grid(area: Box, count: int, across: int, high: float, gap: float, down: float | None = None) -> list[Box]:
    """Return boxes of this height, `across` beside each other in the area's width, row by row from its top.

    `gap` lies between them; between rows `down`, where that is another one.
    """
    wide = (area.w - (across - 1) * gap) / across
    step = high + (gap if down is None else down)
    return [
        Box(area.x + (number % across) * (wide + gap), area.y + (number // across) * step, wide, high)
        for number in range(count)
    ]


def columns(area: Box, widths: Sequence[float | None], gap: float = 0.0) -> list[Box]:
    """Return boxes beside each other, as high as the area: of these widths, None for an equal share of the rest."""
    return [Box(*part) for part in layout.columns(area, widths, gap)]


def rows(area: Box, heights: Sequence[float | None], gap: float = 0.0) -> list[Box]:
    """Return boxes below each other, as wide as the area: of these heights, None for an equal share of the rest."""
    return [Box(*part) for part in layout.rows(area, heights, gap)]


def place(widgets: Sequence[Widget], boxes: Sequence[Box]) -> None:
    """Give each widget its box."""
    for widget, box in zip(widgets, boxes, strict=True):
        widget.box = box
