"""Gifs, which pages show small, have all of their words in large type in one column beside the arena."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from charged import charged_match
from texts import note_texts

from batllm_arcade.render.hud import upright as last_play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.encode.formats import shape
from batllm_arcade.view.layout import Layout, film_layout
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(charged_match())
SIZES = [(800, 450), (720, 404), (480, 270), (1280, 720), (600, 480), (1000, 300)]


@pytest.mark.parametrize("size", SIZES)
def test_everything_has_a_place_of_its_own_and_the_arena_is_as_high_as_the_picture(size):
    layout = film_layout(size, "small")
    boxes = [pygame.Rect(box) for box in (layout.bar, layout.arena, layout.words, *layout.heads, *layout.panels)]
    assert not any(one.colliderect(other) for one, other in itertools.combinations(boxes, 2))
    assert all(pygame.Rect(0, 0, *size).contains(box) for box in boxes)
    assert layout.arena[2] == layout.arena[3] >= 0.9 * min(size[1], 0.6 * size[0])


@pytest.mark.parametrize(
    ("name", "size", "vertical", "kind"),
    [
        ("a.gif", None, False, "small"),
        ("a.webp", None, False, "small"),
        ("a.gif", (400, 700), True, "covered"),
        ("a.mp4", (800, 450), False, "plain"),
    ],
)
def test_films_of_formats_without_sound_are_seen_small(name, size, vertical, kind):
    assert shape(Path(name), size, None, vertical=vertical).film == kind


@pytest.mark.parametrize("size", [(400, 400), (400, 700)])
def test_a_gif_that_is_not_wide_has_its_words_above_and_below_the_arena(size):
    assert film_layout(size, "small") == Layout.upright(size, covered=False)


def test_orders_and_the_clock_are_whole_and_large(monkeypatch):
    texts = note_texts(monkeypatch)
    segment = TIMELINE.segments[-2]
    renderer = Renderer((800, 450), segment.board.rules, film="small")
    renderer.draw(pygame.Surface((800, 450)), TIMELINE.at(segment.start + 0.1))
    board = segment.board
    told = " ".join(
        text for text, height in texts.largest("height").items() if height >= 24
    )  # of 450: an eighteenth of the picture
    assert all(word in told for orders in board.prompts for word in orders.split())
    assert f"ROUND {board.round}   TURN {board.turn}" in texts.words
    assert not any(text.endswith("\u2026") for text in texts.words)


def test_the_clock_of_a_series_is_whole(monkeypatch):
    texts = note_texts(monkeypatch)
    segment = TIMELINE.segments[-2]
    scene = TIMELINE.at(segment.start + 0.1)
    scene = replace(scene, board=replace(scene.board, score="MOMENT 12"))
    Renderer((800, 450), segment.board.rules, film="small").draw(pygame.Surface((800, 450)), scene)
    assert f"R{scene.board.round} T{scene.board.turn}   MOMENT 12" in texts.words
    assert not any(text.endswith("\u2026") for text in texts.words)


def test_what_a_hit_led_to_is_rather_told_without_its_part_than_cut(monkeypatch):
    texts = note_texts(monkeypatch)
    monkeypatch.setattr(last_play, "led", lambda *_, known: ("a ×2 grazing hit in the side!", (255, 255, 255)))
    segment = TIMELINE.segments[-2]
    for size, film in (((800, 450), "small"), ((1080, 1080), "plain")):
        renderer = Renderer(size, segment.board.rules, film=film)
        renderer.draw(pygame.Surface(size), TIMELINE.at(segment.end - 0.01))
    assert [text for text in texts.words if text.startswith("a ×2")] == [
        "a ×2 grazing hit",
        "a ×2 grazing hit in the side!",
    ]
