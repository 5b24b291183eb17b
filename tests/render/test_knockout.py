"""The flash of a knock-out: the whole arena, for a moment, and not for whom motion is reduced."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import eventful

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import Timeline

SIZE = (640, 360)


def knockout(timeline: Timeline) -> Effect:
    return next(each for part in timeline.segments for each in part.effects if each.kind == "knockout")


def brighter(display: DisplayOptions, seconds: float) -> list[int]:
    """How much brighter the arena's corners are, so long after a knock-out, than without its effect."""
    timeline = Timeline.of(eventful(), display)
    effect = knockout(timeline)
    scene = replace(timeline.at(effect.start + effect.held + seconds), shake=(0.0, 0.0))
    without = replace(scene, effects=tuple(each for each in scene.effects if each.kind != "knockout"))
    assert without != scene
    renderer, pictures = Renderer(SIZE, scene.board.rules, display), []
    for each in (scene, without):
        pictures.append(pygame.Surface(SIZE))
        renderer.draw(pictures[-1], each)
    floor = renderer.arena.inflate(-20, -20)
    corners = [floor.topleft, (floor.right - 1, floor.top), (floor.left, floor.bottom - 1)]
    return [min(pictures[0].get_at(at)[part] - pictures[1].get_at(at)[part] for part in range(3)) for at in corners]


def test_a_knock_out_lights_up_the_whole_arena_for_a_moment():
    assert min(brighter(DisplayOptions(), 0.001)) > 40
    assert max(brighter(DisplayOptions(), 0.5)) < 20


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.02])
def test_with_reduced_motion_nothing_flashes(seconds):
    assert max(brighter(DisplayOptions(reduced_motion=True), seconds)) < 20
