"""A person's held and released keys, and where a stick points, become commands."""

from __future__ import annotations

import pytest

from batllm_arcade.app.input.pointing import WAIT, Aiming, Stick
from batllm_arcade.core.commands import Nothing, parse


def frames(hands: Aiming, start: float, end: float) -> float:
    """The aim after every frame from start to end, as the window asks for it."""
    at = start
    while at < end:
        hands.aim(at)
        at += 1 / 60
    return hands.aim(end)


def tokens(script: str) -> list[str | None]:
    """The command of each press and release of a script, such as `1 +move, 1.2 -move`."""
    hands = Aiming()
    steps = [step.split() for step in script.split(", ")]
    return [(hands.press if key[0] == "+" else hands.release)(key[1:], float(at)) for at, key in steps]


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("1 +fire", ["B"]),
        ("1 +wait", [WAIT]),
        ("1 +move, 1.05 -move", [None, "M"]),
        ("1 +shield, 1.05 -shield", [None, "S"]),
        # another key does what the one held was to do; the shield's takes it back
        ("1 +move, 1.1 +fire, 1.2 -move", [None, "M", None]),
        ("1 +move, 1.1 +left, 1.2 -move", [None, "M", None]),
        ("1 +move, 1.1 +shield, 1.2 -move", [None, None, None]),
        ("1 +shield, 1.1 +move, 1.2 -shield", [None, "S", None]),
        # a tap turns by exactly one degree, on both sides at once as well
        *((f"0 +left, {seconds} -left", [None, "A1"]) for seconds in (0.0, 0.03, 0.08, 0.13)),
        ("0 +right, 0.01 +left, 0.02 -right, 0.03 -left", [None, None, None, "C1"]),
        # while aiming nothing is fired, and the shield's key takes the turn back
        ("0 +right, 0.1 +fire", [None, None]),
        ("0 +right, 0.5 +shield, 0.6 -right, 0.65 -shield, 0.7 +shield, 0.75 -shield", [*[None] * 5, "S"]),
        ("0 +right, 60 -right", [None, "C180"]),
    ],
)
def test_what_is_held_and_let_go_becomes_commands(script, commands):
    assert tokens(script) == commands


@pytest.mark.parametrize(("action", "letter", "sign"), [("right", "C", 1), ("left", "A", -1)])
def test_a_held_key_swings_the_aim_and_its_release_commits_the_turn(action, letter, sign):
    hands = Aiming()
    assert hands.press(action, 0.0) is None
    aims = [hands.aim(t / 10) * sign for t in range(1, 9)]
    assert aims == sorted(aims)
    assert aims[0] > 0
    token = hands.release(action, 0.8)
    assert token.startswith(letter)
    assert abs(int(token[1:]) - aims[-1]) <= 1
    assert not hands.aiming


def test_a_swing_starts_slowly_and_a_large_turn_is_quick():
    hands = Aiming()
    hands.press("right", 0.0)
    assert hands.aim(0.3) < 8
    assert hands.aim(1.6) > 170


def test_the_aim_does_not_depend_on_how_often_the_window_looks():
    often, once = Aiming(), Aiming()
    for hands in (often, once):
        hands.press("right", 0.0)
    assert frames(often, 0.0, 0.9) == pytest.approx(once.aim(0.9))


def test_overshooting_is_put_right_by_tapping_the_other_way_without_letting_go():
    hands = Aiming()
    hands.press("right", 0.0)
    far = hands.aim(1.0)
    hands.press("left", 1.0)
    assert hands.release("left", 1.05) is None
    assert hands.aim(1.5) == pytest.approx(far - 1)  # and it stands still there
    assert hands.release("right", 2.0) == f"C{round(far - 1)}"


def test_the_fine_key_makes_the_swing_slow_at_any_moment():
    hands = Aiming()
    hands.press("right", 0.0)
    before = hands.aim(0.8)
    hands.press("fine", 0.8)
    assert 0 < hands.aim(1.3) - before < 8
    hands.release("fine", 1.3)
    assert hands.aim(1.8) - before > 50


def test_the_swing_slows_down_where_the_line_crosses_the_other_bot():
    hands = Aiming()
    hands.press("right", 0.0)
    before = hands.aim(1.2)
    hands.sticky = True
    assert 2 < frames(hands, 1.2, 1.3) - before < 7
    hands.sticky = False
    assert frames(hands, 1.3, 1.4) - before > 15


def test_a_lost_focus_commits_nothing():
    hands = Aiming()
    hands.press("right", 0.0)
    hands.let_go()
    assert hands.release("right", 0.2) is None
    assert hands.press("fire", 0.3) == "B"


def test_every_commit_is_a_command_of_the_rules():
    for held in range(1, 300, 7):
        hands = Aiming()
        hands.press("right", 0.0)
        assert not isinstance(parse(hands.release("right", held / 100)), Nothing)


def felt(stick: Stick, samples: list[float | None], start: float = 0.0) -> list[float]:
    """What the stick commits when it is felt once a frame."""
    given = [stick.feel(direction, start + number / 60) for number, direction in enumerate(samples)]
    return [direction for direction in given if direction is not None]


def test_letting_the_stick_go_commits_where_it_pointed_not_what_the_way_back_shows():
    assert felt(Stick(), [10.0] * 10 + [90.0] * 30 + [70.0, 20.0, None, None]) == [90.0]


def test_a_stick_shows_where_it_points_until_it_is_let_go():
    stick = Stick()
    felt(stick, [40.0] * 5)
    assert stick.direction == 40.0
    felt(stick, [None], start=1.0)
    assert stick.direction is None


def test_a_knock_against_the_stick_commits_nothing():
    assert felt(Stick(), [None, 45.0, 45.0, 44.0, None, None]) == []


def test_a_stick_whose_turn_was_taken_back_commits_nothing_until_it_was_in_the_middle():
    stick = Stick()
    felt(stick, [45.0] * 30)
    stick.refuse()
    assert stick.direction is None
    assert felt(stick, [45.0] * 10 + [None], start=0.5) == []
    assert felt(stick, [45.0] * 30 + [None], start=1.0) == [45.0]
