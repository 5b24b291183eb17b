"""Every window has a place for everything, without overlaps."""

from __future__ import annotations

import itertools

import pytest

from batllm_arcade.view.layout import Layout

SIZES = [
    (1280, 720),
    (1920, 1080),
    (2560, 1440),
    (640, 360),
    (1024, 768),
    (1280, 1024),
    (3440, 1440),
    (3840, 1080),
    (720, 1280),
    (1080, 1920),
    (1080, 2340),
    (800, 900),
    (900, 900),
    (360, 640),
]


def boxes(layout):
    return [layout.bar, layout.arena, *layout.panels, *(layout.heads or ())]


@pytest.mark.parametrize("words", [1.0, 1.5, 1.83])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_overlaps_and_all_is_inside_the_window(size, words):
    for left, top, wide, high in boxes(Layout.of(size, words)):
        assert left >= 0
        assert top >= 0
        assert left + wide <= size[0]
        assert top + high <= size[1]
    for a, b in itertools.combinations(boxes(Layout.of(size, words)), 2):
        apart = a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
        assert apart, (a, b)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_arena_is_what_one_sees_first(size):
    layout = Layout.of(size)
    assert layout.tall == (size[1] >= size[0])
    assert layout.arena[2] == pytest.approx(layout.arena[3], abs=1)
    assert layout.arena[2] >= 0.5 * min(size)


def test_a_phones_arena_is_as_wide_as_the_phone():
    layout = Layout.of((1080, 1920), 1.22)
    assert layout.arena[2] > 0.97 * 1080
    assert layout.panels[0][3] > 0.2 * 1920
