"""Keys and buttons as they look on the keyboard and on the gamepad, and hints made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from batllm_arcade.app.input.hint_keys import pressing
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

_ROUND: dict[str, Color] = {"A": (104, 232, 176), "B": (255, 110, 120), "X": (90, 180, 255), "Y": (255, 212, 94)}


def keycap(
    canvas: Canvas, at: tuple[float, float], name: str, *, pad: bool = False, color: Color = theme.TEXT
) -> float:
    """Draw a key or a gamepad's button with its left top at a point, 26 high; return its width."""
    if pad and name in _ROUND:
        return _button(canvas, at, name)
    wide = max(28.0, canvas.measure(name, "bold", 12) + 16)
    canvas.box(Box(at[0], at[1] + 2, wide, 24), mixed(theme.NIGHT, theme.PANEL_EDGE, 0.55), None, radius=6)
    canvas.box(Box(at[0], at[1], wide, 24), mixed(theme.PANEL, theme.PANEL_EDGE, 0.5), theme.DIM, width=1, radius=6)
    canvas.words((at[0] + wide / 2, at[1] + 12), name, "bold", 12, color, side="middle")
    return wide


def _button(canvas: Canvas, at: tuple[float, float], name: str) -> float:
    canvas.box(Box(at[0], at[1], 26, 26), mixed(theme.NIGHT, _ROUND[name], 0.25), _ROUND[name], width=1.5, radius=13)
    canvas.words((at[0] + 13, at[1] + 13), name, "bold", 13, _ROUND[name], side="middle")
    return 26.0


def hints(
    canvas: Canvas, middle: tuple[float, float], pairs: Iterable[tuple[str, str]], *, pad: bool,
    width: float | None = None, lit: str = "",
) -> list[tuple[Box, str]]:  # fmt: skip
    """Draw key hints on one line around a point; unbound ("") and overflowing ones are omitted.

    The hint of the key `lit` is brighter. Return the boxes of the hints, each with its key.
    """
    shown = [(key, words) for key, words in pairs if key]
    gap, inner = 22.0, 8.0
    widths = [
        (26.0 if pad and key in _ROUND else max(28.0, canvas.measure(key, "bold", 12) + 16))
        + inner
        + canvas.measure(words, "label", 15)
        for key, words in shown
    ]
    room = width or canvas.width - 24
    if sum(widths) + gap * (len(shown) - 1) > room:
        gap = max(8.0, (room - sum(widths)) / max(1, len(shown) - 1))
    while shown and sum(widths) + gap * (len(shown) - 1) > room + 0.5:
        shown.pop()
        widths.pop()
    x = middle[0] - (sum(widths) + gap * max(0, len(shown) - 1)) / 2
    boxes = []
    for (key, words), wide in zip(shown, widths, strict=True):
        box = Box(x - gap / 2, middle[1] - 19, wide + gap, 38)
        boxes.append((box, key))
        if key == lit:
            canvas.box(box.inset(3, 2), mixed(theme.NIGHT, theme.GOLD, 0.16), mixed(theme.NIGHT, theme.GOLD, 0.6))
        drawn = keycap(canvas, (x, middle[1] - 13), key, pad=pad, color=theme.GOLD if key == lit else theme.TEXT)
        words_color = theme.TEXT if key == lit else theme.SOFT
        canvas.words((x + drawn + inner, middle[1] - 9), words, "label", 15, words_color)
        x += wide + gap
    return boxes


class HintBar:
    """The hints at a screen's foot as buttons: a click on one presses the key that it names."""

    def __init__(self) -> None:
        self._boxes: Sequence[tuple[Box, str]] = ()
        self._pad = False
        self.lit = ""
        """The key of the hint under the mouse."""

    def draw(
        self, canvas: Canvas, middle: tuple[float, float], pairs: Iterable[tuple[str, str]], *, pad: bool,
        width: float | None = None,
    ) -> None:  # fmt: skip
        """Draw the hints as `hints` does, the one under the mouse lit, and keep where they are."""
        self._pad = pad
        self._boxes = hints(canvas, middle, pairs, pad=pad, width=width, lit=self.lit)

    def clear(self) -> None:
        """Forget where hints were: none are drawn now."""
        self._boxes, self.lit = (), ""

    def _key_at(self, x: float, y: float) -> str:
        found = next((key for box, key in self._boxes if box.holds(x, y)), "")
        return found if found and pressing(found, pad=self._pad) else ""

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
