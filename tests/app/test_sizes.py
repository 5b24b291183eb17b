"""How large the window opens, and how large things are drawn in it."""

from __future__ import annotations

import pytest

from batllm_arcade.app.kit.canvas import fitting_scale
from batllm_arcade.app.window import first_size


def test_a_window_between_wide_and_tall_keeps_the_larger_of_both_scales():
    assert fitting_scale((1280, 720)) == 1.0
    assert fitting_scale((1920, 1080)) == 1.5
    assert fitting_scale((540, 960)) == 1.0
    assert fitting_scale((720, 720)) == 0.8
    assert fitting_scale((1280, 720), 1.5) == 1.5


@pytest.mark.parametrize(
    ("screen", "window"),
    [
        ((1920, 1080), (1280, 720)), ((1280, 720), (1280, 720)), ((2560, 1440), (1920, 1080)),
        ((3840, 2160), (2560, 1440)), ((540, 960), (518, 864)), ((1024, 600), (983, 540)), ((1080, 1920), (1037, 1728)),
    ],
)  # fmt: skip
def test_the_window_opens_in_a_size_that_fits_its_screen(screen, window):
    assert first_size(screen) == window
