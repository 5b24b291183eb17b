"""How long new words stay."""

import pytest

from batllm_arcade.view.cut_words import reading_seconds


@pytest.mark.parametrize(
    ("words", "seconds"), [(0, 0.0), (1, 0.9), (3, 0.9), (4, 1.2), (6, 1.8), (8, 2.4), (9, 2.5), (40, 2.5)]
)
def test_new_words_stay_as_long_as_they_take_to_read_within_bounds(words, seconds):
    assert reading_seconds(words) == pytest.approx(seconds)
