"""What a key, a pad or a finger means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, cast
from unicodedata import name as name_of

import pygame

from batllm_arcade.app.input.pointing import Action
from batllm_arcade.app.input.sdl import printed_at
from batllm_arcade.settings.user_settings import Settings

# -- Gamepads

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
_STICKS = {"leftx": (("stickleft", -1), ("stickright", 1)), "lefty": (("stickup", -1), ("stickdown", 1))}


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
            if name in _STICKS:
                self.stick[name == "lefty"] = turned
                for button, sign in _STICKS[name]:
                    changes += self._reach(button, turned * sign)
            elif name not in ("rightx", "righty"):
                changes += self._reach(name, -turned if half == "-" else turned)
        return sorted(changes, key=lambda change: change[1])

    def _reach(self, name: str, reach: float) -> list[tuple[str, bool]]:
        return self._set(name, reach > FLICK or (name in self.held and reach > DEAD))


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
    with suppress(*_NO_CONTROLLERS):
        from pygame._sdl2 import controller

        if controller.is_controller(index):
            known = controller.Controller(index)
            mapping: Mapping[str, str] = known.get_mapping()
            return mapping
    return USUAL


# -- Fingers as a mouse

FINGERS = (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP)
_MOUSE = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
_ROW = 0.04
"""How far two fingers go for a row of the wheel, a share of the window's height."""


class Touch:
    """Turns the events of fingers into those of a mouse; the mouse that SDL makes of fingers itself is left out."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._second: int | None = None
        self._rolled = 0.0

    def take(self, event: pygame.event.Event) -> list[pygame.event.Event]:
        """Return the events of a mouse that this event stands for; any other event stays as it is."""
        if event.type in _MOUSE and getattr(event, "touch", False):
            return []
        if event.type not in FINGERS:
            return [event]
        size = pygame.display.get_window_size()
        pos = round(event.x * size[0]), round(event.y * size[1])
        if event.finger_id == self._second:
            return self._roll(event, pos)
        if event.type == pygame.FINGERDOWN and self._first is not None:
            self._second, self._rolled = event.finger_id, 0.0
            return []
        if event.type == pygame.FINGERDOWN:
            self._first = event.finger_id
            return [_mouse(pygame.MOUSEMOTION, pos), _mouse(pygame.MOUSEBUTTONDOWN, pos)]
        if event.finger_id != self._first:
            return []
        if event.type == pygame.FINGERMOTION:
            return [_mouse(pygame.MOUSEMOTION, pos)]
        self._first = None
        return [_mouse(pygame.MOUSEMOTION, pos), _mouse(pygame.MOUSEBUTTONUP, pos)]

    def _roll(self, event: pygame.event.Event, pos: tuple[int, int]) -> list[pygame.event.Event]:
        if event.type == pygame.FINGERUP:
            self._second = None
            return []
        self._rolled += event.dy
        rows = int(self._rolled / _ROW)
        self._rolled -= rows * _ROW
        return [pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=rows, pos=pos)] if rows else []


def _mouse(kind: int, pos: tuple[int, int]) -> pygame.event.Event:
    if kind == pygame.MOUSEMOTION:
        return pygame.event.Event(kind, pos=pos, rel=(0, 0), buttons=(1, 0, 0))
    return pygame.event.Event(kind, pos=pos, button=pygame.BUTTON_LEFT)


# -- What keys and buttons mean

Intent = Literal["up", "down", "left", "right", "confirm", "back", "next", "previous", "menu"]
Device = Literal["keyboard", "pad"]
Pointer = Literal["", "mouse", "touch"]
Humans = tuple[bool, bool]

PAD: int = pygame.event.custom_type()
_JOY = (
    pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP, pygame.JOYHATMOTION, pygame.JOYAXISMOTION, pygame.JOYDEVICEADDED,
    pygame.JOYDEVICEREMOVED,
)  # fmt: skip
_KEY_INTENTS: dict[int, Intent] = {
    pygame.K_UP: "up", pygame.K_DOWN: "down", pygame.K_LEFT: "left", pygame.K_RIGHT: "right",
    pygame.K_RETURN: "confirm", pygame.K_KP_ENTER: "confirm", pygame.K_SPACE: "confirm", pygame.K_ESCAPE: "back",
    pygame.K_PAGEUP: "previous", pygame.K_PAGEDOWN: "next", pygame.K_MENU: "menu",
}  # fmt: skip
PAD_INTENTS: dict[str, Intent] = {
    "dpup": "up", "dpdown": "down", "dpleft": "left", "dpright": "right", "stickup": "up", "stickdown": "down",
    "stickleft": "left", "stickright": "right", "a": "confirm", "b": "back", "leftshoulder": "previous",
    "rightshoulder": "next", "start": "menu",
}  # fmt: skip
"""What a gamepad's buttons mean in menus; these are not bound anew."""
_MOVES = ("up", "down", "left", "right")
_FIRST_REPEAT_S, _REPEAT_S = 0.38, 0.085
_MENU_KEYS = {
    "up": "\u2191", "down": "\u2193", "left": "\u2190", "right": "\u2192", "confirm": "ENTER", "back": "ESC",
    "next": "TAB", "previous": "SHIFT TAB", "menu": "CTRL ENTER",
}  # fmt: skip
_KEY_NAMES = {
    "return": "ENTER", "enter": "NUM ENTER", "escape": "ESC", "left": "\u2190", "right": "\u2192", "up": "\u2191",
    "down": "\u2193", "left ctrl": "L CTRL", "right ctrl": "R CTRL", "left shift": "L SHIFT",
    "right shift": "R SHIFT", "page up": "PAGE \u2191", "page down": "PAGE \u2193", "backspace": "BKSP",
}  # fmt: skip
_BUTTON_NAMES = {
    "dpup": "D-PAD \u2191", "dpdown": "D-PAD \u2193", "dpleft": "D-PAD \u2190", "dpright": "D-PAD \u2192",
    "leftshoulder": "LB", "rightshoulder": "RB", "lefttrigger": "LT", "righttrigger": "RT", "leftstick": "L3",
    "rightstick": "R3", "stickup": "STICK \u2191", "stickdown": "STICK \u2193", "stickleft": "STICK \u2190",
    "stickright": "STICK \u2192",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerPress:
    """A player's key or button that went down or up; `source` is whose keys (0 left) or which gamepad (`pad`)."""

    action: Action
    pressed: bool
    source: int
    pad: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an event means in a menu, on the screen of a match or anywhere (`action`), and to the players."""

    intent: Intent | None = None
    action: str | None = None
    player: PlayerPress | None = None


NOTHING = Meaning()
"""What an event means that is neither a key nor a button."""


class Controls:
    """Keyboard and gamepads by the settings' bindings; `device` is the one last used, for hints.

    `pointer` is the mouse or a finger as long as no key and no button was pressed since. `used` is False until anything
    at all was pressed: nobody knows then what the person will use.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.device: Device = "keyboard"
        self.pointer: Pointer = ""
        self.used = False
        self._points = [False, False]  # which of two people pointed when they played last
        self.pads, self._touch = Gamepads(), Touch()
        self.listening = False
        """Whether the next key or button is being bound: nothing is an action of the screen then."""
        self._held: tuple[pygame.event.Event, float] | None = None  # the direction held, and when it repeats next
        self._down: set[int] = set()
        self._stale: set[int] = set()  # keys that were down when another screen came: what they repeat is not for it

    def feed(self, event: pygame.event.Event, now: float) -> list[pygame.event.Event]:
        """Return what the screens get for an event of the window's pump."""
        event = by_place(event)
        if self._is_stale(event):
            return []
        if event.type == pygame.KEYMAPCHANGED:
            key_name.cache_clear()
        if event.type in _JOY:
            changes = self.pads.take(event)
            given = [
                pygame.event.Event(PAD, {"place": place, "button": button, "pressed": pressed, "repeat": False})
                for place, button, pressed in changes
            ]
            if event.type == pygame.JOYDEVICEREMOVED:
                given.insert(0, event)  # first, so that unplugging does not count as letting keys go
            elif changes:
                self.device = "pad"
        else:
            given = self._touch.take(event)
            if event.type in (pygame.KEYDOWN, PAD):
                self.device = "pad" if event.type == PAD else "keyboard"
        self._notice_pointer(event, given=bool(given))
        for event in given:
            self._hold(event, now)
        return given

    def _notice_pointer(self, event: pygame.event.Event, *, given: bool) -> None:
        if event.type in FINGERS:
            self.pointer = "touch"
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL) and given:
            self.pointer = "mouse"
        elif event.type in (pygame.KEYDOWN, PAD, *_JOY) and given and not getattr(event, "clicked", False):
            self.pointer = ""
        else:
            return
        self.used = True

    def repeats(self, now: float) -> list[pygame.event.Event]:
        """Return the direction that is held down, once more when it is time; for menus, once a frame."""
        if self._held is None or now < self._held[1]:
            return []
        event = self._held[0]
        self._held = (event, now + _REPEAT_S)
        return [event]

    def let_go(self) -> None:
        """Forget what is held: another screen is shown."""
        self._held, self._stale = None, set(self._down)

    def _is_stale(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.WINDOWFOCUSLOST:
            self._down, self._stale = set(), set()
        elif event.type == pygame.KEYDOWN:
            self._down.add(event.key)
            return event.key in self._stale
        elif event.type == pygame.KEYUP:
            self._down.discard(event.key)
            self._stale.discard(event.key)
        return False

    def _hold(self, event: pygame.event.Event, now: float) -> None:
        if event.type == pygame.WINDOWFOCUSLOST or _released(event, self._held):
            self._held = None
        elif _intent(event) in _MOVES:
            again = dict(event.dict, repeat=True)
            self._held = (pygame.event.Event(event.type, again), now + _FIRST_REPEAT_S)

    def meaning(self, event: pygame.event.Event) -> Meaning:
        """Return what an event means by the bindings of the settings: looked up once, then handed on with it."""
        if event.type == PAD:
            return Meaning(_intent(event), self._action(event, self.settings.pad, event.button), self._pad_press(event))
        if event.type not in (pygame.KEYDOWN, pygame.KEYUP):
            return NOTHING
        key, place = pygame.key.name(event.key), _LATIN_PLACES.get(getattr(event, "scancode", 0), 0)
        bound = (names for group in self.settings.keys.values() for names in group.values())
        if place and not any(key in names for names in bound):  # such as a key of AZERTY with no minus on it
            key = pygame.key.name(place)
        return Meaning(
            _intent(event), self._action(event, self.settings.keys["screen"], key), self._key_press(event, key)
        )

    def _action(self, event: pygame.event.Event, bound: Mapping[str, Sequence[str]], name: str) -> str | None:
        """Return what a press does on the screen of a match or anywhere (`fullscreen`, `mute`, `help`)."""
        if self.listening or event.type == pygame.KEYUP or not getattr(event, "pressed", True) or _repeated(event):
            return None
        return next((action for action in self.settings.keys["screen"] if name in bound.get(action, ())), None)

    def _key_press(self, event: pygame.event.Event, key: str) -> PlayerPress | None:
        pressed = event.type == pygame.KEYDOWN
        for source, group in enumerate(("left", "right")):
            for action, keys in self.settings.keys[group].items():
                if key in keys and not _repeated(event):
                    return PlayerPress(cast(Action, action), pressed, source)
        return None

    def _pad_press(self, event: pygame.event.Event) -> PlayerPress | None:
        for action in self.settings.keys["left"]:
            if event.button in self.settings.pad.get(action, ()) and not _repeated(event):
                return PlayerPress(cast(Action, action), event.pressed, event.place, pad=True)
        return None

    def seat_of(self, press: PlayerPress, humans: Humans) -> int | None:
        """Return whose press it is, None if nobody's; a person alone has both sets of keys and every gamepad."""
        if press.pad:
            return self._pad_seat(press.source, humans)
        if all(humans):
            return press.source
        return humans.index(True) if any(humans) else None

    @property
    def lone_pad(self) -> bool:
        """Whether there is no more than one gamepad."""
        return len(self.pads.names) < 2

    def has_pad(self, seat: int, humans: Humans) -> bool:
        """Return whether a gamepad plays for this seat."""
        return any(self.pads.pad(place) is not None for place in self._places(seat, humans))

    def _pad_seat(self, place: int, humans: Humans) -> int | None:
        if all(humans):
            # With one gamepad the left person has the keyboard; with two of them the first one is the left one's.
            return 1 if self.lone_pad else place % 2
        return humans.index(True) if any(humans) else None

    def _places(self, seat: int, humans: Humans) -> list[int]:
        return [place for place in range(len(self.pads.places)) if self._pad_seat(place, humans) == seat]

    def stick(self, seat: int, humans: Humans = (True, True)) -> float | None:
        """Return where the seat's stick points, degrees clockwise from +x (y grows downwards); None in its middle."""
        for place in self._places(seat, humans):
            pad = self.pads.pad(place)
            if pad is not None and pad.direction() is not None:
                return pad.direction()
        return None

    def rumble(self, seat: int, strength: float, seconds: float, humans: Humans = (True, True)) -> None:
        """Shake the seat's gamepads that can; `strength` 0 to 1."""
        if self.settings.rumble:
            for place in self._places(seat, humans):
                self.pads.rumble(place, strength, seconds)

    def played(self, seat: int, *, pointed: bool) -> None:
        """Keep how the person at this seat has just played."""
        self._points[seat] = pointed

    def pointer_of(self, seat: int, humans: Humans) -> Pointer:
        """Return the pointer with which the person at this seat plays, "" for one who uses keys or buttons."""
        return self.pointer if not all(humans) or self._points[seat] else ""

    def label(self, action: str, seat: int | None = None) -> str:
        """Return the key or button, as printed on it, of an intent, a screen's or (with a `seat`) a player's action.

        It is the one of the device used last; "" if nothing is bound.
        """
        if self.device == "pad":
            names: tuple[str, ...] = self.settings.pad.get(action, ())
            if not names and seat is None:
                names = tuple(button for button, intent in PAD_INTENTS.items() if intent == action)
            return button_name(names[0]) if names else ""
        return self.key_label(action, seat)

    def mention(self, action: str, pointed: str = "") -> str:
        """Return the label of an action to name in a sentence; for somebody who points what is `pointed` at instead."""
        return pointed if self.pointer else self.label(action)

    def key_label(self, action: str, seat: int | None = None) -> str:
        """Return the key of an action or intent, whatever was used last; "" if nothing is bound."""
        if seat is None and action in _MENU_KEYS:
            return _MENU_KEYS[action]
        keys = self.settings.keys["screen" if seat is None else ("left", "right")[seat]].get(action, ())
        return key_name(keys[0]) if keys else ""


def _intent(event: pygame.event.Event) -> Intent | None:
    if event.type == PAD:
        return PAD_INTENTS.get(event.button) if event.pressed else None
    if event.type != pygame.KEYDOWN:
        return None
    if event.key == pygame.K_TAB:
        return "previous" if event.mod & pygame.KMOD_SHIFT else "next"
    if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
        return "menu"
    return _KEY_INTENTS.get(event.key)


_LATIN_PLACES = {
    **{4 + place: key for place, key in enumerate(range(pygame.K_a, pygame.K_z + 1))},
    **{30 + place: key for place, key in enumerate((*range(pygame.K_1, pygame.K_9 + 1), pygame.K_0))},
    45: pygame.K_MINUS, 46: pygame.K_EQUALS, 47: pygame.K_LEFTBRACKET, 48: pygame.K_RIGHTBRACKET,
    51: pygame.K_SEMICOLON, 52: pygame.K_QUOTE, 53: pygame.K_BACKQUOTE, 54: pygame.K_COMMA, 55: pygame.K_PERIOD,
    56: pygame.K_SLASH,
}  # fmt: skip
"""What a key of a keyboard with Latin letters is at each place (scancode)."""


NAMED_KEYS = (*map(chr, _LATIN_PLACES.values()), *_KEY_NAMES)
"""Keys that may be printed otherwise than pygame names them."""
_DEAD = 0x4000_0000
"""The code of a key that writes nothing by itself, such as an accent."""


def by_place(event: pygame.event.Event) -> pygame.event.Event:
    """Return a key's event; a key with a letter of another alphabet is the Latin one at its place."""
    if event.type not in (pygame.KEYDOWN, pygame.KEYUP) or not 0x7F < event.key <= _DEAD:
        return event
    if event.key < _DEAD and name_of(chr(event.key), "").startswith("LATIN"):
        return event
    return pygame.event.Event(
        event.type, {**event.dict, "key": _LATIN_PLACES.get(getattr(event, "scancode", 0), event.key)}
    )


def digit(event: pygame.event.Event) -> int | None:
    """Return the digit of a key that is pressed, by its place where the digit needs shift, as in France."""
    if event.type != pygame.KEYDOWN:
        return None
    key = event.key if pygame.K_0 <= event.key <= pygame.K_9 else _LATIN_PLACES.get(getattr(event, "scancode", 0), 0)
    return key - pygame.K_0 if pygame.K_0 <= key <= pygame.K_9 else None


def _repeated(event: pygame.event.Event) -> bool:
    return bool(getattr(event, "repeat", False))


@cache
def key_name(key: str) -> str:
    """Return a key of the settings as it is printed on the keyboard; of one that has no such key what is in its place.

    It is asked anew when the keyboard's layout has changed.
    """
    printed = {place: printed_at(place) for place in _LATIN_PLACES} if len(key) == 1 else {}
    if printed and ord(key) not in printed.values():
        here = next((code for place, code in printed.items() if _LATIN_PLACES[place] == ord(key)), 0)
        key = chr(here) if 0x20 < here < _DEAD else key
    return _KEY_NAMES.get(key) or (key.upper() if key.upper().lower() == key else key)


def button_name(button: str) -> str:
    """Return a button of the settings as it is printed on the gamepad."""
    return _BUTTON_NAMES.get(button, button.upper())


def _released(event: pygame.event.Event, held: tuple[pygame.event.Event, float] | None) -> bool:
    if held is None:
        return False
    if event.type == pygame.KEYUP and held[0].type == pygame.KEYDOWN:
        return bool(event.key == held[0].key)
    return bool(event.type == PAD and held[0].type == PAD and not event.pressed and event.button == held[0].button)
