"""A close-up shows the same match larger, in the arena alone, and its pictures follow one another without traces."""

from __future__ import annotations

import pygame
import pytest
from plays import bot, game

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.camera import Frame
from batllm_arcade.view.timeline import Timeline

SIZE = (640, 360)
RECORDS = game("A B", "B B", bots=(bot(420, 0), bot(600, 180)))
WHOLE = Frame(0.0, 0.0, 1000.0, 1000.0)
FACING = (bot(400, 0), bot(600, 180))


@pytest.fixture(scope="module")
def timeline():
    return Timeline.of(RECORDS)


@pytest.fixture
def renderer(timeline):
    return Renderer(SIZE, timeline.segments[0].board.rules, DisplayOptions())


def picture(renderer, scene):
    surface = pygame.Surface(SIZE)
    renderer.draw(surface, scene)
    return surface


def colour_of(surface, area, wanted):
    """How many pixels of an area are near a colour."""
    return pygame.mask.from_threshold(surface.subsurface(area), wanted, (60, 60, 60, 255)).count()


def closest(timeline):
    """The moment at which the camera is closest."""
    times = [step / 50 for step in range(int(50 * timeline.end))]
    return min(times, key=lambda t: (timeline.framed(t).frame or WHOLE).width)


def test_bots_are_larger_and_nothing_beside_the_arena_changes(timeline, renderer):
    t = closest(timeline)
    near, far = picture(renderer, timeline.framed(t)), picture(renderer, timeline.at(t))
    arena, orange = renderer.arena, (255, 156, 64)
    assert colour_of(near, arena, orange) > 1.5 * colour_of(far, arena, orange)
    for surface in (near, far):
        surface.fill((0, 0, 0), arena)
    assert near.get_buffer().raw == far.get_buffer().raw


def test_redrawn_pictures_are_those_drawn_anew(timeline, renderer):
    kept, fresh = pygame.Surface(SIZE), Renderer(SIZE, renderer.rules, DisplayOptions())
    near = set()
    for step in range(0, int(30 * timeline.end), 5):
        scene = timeline.framed(step / 30)
        near.add(scene.frame is not None)
        renderer.redraw(kept, scene)
        assert kept.get_buffer().raw == picture(fresh, scene).get_buffer().raw
    assert near == {True, False}


@pytest.mark.parametrize(
    ("commands", "bots", "goes"),
    [
        (("A B",), FACING, True),
        (("B S1", "A B"), FACING, True),
        (("A B",), (bot(400, 90), bot(600, 180)), False),
        (("A M", "B C30"), FACING, False),
        (("A B",), (bot(100, 0), bot(900, 180)), False),
    ],
)
def test_the_camera_follows_hits_and_blocks_of_bots_near_each_other_alone(commands, bots, goes):
    line = Timeline.of(game(*commands, bots=bots)[:-1])
    assert any(line.framed(step / 50).frame for step in range(int(50 * line.end) + 100)) is goes
