"""Which words of its orders a player did not keep to: told only where what it did shows it beyond doubt."""

from __future__ import annotations

import pytest

from batllm_arcade.match.kept_orders import Deeds, broken

BUSY, IDLE = Deeds(5, 2, 9), Deeds(0, 0, 0)


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("Circle around and shoot it in the back", "never fired"),
        ("Never stop moving and shoot while you run", "never fired"),
        ("Keep your distance and snipe", "never fired"),
        ("Hide behind your shield and fire", "never raised its shield"),
        ("Don't stop moving", "never took a step"),
        ("Rush in!", "never took a step"),
        ("Charge straight at the other bot", "never took a step"),
        ("Bounce your shots off the walls", "walls stop bullets here"),
        ("Shoot off the wall", "never fired"),
    ],
)
def test_what_was_asked_for_and_never_done_is_told_of_who_did_nothing(orders, said):
    assert broken(orders, IDLE) == said


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("Never shoot", "fired 5 times all the same"),
        ("Keep moving, and hold your fire", "fired 5 times all the same"),
        ("Please don't shoot at anyone, ever", "fired 5 times all the same"),
        ("Do not move", "walked all the same"),
        ("Stand still and shoot", "walked all the same"),
        ("Shoot off the walls", "walls stop bullets here"),
    ],
)
def test_what_was_forbidden_and_done_is_told_of_who_did_all(orders, said):
    assert broken(orders, BUSY) == said


def test_a_single_shot_is_told_as_one():
    assert broken("Never shoot", Deeds(1, 0, 0)) == "fired once all the same"


@pytest.mark.parametrize(
    "orders",
    [
        "",
        "Stay far away and shoot only when you have a clear line",
        "Wait until it looks away, then hit it",
        "Block first and fire back",
        "Save your charge",
        "Do not rush",
        "Don't shoot at its shield",
        "Stay off the walls",
        "Win",
        "Shoot if it comes close",
    ],
)
def test_what_is_asked_for_at_some_times_alone_is_not_told_of_who_did_nothing(orders):
    assert broken(orders, IDLE) == ""


@pytest.mark.parametrize(
    "orders",
    [
        "Never shoot first",
        "Don't fire into its shield",
        "Hold your fire until it is close",
        "Don't move unless it aims at you",
        "Never stand still",
        "Never shoot it in the back",
    ],
)
def test_what_is_forbidden_at_some_times_alone_is_not_told_of_who_did_all(orders):
    assert broken(orders, BUSY) == ""


def test_where_bullets_bounce_orders_for_that_are_kept():
    assert broken("Bounce your shots off the walls", BUSY._replace(bounce=True)) == ""
