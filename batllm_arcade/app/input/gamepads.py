"""Gamepads: whatever is plugged in, whenever, as buttons with SDL's names and one stick.

Only joystick events are read; SDL's own table of controllers says which button is called what, and a device it
does not know is taken to be laid out as most are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pygame

DEAD = 0.35
"""How far from its middle a stick counts as pointed somewhere (0 to 1)."""
FLICK = 0.6
"""How far a stick goes to count as a direction pressed; it is released below DEAD."""
USUAL: Mapping[str, str] = {
    "a": "b0", "b": "b1", "x": "b2", "y": "b3", "leftshoulder": "b4", "rightshoulder": "b5", "back": "b6",
    "start": "b7", "leftstick": "b9", "rightstick": "b10", "dpup": "h0.1", "dpright": "h0.2", "dpdown": "h0.4",
    "dpleft": "h0.8", "leftx": "a0", "lefty": "a1",
}  # fmt: skip
"""The layout of a device that SDL does not know."""
_HAT_BITS = {1: (1, 1), 2: (0, 1), 4: (1, -1), 8: (0, -1)}  # bit to which value of the hat, and its sign
_NO_CONTROLLERS = (RuntimeError, ImportError, AttributeError)
"""What is raised where SDL's table of controllers is not there; both classes of pygame's errors are RuntimeErrors."""
_STICK = ("leftx", "lefty")
_STICK_BUTTONS = {(0, -1): "stickleft", (0, 1): "stickright", (1, -1): "stickup", (1, 1): "stickdown"}


@dataclass
class Pad:
    """One gamepad: its layout, what is held, where its stick is."""

    name: str
    layout: Mapping[str, str]
    device: Any = None
    held: set[str] = field(default_factory=set)
    stick: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def take(self, event: pygame.event.Event) -> list[tuple[str, bool]]:
        """Return the buttons that this event presses (True) or releases."""
        if event.type in (pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP):
            named = self._named(f"b{event.button}")
            return self._set(named, event.type == pygame.JOYBUTTONDOWN) if named else []
        if event.type == pygame.JOYHATMOTION:
            return self._hat(event.hat, event.value)
        return self._axis(event.axis, event.value)

    def direction(self) -> float | None:
        """Return where the stick points, degrees clockwise from +x (y grows downwards); None in its middle."""
        x, y = self.stick
        return math.degrees(math.atan2(y, x)) % 360 if math.hypot(x, y) > DEAD else None

    def _named(self, part: str) -> str:
        return next((name for name, wanted in self.layout.items() if wanted == part), "")

    def _set(self, name: str, pressed: bool) -> list[tuple[str, bool]]:
        if pressed == (name in self.held):
            return []
        (self.held.add if pressed else self.held.discard)(name)
        return [(name, pressed)]

    def _hat(self, hat: int, value: tuple[int, int]) -> list[tuple[str, bool]]:
        changes = []
        for bit, (side, sign) in _HAT_BITS.items():
            named = self._named(f"h{hat}.{bit}")
            if named:
                changes += self._set(named, value[side] == sign)
        return sorted(changes, key=lambda change: change[1])  # what is let go first

    def _axis(self, axis: int, value: float) -> list[tuple[str, bool]]:
        changes = []
        for name, part in self.layout.items():
            half, inner, flipped = part[:1] in "+-" and part[:1], part.strip("+-~"), part.endswith("~")
            if inner != f"a{axis}":
                continue
            turned = -value if flipped else value
            if name in _STICK:
                changes += self._stick(_STICK.index(name), turned)
            elif name not in ("rightx", "righty"):
                reach = -turned if half == "-" else turned
                changes += self._set(name, reach > FLICK or (name in self.held and reach > DEAD))
        return sorted(changes, key=lambda change: change[1])

    def _stick(self, side: int, value: float) -> list[tuple[str, bool]]:
        self.stick[side] = value
        changes = []
        for sign in (-1, 1):
            name = _STICK_BUTTONS[side, sign]
            changes += self._set(name, value * sign > FLICK or (name in self.held and value * sign > DEAD))
        return changes


class Gamepads:
    """All that are plugged in, each in a place of its own; one that comes back takes the first free place."""

    def __init__(self) -> None:
        self.places: list[int | None] = []
        self._pads: dict[int, Pad] = {}

    def open(self) -> None:
        """Begin to listen; what is plugged in already announces itself."""
        with suppress(*_NO_CONTROLLERS):
            pygame.joystick.init()
            from pygame._sdl2 import controller

            controller.init()

    def take(self, event: pygame.event.Event) -> list[tuple[int, str, bool]]:
        """Return place, button, pressed or not, for all that this event changes; also what an unplugged one held."""
        if event.type == pygame.JOYDEVICEADDED:
            self._add(event.device_index)
            return []
        key = getattr(event, "instance_id", getattr(event, "joy", 0))
        if event.type == pygame.JOYDEVICEREMOVED:
            return self._remove(key)
        pad = self._pads.get(key) or self._add_pad(key, Pad("gamepad", USUAL))
        place = self.places.index(key)
        return [(place, name, pressed) for name, pressed in pad.take(event)]

    def pad(self, place: int) -> Pad | None:
        """Return the gamepad of a place, None for one that was unplugged."""
        key = self.places[place] if place < len(self.places) else None
        return None if key is None else self._pads[key]

    @property
    def names(self) -> list[str]:
        """What is plugged in now, in the order of the places."""
        return [self._pads[key].name for key in self.places if key is not None]

    def rumble(self, place: int, strength: float, seconds: float) -> None:
        """Shake a gamepad that can; `strength` 0 to 1."""
        pad = self.pad(place)
        if pad is not None and pad.device is not None:
            with suppress(pygame.error):  # unplugged in this very moment
                pad.device.rumble(strength, strength, max(1, round(seconds * 1000)))

    def _add(self, index: int) -> None:
        try:
            device = pygame.joystick.Joystick(index)
            key, name = device.get_instance_id(), device.get_name()
        except pygame.error:
            return  # gone again already
        self._add_pad(key, Pad(name, _layout(index), device))

    def _add_pad(self, key: int, pad: Pad) -> Pad:
        self._pads[key] = pad
        if key not in self.places:
            if None in self.places:
                self.places[self.places.index(None)] = key
            else:
                self.places.append(key)
        return pad

    def _remove(self, key: int) -> list[tuple[int, str, bool]]:
        pad = self._pads.pop(key, None)
        if pad is None:
            return []
        place = self.places.index(key)
        self.places[place] = None
        return [(place, name, False) for name in sorted(pad.held)]


def _layout(index: int) -> Mapping[str, str]:
    """Return what SDL calls this device's parts."""
    with suppress(*_NO_CONTROLLERS):
        from pygame._sdl2 import controller

        if controller.is_controller(index):
            known = controller.Controller(index)
            mapping: Mapping[str, str] = known.get_mapping()
            return mapping
    return USUAL
