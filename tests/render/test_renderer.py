"""The picture, off screen: true to the numbers, the same every time, at any size."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module, util

import pygame
import pytest
from fakes import eventful
from paths import SUPPORT

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.render import _hidden, background
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings import config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Aim, Effect, Thinking
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(eventful())


def _drawn(timeline: Timeline, t: float, size: tuple[int, int] = (1280, 720), **changes) -> pygame.Surface:
    scene = replace(timeline.at(t), **changes)
    surface = pygame.Surface(size)
    Renderer(size, scene.board.rules).draw(surface, scene)
    return surface


def _digest(surface: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(surface, "RGB")).hexdigest()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.62, 0.99])
def test_the_same_moment_gives_the_same_pixels_whatever_was_drawn_before(timeline, share):
    t = timeline.end * share
    picture, surface = Renderer((1280, 720), timeline.at(t).board.rules), pygame.Surface((1280, 720))
    for step in range(30):
        picture.draw(surface, timeline.at(timeline.end * step / 30))
    picture.draw(surface, timeline.at(t))
    assert _digest(surface) == _digest(_drawn(timeline, t))


def test_another_process_draws_the_same_pixels(timeline):
    code = (
        "import sys; import batllm_arcade.render; sys.path.insert(0, sys.argv[1])\n"
        "assert 'pkg_resources' not in sys.modules, 'pygame takes twice as long to import with it'\n"
        "from test_renderer import _digest, _drawn; from fakes import eventful\n"
        "from batllm_arcade.view.timeline import Timeline\n"
        "print(_digest(_drawn(Timeline.of(eventful()), 5.0)))"
    )
    here = os.path.dirname(__file__)
    paths = os.pathsep.join([here, str(SUPPORT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "77", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    out = subprocess.run(
        [sys.executable, "-c", code, here], capture_output=True, text=True, env=environment, check=True
    )
    assert out.stdout.strip() == _digest(_drawn(timeline, 5.0))


def test_what_is_hidden_while_pygame_is_imported_can_be_imported_afterwards(monkeypatch):
    monkeypatch.delitem(sys.modules, "pkg_resources", raising=False)
    with _hidden("pkg_resources"), pytest.raises(ImportError):
        import_module("pkg_resources")
    assert "pkg_resources" not in sys.modules
    monkeypatch.setitem(sys.modules, "pkg_resources", util)
    with _hidden("pkg_resources"):
        assert import_module("pkg_resources") is util
    assert sys.modules["pkg_resources"] is util


def test_it_is_drawn_sharp_at_a_larger_size_not_scaled_up(timeline):
    small, large = _drawn(timeline, 3.0), _drawn(timeline, 3.0, (2560, 1440))
    scaled = pygame.transform.smoothscale(small, (2560, 1440))
    assert _digest(large) != _digest(scaled)
    panel = pygame.Rect(32, 136, 576, 120)
    edges = [_steepest(surface.subsurface(panel)) for surface in (large, scaled)]
    assert edges[0] > 1.3 * edges[1]


def _steepest(surface: pygame.Surface) -> float:
    """The mean of the largest brightness steps between neighbours: what the eye calls sharp."""
    steps = []
    for y in range(0, surface.get_height(), 3):
        row = [sum(surface.get_at((x, y))[:3]) for x in range(surface.get_width())]
        steps += [abs(a - b) for a, b in itertools.pairwise(row)]
    return sum(sorted(steps)[-200:]) / 200


def test_an_aim_and_a_thinking_brain_are_seen(timeline):
    t = 3.0
    plain = _digest(_drawn(timeline, t))
    assert _digest(_drawn(timeline, t, aim=Aim(0, 33.0))) != plain
    one, two = (_digest(_drawn(timeline, t, thinking=Thinking(1, 2.0, words, False))) for words in ("let me see", ""))
    assert len({plain, one, two}) == 3


@pytest.mark.parametrize("rules", [Rules(arena_width=1, arena_height=1, bot_radius=0.05), Rules(arena_width=2000)])
def test_the_camera_puts_the_worlds_corners_on_the_arenas_corners(rules):
    camera = Camera.fitting(rules.arena_width, rules.arena_height, (100, 50, 600, 600))
    left, top = camera.point(0, 0)
    right, bottom = camera.point(rules.arena_width, rules.arena_height)
    assert (left + right) / 2 == pytest.approx(400)
    assert (top + bottom) / 2 == pytest.approx(350)
    assert max(right - left, bottom - top) == pytest.approx(600)
    assert (right - left) / (bottom - top) == pytest.approx(rules.arena_width / rules.arena_height)


def test_both_panels_say_who_plays_in_the_colour_of_the_seat(timeline):
    surface = _drawn(timeline, 4.0)
    for seat, x in ((0, theme.MARGIN + 60), (1, theme.WIDTH - theme.MARGIN - 60)):
        assert surface.get_at((x, theme.ARENA_TOP + 3))[:3] == theme.SEAT_COLORS[seat]


def test_the_floor_of_a_film_is_brighter_than_the_windows():
    corner, lights = pygame.Rect(0, 0, 60, 60), []
    for film in ("", "plain"):
        renderer = Renderer((640, 360), Rules(), film=film)
        corner.center = renderer.arena.center
        lights.append(sum(pygame.transform.average_color(renderer._background, corner)[:3]))
    assert lights[1] == pytest.approx(1.45 * lights[0], rel=0.05)


def test_the_floor_of_a_film_has_no_marks_of_the_seats_where_no_bot_starts(monkeypatch):
    paint, arena = background._paint_homes, pygame.Rect(0, 0, 333, 333)
    marked = []
    monkeypatch.setattr(background, "_paint_homes", lambda *given: marked.append(1) or paint(*given))
    for film, marks in ((False, 1), (True, 1)):  # a size of its own, which nobody has painted before
        background.arena_background(arena.size, arena, 1.0, film=film)
        assert len(marked) == marks


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


SEATS = (SeatInfo("Ann", "keyboard"), SeatInfo("Bob", "embedded"))


def drawn(size, rules):
    surface, picture = pygame.Surface(size), Renderer(size, rules)
    picture.draw_loading(surface, 1.0, SEATS, "a model of some size is loaded, " * 3, failed=False)
    arena = picture.arena
    cut = round(0.7 * arena.height)
    foot = pygame.Rect(arena.left, arena.top + cut, arena.width, arena.height - cut)
    head = pygame.Rect(arena.left, arena.top, arena.width, round(0.2 * arena.height))
    return [pygame.image.tobytes(surface.subsurface(part), "RGB") for part in (head, foot)]


@pytest.mark.parametrize("size", [(960, 540), (480, 854)])
def test_what_is_said_of_bounces_and_back_steps_is_on_top_and_the_foot_stays(size):
    rules = config.load("arena").rules
    head, foot = drawn(size, rules)
    two_said_head, two_said_foot = drawn(size, replace(rules, ricochet=0, back_step=0))
    assert foot == two_said_foot
    assert head != two_said_head
