"""What the camera shows during an exchange: both bots with room around them, in one smooth movement."""

import itertools
import random

import pytest

from batllm_arcade.view.camera import BEYOND, CLOSE, CloseUp, Frame, closeness, fits, frame

ARENA = (1000.0, 1000.0)
SHOT = CloseUp(begins=10.0, lands=10.3)
BESIDE = 150.0


def zoom(shown, arena=ARENA):
    return arena[0] / shown.width


def holds(shown, point, arena=ARENA):
    """Whether a point is shown with the room around it, as far as the arena reaches."""
    reach = [(shown.left, shown.width, arena[0]), (shown.top, shown.height, arena[1])]
    return all(
        start <= max(0.0, at - BESIDE) + 1e-6 and min(size, at + BESIDE) <= start + length + 1e-6
        for (start, length, size), at in zip(reach, point, strict=True)
    )


@pytest.mark.parametrize("arena", [ARENA, (1600.0, 900.0), (250.0, 300.0)])
def test_both_bots_and_the_room_around_them_are_always_shown(arena):
    draw = random.Random(5)
    for _ in range(500):
        bots = tuple((draw.uniform(0, arena[0]), draw.uniform(0, arena[1])) for _ in (0, 1))
        shown = frame(bots, arena, draw.choice([0.0, 0.3, 1.0]))
        assert all(holds(shown, bot, arena) for bot in bots)
        for start, length, side in ((shown.left, shown.width, arena[0]), (shown.top, shown.height, arena[1])):
            beyond = min(BEYOND, (side - length) / 2) + 1e-6
            assert -beyond <= start
            assert start + length <= side + beyond
        assert shown.width / shown.height == pytest.approx(arena[0] / arena[1])


def test_bots_near_each_other_are_shown_larger_and_never_beyond_the_most():
    near, apart = ((450.0, 500.0), (550.0, 500.0)), ((100.0, 500.0), (900.0, 500.0))
    assert zoom(frame(near, ARENA, 1.0)) == pytest.approx(1.6)
    assert zoom(frame(apart, ARENA, 1.0)) == 1.0


@pytest.mark.parametrize(("away", "fit"), [(325, True), (326, False)])
def test_how_near_bots_have_to_be_to_fit(away, fit):
    bots = (400.0, 500.0), (400.0 + away, 500.0)
    assert fits(bots, ARENA) == fit
    assert (zoom(frame(bots, ARENA, 1.0)) == pytest.approx(CLOSE)) == fit


@pytest.mark.parametrize(("middle", "left"), [(60, -100.0), (225, -87.5), (500, 187.5), (775, 462.5), (940, 475.0)])
def test_bots_at_a_wall_are_shown_with_what_is_beyond_it(middle, left):
    bots = (middle - 20.0, 500.0), (middle + 20.0, 500.0)
    assert frame(bots, ARENA, 1.0) == Frame(left, 187.5, 625.0, 625.0)


def test_outside_of_an_exchange_the_whole_arena_is_shown():
    bots = ((450.0, 500.0), (550.0, 500.0))
    for t in (0.0, SHOT.begins, SHOT.over, 60.0):
        assert frame(bots, ARENA, closeness(t, [SHOT])) == Frame(0.0, 0.0, *ARENA)
    assert closeness(10.3, []) == 0.0


def test_the_camera_is_close_when_the_bullet_has_landed():
    assert closeness(SHOT.begins + 0.31, [SHOT]) == 1.0
    assert closeness(SHOT.lands + 0.79, [SHOT]) == 1.0


def test_a_move_of_the_camera_is_short():
    on_the_way = [0.0 < closeness(10 + n / 60, [SHOT]) < 1.0 for n in range(180)]
    assert 35 < sum(on_the_way) < 45  # pictures of 60 a second, in and out again


def test_the_camera_moves_smoothly_also_from_one_exchange_into_the_next():
    shots = [SHOT, CloseUp(11.2, 11.5), CloseUp(12.4, 13.5)]
    steps = [closeness(10 + n / 100, shots) for n in range(600)]
    assert max(abs(b - a) for a, b in itertools.pairwise(steps)) < 0.055  # of the way in a hundredth of a second
    assert max(steps) == 1.0
    assert steps[-1] == 0.0
