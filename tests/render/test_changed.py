"""What a picture says has changed is all that has: films convert nothing else."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import eventful

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Thinking
from batllm_arcade.view.timeline import Timeline


def sequence(display, size):
    """Consecutive scenes with a brain that streams in between, their picture and its surface."""
    timeline = Timeline.of(eventful(), display)
    scenes = [timeline.at(number / 20) for number in range(int(timeline.end * 20))]
    for number in range(30, 60):
        scenes[number] = replace(scenes[number], thinking=Thinking(0, number / 20, "hm " * (number // 2), False))
    return scenes, Renderer(size, scenes[0].board.rules, display), pygame.Surface(size)


@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
@pytest.mark.parametrize("display", [DisplayOptions(), DisplayOptions(reduced_motion=True)], ids=["moving", "calm"])
def test_nothing_changes_outside_the_rectangles_that_are_returned(display, size):
    scenes, picture, surface = sequence(display, size)
    picture.draw(surface, scenes[0])
    for scene in scenes[1:]:
        before = surface.copy()
        changed = picture.redraw(surface, scene)
        for rect in changed:
            before.blit(surface, rect, rect)
        assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")


def test_little_is_returned_of_an_arena_in_which_little_moves():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    picture.draw(surface, scenes[0])
    areas = [sum(rect.w * rect.h for rect in picture.redraw(surface, scene)) for scene in scenes[1:]]
    assert 0 < sorted(areas)[len(areas) // 4] < picture.arena.w * picture.arena.h / 3


@pytest.mark.parametrize("display", [DisplayOptions(), DisplayOptions(reduced_motion=True)], ids=["moving", "calm"])
def test_what_is_kept_makes_no_difference(display):
    scenes, picture, surface = sequence(display, (640, 360))
    other, again = Renderer((640, 360), scenes[0].board.rules, display), pygame.Surface((640, 360))
    for scene in scenes:
        picture.redraw(surface, scene)
        other.draw(again, scene)
        assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(again, "RGB")


def test_the_same_moment_changes_nothing_and_another_target_everything():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    assert picture.redraw(surface, scenes[40]) == [surface.get_rect()]
    assert picture.redraw(surface, scenes[40]) == []
    other = pygame.Surface((640, 360))
    assert picture.redraw(other, scenes[40]) == [other.get_rect()]


def test_after_another_picture_on_the_same_target_everything_is_drawn():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    for other in (
        lambda: picture.draw_arena(surface, scenes[40]),
        lambda: picture.draw_loading(surface, 1.0, scenes[40].board.seats, "loading", failed=False),
    ):
        picture.draw(surface, scenes[40])
        before = surface.copy()
        other()
        assert picture.redraw(surface, scenes[40]) == [surface.get_rect()]
        assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")


def test_with_reduced_motion_a_waiting_match_stands_still():
    timeline = Timeline.of(eventful(), DisplayOptions(reduced_motion=True))
    t = timeline.end + 5
    picture, surface = (
        Renderer((640, 360), timeline.at(0).board.rules, DisplayOptions(reduced_motion=True)),
        pygame.Surface((640, 360)),
    )
    picture.draw(surface, timeline.at(t))
    assert picture.redraw(surface, timeline.at(t + 1)) == []
