"""A row of the settings that binds keys or buttons to an action."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.input.controls import Intent, button_name, key_name
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.keycaps import keycap
from batllm_arcade.app.kit.widgets import Row
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.rebinding import assigned, shipped
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view import theme

NAMES = {
    "left": "Aim left", "right": "Aim right", "move": "Move", "retreat": "Step back", "fire": "Fire",
    "shield": "Shield", "fine": "Aim finely (hold)", "wait": "Wait (do nothing)", "pause": "Pause",
    "step": "Play by play", "slower": "Slower", "faster": "Faster", "skip": "Skip the animation",
    "swap": "Change who plays", "wheel": "Take over, hand back", "record": "Record", "clip": "Save the last 15 s",
    "folder": "Open the films",
    "fullscreen": "Full screen", "mute": "Mute", "help": "Help", "coach": "Ask the coach",
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
    """Return the settings with a key or button bound to an action, and a sentence on what that did to another one.

    Nothing changes where another action would be left without any; the sentence says so.
    """
    had = settings.bindings(now, group).get(action, ())
    names = (*(each for each in had if each != name), name) if more else (name,)
    return _told(now, group, action, names, swap=True)


def as_shipped(now: Settings, group: str, action: str) -> tuple[Settings, str]:
    """Return the settings with an action's keys as shipped, taken back from others, and a sentence on that."""
    return _told(now, group, action, shipped(group, action), swap=False)


def _told(now: Settings, group: str, action: str, names: tuple[str, ...], *, swap: bool) -> tuple[Settings, str]:
    done = assigned(now, group, action, names, swap=swap)
    shown = button_name if group == "pad" else key_name
    if not isinstance(done[0], Settings):
        loser = _what(*done)
        return now, f"not that one: {loser} would be left without any; give it another one first"
    told = [f"{_what(*place)} is on {' and '.join(map(shown, keys))} now" for place, keys in done[1]]
    return done[0], ", ".join(told)


def _what(group: str, action: str) -> str:
    name = NAMES.get(action, action).lower()
    return f"{name!r} of {group}" if group in ("left", "right") else repr(name)
