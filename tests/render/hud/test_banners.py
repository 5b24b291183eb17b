"""Banners: they are in the arena, and cover no bot where there is room."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import eventful

from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.hud.banners import Banners
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Banner
from batllm_arcade.view.timeline import Timeline

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


def test_a_banner_hides_the_bot_that_fell_only_where_it_would_hide_another_one_else():
    arena = pygame.Rect(0, 0, 640, 640)
    banners = Banners(TextRenderer(1.0), 1.0, arena, DisplayOptions())
    alive, fallen = pygame.Rect(300, 300, 100, 80), pygame.Rect(300, 460, 100, 80)

    def band(*wrecks, clear=(alive,)):
        found = banners.draw(DrawList(arena), SAID, clear, wrecks)
        assert not any(found.colliderect(rect) for rect in clear)
        return found

    assert not band(fallen).colliderect(fallen)
    walls = pygame.Rect(0, 0, 640, 240), pygame.Rect(0, 600, 640, 40), alive
    assert band(fallen, clear=walls).colliderect(fallen)


@pytest.mark.parametrize("film", ["", "plain"])
def test_a_banner_is_not_close_to_what_lies_over_the_arena(film):
    renderer, surface = Renderer((1280, 720), Rules(), film=film), pygame.Surface((1280, 720))
    timeline = Timeline.of(eventful())
    shown = timeline.at(timeline.end)
    scene = replace(shown, banner=replace(SAID, age=0.5, lasts=None), bots=tuple(replace(b, y=20) for b in shown.bots))
    draw, bands = renderer._banners.draw, []
    renderer._banners.draw = lambda *given: bands.append(draw(*given)) or bands[-1]
    for low in range(renderer.arena.top, renderer.arena.bottom - 50, 10):
        ribbon = pygame.Rect(renderer.arena.left + 100, low, 200, 50)
        renderer.draw(surface, scene, [ribbon])
        assert not bands[-1].colliderect(ribbon.inflate(0, 36))


@pytest.mark.parametrize(("size", "film"), [((1280, 720), "plain"), ((1080, 1080), "plain"), ((1080, 1920), "covered")])
def test_both_names_are_whole_in_films_of_every_shape(size, film, monkeypatch):
    draw, seen = TextRenderer.drawn, []
    monkeypatch.setattr(
        TextRenderer, "drawn", lambda text, words, *given: seen.append(words) or draw(text, words, *given)
    )
    renderer = Renderer(size, Rules(), film=film)
    renderer._banners.draw(DrawList(renderer.arena), SAID)
    assert SAID.title in seen
