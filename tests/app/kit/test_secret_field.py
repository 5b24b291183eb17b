"""A key that is typed: shown as a few dots, never as it is, and never copied."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.text_fields import MOST_DOTS, SecretField

SECRET = "sk-or-v1-5c1d7e90aabbccdd"


@pytest.fixture
def changes():
    return []


@pytest.fixture
def field(changes):
    return SecretField("Key", changes.append, empty="needed")


def typed(field: SecretField, text: str) -> None:
    for letter in text:
        assert field.key(pygame.event.Event(pygame.TEXTINPUT, text=letter))


def key(field: SecretField, which: int, mod: int = 0) -> bool:
    return field.key(pygame.event.Event(pygame.KEYDOWN, key=which, mod=mod, unicode=""))


def test_what_is_typed_and_deleted_is_kept_and_reported(field, changes):
    typed(field, SECRET)
    key(field, pygame.K_BACKSPACE)
    assert field.editor.text == SECRET[:-1]
    assert len(changes) == len(SECRET) + 1
    key(field, pygame.K_DELETE)
    assert field.editor.text == ""


def test_a_pasted_key_replaces_what_was_there_without_what_lies_around_it(field, monkeypatch):
    monkeypatch.setattr(clipboard, "paste", lambda: f"  {SECRET}\n")
    typed(field, "old")
    key(field, pygame.K_v, pygame.KMOD_CTRL)
    assert field.editor.text == SECRET
    field.box = Box(0, 0, 400, 42)
    typed(field, "x")
    field.press(380, 20, 1)
    assert field.editor.text == SECRET


def test_it_cannot_be_copied_and_its_letters_do_nothing_else(field, monkeypatch):
    copied = []
    monkeypatch.setattr(clipboard, "copy", copied.append)
    typed(field, SECRET)
    for which in (pygame.K_c, pygame.K_x):
        key(field, which, pygame.KMOD_CTRL)
    assert copied == []
    assert key(field, pygame.K_a)
    assert key(field, pygame.K_SPACE)
    assert not key(field, pygame.K_RETURN)
    assert not key(field, pygame.K_ESCAPE)


def picture(secret: str) -> bytes:
    canvas, made = Canvas((500, 60)), SecretField("Key", print)
    made.editor.set(secret)
    canvas.target = pygame.Surface((500, 60))
    made.box = Box(4, 4, 480, 42)
    made.draw(canvas, made.box, True, 0.9)
    return pygame.image.tobytes(canvas.target, "RGB")


def test_its_picture_tells_neither_its_letters_nor_beyond_some_dots_its_length():
    assert picture("a" * 5) == picture("z9#Qx") != picture("a" * 6)
    assert picture("x" * MOST_DOTS) == picture(SECRET * 9)
