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


SURE = 1.1 + DOUBLE_S
"""When a click a second after the beginning is sure to be no double click."""


def commands(looks: View, script: str) -> list[str | None]:
    """What each press and each look at what is due gives, as a script says: `move 200 900, press 1, release, due 2`."""
    pointing, given = Pointing(), []
    for step in script.split(", "):
        what, *figures = step.split()
        numbers = [float(figure) for figure in figures]
        if what == "move":
            pointing.move((numbers[0], numbers[1]) if numbers else None)
        elif what in ("press", "due"):
            given.append(getattr(pointing, what)(looks, *numbers))
        else:
            getattr(pointing, what)()
    return given


@pytest.mark.parametrize(
    ("rot", "script", "given"),
    [
        # a click turns there once it is sure to be no double click, and counts once
        (0, f"move 200 900, press 1, release, due {1 + DOUBLE_S / 2}, due {SURE}, due 2", [None, None, "C90", None]),
        # as long as the button or the finger is down the line can still be moved
        (0, "move 200 900, press 1, move 200 100, due 5, release, due 5", [None, None, "A90"]),
        # two clicks on the ground are a step and no turn
        (0, f"move 200 900, press 1, release, press {1 + DOUBLE_S / 2}, release, due 3", [None, "M", None]),
        # on the other bot one fires if the barrel is on it, and turns to its middle if not; two are no step
        (3, "move 800 510, press 1", ["B"]),
        (90, "move 800 510, press 2, release, due 3", [None, "A90"]),
        (90, "move 800 500, press 1, release, press 1.1, release, due 2", [None, None, "A90"]),
        # a change of mind, a key, and drawing it out of the arena take a click back
        (0, "move 200 900, press 1, take_back, release, due 2", [None, None]),
        (0, "move 200 900, press 1, rest, release, due 2", [None, None]),
        (0, "move 200 900, press 1, move, release, due 2", [None, None]),
        # it counts where it was made, wherever the pointer goes at once
        (0, "move 200 900, press 1, release, move, due 2", [None, "C90"]),
        (0, "move 200 900, press 1, release, move 500 100, due 2", [None, "C90"]),
        # beside the middle of the other bot it aims exactly there, and fires where the barrel is
        (0, "move 800 545, press 1, release, due 2", [None, "C4"]),  # its edge, while the barrel is on its middle
        (4, "move 800 545, press 1, release, due 2", ["B", None]),  # its edge, and the barrel is there
        (0, "move 500 510, press 1, release, due 2", ["B", None]),  # on the barrel's line
        (2, "move 800 520, press 1, release, due 2", ["B", None]),  # on its middle, whatever of it the barrel is on
        (0, "move 800 560, press 1, release, due 2", [None, "C6"]),  # just beside it, at the wall behind
        # keys aim until the pointer moves again
        (0, "move 200 900, rest, press 1", [None]),
    ],
)
def test_what_clicks_give(rot, script, given):
    assert commands(view(rot), script) == given


def test_the_line_goes_where_the_pointer_is_or_was_clicked_until_keys_are_used():
    pointing, looks = Pointing(), view()
    pointing.move(BELOW)
    assert pointing.direction(looks) == pytest.approx(90)
    pointing.press(looks, 1.0)
    pointing.release()
    assert pointing.pending
    pointing.move((500.0, 100.0))
    assert pointing.direction(looks) == pytest.approx(90)
    pointing.rest()
    assert pointing.direction(looks) is None


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


def test_one_push_of_the_wheel_is_one_step():
    pointing = Pointing()
    assert [pointing.wheel(1.0 + 0.05 * n) for n in range(4)] == ["M", None, None, None]
    assert pointing.wheel(1.2 + GESTURE_S + 0.1) == "M"
