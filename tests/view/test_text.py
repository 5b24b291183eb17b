"""Words to pixels: whatever a model sends is made safe and fits."""

from __future__ import annotations

import pytest

from batllm_arcade.view.text import MOST_CHARACTERS, Letters, clean, wrap


@pytest.mark.parametrize(
    "hostile",
    [
        "a\0b",
        "\ud800",
        "\x1b[31mred",
        "\u202eabc",
        "\u2066x",
        "\ufeff",
        "x" * 1_000_000,
        "\n" * 5000,
        "\U0001f600" * 50,
    ],
)
def test_hostile_text_is_drawn_safely_and_within_its_box(hostile):
    letters = Letters(1.0)
    block = letters.block(hostile, "mono", 13, (255, 255, 255), 200, 4)
    line = letters.line(hostile, "title", 28, (255, 255, 255), 200)
    assert block.get_width() <= 200
    assert block.get_height() <= 4 * letters.font("mono", 13).get_linesize()
    assert line.get_width() <= 200


def test_control_marks_are_taken_out_and_long_text_is_cut():
    assert clean("a\0\x1b\u202eb") == "ab"
    assert clean("one\ttwo\nthree") == "one  two\nthree"
    assert len(clean("x" * 5000)) == MOST_CHARACTERS + 1


def test_lines_are_wrapped_at_words_and_long_words_are_broken():
    assert wrap("aa bb cc", len, 5) == ["aa bb", "cc"]
    assert wrap("aaaaaaa b", len, 3) == ["aaa", "aaa", "a b"]
    assert wrap("one\n\ntwo", len, 10) == ["one", "", "two"]
    assert all(len(line) <= 7 for line in wrap("the quick brownish fox jumps", len, 7))
