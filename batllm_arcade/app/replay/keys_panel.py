"""All keys and buttons of the replay, on a panel over it: in two columns, in one in a narrow window."""

from __future__ import annotations

from functools import lru_cache

import pygame

from batllm_arcade.app.input.controls import button_name
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.replay.marks import paint_mark
from batllm_arcade.app.replay.shortcuts import COMMANDS, Command, printed
from batllm_arcade.view import theme
from batllm_arcade.view.timeline_index import Kind

_LARGEST = 1.15  # how much the panel can be enlarged before it is wider than the window
_LEGEND: tuple[tuple[Kind, str], ...] = (
    ("hit", "hit"), ("block", "block"), ("break", "broken shield"), ("fumble", "fumble"), ("swap", "another player"),
    ("knockout", "knock-out"),
)  # fmt: skip
_MOUSE = "mouse: click or drag the timeline, the wheel goes play by play, click the arena to pause, a panel to read"


class KeysPanel:
    """All keys and buttons over the replay; any of them closes it."""

    def draw(self, canvas: Canvas) -> None:
        """Draw over whatever is on the canvas, as large as there is room for."""
        canvas.target.blit(_painted(canvas.size, min(canvas.ui_scale, _LARGEST)), (0, 0))


@lru_cache(maxsize=1)
def _painted(size: tuple[int, int], ui: float) -> pygame.Surface:
    canvas = Canvas(size, ui)
    canvas.target = surface = pygame.Surface(size, pygame.SRCALPHA)
    canvas.veil(200)
    if canvas.narrow:
        _paint_column(canvas)
    else:
        _paint_columns(canvas)
    return surface


def _paint_columns(canvas: Canvas) -> None:
    panel = Box((canvas.width - 1080) / 2, (canvas.height - 620) / 2, 1080, 620)
    canvas.panel(panel, theme.WALL, width=2)
    canvas.words((panel.x + 30, panel.y + 18), "REPLAY", "title", 28, theme.TEXT)
    rows = (len(COMMANDS) + 1) // 2
    for index, each in enumerate(COMMANDS):
        _paint_command(canvas, each, panel.x + 30 + 530 * (index // rows), panel.y + 66 + 32 * (index % rows), 508)
    _paint_legend(canvas, panel.x + 40, panel.bottom - 54, panel.right - 30)
    canvas.words(
        (panel.middle[0], panel.bottom - 26), _MOUSE, "mono", 13, theme.SOFT, width=panel.w - 60, side="middle"
    )


def _paint_column(canvas: Canvas) -> None:
    step = min(34.0, (canvas.height - 230) / len(COMMANDS))
    high = 70 + step * len(COMMANDS) + 130
    panel = Box(10, (canvas.height - high) / 2, canvas.width - 20, high)
    canvas.panel(panel, theme.WALL, width=2)
    middle = panel.middle[0]  # the button Back may lie over the left corner
    canvas.words((middle, panel.y + 18), "REPLAY", "title", 28, theme.TEXT, side="middle")
    for index, each in enumerate(COMMANDS):
        _paint_command(canvas, each, panel.x + 20, panel.y + 66 + step * index, panel.w - 40)
    _paint_legend(canvas, panel.x + 30, panel.bottom - 112, panel.right - 20)
    canvas.block((panel.x + 20, panel.bottom - 50), _MOUSE, "label", 15, theme.SOFT, panel.w - 40, 2)


def _paint_command(canvas: Canvas, command: Command, x: float, y: float, width: float) -> None:
    """Draw a command's keys, its button and what it does in a row."""
    keys = "  ".join(printed(key) for key in command.keys[:2])
    canvas.words((x, y), keys, "bold", 14, theme.GOLD, width=152)
    buttons = button_name(command.buttons[0]) if command.buttons else ""
    canvas.words((x + 160, y), buttons, "mono", 13, theme.SEAT_COLORS[0], width=76)
    canvas.words((x + 238, y), command.words, "label", 15, theme.TEXT, width=width - 238)


def _paint_legend(canvas: Canvas, left: float, top: float, right: float) -> None:
    """Draw what the marks of the timeline are, in as many rows as it takes."""
    x, y, half = left, top, 10.0
    for kind, words in _LEGEND:
        wide = 16 + canvas.measure(words, "label", 15)
        if x + wide > right:
            x, y = left, y + 26
        at = (x * canvas.scale, y * canvas.scale)
        paint_mark(canvas.target, at, 7 * canvas.scale, kind, 1)
        canvas.words((x + 16, y - half), words, "label", 15, theme.SOFT)
        x += wide + (36 if not canvas.narrow else 22)
    note = "left above, right below"
    if x + canvas.measure(note, "label", 15) > right:
        x, y = left, y + 26
    canvas.words((right, y - half), note, "label", 15, theme.DIM, side="right")
