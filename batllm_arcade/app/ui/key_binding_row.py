"""A row of the settings that binds keys or buttons to an action."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.input.controls import Intent, button_name, key_name
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.keycaps import keycap
from batllm_arcade.app.ui.widgets import Row
from batllm_arcade.settings import key_bindings
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view import theme

NAMES = {
    "left": "Aim left", "right": "Aim right", "move": "Move", "fire": "Fire", "shield": "Shield",
    "fine": "Aim finely (hold)", "wait": "Wait (do nothing)", "pause": "Pause",
    "step": "One step", "slower": "Slower", "faster": "Faster", "skip": "Skip the animation",
    "swap": "Swap a brain", "wheel": "Grab the wheel", "record": "Record", "clip": "Save the last seconds",
    "fullscreen": "Full screen", "mute": "Mute", "help": "Help",
}  # fmt: skip
"""The names of actions on the screen."""


class KeyBindingRow(Row):
    """Confirm waits for a key in place of those bound, right for one more: both call `listen(row, more)`."""

    def __init__(self, group: str, action: str, listen: Callable[[KeyBindingRow, bool], None]) -> None:
        super().__init__(NAMES.get(action, action.capitalize()))
        self.bindings, self.action, self._listen = group, action, listen
        self.names: tuple[str, ...] = ()
        self.listening = False

    def take(self, intent: Intent) -> bool:
        """Wait for a key on confirm and right."""
        if intent in ("confirm", "right"):
            self._listen(self, intent == "right")
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        """Wait for a key on a click."""
        self._listen(self, False)

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the keys, or that one is waited for."""
        pad = self.bindings == "pad"
        if self.listening:
            words = f"press a {'button' if pad else 'key'}..." if now % 1.0 < 0.7 else ""
            canvas.words((box.x + 8, box.y + box.h / 2 - 10), words, "label", 17, theme.GOLD)
            return
        if not self.names:
            canvas.words((box.x + 8, box.y + box.h / 2 - 10), "nothing", "label", 17, theme.DANGER)
        x = box.x + 8
        for name in self.names:
            if x < box.right - 40:
                x += keycap(canvas, (x, box.y + box.h / 2 - 13), (button_name if pad else key_name)(name), pad=pad) + 8


def rebound(now: Settings, group: str, action: str, name: str, more: bool) -> tuple[Settings, str]:
    """Return the settings with a key or button bound to one action only, and a sentence on which action lost it."""
    had = settings.bindings(now, group).get(action, ())
    names = (*(each for each in had if each != name), name) if more else (name,)
    lost = []
    for other in ("pad",) if group == "pad" else tuple(key_bindings.KEYS):
        for each, keys in settings.bindings(now, other).items():
            if name in keys and (other, each) != (group, action):
                now = settings.bound(now, other, each, tuple(key for key in keys if key != name))
                lost.append(_what(other, each))
    shown = button_name(name) if group == "pad" else key_name(name)
    notice = f"{shown} was taken from {' and '.join(lost)}" if lost else ""
    return settings.bound(now, group, action, names), notice


def _what(group: str, action: str) -> str:
    name = NAMES.get(action, action).lower()
    return f"{name!r} of {group}" if group in ("left", "right") else repr(name)
