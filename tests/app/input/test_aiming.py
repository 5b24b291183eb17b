"""A person's held and released keys, and where a stick points, become commands."""

from __future__ import annotations

import pytest

from batllm_arcade.app.input.pointing import WAIT, Aiming, Stick, turn_to
from batllm_arcade.core.commands import Nothing, parse


def frames(hands: Aiming, start: float, end: float) -> float:
    """The aim after every frame from start to end, as the window asks for it."""
    at = start
    while at < end:
        hands.aim(at)
        at += 1 / 60
    return hands.aim(end)


@pytest.mark.parametrize(("action", "token"), [("fire", "B"), ("wait", WAIT)])
def test_a_shot_and_a_wait_are_commands_at_once(action, token):
    assert Aiming().press(action, 1.0) == token


@pytest.mark.parametrize(("action", "token"), [("move", "M"), ("shield", "S")])
def test_a_step_and_the_shield_are_commands_once_their_key_is_let_go(action, token):
    hands = Aiming()
    assert hands.press(action, 1.0) is None
    assert hands.chosen == action
    assert hands.release(action, 1.05) == token
    assert hands.chosen is None


@pytest.mark.parametrize(
    ("held", "other", "token"),
    [("move", "fire", "M"), ("move", "left", "M"), ("move", "shield", None), ("shield", "move", "S")],
)
def test_another_key_does_what_the_one_held_was_to_do_and_the_shield_s_takes_it_back(held, other, token):
    hands = Aiming()
    hands.press(held, 1.0)
    assert hands.press(other, 1.1) == token
    assert hands.release(held, 1.2) is None


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


@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.08, 0.13])
def test_a_tap_turns_by_exactly_one_degree(seconds):
    hands = Aiming()
    hands.press("left", 0.0)
    assert hands.release("left", seconds) == "A1"


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


def test_the_aim_swings_at_most_half_way_round():
    hands = Aiming()
    hands.press("right", 0.0)
    assert hands.aim(60.0) == 180
    assert hands.release("right", 60.0) == "C180"


def test_overshooting_is_put_right_by_tapping_the_other_way_without_letting_go():
    hands = Aiming()
    hands.press("right", 0.0)
    far = hands.aim(1.0)
    hands.press("left", 1.0)
    assert hands.release("left", 1.05) is None
    assert hands.aim(1.5) == pytest.approx(far - 1)  # and it stands still there
    assert hands.release("right", 2.0) == f"C{round(far - 1)}"


def test_a_tap_on_both_sides_still_is_a_turn():
    hands = Aiming()
    hands.press("right", 0.0)
    hands.press("left", 0.01)
    hands.release("right", 0.02)
    assert hands.release("left", 0.03) == "C1"


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


def test_firing_while_aiming_is_not_a_command_and_a_lost_focus_commits_nothing():
    hands = Aiming()
    hands.press("right", 0.0)
    assert hands.press("fire", 0.1) is None
    hands.let_go()
    assert hands.release("right", 0.2) is None
    assert hands.press("fire", 0.3) == "B"


def test_the_shield_key_while_aiming_takes_the_turn_back():
    hands = Aiming()
    hands.press("right", 0.0)
    assert hands.press("shield", 0.5) is None
    assert hands.release("right", 0.6) is None
    assert hands.release("shield", 0.65) is None
    assert hands.press("shield", 0.7) is None
    assert hands.release("shield", 0.75) == "S"


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


@pytest.mark.parametrize(("direction", "rot", "turn"), [(10, 350, 20), (350, 10, -20), (180, 0, -180), (90, 90, 0)])
def test_the_stick_turns_the_shorter_way(direction, rot, turn):
    assert turn_to(direction, rot) == turn
