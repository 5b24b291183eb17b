"""What the guide says of each lesson, in the words of whatever the person plays with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Lesson = Literal["turn", "shield", "fire", "load", "step", "bounce", "back"]
Hand = Literal["keyboard", "pad", "mouse", "touch"]
"""What a person plays with."""
Keys = Callable[[tuple[str, ...]], str]
"""Returns the keys of some actions, or what a pointer does in their place, to stand in a sentence."""

_TITLES: dict[Lesson, str] = {
    "turn": "AIM", "shield": "SHIELD", "fire": "FIRE", "load": "LOAD", "step": "STEP", "bounce": "OFF THE WALL",
    "back": "STEP BACK",
}  # fmt: skip
_ALSO: dict[Lesson, tuple[str, str]] = {
    "turn": (" Or click where to look.", ""),
    "shield": (" or the right mouse button", ""),
    "fire": (" or a click on it", ""),
    "load": (" or the mouse wheel", ""),
    "step": (" or the mouse wheel", ""),
    "bounce": ("", ""),
    "back": (" or the mouse wheel towards you", ""),
}
"""What a mouse would do, for somebody at a keyboard; nothing for somebody with a gamepad."""


def words(
    lesson: Lesson, hand: Hand, keys: Keys, damage: float = 0.0, step: str = ", out of the other bot's line"
) -> tuple[str, str]:
    """Return the title and the sentences of a lesson.

    `damage` is what any bullet takes off a wall, 0 if it varies; `step` what a step ahead does besides, "" for nothing.
    """
    if lesson == "bounce":
        takes = f", and then takes {damage:g} wherever it strikes" if damage else ""
        return _TITLES[lesson], (
            f"A bullet comes off the wall, once{takes}. Aim at a golden mark on the wall: the bent line ends on the "
            "other bot. Then fire."
        )
    if lesson == "back":
        also = _ALSO[lesson][hand == "pad"] if hand in ("keyboard", "pad") else ""
        text = (
            f"{keys(('retreat',))}{also} takes you back, and you keep aiming: for when you stand too close and empty."
        )
        return _TITLES[lesson], text[:1].upper() + text[1:]
    if hand in ("keyboard", "pad"):
        return _TITLES[lesson], _pressed(lesson, keys, _ALSO[lesson][hand == "pad"], step)
    text = _pointed(lesson, "click" if hand == "mouse" else "tap", keys, step)
    return _TITLES[lesson], text[:1].upper() + text[1:]


def _pressed(lesson: Lesson, keys: Keys, also: str, step: str) -> str:
    if lesson == "turn":
        return f"Hold {keys(('left', 'right'))} until the line is on the other bot, then let go.{also}"
    if lesson == "shield":
        return (
            f"{keys(('shield',))}{also} raises and lowers it. It stops shots from the front, but you cannot fire "
            "behind it."
        )
    if lesson == "fire":
        return f"The line is on the other bot and your shield is down: {keys(('fire',))}{also} fires!"
    if lesson == "load":
        return f"Your gun is empty. A step loads it: {keys(('move',))}{also}."
    return f"{keys(('move',))}{also} walks one step ahead{step}. Hold it to see what comes of it."


def _pointed(lesson: Lesson, touches: str, keys: Keys, step: str) -> str:
    if lesson == "turn":
        return f"The line follows your pointer: {touches} on the other bot, and your bot turns to it."
    if lesson == "shield":
        return (
            f"{keys(('shield',))} raises and lowers it. It stops shots from the front, but you cannot fire behind it."
        )
    if lesson == "fire":
        return f"The line is on the other bot and your shield is down: {touches} on it to fire!"
    if lesson == "load":
        return f"Your gun is empty. A step loads it: {keys(('move',))}."
    return f"{keys(('move',))} walks one step ahead{step}. Point at STEP to see what comes of it."
