"""The commands of a replay, with their keys and buttons; the same table is read and shown."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from batllm_arcade.app.input.controls import PAD, Controls, button_name, key_name
from batllm_arcade.app.replay.marks import paint_mark
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.timeline_index import Kind


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the replay: its keys (pygame's names, `shift` before), its buttons (SDL's), what it does."""

    name: str
    keys: tuple[str, ...]
    buttons: tuple[str, ...]
    words: str


COMMANDS = (
    Command("pause", ("space", "p", "k"), ("a",), "play or pause"),
    Command("rewind", ("j",), (), "play backwards; again: twice as fast"),
    Command("wind", ("l",), (), "play forwards; again: twice as fast"),
    Command("turn round", ("r",), ("y",), "the other direction"),
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
    Command("frame back", (",",), (), "one frame back"),
    Command("frame on", (".",), (), "one frame on"),
    Command("start", ("home",), (), "to the beginning"),
    Command("end", ("end",), (), "to the end"),
    Command("read", ("t", "return", "enter"), ("x",), "read thoughts and replies in full"),
    Command("from", ("i",), (), "the part to film begins here"),
    Command("to", ("o",), (), "the part to film ends here"),
    Command("film", ("v",), ("back",), "make a film, or stop making it"),
    Command("bar", ("tab",), ("leftstick",), "hide or show this bar"),
    Command("keys", ("h",), ("start",), "these keys"),
    Command("back", ("escape",), ("b",), "leave the replay"),
)
_BY_KEY = {key: command.name for command in COMMANDS for key in command.keys}
_BY_BUTTON = {button: command.name for command in COMMANDS for button in command.buttons}
_LARGEST = 1.15  # how much the panel can be enlarged before it is wider than the window
_LEGEND: tuple[tuple[Kind, str], ...] = (
    ("hit", "hit"), ("block", "block"), ("break", "broken shield"), ("fumble", "fumble"), ("swap", "another brain"),
    ("knockout", "knock-out"),
)  # fmt: skip
_BOUND = {"pause": "pause", "slower": "slower", "faster": "faster", "step": "frame on"}
"""The commands that the screen's own bindings in the settings stand for."""
_ONCE = ("pause", "rewind", "wind", "turn round", "read", "from", "to", "film", "bar", "keys", "back")
"""Commands that a held key gives only once."""


def command(event: pygame.event.Event, controls: Controls) -> str:
    """Return the command that an event stands for, "" for none."""
    if event.type == PAD:
        found = _BY_BUTTON.get(event.button, "") if event.pressed else ""
    elif event.type == pygame.KEYDOWN:
        key = pygame.key.name(event.key)
        shifted = f"shift {key}" if event.mod & pygame.KMOD_SHIFT else key
        found = _BY_KEY.get(shifted, _BY_KEY.get(key, ""))
    else:
        return ""
    found = found or _BOUND.get(controls.action(event) or "", "")
    return "" if found in _ONCE and getattr(event, "repeat", False) else found


def label(name: str, device: str) -> str:
    """Return a command's key or button as printed on the device in use."""
    known = next(command for command in COMMANDS if command.name == name)
    if device == "pad" and known.buttons:
        return button_name(known.buttons[0])
    shift, _, key = known.keys[0].rpartition("shift ")
    return f"SHIFT {key_name(key)}" if shift or known.keys[0].startswith("shift ") else key_name(key)


class KeysPanel:
    """All keys and buttons over the replay; any of them closes it."""

    def __init__(self) -> None:
        self._made: tuple[tuple[int, int], pygame.Surface] | None = None

    def draw(self, target: pygame.Surface, ui: float = 1.0) -> None:
        """Draw over whatever is there, as large as there is room for."""
        if self._made is None or self._made[0] != target.get_size():
            self._made = (target.get_size(), _painted(target.get_size(), min(ui, _LARGEST)))
        target.blit(self._made[1], (0, 0))


def _painted(size: tuple[int, int], ui: float) -> pygame.Surface:
    scale = min(size[0] / theme.WIDTH, size[1] / theme.HEIGHT) * ui
    text_renderer = TextRenderer(scale)
    surface = pygame.Surface(size, pygame.SRCALPHA)
    canvas = Canvas(size, ui)
    canvas.target = surface
    canvas.veil(200)
    panel = pygame.Rect(0, 0, round(1080 * scale), round(600 * scale))
    panel.center = (size[0] // 2, size[1] // 2)
    canvas.panel(Box(panel.x / scale, panel.y / scale, panel.w / scale, panel.h / scale), theme.WALL, width=2)
    surface.blit(
        text_renderer.line("REPLAY", "title", 28, theme.TEXT), panel.move(round(30 * scale), round(18 * scale))
    )
    rows = (len(COMMANDS) + 1) // 2
    for index, each in enumerate(COMMANDS):
        x = panel.left + round((30 + 530 * (index // rows)) * scale)
        y = panel.top + round((74 + 34 * (index % rows)) * scale)
        keys = "  ".join(_printed(key) for key in each.keys[:2])
        surface.blit(text_renderer.line(keys, "bold", 14, theme.GOLD, 152 * scale), (x, y))
        buttons = button_name(each.buttons[0]) if each.buttons else ""
        surface.blit(text_renderer.line(buttons, "mono", 13, theme.SEAT_COLORS[0]), (x + round(160 * scale), y))
        surface.blit(text_renderer.line(each.words, "label", 15, theme.TEXT, 270 * scale), (x + round(238 * scale), y))
    _paint_legend(surface, text_renderer, panel, scale)
    mouse = "mouse: click or drag the timeline, the wheel goes play by play, click the arena to pause, a panel to read"
    line = text_renderer.line(mouse, "mono", 13, theme.SOFT, panel.width - 60 * scale)
    surface.blit(line, line.get_rect(midbottom=(panel.centerx, panel.bottom - round(16 * scale))))
    return surface


def _paint_legend(surface: pygame.Surface, text_renderer: TextRenderer, panel: pygame.Rect, scale: float) -> None:
    """What the marks of the timeline are."""
    x, y = panel.left + 40 * scale, panel.bottom - 54 * scale
    for kind, words in _LEGEND:
        paint_mark(surface, (x, y), 7 * scale, kind, 1)
        line = text_renderer.line(words, "label", 15, theme.SOFT)
        surface.blit(line, line.get_rect(midleft=(round(x + 16 * scale), round(y))))
        x += line.get_width() + 52 * scale
    line = text_renderer.line("left above, right below", "label", 15, theme.DIM)
    surface.blit(line, line.get_rect(midright=(panel.right - round(30 * scale), round(y))))


def _printed(key: str) -> str:
    return f"SHIFT {key_name(key.removeprefix('shift '))}" if key.startswith("shift ") else key_name(key)
