"""Where lines of text being edited are, and places on them; also in scripts that run from right to left."""

from __future__ import annotations

import pytest

from batllm_arcade.app.kit.text_fields import TextLayout, drawable
from batllm_arcade.render.text import TextRenderer

WIDE = 300.0


def test_a_line_from_left_to_right_begins_at_the_left():
    layout = TextLayout("rush him é", TextRenderer(1.0), 15, WIDE)
    assert layout.left_of(0) == layout.x_of(0, 0) == 0
    assert [layout.place_at(layout.x_of(place, 0), 0) for place in range(5)] == list(range(5))


@pytest.mark.skipif(drawable("א") != "א", reason="this machine has no font for Hebrew, or nothing that orders it")
def test_a_line_from_right_to_left_begins_at_the_right_and_its_places_go_left():
    layout = TextLayout("אבג דה\nrush", TextRenderer(1.0), 15, WIDE)
    assert layout.x_of(0, 0) == pytest.approx(WIDE)
    assert layout.x_of(6, 0) == pytest.approx(layout.left_of(0))
    places = [layout.x_of(place, 0) for place in range(7)]
    assert places == sorted(places, reverse=True)
    assert [layout.place_at(x, 0) for x in places] == list(range(7))
    assert layout.left_of(1) == 0
