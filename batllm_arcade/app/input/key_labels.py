"""Keys in hints."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pygame

from batllm_arcade.app.input import controls
from batllm_arcade.app.input.controls import PAD, Pointer, button_name, key_name
from batllm_arcade.view.scene import Keys
from batllm_arcade.view.telegraph.lines import PlayerKeys

if TYPE_CHECKING:
    from batllm_arcade.app.input.controls import Controls, Humans

# -- What actions are called

NAMES = {
    "left": "Aim left", "right": "Aim right", "move": "Step", "retreat": "Step back", "fire": "Fire",
    "shield": "Shield", "fine": "Aim slowly (hold)", "wait": "Wait (do nothing)", "pause": "Pause",
    "step": "Play by play", "slower": "Slower", "faster": "Faster", "skip": "Skip the animation",
    "swap": "Change who plays", "wheel": "Take over, hand back", "record": "Record", "clip": "Save the last 15 s",
    "folder": "Open the films",
    "fullscreen": "Full screen", "mute": "Mute", "help": "Help", "coach": "Ask the coach",
}  # fmt: skip
"""The names of actions on the screen."""


class PlayerKey(NamedTuple):
    """A player's action, or two that are bound beside each other, and what is said of it."""

    actions: tuple[str, ...]
    panel: str
    """Beside its key in the panel of a person who plays."""
    help: str
    orders: str = ""
    """Where orders are written, of somebody who plays by hand; "" leaves it out."""
    mouse: str = ""
    touch: str = ""
    """What somebody who points does instead, in a sentence."""


PLAYER_KEYS = (
    PlayerKey(("left", "right"), "hold to aim", "hold to aim, let go to turn", "aim", "a click", "a tap"),
    PlayerKey(("move",), "step", "step", "step", "the wheel", "STEP"),
    PlayerKey(("retreat",), "step back", "step back (arena)", "back", "the wheel \u2193", "BACK"),
    PlayerKey(("fire",), "fire", "fire", "fire", "a click", "a tap"),
    PlayerKey(("shield",), "shield up/down", "shield up or down", "shield", "a right click", "SHIELD"),
    PlayerKey(("wait",), "wait", "wait: do nothing", "wait", "WAIT", "WAIT"),
    PlayerKey(("fine",), "aim slowly", "aim slowly, while held"),
)

# -- What the panel of a person says about their keys

_POINTER_ROWS: dict[Pointer, Keys] = {
    "mouse": (
        ("CLICK", "turn there, or fire"), ("WHEEL", "step"), ("WHEEL BACK", "step back"),
        ("R CLICK", "shield up/down"), ("WAIT", "its button"),
    ),
    "touch": (
        ("TAP", "turn there, or fire"), ("STEP", "step"), ("BACK", "step back"), ("SHIELD", "up/down"),
        ("WAIT", "wait"),
    ),
}  # fmt: skip
_MOST = 8
"""Characters that fit for the keys of a row; if both sets of keys are longer, only one of them is named."""


def seat_keys(controls: Controls, seat: int, humans: Humans, *, back: bool = False) -> Keys:
    """Return the keys (or buttons, if a gamepad was used last and is this seat's) and what each does.

    `back`: the rules have a step back.
    """
    pad, pointer = _has_pad(controls, seat, humans), controls.pointer_of(seat, humans)
    if pointer:
        return tuple(row for row in _POINTER_ROWS[pointer] if back or row[1] != "step back")
    rows = [("STICK", "point, then let go")] if pad else []
    for key in PLAYER_KEYS:
        name = _named(controls, key.actions, seat, humans)
        if name and (back or key.actions != ("retreat",)):
            rows.append((name, key.panel))
            if key.actions == ("left", "right") and not pad:
                rows.append(("", "let go to turn"))
    if not controls.used:
        rows.insert(0, ("CLICK", "or these keys:"))
    return tuple(rows)


def words_for(controls: Controls, actions: tuple[str, ...], seat: int, humans: Humans) -> str:
    """Return the keys or buttons of these actions to stand in a sentence, such as `↓ or S`; "" if none is bound.

    For somebody who points they are what the pointer does, such as `the wheel`.
    """
    return _named(controls, actions, seat, humans).replace("  ", " or ")


def player_keys(controls: Controls, seat: int, humans: Humans) -> PlayerKeys:
    """Return one key or button of each of this seat's actions, for a short sentence; none before any was pressed."""
    if not controls.used:
        return PlayerKeys()

    def key(*actions: str) -> str:
        return _named(controls, actions, seat, humans).rpartition("  ")[2]

    return PlayerKeys(key("fire"), key("move"), key("shield"), key("left", "right"), key("wait"), key("retreat"))


def reading_keys(controls: Controls, other: str) -> str:
    """Return how a long text is read with what was used last; `other` is what a page beside it is called, if any."""
    if controls.pointer:
        other = f"    a click on its name: {other}" if other else ""
        return f"{'wheel' if controls.pointer == 'mouse' else 'two fingers'}: scroll{other}    a click beside it: back"
    if controls.device == "pad":
        return "D-PAD scroll and turn the page    B back"
    other = f"    \u2190 \u2192 {other}" if other else ""
    return f"\u2191 \u2193 scroll{other}    ESC back"


def _has_pad(controls: Controls, seat: int, humans: Humans) -> bool:
    return controls.device == "pad" and controls.has_pad(seat, humans)


def _named(controls: Controls, actions: tuple[str, ...], seat: int, humans: Humans) -> str:
    if pointer := controls.pointer_of(seat, humans):
        pointed = next((key for key in PLAYER_KEYS if key.actions == actions), PlayerKey(actions, "", ""))
        return pointed.mouse if pointer == "mouse" else pointed.touch
    if _has_pad(controls, seat, humans):
        return _buttons(controls, actions)
    return _keys(controls, actions, seat, both=all(humans))


def _buttons(controls: Controls, actions: tuple[str, ...]) -> str:
    names = [button_name(controls.settings.pad[action][0]) for action in actions if controls.settings.pad.get(action)]
    if len(names) == 2 and all(name.startswith("D-PAD ") for name in names):
        return f"D-PAD {names[0][-1]}{names[1][-1]}"
    return " ".join(names)


def _keys(controls: Controls, actions: tuple[str, ...], seat: int, *, both: bool) -> str:
    """Return the first key of each action; a person alone may use either set, the arrows are named first."""
    sets = [_set(controls, actions, group) for group in ((("left", "right")[seat],) if both else ("right", "left"))]
    named = [names for names in sets if names]
    return next((text for text in ("  ".join(named), *reversed(named)) if len(text) <= _MOST), " ".join(named[-1:]))


def _set(controls: Controls, actions: tuple[str, ...], group: str) -> str:
    bound = controls.settings.keys[group]
    return " ".join(key_name(bound[action][0]) for action in actions if bound.get(action))


# -- The other way round

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
    if code is None or not all(modifier in _MODIFIERS for modifier in modifiers):
        return []
    mod = 0
    for modifier in modifiers:
        mod |= _MODIFIERS[modifier]
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
