"""Editing a prompt."""

from __future__ import annotations

from batllm_arcade.arcade.editor import MOST, Editor


def test_typing_goes_to_the_cursor():
    editor = Editor()
    editor.insert("rush it")
    editor.move(-3)
    editor.insert("! ")
    assert (editor.text, editor.cursor) == ("rush! it".replace("! it", "!  it"), 6)


def test_pasted_text_keeps_its_lines_and_loses_control_characters_and_its_excess():
    editor = Editor()
    editor.insert("a\r\nb\0\x1bc")
    assert editor.text == "a\nbc"
    editor.insert("x" * 5000)
    assert len(editor.text) == MOST


def test_deleting_before_and_after_the_cursor_and_of_everything_selected():
    editor = Editor("abc", 2)
    editor.backspace()
    assert (editor.text, editor.cursor) == ("ac", 1)
    editor.delete()
    assert editor.text == "a"
    editor.delete()
    assert editor.text == "a"
    editor.selected = True
    editor.insert("new")
    assert editor.text == "new"


def test_every_change_can_be_undone():
    editor = Editor()
    editor.insert("one")
    editor.set("two")
    editor.backspace()
    for expected in ("two", "one", "", ""):
        editor.undo()
        assert editor.text == expected


def test_a_full_text_takes_nothing_more():
    editor = Editor("x" * 3000, 3000)
    editor.insert("a" * 5000)
    assert editor.text == "x" * 3000
