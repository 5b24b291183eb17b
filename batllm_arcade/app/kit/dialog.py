"""Dialogs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning, digit
from batllm_arcade.app.kit.canvas import Box, Canvas, pulse
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.kit.menu_screen import DIMMED, MenuScreen
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.kit.widgets import Pressable, Widget, place, rows
from batllm_arcade.render.draw_list import wash
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

# -- Dialogs over a match

_MOST_LINES = 6  # of a dialog's text


class Dialog(MenuScreen):
    """A menu over the match; with a `backdrop` it has the whole window, and room for hints.

    `pauses` lets the pause key close it.
    """

    pauses = False

    def __init__(self, ui: Ui, *, backdrop: bool = False) -> None:
        super().__init__(ui)
        self.backdrop = backdrop

    def place_hints(self, canvas: Canvas) -> None:
        if self.backdrop:
            super().place_hints(canvas)

    def paint_back(self, canvas: Canvas, now: float) -> None:
        if self.backdrop or self.below is not None:
            super().paint_back(canvas, now)
        else:
            wash(canvas.target, DIMMED, pygame.BLEND_RGB_MULT)

    def paint_foot(self, canvas: Canvas) -> None:
        if self.backdrop:
            super().paint_foot(canvas)


class DialogEntry(Pressable):
    """A line that does something: its text, and at the right a key that does the same, or a note."""

    def __init__(
        self, text: str, do: Callable[[], None], *, key: str = "", danger: bool = False,
        color: Color = theme.GOLD,
    ) -> None:  # fmt: skip
        super().__init__(text, do)
        self.note_key, self._danger, self.color = key, danger, color
        self.note, self.note_color = "", theme.DIM

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        tint = theme.DANGER if self._danger else self.color
        fill = mixed(theme.SUNKEN, tint, 0.28) if focused else theme.SUNKEN
        canvas.box(box, fill, tint if focused else theme.PANEL_EDGE, width=1.5 if focused else 1)
        if focused:
            canvas.ring(box, tint, now)
        color = theme.DIM if not self.enabled else theme.DANGER if self._danger and not focused else theme.TEXT
        middle = box.y + box.h / 2
        used = self._draw_note(canvas, box)
        canvas.words((box.x + 16, middle - 12), self.text, "label", 19, color, width=box.w - 32 - used)

    def _draw_note(self, canvas: Canvas, box: Box) -> float:
        middle = box.y + box.h / 2
        if self.note_key:
            wide = max(28.0, canvas.measure(self.note_key, "bold", 12) + 16)
            return keycap(canvas, (box.right - 14 - wide, middle - 13), self.note_key) + 16
        if self.note:
            at = (box.right - 16, middle - 10)
            return canvas.words(at, self.note, "label", 16, self.note_color, width=box.w * 0.5, side="right") + 16
        return 0.0


class MenuDialog(Dialog):
    """A panel with a title, some text and a column of choices."""

    def __init__(
        self, ui: Ui, title: str, entries: Sequence[Widget], back: Callable[[], None], *, words: str = "",
        color: Color = theme.TEXT, pauses: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(ui)
        self.title, self.words, self.color, self.pauses = title, words, color, pauses
        self._back = back
        self.corner.sign = "play" if pauses else "back"
        self.form.place(("", entries, None))

    def back(self) -> None:
        self._back()

    def go_on(self) -> None:
        self._back()

    @property
    def picture(self) -> object:
        """What the panel shows; None while a list lies over it."""
        if self.picker is not None:
            return None
        entries = [
            (entry.text, entry.note_key, entry.note) for entry in self.form.widgets if type(entry) is DialogEntry
        ]
        return self, self.words, self.problem, entries, pulse(self.now)

    def arrange(self, canvas: Canvas) -> None:
        wide = min(500.0, canvas.width - 40)
        above = 78.0
        if self.words:
            above += 12 + 24.0 * canvas.lines(self.words, "label", 18, wide - 60, _MOST_LINES)
        step = min(52.0, (canvas.height - above - 40) / max(1, len(self.form.widgets)))
        high = above + step * len(self.form.widgets) + 14
        self._box = Box((canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high)
        below = Box(self._box.x + 24, self._box.y + above, wide - 48, 0)
        place(self.form.widgets, rows(below, [step - 7] * len(self.form.widgets), 7))

    def paint(self, canvas: Canvas, now: float) -> None:
        box = self._box
        canvas.panel(box, theme.WALL)
        canvas.words(
            (box.x + box.w / 2, box.y + 42), self.title, "title", 32, self.color, width=box.w - 40, side="middle"
        )
        if self.words:
            canvas.block((box.x + 30, box.y + 74), self.words, "label", 18, theme.SOFT, box.w - 60, _MOST_LINES)


class AddressDialog(MenuDialog):
    """Shows the address; `no` has the focus, so that whoever only presses on asks nobody."""

    def __init__(self, ui: Ui, address: str, yes: Callable[[], None], no: Callable[[], None]) -> None:
        words = (
            f"A brain asks the server {address}, which only the file names: it is neither this computer's own nor a "
            "known provider's. It would be sent the orders and the game; your keys go to their own servers alone."
        )
        entries = [DialogEntry("No, ask nobody", no), DialogEntry(f"Ask {address}", yes, danger=True)]
        super().__init__(ui, "A strange server", entries, no, words=words, color=theme.GOLD)
        self.backdrop = True


_BUTTONS = ("a", "x", "y", "", "")
"""A gamepad's button for each choice; the first one has the focus, and so `a`, from the beginning."""


class Way(NamedTuple):
    """One way to go on."""

    text: str
    do: Callable[[], None]


class ShortcutDialog(MenuDialog):
    """Some ways to go on, the likeliest first; `below` is what lies under it, where it is a screen of its own."""

    def __init__(
        self, ui: Ui, title: str, words: str, ways: Sequence[Way], back: Callable[[], None], *,
        color: Color = theme.GOLD, below: Screen | None = None,
    ) -> None:  # fmt: skip
        entries = [DialogEntry(way.text, way.do) for way in ways]
        super().__init__(ui, title, entries, back, words=words, color=color)
        self._entries, self.below = entries, below

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        number = -1
        if pressed := digit(event):
            number = pressed - 1
        elif event.type == PAD and event.pressed and event.button in _BUTTONS[1:3]:
            number = _BUTTONS.index(event.button)
        if 0 <= number < len(self._entries):
            self.ui.sound("confirm")
            self._entries[number].do()
        else:
            super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        super().update(now)
        pad, points = self.ui.controls.device == "pad", self.ui.controls.pointer
        for number, entry in enumerate(self._entries):
            button = _BUTTONS[number].upper() if number < len(_BUTTONS) else ""
            entry.note_key = "" if points else button if pad else str(number + 1)

    @property
    def picture(self) -> object:
        """What the panel shows; None over a screen, whose backdrop moves."""
        return super().picture if self.below is None else None
