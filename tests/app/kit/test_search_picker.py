"""A list that is searched by typing."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.form import SearchPicker

NAMES = ("openai/gpt-oss-20b", "qwen/qwen3-4b", "qwen/qwen3-235b", "meta/llama-3.2-3b")


@pytest.fixture
def chosen():
    return []


@pytest.fixture
def picker(chosen):
    made = SearchPicker(
        "Model", [(name, "") for name in NAMES], NAMES[1], chosen.append, lambda: chosen.append("close")
    )
    made.arrange(Canvas((1280, 720)))
    return made


def typed(picker: SearchPicker, text: str) -> None:
    for letter in text:
        assert picker.key(pygame.event.Event(pygame.TEXTINPUT, text=letter))


def texts(picker: SearchPicker) -> list[str]:
    return [item.text for item in picker.items]


def test_all_words_that_are_typed_must_be_there(picker):
    typed(picker, "3b")
    assert texts(picker)[:1] == ["meta/llama-3.2-3b"]
    picker.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_BACKSPACE, mod=pygame.KMOD_CTRL))
    typed(picker, "QWEN 4")
    assert texts(picker) == ["qwen/qwen3-4b", "Take \u201cQWEN 4\u201d as typed"]
    picker.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DELETE, mod=0))
    assert texts(picker) == list(NAMES)


def test_confirm_takes_the_first_that_fits(picker, chosen):
    typed(picker, "235")
    picker.form.take("confirm")
    assert chosen == ["close", "qwen/qwen3-235b"]


def test_a_name_that_is_not_in_the_list_can_be_taken_as_it_stands(picker, chosen):
    typed(picker, " qwen/qwen3-4b:nitro ")
    picker.form.take("confirm")
    assert chosen[-1] == "qwen/qwen3-4b:nitro"


def test_the_list_keeps_its_size_while_it_is_searched(picker):
    canvas = Canvas((1280, 720))
    before = picker.box
    typed(picker, "nothing of the kind")
    picker.arrange(canvas)
    assert picker.box == before


def test_what_is_in_no_list_cannot_be_chosen_where_that_makes_no_sense(chosen):
    picker = SearchPicker("Server", [("LM Studio", "")], "LM Studio", chosen.append, lambda: None, free=False)
    typed(picker, "nobody")
    assert texts(picker) == []
    picker.form.take("confirm")
    assert chosen == []


@pytest.mark.parametrize("size", [(1280, 720), (540, 960)])
def test_what_is_said_of_a_choice_fits_into_it(size):
    canvas = Canvas(size)
    more = ("", "short", "long enough that it takes a second line even where the list is as wide as it can be, " * 2)
    picker = SearchPicker("Server", [("one", each) for each in more], "", print, print)
    picker.arrange(canvas)
    highs = [item.box.h for item in picker.items]
    assert highs == sorted(set(highs)), "no more room than it takes"
    for item, words in zip(picker.items[1:], ("one", "two lines of text"), strict=True):
        written = canvas.block((0, 0), words, "label", 15, (9, 9, 9), 60, 2)
        assert 32 + written <= item.box.h
