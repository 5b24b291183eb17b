"""Keys of a replay."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import pygame

from batllm_arcade.app.input.controls import PAD, Controls, Meaning, button_name, key_name
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import grid
from batllm_arcade.app.replay.timeline_bar import paint_mark
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Kind


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the replay: its keys (pygame's names, `shift` before), its buttons (SDL's), what it does."""

    name: str
    keys: tuple[str, ...]
    buttons: tuple[str, ...]
    words: str


COMMANDS = (
    Command("pause", ("space", "p", "k"), ("a",), "play or pause"),
    Command("faster", ("up", "=", "]", "+", "[+]"), ("rightshoulder",), "faster, up to 8x"),
    Command("slower", ("down", "-", "[", "[-]"), ("leftshoulder",), "slower, down to 0.25x"),
    Command("play back", ("left",), ("dpleft", "stickleft"), "one play back"),
    Command("play on", ("right",), ("dpright", "stickright"), "one play on"),
    Command("turn back", ("shift left",), ("dpdown", "stickdown"), "one turn back"),
    Command("turn on", ("shift right",), ("dpup", "stickup"), "one turn on"),
    Command("round back", ("page up",), ("lefttrigger",), "one round back"),
    Command("round on", ("page down",), ("righttrigger",), "one round on"),
    Command("game back", ("shift page up",), (), "one game back"),
    Command("game on", ("shift page down",), (), "one game on"),
    Command("mark on", ("n",), (), "to the next play with a mark"),
    Command("mark back", ("shift n",), (), "to the play with a mark before"),
    Command("chances", ("c",), (), "the chances; ?! ? ??: 10, 20, 30 lost"),
    Command("start", ("home",), (), "to the beginning"),
    Command("end", ("end",), (), "to the end"),
    Command("read", ("t", "return", "enter"), ("x",), "read thoughts and replies in full"),
    Command("from", ("i",), (), "the part to film begins here"),
    Command("to", ("o",), (), "the part to film ends here"),
    Command("film", ("v",), ("back",), "make a film, or stop making it"),
    Command("share", ("s",), (), "make a page of it, or of that part"),
    Command("play on here", ("g",), ("rightstick",), "play on from here"),
    Command("bar", ("tab",), ("leftstick",), "hide or show this bar"),
    Command("keys", ("h",), ("start",), "keys; again: all keys"),
    Command("back", ("escape",), ("b",), "leave the replay"),
)
MAIN = ("pause", "play back", "play on", "faster", "slower", "mark on", "read", "play on here")
"""The commands that one needs; the others are shown on demand."""
_BY_KEY = {key: command.name for command in COMMANDS for key in command.keys}
_BY_BUTTON = {button: command.name for command in COMMANDS for button in command.buttons}
_BOUND = {"pause": "pause", "slower": "slower", "faster": "faster", "step": "play on"}
"""The commands that the screen's own bindings in the settings stand for."""
_ONCE = (
    "pause", "read", "from", "to", "film", "share", "play on here", "chances", "bar", "keys", "back",
)  # fmt: skip
"""Commands that a held key gives only once."""


def command(event: pygame.event.Event, meaning: Meaning) -> str:
    """Return the command that an event of this meaning stands for, "" for none."""
    if event.type == PAD:
        found = _BY_BUTTON.get(event.button, "") if event.pressed else ""
    elif event.type == pygame.KEYDOWN:
        key = pygame.key.name(event.key)
        shifted = f"shift {key}" if event.mod & pygame.KMOD_SHIFT else key
        found = _BY_KEY.get(shifted, _BY_KEY.get(key, ""))
    else:
        return ""
    found = found or _BOUND.get(meaning.action or "", "")
    return "" if found in _ONCE and getattr(event, "repeat", False) else found


def label(name: str, device: str) -> str:
    """Return a command's key or button as printed on the device in use."""
    known = next(command for command in COMMANDS if command.name == name)
    if device == "pad" and known.buttons:
        return button_name(known.buttons[0])
    return printed(known.keys[0])


def help_line(controls: Controls) -> str:
    """Return what can be done, on one line, for the device in use."""
    if controls.pointer:
        return "click the line to go there, a panel to read it"
    if controls.device == "keyboard":
        letters = f"{key_name('t')} read  {key_name('h')} keys"
        return f"SPACE pause  \u2190 \u2192 play  \u2191 \u2193 speed  {letters}"
    named = (("pause", "pause"), ("play back", ""), ("play on", "play"), ("faster", "speed"), ("read", "read"))
    return "   ".join(f"{label(name, controls.device)} {words}".strip() for name, words in named)


def printed(key: str) -> str:
    """Return a key of the table as it is printed on a keyboard."""
    return f"SHIFT {key_name(key.removeprefix('shift '))}" if key.startswith("shift ") else key_name(key)


_LARGEST = 1.15  # how much the panel can be enlarged before it is wider than the window
_LEGEND: tuple[tuple[Kind, str], ...] = (
    ("hit", "hit"), ("block", "block"), ("break", "broken shield"), ("fumble", "fumble"), ("swap", "another player"),
    ("knockout", "knock-out"),
)  # fmt: skip
_FOOT = 116.0  # what the marks and the last words take
_MOUSE = "mouse: click or drag the timeline, the wheel goes play by play, click the arena to pause, a panel to read"


class KeysPanel(Dialog):
    """The keys and buttons that one needs over the replay, or all of them; `close` takes it away."""

    def __init__(self, ui: Ui, close: Callable[[], None]) -> None:
        super().__init__(ui)
        self._close = close
        self.everything = False

    def back(self) -> None:
        self._close()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Show everything on its own key, close on any other and on a click."""
        pressed = command(event, meaning)
        if pressed == "keys" and not self.everything:
            self.everything = True
        elif pressed or meaning.intent or event.type == pygame.MOUSEBUTTONDOWN:
            self.back()
        else:
            super().handle(event, meaning, now)

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Darken the replay."""
        canvas.veil(200)

    def paint(self, canvas: Canvas, now: float) -> None:
        shown = [each for each in COMMANDS if self.everything or each.name in MAIN]
        across = 2 if self.everything and not canvas.narrow else 1
        down = math.ceil(len(shown) / across)
        step = min(34.0, (canvas.height - 86 - _FOOT) / down)
        wide = min(1080.0 if across == 2 else 560.0, canvas.width - 20)
        high = 66 + step * down + _FOOT
        panel = Box((canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high)
        canvas.panel(panel, theme.WALL, width=2)
        canvas.words((panel.middle[0], panel.y + 18), "REPLAY", "title", 28, theme.TEXT, side="middle")
        area = panel.inset(20, 0)
        boxes = grid(area._replace(y=panel.y + 66), len(shown), across, step, 20, 0)
        for number, each in enumerate(shown):
            _paint_command(canvas, each, boxes[number % down * across + number // down])
        _paint_legend(canvas, Box(area.x + 10, panel.bottom - _FOOT + 16, area.w - 10, 0))
        words = _MOUSE if self.everything else f"{printed('h')}: all keys.  Marks of blue lie above, of orange below."
        canvas.block((area.x, panel.bottom - 48), words, "label", 15, theme.SOFT, area.w, 2)


def _paint_command(canvas: Canvas, command: Command, box: Box) -> None:
    x, y = box.x, box.y
    keys = "  ".join(printed(key) for key in command.keys[:2])
    canvas.words((x, y), keys, "bold", 14, theme.GOLD, width=152)
    buttons = button_name(command.buttons[0]) if command.buttons else ""
    canvas.words((x + 160, y), buttons, "mono", 13, theme.SEAT_COLORS[0], width=76)
    canvas.words((x + 238, y), command.words, "label", 15, theme.TEXT, width=box.w - 238)


def _paint_legend(canvas: Canvas, area: Box) -> None:
    for (kind, words), box in zip(_LEGEND, grid(area, len(_LEGEND), 3, 26, 0), strict=True):
        paint_mark(canvas.target, (box.x * canvas.scale, box.y * canvas.scale), 7 * canvas.scale, kind, 1)
        canvas.words((box.x + 16, box.y - 10), words, "label", 15, theme.SOFT)
