"""A person's held and released keys become commands."""

from __future__ import annotations

import pytest

from batllm_arcade.arcade.hands import Hands
from batllm_arcade.core.commands import Nothing, parse


@pytest.mark.parametrize(("action", "token"), [("move", "M"), ("fire", "B"), ("shield", "S")])
def test_a_tap_is_a_command_at_once(action, token):
    assert Hands().press(action, 1.0) == token


@pytest.mark.parametrize(("action", "letter", "sign"), [("right", "C", 1), ("left", "A", -1)])
def test_a_held_key_swings_the_aim_and_its_release_commits_the_turn(action, letter, sign):
    hands = Hands()
    assert hands.press(action, 0.0) is None
    aims = [hands.aim(t / 10) * sign for t in range(1, 9)]
    assert aims == sorted(aims)
    assert aims[0] > 0
    token = hands.release(action, 0.5)
    assert token.startswith(letter)
    assert abs(int(token[1:]) - abs(aims[4])) <= 1
    assert not hands.aiming


def test_a_short_tap_turns_by_a_degree_or_two_so_that_one_can_aim():
    hands = Hands()
    hands.press("left", 0.0)
    assert hands.release("left", 0.03) in ("A1", "A2")


def test_the_aim_swings_at_most_half_way_round():
    hands = Hands()
    hands.press("right", 0.0)
    assert hands.aim(60.0) == 180
    assert hands.release("right", 60.0) == "C180"


def test_both_keys_held_cancel_out_and_commit_when_both_are_up():
    hands = Hands()
    hands.press("right", 0.0)
    hands.press("left", 0.2)
    assert hands.release("right", 0.6) is None
    token = hands.release("left", 0.65)
    assert token[0] == "C"


def test_firing_while_aiming_is_not_a_command_and_a_lost_focus_commits_nothing():
    hands = Hands()
    hands.press("right", 0.0)
    assert hands.press("fire", 0.1) is None
    hands.let_go()
    assert hands.release("right", 0.2) is None
    assert hands.press("fire", 0.3) == "B"


def test_every_commit_is_a_command_of_the_rules():
    for held in range(1, 300, 7):
        hands = Hands()
        hands.press("right", 0.0)
        assert not isinstance(parse(hands.release("right", held / 100)), Nothing)
