"""Angles, rays and circles in closed form."""

from __future__ import annotations

from math import copysign, hypot, sqrt

import pytest

from batllm_arcade.core.geometry import (
    bearing,
    direction,
    part_until_contact,
    ray_meets_circle,
    ray_meets_walls,
    rounded,
    turn_between,
    wrapped,
)


@pytest.mark.parametrize(
    ("rot", "expected"),
    [
        (0, 0), (360, 0), (720.5, 0.5), (-90, 270), (359.9999999999, 0), (359.999999999, 359.999999999),
        (-1e-12, 0), (-0.0, 0), (1e-10, 0),
    ],
)  # fmt: skip
def test_a_direction_is_wrapped_into_0_to_360_again_after_rounding(rot, expected):
    assert wrapped(rot) == expected
    assert copysign(1, wrapped(rot)) == 1


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0000000004, 1.0), (0.1234567894, 0.123456789), (0.1234567896, 0.12345679), (-1e-12, 0.0)]
)
def test_states_are_rounded_to_nine_decimals_without_a_negative_zero(value, expected):
    assert rounded(value) == expected
    assert copysign(1, rounded(value)) == 1


@pytest.mark.parametrize(("rot", "vector"), [(0, (1, 0)), (90, (0, 1)), (180, (-1, 0)), (270, (0, -1))])
def test_directions_grow_clockwise_on_a_screen_whose_y_points_down(rot, vector):
    assert direction(rot) == vector


def test_a_direction_between_the_quarters_is_a_unit_vector():
    assert direction(30) == pytest.approx((sqrt(3) / 2, 0.5))
    assert direction(315) == pytest.approx((sqrt(0.5), -sqrt(0.5)))


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(1, 0, 0), (0, 2, 90), (-3, 0, 180), (0, -1, 270), (1, 1, 45)])
def test_a_bearing_is_the_direction_of_a_vector(dx, dy, degrees):
    assert bearing(dx, dy) == pytest.approx(degrees)


@pytest.mark.parametrize(
    ("start", "end", "turn"),
    [(0, 90, 90), (90, 0, -90), (350, 10, 20), (10, 350, -20), (0, 180, 180), (180, 0, 180), (270, 90, 180), (5, 5, 0)],
)
def test_the_shortest_turn_goes_through_zero_where_that_is_shorter(start, end, turn):
    assert turn_between(start, end) == turn


@pytest.mark.parametrize(
    ("origin", "rot", "circle", "expected"),
    [
        ((0, 0), 0, (10, 0, 2), (8, 0)),
        ((0, 0), 180, (10, 0, 2), None),
        ((0, 0), 90, (10, 0, 2), None),
        ((0, 0), 0, (10, 2, 2), (10, 0)),  # tangent
        ((0, 0), 0, (10, -2, 2), (10, 0)),
        ((0, 0), 0, (10, 2.000000001, 2), None),
        ((0, 0), 0, (10, -2.000000001, 2), None),
        ((0, 0), 0, (10, 1.999999999, 2), (9.99993675, 0)),
        ((9, 0), 0, (10, 0, 2), (8, 0)),  # within the circle: the point facing the origin
        ((9, 0), 180, (10, 0, 2), (8, 0)),
        ((10, -1), 0, (10, 0, 2), (10, -2)),
        ((8, 0), 180, (10, 0, 2), (8, 0)),  # on the circle, looking away
        ((10, 0), 0, (10, 0, 2), (8, 0)),  # coincident: opposite to the direction
        ((10, 0), 90, (10, 0, 2), (10, -2)),
    ],
)
def test_a_ray_first_touches_a_circle(origin, rot, circle, expected):
    hit = ray_meets_circle(*origin, *direction(rot), *circle)
    assert hit == (None if expected is None else pytest.approx(expected, abs=1e-6))


@pytest.mark.parametrize(
    ("origin", "rot", "end"),
    [
        ((30, 20), 0, (100, 20)),
        ((30, 20), 90, (30, 50)),
        ((30, 20), 180, (0, 20)),
        ((30, 20), 270, (30, 0)),
        ((30, 20), 45, (60, 50)),
        ((30, 20), 225, (10, 0)),
        ((30, 20), 315, (50, 0)),
        ((30, 20), 135, (0, 50)),
        ((90, 10), 315, (100, 0)),
    ],
)
def test_a_ray_ends_at_the_first_wall_in_its_way(origin, rot, end):
    assert ray_meets_walls(*origin, *direction(rot), 100, 50) == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize(
    ("from_other", "walk", "part"),
    [
        ((-10, 0), (16, 0), 0.5),  # 8 of 16 until 2 apart
        ((-10, 0), (8, 0), 1.0),
        ((-10, 0), (4, 0), 1.0),
        ((-10, 0), (-4, 0), 1.0),
        ((-2, 0), (1, 0), 0.0),
        ((-2, 0), (0, 5), 1.0),
        ((-2, 0), (-1, 1), 1.0),
        ((-1, 0), (1, 0), 0.0),  # overlapping
        ((-1, 0), (-1, 0), 1.0),
        ((0, 0), (1, 0), 1.0),
        ((-10, 2), (20, 0), 1.0),  # grazes
        ((-10, 3), (20, 0), 1.0),
        ((-10, 0), (0, 0), 1.0),
    ],
)
def test_a_walk_is_free_until_the_centres_are_the_distance_apart(from_other, walk, part):
    assert part_until_contact(*from_other, *walk, 2) == pytest.approx(part, abs=1e-12)


def test_a_slanted_walk_stops_exactly_at_the_distance():
    part = part_until_contact(-10, 1, 20, 0.5, 2)
    assert hypot(-10 + part * 20, 1 + part * 0.5) == pytest.approx(2, abs=1e-12)


def test_a_move_along_the_edge_is_free_to_its_end():
    assert part_until_contact(100.0, 0.0, -1e-9, 50.0, 100.0) == 1.0
    assert part_until_contact(100.0, 0.0, 0.0, 50.0, 100.0) == 1.0
    assert part_until_contact(100.0, 0.0, -1.0, 50.0, 100.0) == 0.0
