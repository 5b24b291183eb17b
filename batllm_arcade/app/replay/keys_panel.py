"""Keys of a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from batllm_arcade.app.input.controls import PAD, Controls, Meaning, button_name, key_name
from batllm_arcade.app.kit.text_viewer import Page, Section


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
    Command("mark on", ("n",), (), "next play with a mark"),
    Command("mark back", ("shift n",), (), "marked play before"),
    Command("chances", ("c",), (), "show or hide the chances"),
    Command("start", ("home",), (), "to the beginning"),
    Command("end", ("end",), (), "to the end"),
    Command("read", ("t", "return", "enter"), ("x",), "read what was said in full"),
    Command("from", ("i",), (), "the part to film begins here"),
    Command("to", ("o",), (), "the part to film ends here"),
    Command("film", ("v",), ("back",), "make a film, or stop it"),
    Command("share", ("s",), (), "make a page to share"),
    Command("play on here", ("g",), ("rightstick",), "play on from here"),
    Command("bar", ("tab",), ("leftstick",), "hide or show this bar"),
    Command("keys", ("h",), ("start",), "keys"),
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
    words = {"pause": "pause", "play back": "", "play on": "play", "faster": "speed", "read": "read", "keys": "keys"}
    return "   ".join(f"{label(name, controls.device)} {what}".strip() for name, what in words.items())


def printed(key: str) -> str:
    """Return a key of the table as it is printed on a keyboard."""
    return f"SHIFT {key_name(key.removeprefix('shift '))}" if key.startswith("shift ") else key_name(key)


_MARKS = """star: a hit             shield: a block
cross: a fumble         two halves: a broken shield
disc: a knock-out       diamond: another player
blue above, orange below; ?! ? ??: 10, 20, 30 points lost"""
_MOUSE = "click or drag the timeline, the wheel goes play by play; click the arena to pause, a panel to read it"


def pages() -> list[Page]:
    """Return the keys and buttons that one needs, and on a second page all of them."""
    few = [Section("KEYS AND BUTTONS", _listed(MAIN)), Section("MARKS ON THE TIMELINE", _MARKS)]
    every = [Section("KEYS AND BUTTONS", _listed([each.name for each in COMMANDS])), Section("MOUSE", _MOUSE)]
    return [Page("REPLAY", "", 0, few), Page("ALL KEYS", "", 0, every)]


def _listed(names: Sequence[str]) -> str:
    rows = []
    for each in (command for command in COMMANDS if command.name in names):
        keys = "  ".join(printed(key) for key in each.keys[:2])
        button = button_name(each.buttons[0]) if each.buttons else ""
        rows.append(f"{keys:13}{button:8}{each.words}")
    return "\n".join(rows)
