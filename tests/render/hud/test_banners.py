"""Banners: they are in the arena, and cover no bot where there is room."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.hud.banners import Banners
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Banner

SAID = Banner("SmolLM2 (left)  vs  SmolLM2 (right)", "game 1", 0.5, 1.1)


@pytest.mark.parametrize("scale", [0.6, 1.0, 1.5])
@pytest.mark.parametrize("side", [400, 640])
@pytest.mark.parametrize("heights", [(0.5, 0.5), (0.5, 0.8), (0.2, 0.5), (0.35, 0.65), (0.06, 0.94), (0.5,)])
def test_a_banner_is_in_the_arena_and_covers_no_bot(heights, side, scale):
    arena = pygame.Rect(30, 20, side, side)
    bots = [
        pygame.Rect(arena.left + 50, round(arena.top + side * high - 0.06 * side), 50, round(0.12 * side))
        for high in heights
    ]
    banners = Banners(TextRenderer(scale), scale, arena, DisplayOptions())
    band = banners.draw(DrawList(arena), SAID, tuple(bots))
    assert band is not None
    assert arena.contains(band)
    if band.height <= 0.2 * side:
        assert band.collidelist(bots) < 0


@pytest.mark.parametrize(("size", "film"), [((1280, 720), "plain"), ((1080, 1080), "plain"), ((1080, 1920), "covered")])
def test_both_names_are_whole_in_films_of_every_shape(size, film, monkeypatch):
    draw, seen = TextRenderer.drawn, []
    monkeypatch.setattr(
        TextRenderer, "drawn", lambda text, words, *given: seen.append(words) or draw(text, words, *given)
    )
    renderer = Renderer(size, Rules(), film=film)
    renderer._banners.draw(DrawList(renderer.arena), SAID)
    assert SAID.title in seen
