"""Scrolling: it goes by the clock, ends where it should, and the bar shows where that is."""

from __future__ import annotations

import pytest

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll, draw_scrollbar
from batllm_arcade.app.kit.form import Form
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.view import theme


def scroll(height: float = 1000.0) -> Scroll:
    made = Scroll()
    made.box, made.height = Box(0, 0, 100, 200), height
    made.update(0.0)
    return made


@pytest.mark.parametrize("frames", [1, 3, 10, 144])
def test_how_far_it_is_after_a_while_does_not_depend_on_the_frames(frames):
    one, many = scroll(), scroll()
    for each in (one, many):
        each.by(300)
    one.update(0.05)
    for frame in range(frames):
        many.update(0.05 * (frame + 1) / frames)
    assert 100 < one.offset < 290
    assert many.offset == pytest.approx(one.offset)


def test_it_arrives_and_stays_within_what_there_is():
    made = scroll()
    made.by(5000)
    made.update(5.0)
    assert made.offset == made.most == 800
    made.height = 300.0  # there is less of it now
    assert made.offset == 100
    made.by(-1e9)
    made.update(5.0, at_once=True)
    assert made.offset == 0


def test_a_clock_that_goes_back_moves_nothing():
    made = scroll()
    made.update(9.0)
    made.by(300)
    made.update(8.0)
    assert made.offset == 0


def test_the_form_scrolls_to_the_focus_once_it_is_known_where_that_is():
    made, form = scroll(), Form()
    buttons = [Button(str(number), lambda: None) for number in range(20)]
    form.place((button, made) for button in buttons)
    form.set_focus(buttons[15])
    form.update(1.0, at_once=True)
    assert made.offset == 0
    for number, button in enumerate(buttons):
        button.box = Box(0, number * 50, 100, 48)
    form.update(1.0, at_once=True)
    assert form.shown(buttons[15]).bottom <= made.box.bottom


def test_the_bar_shows_where_it_stands_and_only_if_there_is_more_than_fits():
    canvas = Canvas((100, 400))
    canvas.scale = 1.0
    for top, lit in ((0, 10), (50, 200), (100, 390)):
        canvas.target.fill(theme.NIGHT)
        canvas.target = type(canvas.target)((100, 400))
        draw_scrollbar(canvas, Box(50, 0, 6, 400), 100, 200, top)
        assert canvas.target.get_at((53, lit))[:3] == theme.DIM
    canvas.target.fill(theme.NIGHT)
    draw_scrollbar(canvas, Box(50, 0, 6, 400), 200, 200, 0)
    assert canvas.target.get_at((53, 10))[:3] == theme.NIGHT
