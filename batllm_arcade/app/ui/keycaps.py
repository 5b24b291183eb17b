"""Keys and buttons as they look on the keyboard and on the gamepad, and hints made of them."""

from __future__ import annotations

from collections.abc import Iterable

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
    width: float | None = None,
) -> None:  # fmt: skip
    """Draw key hints on one line around a point; unbound ("") and overflowing ones are omitted."""
    shown = [(key, words) for key, words in pairs if key]
    gap, inner = 22.0, 8.0
    widths = [
        (26.0 if pad and key in _ROUND else max(28.0, canvas.measure(key, "bold", 12) + 16))
        + inner
        + canvas.measure(words, "label", 15)
        for key, words in shown
    ]
    while shown and sum(widths) + gap * (len(shown) - 1) > (width or canvas.width - 24):
        shown.pop()
        widths.pop()
    x = middle[0] - (sum(widths) + gap * max(0, len(shown) - 1)) / 2
    for (key, words), wide in zip(shown, widths, strict=True):
        drawn = keycap(canvas, (x, middle[1] - 13), key, pad=pad)
        canvas.words((x + drawn + inner, middle[1] - 9), words, "label", 15, theme.SOFT)
        x += wide + gap
