"""Text that is typed: edited by keys, in lines, a secret that is never shown, a list that is searched."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.form import Picker
from batllm_arcade.app.kit.text_fields import (
    MOST,
    MOST_DOTS,
    Field,
    SecretField,
    TextBuffer,
    TextLayout,
    drawable,
    edit_by_key,
)
from batllm_arcade.render.text import TextRenderer

CTRL = pygame.KMOD_CTRL


def typed(taker, text: str) -> None:
    for letter in text:
        assert taker.key(pygame.event.Event(pygame.TEXTINPUT, text=letter))


def key(taker, which: int, mod: int = 0) -> bool:
    return taker.key(pygame.event.Event(pygame.KEYDOWN, key=which, mod=mod, unicode=""))


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


@pytest.mark.parametrize(
    ("editor", "pasted", "text"),
    [
        (TextBuffer(), "a\r\nb\0\x1bc", "a\nbc"),
        (TextBuffer(lines=False), "a\nb", "a b"),
        (TextBuffer(), "x" * 5000, "x" * MOST),
        (TextBuffer("x" * 3000, 3000), "a", "x" * 3000),
        (TextBuffer(takes="0123456789".__contains__, lines=False), "4 1x7", "417"),
    ],
)
def test_pasted_text_loses_control_characters_its_excess_and_what_does_not_belong_there(editor, pasted, text):
    editor.insert(pasted)
    assert editor.text == text


def test_deleting_characters_words_and_what_is_selected():
    editor = TextBuffer("one two three", 7)
    for change, text in (
        (editor.backspace, "one tw three"), (lambda: editor.backspace(word=True), "one  three"),
        (lambda: editor.delete(word=True), "one three"),
    ):  # fmt: skip
        change()
        assert editor.text == text
    editor.select_all()
    assert editor.cut() == "one three"
    editor.delete()
    editor.backspace()
    assert editor.text == ""


def test_shift_extends_the_selection_a_step_without_it_collapses_to_that_side_and_a_double_click_takes_the_word():
    editor = TextBuffer("abcdef shield", 2)
    for _ in range(3):
        editor.step(1, select=True)
    assert editor.selected == "cde"
    editor.step(-1)
    assert (editor.cursor, editor.selected) == (2, "")
    editor.select_word(9)
    assert editor.selected == "shield"


def test_what_was_typed_in_one_go_is_undone_in_one_go_and_comes_back_with_redo():
    editor = TextBuffer()
    for letter in "rush it":
        editor.insert(letter)
    for change, texts in ((editor.undo, ("rush ", "rush", "", "")), (editor.redo, ("rush", "rush ", *["rush it"] * 2))):
        for text in texts:
            change()
            assert editor.text == text
    editor.undo()
    editor.insert("x")
    editor.redo()
    assert editor.text == "rush x"


def test_a_line_from_left_to_right_begins_at_the_left():
    layout = TextLayout("rush him é", TextRenderer(1.0), 15, 300.0)
    assert layout.left_of(0) == layout.x_of(0, 0) == 0
    assert [layout.place_at(layout.x_of(place, 0), 0) for place in range(5)] == list(range(5))


@pytest.mark.skipif(drawable("א") != "א", reason="this machine has no font for Hebrew, or nothing that orders it")
def test_a_line_from_right_to_left_begins_at_the_right_and_its_places_go_left():
    layout = TextLayout("אבג דה\nrush", TextRenderer(1.0), 15, 300.0)
    assert layout.x_of(0, 0) == pytest.approx(300)
    assert layout.x_of(6, 0) == pytest.approx(layout.left_of(0))
    places = [layout.x_of(place, 0) for place in range(7)]
    assert places == sorted(places, reverse=True)
    assert [layout.place_at(x, 0) for x in places] == list(range(7))
    assert layout.left_of(1) == 0


# A secret

SECRET = "sk-or-v1-5c1d7e90aabbccdd"


@pytest.fixture
def changes():
    return []


@pytest.fixture
def field(changes):
    return SecretField("Key", changes.append, empty="needed")


def test_a_secret_that_is_typed_and_deleted_is_kept_and_reported(field, changes):
    typed(field, SECRET)
    key(field, pygame.K_BACKSPACE)
    assert field.editor.text == changes[-1] == SECRET[:-1]
    assert len(changes) == len(SECRET) + 1
    key(field, pygame.K_DELETE)
    assert field.editor.text == ""
    key(field, pygame.K_z, CTRL)
    assert field.editor.text == "", "nothing brings it back: it may have been for another server"


def test_a_pasted_secret_replaces_what_was_there_without_what_lies_around_it(field, monkeypatch):
    monkeypatch.setattr(clipboard, "paste", lambda: f"  {SECRET}\n")
    typed(field, "old")
    key(field, pygame.K_v, CTRL)
    assert field.editor.text == SECRET
    field.box = Box(0, 0, 400, 42)
    typed(field, "x")
    field.press(380, 20, 1)
    assert field.editor.text == SECRET


def test_a_secret_cannot_be_copied_and_its_letters_do_nothing_else(field, monkeypatch):
    copied = []
    monkeypatch.setattr(clipboard, "copy", copied.append)
    for which in (pygame.K_c, pygame.K_x):
        typed(field, SECRET)
        key(field, pygame.K_a, CTRL)
        typed(field, SECRET)
        key(field, which, CTRL)
    assert copied == []
    taken = [key(field, which) for which in (pygame.K_a, pygame.K_SPACE, pygame.K_RETURN, pygame.K_ESCAPE)]
    assert taken == [True, True, False, False]


def test_the_picture_of_a_secret_tells_neither_its_letters_nor_beyond_some_dots_its_length():
    def picture(secret: str) -> bytes:
        canvas, made = Canvas((500, 60)), SecretField("Key", print)
        made.editor.set(secret)
        canvas.target, made.box = pygame.Surface((500, 60)), Box(4, 4, 480, 42)
        made.draw(canvas, made.box, True, 0.9)
        return pygame.image.tobytes(canvas.target, "RGB")

    assert picture("a" * 5) == picture("z9#Qx") != picture("a" * 6)
    assert picture("x" * MOST_DOTS) == picture(SECRET * 9)


def test_a_key_that_edits_nothing_is_left_to_others():
    editor = TextBuffer("a", lines=False)
    for which in (pygame.K_RETURN, pygame.K_ESCAPE, pygame.K_F2, pygame.K_TAB):
        assert not edit_by_key(editor, pygame.event.Event(pygame.KEYDOWN, key=which, mod=0))
    assert not Field("Name", "", print).key(pygame.event.Event(pygame.KEYUP, key=pygame.K_a, mod=0))


# A list that is searched

NAMES = ("openai/gpt-oss-20b", "qwen/qwen3-4b", "qwen/qwen3-235b", "meta/llama-3.2-3b")


@pytest.fixture
def chosen():
    return []


@pytest.fixture
def picker(chosen):
    items, taken, shut = [(name, "") for name in NAMES], chosen.append, lambda: chosen.append("shut")
    made = Picker("Model", items, 1, lambda at: taken(NAMES[at]), shut, searched=True, free=taken)
    made.arrange(Canvas((1280, 720)))
    return made


def test_all_words_that_are_typed_must_be_there_and_the_list_keeps_its_size(picker):
    def texts() -> list[str]:
        return [item.text for item in picker.items]

    before = picker.box
    typed(picker, "3b")
    assert texts()[:1] == ["meta/llama-3.2-3b"]
    key(picker, pygame.K_BACKSPACE, CTRL)
    typed(picker, "QWEN 4")
    assert texts() == ["qwen/qwen3-4b", "Take “QWEN 4” as typed"]
    picker.arrange(Canvas((1280, 720)))
    assert picker.box == before
    key(picker, pygame.K_DELETE)
    assert texts() == list(NAMES)


@pytest.mark.parametrize(
    ("words", "name"), [("235", "qwen/qwen3-235b"), (" qwen/qwen3-4b:nitro ", "qwen/qwen3-4b:nitro")]
)
def test_confirm_takes_the_first_that_fits_else_what_was_typed_as_it_stands(words, name, picker, chosen):
    typed(picker, words)
    picker.form.take("confirm")
    assert chosen == ["shut", name]


def test_what_is_in_no_list_cannot_be_chosen_where_that_makes_no_sense(chosen):
    picker = Picker("Server", [("LM Studio", "")], 0, chosen.append, lambda: None, searched=True)
    typed(picker, "nobody")
    picker.form.take("confirm")
    assert (picker.items, chosen) == ([], [])


@pytest.mark.parametrize("size", [(1280, 720), (540, 960)])
def test_what_is_said_of_a_choice_fits_into_it(size):
    canvas = Canvas(size)
    more = ("", "short", "long enough that it takes a second line even where the list is as wide as it can be, " * 2)
    picker = Picker("Server", [("one", each) for each in more], 0, print, print, searched=True)
    picker.arrange(canvas)
    highs = [item.box.h for item in picker.items]
    assert highs == sorted(set(highs)), "no more room than it takes"
    for item, words in zip(picker.items[1:], ("one", "two lines of text"), strict=True):
        written = canvas.block((0, 0), words, "label", 15, (9, 9, 9), 60, 2)
        assert 32 + written <= item.box.h
