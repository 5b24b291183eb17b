"""Every picture has a place for everything, without overlaps."""

from __future__ import annotations

import itertools
import random

import pytest

from batllm_arcade.view.layout import Layout, columns, film_layout, match_columns, rows, safe_box

SIZES = [
    (1280, 720), (1920, 1080), (2560, 1440), (640, 360), (1024, 768), (1280, 1024), (3440, 1440), (3840, 1080),
    (720, 1280), (1080, 1920), (1080, 2340), (800, 900), (900, 900), (360, 640),
]  # fmt: skip
FILMS = [(800, 450), (720, 404), (480, 270), (1280, 720), (600, 480), (1000, 300), *SIZES[8:]]


def boxes(layout: Layout):
    parts = layout.bar, layout.arena, layout.words, layout.actions, *layout.tools, *layout.panels, *(layout.heads or ())
    return [part for part in parts if part and part[2:] != (0, 0)]


def assert_apart(layout: Layout, within=None):
    """Each part is inside, as whole pixels, and no two lie over each other."""
    x, y, across, down = within or (0, 0, *layout.size)
    for left, top, wide, high in boxes(layout):
        assert x <= left < left + wide <= x + across
        assert y <= top < top + high <= y + down
    for a, b in itertools.combinations(boxes(layout), 2):
        apart = a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]
        assert apart, (a, b)


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("words", [1.0, 1.5, 1.83])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_overlaps_and_all_is_inside_the_window(size, words, live):
    layout = Layout.of(size, words, live=live, corner=live)
    assert_apart(layout)
    assert layout.tall == (size[1] >= size[0])
    assert layout.arena[2] == pytest.approx(layout.arena[3], abs=1)
    if words == 1.0:  # the arena is what one sees first
        assert layout.arena[2] >= (0.4 if live else 0.5) * min(size)


def test_a_phones_arena_is_as_wide_as_the_phone():
    layout = Layout.of((1080, 1920), 1.22)
    assert layout.arena[2] > 0.97 * 1080
    assert layout.panels[0][3] > 0.2 * 1920


@pytest.mark.parametrize("film", ["plain", "small", "covered"])
@pytest.mark.parametrize("size", FILMS, ids=str)
def test_nothing_overlaps_in_films(size, film):
    layout = film_layout(size, film) or Layout.of(size)
    assert_apart(layout)
    if film == "small" and size[0] > 1.2 * size[1]:
        assert layout.arena[2] == layout.arena[3] >= 0.9 * min(size[1], 0.6 * size[0])
    elif film == "small":
        assert layout == Layout.upright(size, covered=False)


@pytest.mark.parametrize("size", [(1080, 1920), (720, 1280), (1080, 1350), (450, 800)])
def test_no_word_is_where_telephones_lay_their_own(size):
    (left, top, wide, high), (width, height) = safe_box(size), size
    assert top >= 250 / 1920 * height - 1
    assert height - top - high >= 450 / 1920 * height - 1
    assert width - left - wide >= 120 / 1080 * width - 1
    layout = Layout.upright(size, covered=True)
    safe = 0, top, left + wide, high  # nothing is laid over the left edge
    words = [box for box in boxes(layout) if box != layout.arena]
    assert all(x + w <= safe[2] and top <= y < y + h <= top + high for x, y, w, h in words)
    assert layout.arena[2] > 0.6 * width
    free = layout.free
    assert top < free[1] < top + 0.02 * height
    assert safe[2] > free[0] + free[2] > safe[2] - 0.02 * width
    assert (free[0], free[1] + free[3]) == (0, top + high)


@pytest.mark.parametrize("covered", [False, True])
@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("subject", [0, 1])
@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (1080, 1080), (640, 360)], ids=str)
def test_two_matches_and_all_their_parts_are_beside_each_other(size, subject, against, covered):
    both = match_columns(size, ("A", "B"), subject, against=against, covered=covered)
    (x, y, wide, high), other = (column.place for column in both)
    assert x + wide <= other[0] or y + high <= other[1]
    left, top, across, down = safe_box(size) if covered else (0, 0, *size)
    for column in both:
        x, y, wide, high = column.place
        assert left <= x < x + wide <= left + across
        assert top <= y < y + high <= top + down
        assert column.layout.size == column.place[2:]
        assert_apart(column.layout)
        assert (column.layout.panels[1 - subject] == (0, 0, 0, 0)) == (not against)


def test_rows_and_columns_fill_an_area_with_what_is_left_for_those_without_a_length():
    dice = random.Random(2)
    for _ in range(50):
        lengths, gap = [dice.choice([None, dice.uniform(0, 30)]) for _ in range(dice.randint(1, 6))], dice.uniform(0, 9)
        area = (5.0, 7.0, 300.0, 200.0)
        for split, along, across in ((rows, 1, 0), (columns, 0, 1)):
            parts = split(area, lengths, gap)
            assert all((part[across], part[2 + across]) == (area[across], area[2 + across]) for part in parts)
            for one, other in itertools.pairwise(parts):
                assert other[along] == pytest.approx(one[along] + one[2 + along] + gap)
            given = [part[2 + along] for part, length in zip(parts, lengths, strict=True) if length is not None]
            assert given == [length for length in lengths if length is not None]
            if None in lengths:
                assert parts[-1][along] + parts[-1][2 + along] == pytest.approx(area[along] + area[2 + along])
                assert len({round(p[2 + along], 6) for p, n in zip(parts, lengths, strict=True) if n is None}) == 1
