"""The canvas of menus: sizes of words, boxes in rows and columns, scrolling by the clock."""

from __future__ import annotations

import pytest

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll, draw_scrollbar
from batllm_arcade.app.kit.form import Form
from batllm_arcade.app.kit.widgets import Button, columns, rows
from batllm_arcade.view import theme


@pytest.mark.parametrize(("size", "least"), [((960, 540), 12), ((1280, 720), 12), ((1920, 1080), 12), ((540, 960), 14)])
def test_no_words_are_too_small_to_be_read(size, least):
    canvas = Canvas(size)
    for wanted in (8, 11, 12, 14):
        assert canvas.type_size(wanted) * canvas.scale >= least - 0.1


@pytest.mark.parametrize("size", [(640, 360), (480, 400)])
def test_words_outgrow_no_box_of_a_very_small_window(size):
    canvas = Canvas(size)
    assert canvas.type_size(12) <= 12 * 1.34 or canvas.narrow


def test_a_box_is_split_into_fixed_lengths_and_equal_shares_of_the_rest():
    area = Box(10, 20, 100, 60)
    assert columns(area, (None, 20, None), 5) == [Box(10, 20, 35, 60), Box(50, 20, 20, 60), Box(75, 20, 35, 60)]
    assert rows(area, (10, 8)) == [Box(10, 20, 100, 10), Box(10, 30, 100, 8)]
    assert rows(area, ()) == []


def scroll(height: float = 1000.0) -> Scroll:
    made = Scroll()
    made.box, made.height = Box(0, 0, 100, 200), height
    return made


def test_it_stays_within_what_there_is():
    made = scroll()
    made.by(5000)
    assert made.offset == made.most == 800
    made.height = 300.0  # there is less of it now
    assert made.offset == 100
    made.by(-1e9)
    assert made.offset == 0


def test_the_form_scrolls_to_the_focus_once_it_is_known_where_that_is():
    made, form = scroll(), Form()
    buttons = [Button(str(number), lambda: None) for number in range(20)]
    form.place(("", buttons, made))
    form.set_focus(buttons[15])
    form.update()
    assert made.offset == 0
    for number, button in enumerate(buttons):
        button.box = Box(0, number * 50, 100, 48)
    form.update()
    assert form.shown(buttons[15]).bottom <= made.box.bottom


def test_the_bar_shows_where_it_stands_and_only_if_there_is_more_than_fits():
    canvas = Canvas((100, 400))
    canvas.scale = 1.0
    for total, top, place, color in (
        (200, 0, 10, theme.DIM), (200, 50, 200, theme.DIM), (200, 100, 390, theme.DIM), (100, 0, 10, theme.NIGHT),
    ):  # fmt: skip
        canvas.target = type(canvas.target)((100, 400))
        canvas.target.fill(theme.NIGHT)
        draw_scrollbar(canvas, Box(50, 0, 6, 400), 100, total, top)
        assert canvas.target.get_at((53, place))[:3] == color
