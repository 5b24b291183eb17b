"""Keys as pictures, and rows that bind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import pygame

from batllm_arcade.app.input.controls import Intent, button_name, key_name
from batllm_arcade.app.input.key_labels import NAMES, pressing
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Row, columns
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.user_settings import Settings, assigned, shipped
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

# -- Keys and buttons as they look on the keyboard and on the gamepad

_INNER = 8.0  # between a hint's key and its words
_ROUND: dict[str, Color] = {"A": (104, 232, 176), "B": (255, 110, 120), "X": (90, 180, 255), "Y": (255, 212, 94)}


def keycap(
    canvas: Canvas, at: tuple[float, float], name: str, *, pad: bool = False, color: Color = theme.TEXT
) -> float:
    """Draw a key or a gamepad's button with its left top at a point, 26 high; return its width."""
    if pad and name in _ROUND:
        return _button(canvas, at, name)
    wide = _key_width(canvas, name)
    canvas.box(Box(at[0], at[1] + 2, wide, 24), mixed(theme.NIGHT, theme.PANEL_EDGE, 0.55), None, radius=6)
    canvas.box(Box(at[0], at[1], wide, 24), mixed(theme.PANEL, theme.PANEL_EDGE, 0.5), theme.DIM, width=1, radius=6)
    canvas.words((at[0] + wide / 2, at[1] + 12), name, "bold", 12, color, side="middle")
    return wide


def _printed(label: str) -> str:
    """Return a hint's key with letters as they are printed on the keyboard in use, such as `CTRL Z`."""
    return " ".join(key_name(part.lower()) if part.isascii() and len(part) == 1 else part for part in label.split(" "))


def _key_width(canvas: Canvas, name: str) -> float:
    return max(28.0, canvas.measure(name, "bold", 12) + 16)


def _button(canvas: Canvas, at: tuple[float, float], name: str) -> float:
    canvas.box(Box(at[0], at[1], 26, 26), mixed(theme.NIGHT, _ROUND[name], 0.25), _ROUND[name], width=1.5, radius=13)
    canvas.words((at[0] + 13, at[1] + 13), name, "bold", 13, _ROUND[name], side="middle")
    return 26.0


class Hint(NamedTuple):
    """A key and what it does, where it is pressed by the mouse, and where it is drawn from."""

    key: str
    words: str
    box: Box
    x: float


class HintBar:
    """The hints at a screen's foot as buttons: a click on one presses the key that it names."""

    def __init__(self) -> None:
        self.hints: Sequence[Hint] = ()
        """The hints that are shown now."""
        self._pad, self._caps = False, True
        self.lit = ""
        """The key of the hint under the mouse."""

    def place(
        self, canvas: Canvas, middle: tuple[float, float], pairs: Iterable[tuple[str, str]], *, pad: bool,
        width: float | None = None, caps: bool = True,
    ) -> None:  # fmt: skip
        """Show these hints, each a key and what it does, on one line around a point, as many as there is room for.

        Unbound ones ("") are left out. Without `caps`, for somebody who points, they are buttons with words: those
        that name no single key are left out, too.
        """
        self._pad, self._caps = pad, caps
        printed = pairs if pad else [(_printed(key), words) for key, words in pairs]
        named = [(key, words) for key, words in printed if key and (caps or pressing(key, pad=pad))]
        widths = [self._cap_width(canvas, key) + canvas.measure(words, "label", 15) for key, words in named]
        gap, room = 22.0, width or canvas.width - 24
        if sum(widths) + gap * (len(named) - 1) > room:
            gap = max(8.0, (room - sum(widths)) / max(1, len(named) - 1))
        while widths and sum(widths) + gap * (len(widths) - 1) > room + 0.5:
            widths.pop()
        left, top = middle[0] - (sum(widths) + gap * max(0, len(widths) - 1)) / 2, middle[1] - 19
        boxes = columns(Box(left, top, 0, 38), widths, gap)
        self.hints = [
            Hint(key, words, box.inset(-gap / 2, 0), box.x)
            for (key, words), box in zip(named, boxes, strict=False)  # what has no room is left out
        ]

    def _cap_width(self, canvas: Canvas, key: str) -> float:
        """Return what a hint's key takes before its words; without caps, the rims of its button."""
        if not self._caps:
            return 2 * _INNER
        return (26.0 if self._pad and key in _ROUND else _key_width(canvas, key)) + _INNER

    def draw(self, canvas: Canvas) -> None:
        """Draw the hints, the one under the mouse lit."""
        for hint in self.hints:
            lit, (_, y) = hint.key == self.lit, hint.box.middle
            if lit:
                edge = mixed(theme.NIGHT, theme.GOLD, 0.6)
                canvas.box(hint.box.inset(3, 2), mixed(theme.NIGHT, theme.GOLD, 0.16), edge)
            elif not self._caps:
                canvas.box(hint.box.inset(6, 4), theme.PANEL, theme.PANEL_EDGE, width=1)
            if not self._caps:
                canvas.words(hint.box.middle, hint.words, "label", 15, theme.GOLD if lit else theme.SOFT, side="middle")
                continue
            color = theme.GOLD if lit else theme.TEXT
            drawn = keycap(canvas, (hint.x, y - 13), hint.key, pad=self._pad, color=color)
            at = (hint.x + drawn + _INNER, y - 9)
            canvas.words(at, hint.words, "label", 15, theme.TEXT if lit else theme.SOFT)

    def _key_at(self, x: float, y: float) -> str:
        key = next((hint.key for hint in self.hints if hint.box.holds(x, y)), "")
        return key if key and pressing(key, pad=self._pad) else ""

    def hover(self, x: float, y: float) -> None:
        """Light the hint at a point, if there is one that can be clicked."""
        self.lit = self._key_at(x, y)

    def press(self, x: float, y: float) -> bool:
        """Post the events of the key that the hint at a point names; return whether there is one."""
        key = self._key_at(x, y)
        for event in pressing(key, pad=self._pad) if key else ():
            pygame.event.post(event)
        return bool(key)


class CornerButton:
    """The way out, always at the window's top left; for the mouse, so the focus never goes there.

    `sign` is `back`, `pause` in a match, or `play` where a match is held.
    """

    BOX = Box(12, 9, 44, 44)

    def __init__(self, sign: str = "back") -> None:
        self.sign, self.hovered = sign, False

    def draw(self, canvas: Canvas) -> None:
        """Draw a key with the sign, brighter under the mouse."""
        box, color = self.BOX, theme.GOLD if self.hovered else theme.SOFT
        fill = mixed(theme.PANEL, theme.GOLD, 0.22) if self.hovered else theme.PANEL
        canvas.box(box, fill, theme.GOLD if self.hovered else theme.PANEL_EDGE, radius=10)
        x, y = box.middle
        if self.sign == "play":
            canvas.arrow((x + 1, y), 1, color, 11)
        elif self.sign == "pause":
            for left in (x - 9, x + 3):
                canvas.box(Box(left, y - 10, 6, 20), color, None, radius=2)
        else:
            canvas.arrow((x - 8, y), -1, color, 8)
            canvas.box(Box(x - 8, y - 2, 19, 4), color, None, radius=2)


class KeyBindingRow(Row):
    """Confirm waits for a key in place of those bound, right for one more: both call `listen(row, more)`."""

    def __init__(self, group: str, action: str, listen: Callable[[KeyBindingRow, bool], None]) -> None:
        super().__init__(NAMES.get(action, action.capitalize()))
        self.bindings, self.action, self._listen = group, action, listen
        self.names: tuple[str, ...] = ()
        self.listening = False

    def take(self, intent: Intent) -> bool:
        if intent in ("confirm", "right"):
            self._listen(self, intent == "right")
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        self._listen(self, False)

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        pad = self.bindings == "pad"
        if self.listening:
            words = f"press a {'button' if pad else 'key'}..." if now % 1.0 < 0.7 else ""
            canvas.words((box.x + 8, box.y + box.h / 2 - 10), words, "label", 17, theme.GOLD)
            return
        if not self.names:
            canvas.words((box.x + 8, box.y + box.h / 2 - 10), "not set", "label", 17, theme.DIM)
        x = box.x + 8
        for name in self.names:
            if x < box.right - 40:
                x += keycap(canvas, (x, box.y + box.h / 2 - 13), (button_name if pad else key_name)(name), pad=pad) + 8


def rebound(now: Settings, group: str, action: str, name: str, more: bool) -> tuple[Settings, str]:
    """Return the settings with a key or button bound to an action, and a sentence on what that did to another one.

    Nothing changes where another action would be left without any; the sentence says so.
    """
    before = settings.bindings(now, group).get(action, ())
    names = (*(key for key in before if key != name), name) if more else (name,)
    return _assigned(now, group, action, names, swap=True)


def as_shipped(now: Settings, group: str, action: str) -> tuple[Settings, str]:
    """Return the settings with an action's keys as shipped, taken back from others, and a sentence on that."""
    return _assigned(now, group, action, shipped(group, action), swap=False)


def _assigned(now: Settings, group: str, action: str, names: tuple[str, ...], *, swap: bool) -> tuple[Settings, str]:
    done, label = assigned(now, group, action, names, swap=swap), button_name if group == "pad" else key_name
    if not isinstance(done[0], Settings):
        return now, f"not that one: {_what(*done)} would be left without any; give it another one first"
    notes = [f"{_what(*place)} is on {' and '.join(map(label, keys))} now" for place, keys in done[1]]
    return done[0], ", ".join(notes)


def _what(group: str, action: str) -> str:
    name = NAMES.get(action, action).lower()
    return f"{name!r} of {group}" if group in ("left", "right") else repr(name)
