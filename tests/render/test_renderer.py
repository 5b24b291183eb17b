"""The picture, off screen: true to the numbers, the same every time, at any size."""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module, util

import pygame
import pytest
from fakes import eventful
from paths import SUPPORT

from batllm_arcade.core.model import Rules
from batllm_arcade.render import _hidden, background
from batllm_arcade.render import sprites as shapes
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.sprites import Sprites, _rotated, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Aim, Thinking
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


@pytest.mark.parametrize("half", [30.0, 64.0, 88.0, 180.0])
@pytest.mark.parametrize("rot", [0, 75, 270])
def test_the_shield_is_drawn_exactly_as_wide_as_it_blocks(half, rot):
    radius = 40
    sprite = pygame.Surface((4 * radius, 4 * radius), pygame.SRCALPHA)
    blit_centred(sprite, Sprites(radius, half).shield(0, rot, 1.0), (2 * radius, 2 * radius))
    middle = 2 * radius, 2 * radius

    def covered(offset: float) -> bool:
        angle = math.radians(rot + offset)
        x, y = (round(m + 1.14 * radius * d) for m, d in zip(middle, (math.cos(angle), math.sin(angle)), strict=True))
        return sprite.get_at((x, y)).a > 128

    step = 3.0  # degrees; a pixel at this radius is 1.3 degrees wide
    assert all(covered(sign * share * (half - step)) for sign in (-1, 1) for share in (0.0, 0.3, 0.7, 1.0))
    if half < 180 - step:
        assert not any(covered(sign * offset) for sign in (-1, 1) for offset in (half + step, (half + 180) / 2 + 1))


@pytest.mark.parametrize("radius", [9.3, 24.8, 49.0])
@pytest.mark.parametrize("half", [30.0, 64.0, 180.0])
def test_nothing_that_is_seen_of_a_turned_bot_or_shield_is_cut(radius, half):
    sprites = Sprites(radius, half, Rules(shield_degrees=half, battery=10))
    for base in (
        *(sprites._base(seat, alive) for seat in (0, 1) for alive in (True, False)),
        sprites._arc(0, 8, 8, False),
    ):
        for degree in range(0, 360, 15):
            turned, cut = pygame.transform.rotozoom(base, -degree, 0.5), _rotated(base, degree)
            seen = [surface.get_bounding_rect().size for surface in (turned, cut)]
            assert seen[0] == seen[1], degree
            assert cut.get_width() <= base.get_width() / 2 + 6


def test_a_bot_is_drawn_as_large_as_it_can_be_hit():
    sprite = Sprites(40, 64).bot(0, 0, True)
    middle = sprite.get_width() // 2
    row = [sprite.get_at((x, middle)).a > 128 for x in range(sprite.get_width())]
    assert abs(sum(row) - 80) <= 2


def test_the_bots_of_the_next_match_are_not_painted_again_and_look_the_same():
    shapes.kept.cache_clear()

    def pixels() -> list[bytes]:
        sprites = Sprites(33, 64)
        sprites.shield(1, 30, 1.0, 0.3)  # a faint one must not make the next whole one faint
        shown = (sprites.flash(0, 30), sprites.struck_shield(1, 30), sprites.bot(0, 30, True), sprites.shield(1, 30, 1))
        return [pygame.image.tobytes(each, "RGBA") for each in shown]

    first = pixels()
    assert shapes.kept.cache_info().misses == 2
    assert pixels() == first
    assert shapes.kept.cache_info().misses == 2


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (2560, 1440), (800, 900), (641, 361)])
def test_the_picture_fills_any_window_and_keeps_the_arena_square(timeline, size):
    surface = _drawn(timeline, 3.0, size)
    picture = Renderer(size, timeline.at(3.0).board.rules)
    left, top = picture.camera.point(0, 0)
    right, bottom = picture.camera.point(1000, 1000)
    assert right - left == pytest.approx(bottom - top)
    assert 0 <= left < right <= size[0]
    assert 0 <= top < bottom <= size[1]
    assert surface.get_size() == size


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
