"""The canvas of menus: sizes of words in windows of any size."""

from __future__ import annotations

import pytest

from batllm_arcade.app.kit.canvas import Canvas


@pytest.mark.parametrize(("size", "least"), [((960, 540), 12), ((1280, 720), 12), ((1920, 1080), 12), ((540, 960), 14)])
def test_no_words_are_too_small_to_be_read(size, least):
    canvas = Canvas(size)
    for wanted in (8, 11, 12, 14):
        assert canvas.type_size(wanted) * canvas.scale >= least - 0.1


@pytest.mark.parametrize("size", [(640, 360), (480, 400)])
def test_words_outgrow_no_box_of_a_very_small_window(size):
    canvas = Canvas(size)
    assert canvas.type_size(12) <= 12 * 1.34 or canvas.narrow
