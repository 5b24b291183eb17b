"""Keys and gamepads: what they mean, whatever is plugged in and whenever."""

from __future__ import annotations

import ctypes
import os

import pygame
import pytest

from batllm_arcade.app.input import controls as controls_module
from batllm_arcade.app.input import sdl
from batllm_arcade.app.input.controls import NOTHING, PAD, Controls, PlayerPress, digit, key_name
from batllm_arcade.app.input.key_labels import pressing
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import HintBar
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.user_settings import Settings

BOTH, LEFT, NOBODY = (True, True), (True, False), (False, False)


@pytest.fixture(autouse=True)
def _window():
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS="1")
    pygame.display.init()
    pygame.display.set_mode((64, 64))
    yield
    pygame.quit()


@pytest.fixture
def controls():
    return Controls(Settings())


def key(code: int, kind: int = pygame.KEYDOWN, mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(kind, key=code, mod=mod, unicode="")


def joy(kind: int, **how) -> pygame.event.Event:
    return pygame.event.Event(kind, joy=0, instance_id=how.pop("pad", 0), **how)


def player_action(controls: Controls, event: pygame.event.Event, humans: tuple[bool, bool]):
    """The seat, the action and whether it was pressed; None if nobody plays with that."""
    press = controls.meaning(event).player
    seat = controls.seat_of(press, humans) if press is not None else None
    return None if seat is None else (seat, press.action, press.pressed)


def given(controls: Controls, event: pygame.event.Event, now: float = 0.0) -> list[tuple[int, str, bool]]:
    return [(each.place, each.button, each.pressed) for each in controls.feed(event, now) if each.type == PAD]


@pytest.mark.parametrize(
    ("event", "intent"),
    [
        (key(pygame.K_UP), "up"),
        (key(pygame.K_RETURN), "confirm"),
        (key(pygame.K_RETURN, mod=pygame.KMOD_LCTRL), "menu"),
        (key(pygame.K_TAB), "next"),
        (key(pygame.K_TAB, mod=pygame.KMOD_LSHIFT), "previous"),
        (key(pygame.K_ESCAPE), "back"),
        (key(pygame.K_x), None),
        (key(pygame.K_UP, pygame.KEYUP), None),
    ],
)
def test_keys_mean_the_same_in_all_menus(event, intent, controls):
    assert controls.meaning(event).intent == intent


def test_one_look_up_says_what_a_key_means_in_menus_on_the_screen_and_to_players(controls):
    space, pause = controls.meaning(key(pygame.K_SPACE)), controls.meaning(key(pygame.K_p))
    assert (space.intent, space.action, space.player) == ("confirm", None, PlayerPress("fire", True, 0))
    assert (pause.intent, pause.action, pause.player) == (None, "pause", None)
    start = controls.feed(joy(pygame.JOYBUTTONDOWN, button=0), 0.0)[0]
    assert controls.meaning(start).intent == "confirm"
    assert controls.meaning(start).player == PlayerPress("fire", True, 0, pad=True)
    assert controls.meaning(pygame.event.Event(pygame.MOUSEMOTION, pos=(1, 1))) == NOTHING


@pytest.mark.parametrize(
    ("event", "humans", "meant"),
    [
        (key(pygame.K_w), BOTH, (0, "move", True)), (key(pygame.K_UP), BOTH, (1, "move", True)),
        (key(pygame.K_UP, pygame.KEYUP), LEFT, (0, "move", False)), (key(pygame.K_w), (False, True), (1, "move", True)),
        (key(pygame.K_w), NOBODY, None), (key(pygame.K_z), BOTH, None),
    ],
)  # fmt: skip
def test_players_at_one_keyboard_have_keys_of_their_own_and_one_alone_has_both(event, humans, meant, controls):
    assert player_action(controls, event, humans) == meant


def test_a_key_bound_anew_does_what_it_is_bound_to_and_its_old_one_does_nothing(controls):
    controls.settings = settings.bound(Settings(), "left", "fire", ("f",))
    assert player_action(controls, key(pygame.K_f), BOTH) == (0, "fire", True)
    assert player_action(controls, key(pygame.K_SPACE), BOTH) is None
    assert controls.label("fire", 0) == "F"


def test_an_action_of_the_screen_is_told_once_however_long_its_key_is_held(controls):
    event = key(pygame.K_p)
    assert controls.meaning(event).action == "pause"
    held = pygame.event.Event(pygame.KEYDOWN, dict(event.dict, repeat=True))
    assert controls.meaning(held).action is None
    controls.listening = True
    assert controls.meaning(event).action is None


def test_a_key_that_is_held_while_another_screen_comes_does_nothing_there_until_it_is_let_go(controls):
    held, up = key(pygame.K_RETURN), pygame.event.Event(pygame.KEYUP, key=pygame.K_RETURN, mod=0)
    assert controls.feed(held, 0.0)
    controls.let_go()
    assert not controls.feed(held, 0.4)
    assert controls.feed(key(pygame.K_F2), 0.5)
    assert controls.feed(up, 0.6)
    assert controls.feed(held, 0.7)


def test_the_first_gamepad_plays_left_and_the_second_right_and_one_person_has_both(controls):
    first, second = (controls.feed(joy(pygame.JOYBUTTONDOWN, button=0, pad=pad), 0.0)[0] for pad in (7, 3))
    assert player_action(controls, first, BOTH) == (0, "fire", True)
    assert player_action(controls, second, BOTH) == (1, "fire", True)
    assert player_action(controls, second, LEFT) == (0, "fire", True)


def test_a_d_pad_that_is_a_hat_presses_and_releases_its_directions(controls):
    assert given(controls, joy(pygame.JOYHATMOTION, hat=0, value=(1, 0))) == [(0, "dpright", True)]
    assert given(controls, joy(pygame.JOYHATMOTION, hat=0, value=(-1, 0))) == [
        (0, "dpright", False),
        (0, "dpleft", True),
    ]
    assert given(controls, joy(pygame.JOYHATMOTION, hat=0, value=(0, 0))) == [(0, "dpleft", False)]


def test_a_stick_has_a_dead_zone_points_and_moves_in_menus_without_flutter(controls):
    assert given(controls, joy(pygame.JOYAXISMOTION, axis=1, value=0.3)) == []
    assert controls.stick(0, LEFT) is None
    events = controls.feed(joy(pygame.JOYAXISMOTION, axis=1, value=0.9), 0.0)
    assert [controls.meaning(event).intent for event in events] == ["down"]
    assert controls.stick(0, LEFT) == 90.0
    assert given(controls, joy(pygame.JOYAXISMOTION, axis=1, value=0.5)) == []  # not released yet
    assert given(controls, joy(pygame.JOYAXISMOTION, axis=1, value=0.1)) == [(0, "stickdown", False)]
    controls.feed(joy(pygame.JOYAXISMOTION, axis=0, value=-1.0), 0.0)
    assert controls.stick(0, LEFT) == pytest.approx(180.0, abs=6)
    assert controls.stick(1, LEFT) is None
    assert controls.stick(0, (False, True)) is None


def test_a_gamepad_pulled_out_lets_go_of_everything_and_takes_its_place_again(controls):
    controls.feed(joy(pygame.JOYBUTTONDOWN, button=0, pad=1), 0.0)
    controls.feed(joy(pygame.JOYBUTTONDOWN, button=0, pad=2), 0.0)
    gone = pygame.event.Event(pygame.JOYDEVICEREMOVED, instance_id=1)
    assert given(controls, gone) == [(0, "a", False)]
    controls.rumble(0, 1.0, 0.1)
    assert controls.stick(0, LEFT) is None
    assert given(controls, joy(pygame.JOYBUTTONDOWN, button=0, pad=9)) == [(0, "a", True)]
    assert given(controls, pygame.event.Event(pygame.JOYDEVICEREMOVED, instance_id=55)) == []


@pytest.mark.parametrize(
    ("down", "up"),
    [
        (joy(pygame.JOYHATMOTION, hat=0, value=(0, 1)), joy(pygame.JOYHATMOTION, hat=0, value=(0, 0))),
        (key(pygame.K_UP), key(pygame.K_UP, pygame.KEYUP)),
    ],
)
def test_a_direction_that_is_held_comes_again_until_it_is_let_go(down, up, controls):
    controls.feed(down, 0.0)
    assert controls.repeats(0.2) == []
    [again] = controls.repeats(0.5)
    assert controls.repeats(0.52) == []
    assert controls.meaning(again).intent == "up"
    assert player_action(controls, again, BOTH) is None  # players' keys do not repeat
    controls.feed(up, 0.6)
    assert controls.repeats(9.0) == []


def test_labels_are_those_of_the_device_used_last(controls):
    assert (controls.label("fire", 0), controls.label("fire", 1), controls.label("pause")) == ("SPACE", "ENTER", "P")
    controls.feed(joy(pygame.JOYBUTTONDOWN, button=0), 0.0)
    assert (controls.label("fire", 1), controls.label("pause"), controls.label("back")) == ("A", "START", "B")
    controls.feed(key(pygame.K_a), 0.0)
    assert controls.label("back") == "ESC"


class VirtualPad:
    """A gamepad that SDL itself believes in."""

    def __init__(self) -> None:
        self._sdl = sdl.library()
        if self._sdl is None or not hasattr(self._sdl, "SDL_JoystickAttachVirtual"):
            pytest.skip("this SDL has no virtual gamepads")
        self._sdl.SDL_JoystickFromInstanceID.restype = ctypes.c_void_p
        for name, kind in (("Button", ctypes.c_uint8), ("Axis", ctypes.c_int16)):
            getattr(self._sdl, f"SDL_JoystickSetVirtual{name}").argtypes = [ctypes.c_void_p, ctypes.c_int, kind]
        self.index = self._sdl.SDL_JoystickAttachVirtual(1, 6, 15, 0)  # a game controller

    def _device(self, instance: int) -> int:
        return self._sdl.SDL_JoystickFromInstanceID(instance)

    def button(self, instance: int, number: int, down: bool) -> None:
        assert self._sdl.SDL_JoystickSetVirtualButton(self._device(instance), number, int(down)) == 0

    def axis(self, instance: int, number: int, value: int) -> None:
        assert self._sdl.SDL_JoystickSetVirtualAxis(self._device(instance), number, value) == 0

    def pull(self) -> None:
        assert self._sdl.SDL_JoystickDetachVirtual(self.index) == 0


def pumped(controls: Controls) -> list[pygame.event.Event]:
    return [each for event in pygame.event.get() for each in controls.feed(event, 0.0) if each.type == PAD]


def test_a_real_device_can_be_plugged_in_late_used_pulled_out_and_plugged_in_again(controls):
    controls.pads.open()
    assert pumped(controls) == []
    for _ in range(2):
        pad = VirtualPad()
        pumped(controls)
        assert len(controls.pads.names) == 1
        instance = controls.pads.places[0]
        pumped(controls)  # a device's axes report themselves first
        seen = []
        for button in (0, 11, 10):  # in SDL's own order: a, d-pad up, right shoulder
            pad.button(instance, button, True)
            seen += pumped(controls)
            pad.button(instance, button, False)
            pumped(controls)
        assert [event.button for event in seen] == ["a", "dpup", "rightshoulder"]
        assert [controls.meaning(event).intent for event in seen] == ["confirm", "up", "next"]
        assert player_action(controls, seen[0], LEFT) == (0, "fire", True)
        pad.axis(instance, 0, 32767)
        pumped(controls)
        assert controls.stick(0, LEFT) == pytest.approx(0.0, abs=1)
        controls.rumble(0, 0.5, 0.05)
        pad.button(instance, 0, True)
        pumped(controls)
        pad.pull()
        assert [(event.button, event.pressed) for event in pumped(controls) if event.button == "a"] == [("a", False)]
        assert controls.pads.names == []
        assert controls.stick(0, LEFT) is None
        controls.rumble(0, 0.5, 0.05)


class AnyPad:
    """A gamepad that pygame opens whatever its index."""

    def __init__(self, index: int) -> None:
        self.index = index

    def get_instance_id(self) -> int:
        return 3

    def get_name(self) -> str:
        return "a pad"


def test_without_sdls_table_of_controllers_a_gamepad_has_the_usual_layout(controls, monkeypatch):
    from pygame._sdl2 import controller

    monkeypatch.setattr("pygame.joystick.Joystick", AnyPad)
    controller.quit()
    controls.feed(pygame.event.Event(pygame.JOYDEVICEADDED, device_index=0), 0.0)
    assert controls.pads.names == ["a pad"]
    assert given(controls, joy(pygame.JOYBUTTONDOWN, pad=3, button=0)) == [(0, "a", True)]


def test_one_gamepad_of_two_players_is_the_right_ones_for_the_left_one_has_the_keyboard(controls):
    events = controls.feed(joy(pygame.JOYBUTTONDOWN, button=0), 0.0)
    assert [player_action(controls, event, BOTH) for event in events] == [(1, "fire", True)]


# Other keyboards


@pytest.mark.parametrize(
    ("letter", "place", "usual"),
    [("\u0446", 26, "w"), ("\u03c3", 26, "w"), ("\u0444", 4, "a"), ("\u0456", 22, "s"), ("\u044e", 55, "."),
     ("\u05e9", 4, "a")],
    ids=["Russian", "Greek", "Russian a", "Ukrainian", "a full stop", "Hebrew"],
)  # fmt: skip
def test_a_key_with_a_letter_of_another_alphabet_counts_by_its_place(controls, letter, place, usual):
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pressed = pygame.event.Event(kind, key=ord(letter), scancode=place, mod=0, unicode=letter)
        (seen,) = controls.feed(pressed, 0.0)
        assert (pygame.key.name(seen.key), seen.unicode) == (usual, letter)
        assert controls.meaning(seen) == controls.meaning(key(pygame.key.key_code(usual), kind))


@pytest.mark.parametrize("letter", "wz\xf6\xe9")
def test_a_latin_letter_counts_where_it_is_printed(controls, letter):
    pressed = pygame.event.Event(pygame.KEYDOWN, key=ord(letter), scancode=26, mod=0, unicode=letter)
    assert controls.feed(pressed, 0.0)[0].key == ord(letter)


LAYOUTS = {
    "ru": ({26: "\u0446", 4: "\u0444", 47: "\u0445", 56: "."}, {"w": "\u0426", "a": "\u0424", ".": ".", "[": "\u0425"}),
    "gr": ({26: "\u03c2", 22: "\u03c3", 20: ";"}, {"w": "\u03c2", "s": "\u03a3", "q": ";"}),
    "fr": ({20: "a", 4: "q", 26: "z", 29: "w", 45: ")"}, {"w": "W", "q": "Q", "a": "A", "-": ")"}),
    "us": ({}, {"w": "W", "-": "-", "space": "SPACE", "left": "\u2190"}),
}
"""What some places of a keyboard have, where it is not what they have in America; and what hints show for a binding."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hints_show_what_is_printed_on_the_keyboard_in_use_and_stand_for_its_key(layout, controls, monkeypatch):
    has, shown = LAYOUTS[layout]
    usual = controls_module.printed_at
    monkeypatch.setattr(controls_module, "printed_at", lambda place: ord(has[place]) if place in has else usual(place))
    controls.feed(pygame.event.Event(pygame.KEYMAPCHANGED), 0.0)
    assert {name: key_name(name) for name in shown} == shown
    for name, label in shown.items():
        assert {pygame.key.name(each.key) for each in pressing(label, pad=False)} == {name}
    bar = HintBar()
    bar.place(Canvas((640, 360), 1.0), (320, 300), [("CTRL W", "close")], pad=False)
    assert [hint.key for hint in bar.hints] == [f"CTRL {shown['w']}"]
    monkeypatch.undo()
    controls.feed(pygame.event.Event(pygame.KEYMAPCHANGED), 0.0)
    assert key_name("w") == "W"


@pytest.mark.parametrize(("code", "place", "does"), [(0x4000_0000, 46, "faster"), (ord(")"), 45, "slower")])
def test_a_key_with_nothing_bound_on_it_counts_by_its_place(code, place, does, controls):
    (seen,) = controls.feed(pygame.event.Event(pygame.KEYDOWN, key=code, scancode=place, mod=0, unicode=""), 0.0)
    assert controls.meaning(seen).action == does


def test_the_row_of_digits_chooses_where_digits_need_shift():
    french = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_AMPERSAND, scancode=30, mod=0, unicode="&")
    assert digit(french) == 1
    assert digit(key(pygame.K_7)) == 7
    assert digit(key(pygame.K_a)) is None
    assert digit(key(pygame.K_7, pygame.KEYUP)) is None
