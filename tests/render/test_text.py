"""Words to pixels: whatever a model sends is made safe and fits."""

from __future__ import annotations

import time

import pygame
import pytest

from batllm_arcade.render.fonts import runs
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer, clean, ended_line, wrap


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
    text_renderer = TextRenderer(1.0)
    block = text_renderer.block(hostile, "mono", 13, (255, 255, 255), 200, 4)
    line = text_renderer.line(hostile, "title", 28, (255, 255, 255), 200)
    assert block.get_width() <= 200
    assert block.get_height() <= 4 * text_renderer.font("mono", 13).get_linesize()
    assert line.get_width() <= 200


def test_control_marks_are_taken_out_and_long_text_is_cut():
    assert clean("a\0\x1b\u202eb") == "ab"
    assert clean("one\ttwo\nthree") == "one  two\nthree"
    assert len(clean("x" * 5000)) == MOST_CHARACTERS + 1


def test_no_line_is_wider_than_its_block_as_it_is_drawn():
    text = 'in doubt: attacks 59%, closes in 27%; clearer: "shoot him"; only the first 40 of 46 words are read'
    renderer = TextRenderer(0.98)
    for width in range(150, 600, 3):
        rows = renderer.wrapped(text, "label", 15, width)
        assert max(renderer.line(row, "label", 15, (255, 255, 255)).get_width() for row in rows) <= width


def test_lines_are_wrapped_at_words_and_long_words_are_broken():
    assert wrap("aa bb cc", len, 5) == ["aa bb", "cc"]
    assert wrap("aaaaaaa b", len, 3) == ["aaa", "aaa", "a b"]
    assert wrap("one\n\ntwo", len, 10) == ["one", "", "two"]
    assert all(len(line) <= 7 for line in wrap("the quick brownish fox jumps", len, 7))


@pytest.mark.parametrize("width", range(90, 180, 9))
def test_rows_that_are_cut_end_at_a_word_and_fit(width):
    render, words = TextRenderer(1.0), "its side or back is open and it is coming out for a shot"
    rows = render.rows(words, "label", 18, width, 2)
    assert len(rows) == 2
    assert rows[-1].endswith("\u2026")
    assert all(word in words.split() for word in rows[-1].rstrip("\u2026").split())
    assert render.measure(rows[-1], "label", 18) <= width


@pytest.mark.parametrize("width", range(100, 240, 20))
def test_rows_without_spaces_are_filled_and_fit_with_their_ellipsis(width):
    render, orders = TextRenderer(1.0), "靠近他，从侧面打他，别浪费子弹；如果他的护盾已经打开，就绕到他的后面去"
    rows = render.rows(orders, "label", 20, width, 2)
    assert all(render.measure(row, "label", 20) <= width for row in rows)
    assert rows[-1].endswith("\u2026")
    assert len(rows[-1]) > len(rows[0]) / 2


def test_a_score_is_never_on_two_lines():
    lines = [wrap("3. SmolLM2 hits the back, 2 : 1", len, width) for width in range(5, 32)]
    assert all(any("2 : 1" in row for row in rows) for rows in lines)
    lines = [wrap("wins 28 : 0 in round 1, turn 18", len, width) for width in range(11, 31)]
    assert all(any(kept in row for row in rows) for rows in lines for kept in ("28 : 0", "in round 1,", "turn 18"))


def test_every_character_has_a_face_or_a_name():
    assert runs("go \u2192 Ж🎯", "label") == [("label", "go \u2192 "), ("mono", "Ж"), ("emoji", "🎯")]
    assert clean("👍🏽 ❤️") == "👍 ❤"
    assert clean("𝓗𝓲") == "Hi"
    assert clean("a" + "\u0301" * 40) == "á" + "\u0301" * 2


def test_no_bundled_face_draws_an_empty_box():
    text_renderer = TextRenderer(1.0)
    boxed = text_renderer.font("mono", 30).render("\ue000", True, (255, 255, 255))
    for character in "é→◆Ж🎯😀α":
        image = text_renderer.line(character, "label", 30, (255, 255, 255))
        assert pygame.image.tobytes(image, "RGBA") != pygame.image.tobytes(boxed, "RGBA")


def test_the_lines_of_a_growing_text_stay_where_they_are():
    text_renderer = TextRenderer(1.0)
    story = " ".join(f"Sentence {number} goes on for a while." for number in range(200))
    moved = 0
    for length in range(3000, 3200):
        one, two = (text_renderer.rows(story[:n], "label", 17, 260, 8, tail=True) for n in (length, length + 1))
        moved += one[0] != two[0] and one[1] != two[0]
    assert moved <= 10  # only where the story's beginning drops out, at a pause


def test_a_megabyte_costs_no_more_than_what_is_shown():
    text_renderer = TextRenderer(1.0)
    began = time.process_time()
    for number in range(50):
        text_renderer.block("x" * 1_000_000 + str(number), "mono", 13, (255, 255, 255), 200, 4, tail=number % 2 == 0)
    assert time.process_time() - began < 5


def test_a_title_is_shrunk_before_it_is_cut():
    text_renderer = TextRenderer(1.0)
    whole = text_renderer.line("a rather long name", "title", 30, (255, 255, 255))
    fitted = text_renderer.fitted("a rather long name", "title", 30, (255, 255, 255), whole.get_width() * 0.8)
    assert fitted.get_width() <= whole.get_width() * 0.8
    assert fitted.get_height() < whole.get_height()


def test_lines_stay_lines_whatever_is_in_them():
    assert clean("caf\u00e9\nau lait \U0001f600\n") == "caf\u00e9\nau lait \U0001f600\n"


@pytest.mark.parametrize(
    ("whole", "cut", "shown"),
    [
        ("its shield ran out of charge", "its shield ran o", "its shield ran\u2026"),
        ("blocked by the shield", "blocked by the", "blocked\u2026"),
        ("SmolLM2-135M-Instruct.Q4_1", "SmolLM2-135M-I", "SmolLM2-135M-I\u2026"),
        ("a SmolLM2-135M-Instruct", "a SmolLM2-135M-I", "a SmolLM2-135M-I\u2026"),
        ("anything", "", "\u2026"),
    ],
)
def test_a_line_ends_at_a_word_unless_most_of_it_were_lost(whole, cut, shown):
    assert ended_line(cut, whole) == shown


@pytest.mark.parametrize(("text", "rows"), [("One model, two orders", ["One model,", "two orders"]), ("Ann", ["Ann"])])
def test_even_rows_leave_no_word_alone(text, rows):
    renderer = TextRenderer(1.0)
    width = renderer.measure("One model, two", "title", 40) + 4
    assert len(renderer.wrapped(text, "title", 40, width)) == len(rows)
    assert renderer.even(text, "title", 40, width) == rows
