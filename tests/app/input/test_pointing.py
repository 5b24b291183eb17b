"""Aiming with a pointer: what a click means, without a window."""

from __future__ import annotations

from dataclasses import replace
from math import atan2, degrees

import pytest

from batllm_arcade.app.input.pointing import DOUBLE_S, GESTURE_S, Pointing
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.flight import flight
from batllm_arcade.core.model import Arena, BotState, Rules

FACING = BotState(200, 500, 0.0, 100, True)
FOE = BotState(800, 500, 180.0, 100, True)
BELOW = (200, 900)


def view(rot: float = 0.0) -> View:
    arena = Arena(replace(FACING, rot=rot), FOE)
    return View(0, Rules(), 1, 1, 1, 1, (0, 1), ("", ""), arena, arena)


def test_a_click_on_the_ground_turns_there_once_it_is_sure_to_be_no_double_click():
    pointing, looks = Pointing(), view()
    pointing.move(BELOW)
    assert pointing.direction(looks) == pytest.approx(90)
    assert pointing.press(looks, 1.0) is None
    pointing.release()
    assert pointing.pending
    assert pointing.due(looks, 1.0 + DOUBLE_S / 2) is None
    assert pointing.due(looks, 1.1 + DOUBLE_S) == "C90"
    assert pointing.due(looks, 2.0) is None, "a click counts once"


def test_while_the_button_or_the_finger_is_down_the_line_can_still_be_moved():
    pointing, looks = Pointing(), view()
    pointing.move(BELOW)
    pointing.press(looks, 1.0)
    pointing.move((200, 100))
    assert pointing.due(looks, 5.0) is None
    pointing.release()
    assert pointing.due(looks, 5.0) == "A90"


def test_two_clicks_on_the_ground_are_a_step_and_no_turn():
    pointing, looks = Pointing(), view()
    pointing.move(BELOW)
    assert pointing.press(looks, 1.0) is None
    pointing.release()
    assert pointing.press(looks, 1.0 + DOUBLE_S / 2) == "M"
    pointing.release()
    assert pointing.due(looks, 3.0) is None


def test_a_click_on_the_other_bot_fires_if_the_barrel_is_on_it_and_turns_there_if_not():
    pointing = Pointing()
    pointing.move((800, 510))
    assert pointing.fires(view(rot=3.0))
    assert pointing.press(view(rot=3.0), 1.0) == "B"
    away = view(rot=90.0)
    assert not pointing.fires(away)
    assert pointing.press(away, 2.0) is None
    pointing.release()
    assert pointing.due(away, 3.0) == "A90", "to the middle of the bot, where one clicks near that"


@pytest.mark.parametrize(
    ("at", "rot", "fires", "turned"),
    [
        ((800, 545), 0.0, False, "C4"),  # its edge, while the barrel is on its middle
        ((800, 545), 4.0, True, None),  # its edge, and the barrel is there
        ((500, 510), 0.0, True, None),  # on the barrel's line
        ((800, 520), 2.0, True, None),  # on its middle, whatever of it the barrel is on
        ((800, 560), 0.0, False, "C6"),  # just beside it, at the wall behind
    ],
)
def test_a_click_beside_the_middle_of_the_other_bot_aims_exactly_there(at, rot, fires, turned):
    pointing, looks = Pointing(), view(rot)
    pointing.move(at)
    assert pointing.fires(looks) == fires
    assert pointing.press(looks, 1.0) == ("B" if fires else None)
    pointing.release()
    assert pointing.due(looks, 2.0) == turned


def test_a_wall_can_be_aimed_at_right_beside_the_other_bot_and_a_click_on_the_line_fires_off_the_wall():
    rules = replace(Rules(), ricochet=1)
    looks = View(0, rules, 1, 1, 1, 1, (0, 1), ("", ""), *[Arena(FACING, replace(FOE, y=80))] * 2)
    pointing, corner = Pointing(), (800 - 60, 0)
    pointing.move(corner)
    bearing = degrees(atan2(corner[1] - 500, corner[0] - 200))
    assert pointing.direction(looks) == pytest.approx(bearing % 360)
    banked = replace(looks, arena=looks.arena.replaced(0, replace(FACING, rot=bearing % 360)))
    assert flight(banked.arena.left, banked.arena.right, rules).bounce is not None
    assert pointing.fires(banked)
    pointing.move((800, 80))
    assert not pointing.fires(banked), "on the other bot: who wants to face it can"
    assert pointing.press(banked, 1.0) is None
    pointing.release()
    assert pointing.due(banked, 2.0) == "C8"


def test_a_click_beside_a_mark_on_the_wall_means_the_mark():
    looks = view(rot=90.0)
    open_foe = looks.arena.replaced(1, replace(FOE, shield=False))
    bouncing = replace(looks, rules=replace(Rules(), ricochet=1), arena=open_foe)
    pointing = Pointing()
    pointing.move((510, 8))
    assert pointing.direction(bouncing) == pytest.approx(degrees(atan2(-500, 300)) % 360)
    assert pointing.direction(looks) == pytest.approx(degrees(atan2(-492, 310)) % 360)


def test_two_clicks_on_the_other_bot_are_no_step():
    pointing, away = Pointing(), view(rot=90.0)
    pointing.move((800, 500))
    for now in (1.0, 1.1):
        assert pointing.press(away, now) is None
        pointing.release()
    assert pointing.due(away, 2.0) == "A90"


def test_a_change_of_mind_and_a_key_take_a_click_back_and_so_does_drawing_it_out_of_the_arena():
    pointing, looks = Pointing(), view()
    for change in (pointing.take_back, pointing.rest, lambda: pointing.move(None)):
        pointing.move(BELOW)
        pointing.press(looks, 1.0)
        change()
        pointing.release()
        assert pointing.due(looks, 2.0) is None
    pointing.rest()
    assert pointing.direction(looks) is None, "the keys aim now, until the pointer moves"


@pytest.mark.parametrize("gone", [None, (500.0, 100.0)])
def test_a_click_counts_where_it_was_made_wherever_the_pointer_goes_at_once(gone):
    pointing, looks = Pointing(), view()
    pointing.move(BELOW)
    there = pointing.direction(looks)
    pointing.press(looks, 1.0)
    pointing.release()
    pointing.move(gone)
    assert pointing.direction(looks) == there
    assert pointing.due(looks, 2.0) == f"C{round(there)}"


def test_one_push_of_the_wheel_is_one_step():
    pointing = Pointing()
    assert [pointing.wheel(1.0 + 0.05 * n) for n in range(4)] == ["M", None, None, None]
    assert pointing.wheel(1.2 + GESTURE_S + 0.1) == "M"
