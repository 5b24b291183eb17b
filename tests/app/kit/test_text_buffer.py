"""Editing a text."""

from __future__ import annotations

from batllm_arcade.app.kit.text_fields import MOST, TextBuffer


def test_typing_goes_to_the_cursor_and_over_the_selection():
    editor = TextBuffer()
    editor.insert("rush it")
    editor.step(-1, word=True)
    editor.insert("! ")
    assert (editor.text, editor.cursor) == ("rush ! it", 7)
    editor.go(0)
    editor.go(4, select=True)
    editor.insert("hide")
    assert editor.text == "hide ! it"


def test_pasted_text_keeps_its_lines_and_loses_control_characters_and_its_excess():
    editor = TextBuffer()
    editor.insert("a\r\nb\0\x1bc")
    assert editor.text == "a\nbc"
    editor.insert("x" * 5000)
    assert len(editor.text) == MOST


def test_a_single_line_takes_no_line_breaks():
    editor = TextBuffer(lines=False)
    editor.insert("a\nb")
    assert editor.text == "a b"


def test_deleting_characters_words_and_what_is_selected():
    editor = TextBuffer("one two three", 7)
    editor.backspace()
    assert (editor.text, editor.cursor) == ("one tw three", 6)
    editor.backspace(word=True)
    assert editor.text == "one  three"
    editor.delete(word=True)
    assert editor.text == "one three"
    editor.select_all()
    assert editor.cut() == "one three"
    editor.delete()
    editor.backspace()
    assert editor.text == ""


def test_shift_extends_the_selection_and_a_step_without_it_collapses_to_that_side():
    editor = TextBuffer("abcdef", 2)
    for _ in range(3):
        editor.step(1, select=True)
    assert editor.selected == "cde"
    editor.step(-1)
    assert (editor.cursor, editor.selected) == (2, "")


def test_a_double_click_takes_the_word():
    editor = TextBuffer("keep your shield up")
    editor.select_word(13)
    assert editor.selected == "shield"


def test_what_was_typed_in_one_go_is_undone_in_one_go_and_comes_back_with_redo():
    editor = TextBuffer()
    for letter in "rush":
        editor.insert(letter)
    editor.insert(" ")
    for letter in "it":
        editor.insert(letter)
    for expected in ("rush ", "rush", "", ""):
        editor.undo()
        assert editor.text == expected
    for expected in ("rush", "rush ", "rush it", "rush it"):
        editor.redo()
        assert editor.text == expected
    editor.undo()
    editor.insert("x")
    editor.redo()
    assert editor.text == "rush x"


def test_a_full_text_takes_nothing_more():
    editor = TextBuffer("x" * 3000, 3000)
    editor.insert("a" * 5000)
    assert editor.text == "x" * 3000
