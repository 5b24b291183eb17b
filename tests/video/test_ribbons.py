"""Ribbons lie over nothing that happens, in every shape of film, and lose no word."""

from __future__ import annotations

import pygame
import pytest
from texts import note_texts

from batllm_arcade.video.draw.frames import Overlay
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.view.layout import Layout

LAYOUTS = {
    "wide": Layout.fitted((1280, 760)),
    "square": Layout.upright((720, 720), covered=False),
    "phone": Layout.upright((1080, 1920), covered=True),
}
TURNED = "turning point: SmolLM2 (blue) turns away and is hit in the back"


def overlay_of(layout: Layout, *texts: str) -> Overlay:
    return Overlay(layout, pygame.Rect(layout.arena), ribbons=texts)


def place(layout: Layout, text: str, bots=(), radius: float = 0.06, *, low: bool = False) -> pygame.Rect:
    """Where a ribbon is; fails where it covers a bot, or is not in the arena."""
    moment = EditMoment(1.0, Cut(0.0, 9.0, text=text, bot=0, low=low), 1.0)
    ((_, rect, *_),) = overlay_of(layout, text).place(moment, [(x, y, radius) for x, y in bots])
    arena = pygame.Rect(layout.arena)
    assert arena.contains(rect)
    for x, y in bots:
        body = pygame.Rect(0, 0, 2 * radius * arena.width, 2 * radius * arena.width)
        body.center = round(arena.left + x * arena.width), round(arena.top + y * arena.height)
        assert not rect.colliderect(body)
    return rect


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("left hits", ((0.5, 0.06), (0.5, 0.5))),
        ("left hits", ((0.5, 0.06), (0.5, 0.94))),
        ("left hits", ((0.1, 0.06), (0.9, 0.94))),
        ("6 turns later", ((0.4, 0.1), (0.35, 0.93))),
        ("lead change: SmolLM2 (right)", ((0.1, 0.1), (0.9, 0.9), (0.9, 0.1))),
        ("turning point: dancer turns and is hit in the side", ((0.9, 0.2), (0.9, 0.7))),
        ("turning point: dancer turns and is hit in the side", ((0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9))),
    ],
)
def test_a_ribbon_takes_another_form_or_place_rather_than_cover_a_bot(text, bots, low, layout):
    place(layout, text, bots, low=low)


def test_where_no_form_of_a_ribbon_is_free_it_says_only_what_turns_the_game(monkeypatch):
    texts = note_texts(monkeypatch)
    place(LAYOUTS["phone"], TURNED, [(0.3, 0.2), (0.5, 0.62), (0.75, 0.25)], 0.12)
    assert texts.words == ["TURNING POINT"]
    texts.clear()
    place(LAYOUTS["phone"], TURNED, [(0.3, 0.2)])
    assert " ".join(texts.words).startswith("TURNING POINT: SmolLM2 (blue) turns away")


def test_no_more_than_two_rows_are_kept_free_for_ribbons():
    (kept,) = overlay_of(LAYOUTS["phone"], TURNED).kept_free(EditMoment(1.0, Cut(0.0, 9.0), 1.0), [])
    assert 0.5 < kept.height / place(LAYOUTS["phone"], TURNED).height < 0.8


def test_a_ribbon_rather_has_more_rows_than_it_lies_in_the_middle():
    text = "lead change: LlamaLlama (right)"
    free, beside = (place(LAYOUTS["phone"], text, bots) for bots in ((), ((0.55, 0.35), (0.55, 0.9))))
    assert free.top == beside.top
    assert beside.width < free.width


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1080), (1080, 1920), (800, 450)])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ann hits", "Ann hits"),
        ("first blood for SmolLM2 (left)", "First blood for SmolLM2 (left)"),
        ("lead change: a very long… (right)", "LEAD CHANGE: a very long… (right)"),
        ("comeback by SmolLM2 (left)", "COMEBACK by SmolLM2 (left)"),
    ],
)
def test_no_ribbon_loses_a_word_in_any_shape_and_words_keep_off_it(monkeypatch, size, text, shown):
    upright, texts = size[0] <= size[1], note_texts(monkeypatch)
    layout = Layout.upright(size, covered=size == (1080, 1920)) if upright else Layout.of(size)
    rect = place(layout, text)
    assert " ".join(texts.words) == shown
    (free,) = overlay_of(layout, "short", text).kept_free(EditMoment(1.0, Cut(0.0, 9.0), 1.0), [])
    assert free.contains(rect)


def test_no_room_is_kept_free_for_ribbons_once_there_are_none_any_more():
    edit_list = EditList([Cut(0, 2), Cut(2, 3, text="LEAD CHANGE"), Cut(3, 5)])
    arena = pygame.Rect(Layout.of((1280, 720)).arena)
    overlay = Overlay(Layout.of((1280, 720)), arena, ribbons=edit_list.ribbons, until=edit_list.last_ribbon)
    assert [len(overlay.kept_free(edit_list.at(t), [])) for t in (1.0, 3.5)] == [1, 0]
