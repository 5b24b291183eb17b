"""Which keys and gamepad buttons do what as shipped, and which may not be bound to an action."""

from __future__ import annotations

from collections.abc import Mapping

Bindings = Mapping[str, tuple[str, ...]]
"""Maps an action to names of keys (pygame's) or gamepad buttons (SDL's)."""

KEYS: Mapping[str, Bindings] = {
    "left": {
        "left": ("a",),
        "right": ("d",),
        "move": ("w",),
        "fire": ("space",),
        "shield": ("s",),
        "fine": ("left shift",),
        "wait": ("x",),
        "retreat": ("q",),
    },
    "right": {
        "left": ("left",),
        "right": ("right",),
        "move": ("up",),
        "fire": ("return", "enter", "right ctrl"),
        "shield": ("down",),
        "fine": ("right shift",),
        "wait": ("backspace",),
        "retreat": ("delete",),
    },
    "screen": {
        "pause": ("p",),
        "step": (".",),
        "slower": ("-", "["),
        "faster": ("=", "]"),
        "skip": ("tab",),
        "swap": ("f3",),
        "wheel": ("f4",),
        "record": ("f9",),
        "clip": ("f10",),
        "folder": ("f8",),
        "fullscreen": ("f11",),
        "mute": ("m",),
        "help": ("f1",),
        "coach": ("h",),
    },
}
"""The default bindings: a set of keys for each seat (a person alone may use either), and the screen's.

Of two actions on one key the first is meant: a newer action comes last, so that it takes no key from older settings.
"""

MENU_KEYS = ("up", "down", "left", "right", "return", "enter", "space", "tab", "page up", "page down", "menu")
"""Keys that operate the menus."""
MENU_BUTTONS = ("dpup", "dpdown", "dpleft", "dpright", "a", "b", "leftshoulder", "rightshoulder", "start")
"""Gamepad buttons that operate the menus."""
ANYWHERE = ("record", "clip", "folder", "fullscreen", "mute", "help")
"""Actions that also work in menus."""

PAD: Bindings = {
    "left": ("dpleft",),
    "right": ("dpright",),
    "move": ("dpup", "y"),
    "fire": ("a",),
    "shield": ("b", "dpdown"),
    "fine": ("lefttrigger",),
    "wait": ("rightstick",),
    "pause": ("start",),
    "skip": ("x",),
    "slower": ("leftshoulder",),
    "faster": ("rightshoulder",),
    "swap": ("back",),
    "retreat": ("righttrigger",),
}

ACTIONS: Mapping[str, tuple[str, ...]] = {
    **{group: tuple(actions) for group, actions in KEYS.items()},
    "pad": (*KEYS["left"], *KEYS["screen"]),
}
"""The actions that can be bound in each group; a gamepad has those of a seat and of the screen."""


def refused(group: str, action: str, name: str) -> str:
    """Return why this key or button must not be bound to the action, "" if it may be."""
    if group != "pad" and name == "escape":
        return "it leads back from everywhere"
    if action in ANYWHERE and name in (MENU_BUTTONS if group == "pad" else MENU_KEYS):
        return "the menus need it"
    return ""
