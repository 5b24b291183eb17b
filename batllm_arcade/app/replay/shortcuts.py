"""The commands of a replay, with their keys and buttons; the same table is read and shown."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from batllm_arcade.app.input.controls import PAD, Controls, Meaning, button_name, key_name


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
    Command("mark on", ("n",), (), "to the next play with a mark"),
    Command("mark back", ("shift n",), (), "to the play with a mark before"),
    Command("chances", ("c",), (), "the chances; ?! ? ?? lost 10, 20, 30 points"),
    Command("frame back", (",",), (), "one frame back"),
    Command("frame on", (".",), (), "one frame on"),
    Command("start", ("home",), (), "to the beginning"),
    Command("end", ("end",), (), "to the end"),
    Command("read", ("t", "return", "enter"), ("x",), "read thoughts and replies in full"),
    Command("from", ("i",), (), "the part to film begins here"),
    Command("to", ("o",), (), "the part to film ends here"),
    Command("film", ("v",), ("back",), "make a film, or stop making it"),
    Command("share", ("s",), (), "make a page of it, or of that part"),
    Command("play on here", ("g",), ("rightstick",), "play on from here"),
    Command("bar", ("tab",), ("leftstick",), "hide or show this bar"),
    Command("keys", ("h",), ("start",), "these keys"),
    Command("back", ("escape",), ("b",), "leave the replay"),
)
_BY_KEY = {key: command.name for command in COMMANDS for key in command.keys}
_BY_BUTTON = {button: command.name for command in COMMANDS for button in command.buttons}
_BOUND = {"pause": "pause", "slower": "slower", "faster": "faster", "step": "frame on"}
"""The commands that the screen's own bindings in the settings stand for."""
_ONCE = (
    "pause", "rewind", "wind", "turn round", "read", "from", "to", "film", "share", "play on here", "chances", "bar",
    "keys", "back",
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
    shift, _, key = known.keys[0].rpartition("shift ")
    return f"SHIFT {key_name(key)}" if shift or known.keys[0].startswith("shift ") else key_name(key)


def help_line(controls: Controls) -> str:
    """Return what can be done, on one line, for the device in use."""
    if controls.pointer:
        return "click the line to go there, a panel to read it"
    if controls.device == "keyboard":
        return "SPACE pause  \u2190 \u2192 play  \u2191 \u2193 speed  T read  H all keys"
    named = (("pause", "pause"), ("play back", ""), ("play on", "play"), ("faster", "speed"), ("read", "read"))
    return "   ".join(f"{label(name, controls.device)} {words}".strip() for name, words in named)


def printed(key: str) -> str:
    """Return a key of the table as it is printed on a keyboard."""
    return f"SHIFT {key_name(key.removeprefix('shift '))}" if key.startswith("shift ") else key_name(key)
