"""The other way round: the key or button that a hint names, as the events of pressing it."""

from __future__ import annotations

import pygame

from batllm_arcade.app.input import controls
from batllm_arcade.app.input.controls import PAD, button_name, key_name

_MODIFIERS = {"CTRL": pygame.KMOD_CTRL, "SHIFT": pygame.KMOD_SHIFT}
_SPELLED = {"DEL": "delete", "PAGE UP": "page up", "PAGE DOWN": "page down"}


def pressing(label: str, *, pad: bool) -> list[pygame.event.Event]:
    """Return the events of pressing and releasing what a hint such as `CTRL ENTER` names; none if it names no one key.

    `pad`: the hint names a gamepad's button.
    """
    if pad and (button := _button(label)):
        values = {"place": 0, "button": button, "repeat": False}
        return [pygame.event.Event(PAD, {**values, "pressed": pressed}) for pressed in (True, False)]
    *modifiers, last = label.split(" ") if label.split(" ")[0] in _MODIFIERS else [label]
    code = _code(last)
    if code is None or not all(each in _MODIFIERS for each in modifiers):
        return []
    mod = 0
    for each in modifiers:
        mod |= _MODIFIERS[each]
    values = {"key": code, "mod": mod, "unicode": "", "clicked": True}
    return [pygame.event.Event(kind, values) for kind in (pygame.KEYDOWN, pygame.KEYUP)]


def _button(label: str) -> str:
    known = (*controls.PAD_INTENTS, "x", "y", "back", "lefttrigger", "righttrigger", "leftstick", "rightstick")
    return next((button for button in known if button_name(button) == label), "")


def _code(label: str) -> int | None:
    name = _SPELLED.get(label) or next((key for key in controls.NAMED_KEYS if key_name(key) == label), label.lower())
    try:
        return pygame.key.key_code(name)
    except (ValueError, pygame.error):
        return None
