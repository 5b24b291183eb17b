"""What a card tells of a game besides figures is true, and never a blank."""

from __future__ import annotations

import pytest

from batllm_arcade.app.pictures.best_moment import told
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.view.statistics import SeatStatistics


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({}, "never got to act"),
        ({"plays": 9}, "never fired a shot"),
        ({"plays": 9, "steps": 4.2}, "never fired a shot, but walked 4 steps"),
        ({"plays": 9, "fumbles": 9}, "lost every turn without a clear command"),
        ({"plays": 9, "shots": 1}, "one shot, and it missed"),
        ({"plays": 9, "shots": 5}, "5 shots, and none hit"),
        ({"plays": 9, "shots": 5, "hits": 1}, "one hit, from close by"),
        ({"plays": 9, "shots": 5, "hits": 3}, "3 hits, all from close by"),
    ],
)
def test_who_had_no_best_moment_is_told_something_true(figures, words):
    assert told(SeatStatistics(SeatInfo("Ann", "keyboard"), **figures)) == ("IN SHORT", words)


def test_a_best_moment_is_called_one():
    seat = SeatStatistics(SeatInfo("Ann", "keyboard"), plays=3, hits=1, best="the knock-out in round 1, turn 2")
    assert told(seat) == ("BEST MOMENT", "the knock-out in round 1, turn 2")
