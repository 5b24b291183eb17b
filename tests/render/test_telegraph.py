"""What a person sees in their turn of who can hurt whom: hot where it hurts, in its place, and in no replay or film."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest
from fakes import eventful
from films import film, session
from shells import FakeShell, draw, parts
from turns import KEYS, MOMENTS, RULES, scene

from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import GameStarted
from batllm_arcade.render import telegraph_words
from batllm_arcade.render.arena import ArenaRenderer
from batllm_arcade.render.bots import bar_rect
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.telegraph_words import course, on_one_line
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.shapes import HOT
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.lines import FireLine
from batllm_arcade.view.telegraph.person_turn import PersonTurn
from batllm_arcade.view.timeline import Timeline

SMALL, PHONE = (960, 540), (540, 960)


@pytest.mark.parametrize("choice", ["", "move"])
@pytest.mark.parametrize("charge", [6, 2])
def test_a_step_s_ring_is_hot_and_crossed_exactly_where_a_shot_would_hit(choice, charge):
    left, right, who, _ = MOMENTS["step"]
    arena = Arena(left, replace(right, charge=charge))
    turn = PersonTurn(arena, RULES, who, KEYS).telegraph(0, choice)
    still = replace(scene("step"), arena=arena, telegraph=turn)
    renderer, surface = Renderer(SMALL, RULES), pygame.Surface(SMALL)
    renderer.draw(surface, still)
    assert turn.step is not None
    (x, y), radius = renderer.camera.point(*turn.step.end), renderer.camera.length(RULES.bot_radius)
    cross = pygame.Rect(round(x - 0.25 * radius), round(y - 0.25 * radius), round(0.5 * radius), round(0.5 * radius))
    hot = pygame.mask.from_threshold(surface.subsurface(cross), HOT, (60, 60, 60, 255)).count()
    assert (hot > 5) == (charge >= RULES.shot_charge)


def test_with_reduced_motion_nothing_of_it_moves():
    renderer, pictures = Renderer(SMALL, RULES, DisplayOptions(reduced_motion=True)), []
    for t in (5.0, 5.2, 5.4):
        surface = pygame.Surface(SMALL)
        renderer.draw(surface, replace(scene("threat"), t=t))
        pictures.append(pygame.image.tobytes(surface.subsurface(renderer.arena), "RGB"))
    assert len(set(pictures)) == 1


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=str)
def test_words_hide_no_bot_and_no_other_words_and_stay_in_the_arena(size, scale, monkeypatch):
    placed: list[pygame.Rect] = []

    def noted(target: DrawList, image: pygame.Surface, at: tuple[float, float]) -> None:
        rect = image.get_rect(center=(round(at[0]), round(at[1])))
        assert target.clip.contains(rect)
        placed.append(rect)

    monkeypatch.setattr("batllm_arcade.render.telegraph_words.blit_centred", noted)
    renderer, surface = Renderer(size, RULES, DisplayOptions(ui_scale=scale)), pygame.Surface(size)
    for name in ("threat", "holds", "empty", "turning", "step", "shield", "lead", "bounce"):
        placed.clear()
        shown = scene(name)
        renderer.draw(surface, shown)
        assert len(placed) >= 2
        for pose in shown.bots:
            body = pygame.Rect(0, 0, *(2 * [round(1.6 * renderer.camera.length(RULES.bot_radius))]))
            body.center = tuple(round(value) for value in renderer.camera.point(pose.x, pose.y))
            assert body.collidelist(placed) < 0, name
        assert all(rect.collidelist(placed[:number]) < 0 for number, rect in enumerate(placed)), name


def test_no_word_of_a_line_is_written_where_something_else_lies_over_the_arena(monkeypatch):
    placed: list[pygame.Rect] = []
    monkeypatch.setattr(
        "batllm_arcade.render.telegraph_words.blit_centred",
        lambda target, image, at: placed.append(image.get_rect(center=(round(at[0]), round(at[1])))),
    )
    renderer, surface, shown = Renderer(SMALL, RULES), pygame.Surface(SMALL), scene("threat")
    assert shown.telegraph is not None
    renderer.draw(surface, shown)
    arena, word = renderer.arena, placed[0]
    top, bottom = ((y - arena.top) / arena.height for y in (word.top - 2, word.bottom + 2))
    covered = replace(shown.telegraph, covered=(top, bottom))
    placed.clear()
    renderer.draw(surface, replace(shown, telegraph=covered))
    assert all(rect.bottom <= word.top or rect.top >= word.bottom for rect in placed)


def test_words_of_a_line_stay_where_they_are_until_other_words_lie_over_them(monkeypatch):
    searched: list[int] = []
    real = telegraph_words.place_chips
    monkeypatch.setattr(telegraph_words, "place_chips", lambda *given: searched.append(1) or real(*given))
    renderer, shown = Renderer(SMALL, RULES), scene("threat")
    words = telegraph_words.TelegraphWords(20.0, 1.0, TextRenderer(1.0))

    def drawn(*taken: pygame.Rect) -> list[tuple[object, ...]]:
        target = DrawList(renderer.arena)
        words.draw(target, shown, shown.telegraph, renderer.camera, taken)
        return target.commands

    corner = pygame.Rect(renderer.arena.topleft, (8, 8))
    before = drawn()
    assert drawn(corner) == drawn(corner.move(3, 0)) == drawn() == before
    assert len(searched) == 1
    (image, at, *_) = before[0]
    over = image.get_rect(topleft=at)
    moved = drawn(over)
    assert len(searched) == 2
    assert all(not over.colliderect(picture.get_rect(topleft=spot)) for picture, spot, *_ in moved)


ARENA = pygame.Rect(0, 0, 600, 600)
RADIUS = 36.0


@pytest.mark.parametrize(
    ("at", "other", "above"),
    [
        ((300, 300), None, True),
        ((300, 300), (300, 500), True),
        ((300, 300), (300, 228), False),  # the other one stands right above
        ((300, 300), (350, 248), False),
        ((300, 300), (372, 300), True),
        ((300, 30), None, False),  # no room above
        ((300, 560), (300, 488), False),  # nor below, where it lies on its own bot
        ((300, 40), (300, 112), True),
    ],
)
def test_a_health_bar_keeps_off_the_other_bot_where_there_is_room(at, other, above):
    assert (bar_rect(at, RADIUS, 1.0, ARENA, other).centery < at[1]) == above


@pytest.mark.parametrize("middle", [(300, 36), (300, 50), (300, 300), (300, 545), (300, 564), (36, 36), (564, 564)])
def test_no_health_bar_lies_on_the_other_bot_where_both_touch(middle):
    for degrees in range(0, 360, 3):
        at = (
            middle[0] + 2 * RADIUS * math.cos(math.radians(degrees)),
            middle[1] + 2 * RADIUS * math.sin(math.radians(degrees)),
        )
        if not all(RADIUS <= place <= 600 - RADIUS for place in at):
            continue
        bars = bar_rect(middle, RADIUS, 1.0, ARENA, at), bar_rect(at, RADIUS, 1.0, ARENA, middle)
        for bar, foe in zip(bars, (at, middle), strict=True):
            near = min(max(foe[0], bar.left), bar.right), min(max(foe[1], bar.top), bar.bottom)
            assert math.dist(near, foe) > RADIUS - 1
            assert ARENA.top + 4 <= bar.top < bar.bottom <= ARENA.bottom - 4
        assert not bars[0].colliderect(bars[1])


def line(bot: int, start: tuple[float, float], end: tuple[float, float], **more: object) -> FireLine:
    return FireLine(bot, start, end, "hit", **more)  # type: ignore[arg-type]


FACING = line(0, (100, 500), (840, 500)), line(1, (900, 500), (160, 500))


def test_two_lines_along_one_way_are_drawn_side_by_side():
    own, foe = FACING
    camera = Camera.fitting(1000, 1000, ARENA)
    assert on_one_line(own, foe)
    ((_, y), _), ((_, foe_y), _) = course(own, camera, RADIUS, 4.0)[0], course(foe, camera, RADIUS, 4.0)[0]
    assert math.isclose(y - foe_y, 8.0)


@pytest.mark.parametrize(
    ("own", "foe"),
    [
        (FACING[0], None),
        (FACING[0], line(1, (900, 700), (130, 540))),
        (FACING[0], line(1, (900, 500), (160, 500), bounce=(500, 0))),
        (line(0, (100, 500), (840, 500), bounce=(300, 0)), line(1, (900, 500), (160, 500), bounce=(700, 0))),
    ],
)
def test_lines_that_go_other_ways_stay_where_they_are(own, foe):
    assert not on_one_line(own, foe)


def test_two_lines_by_way_of_one_point_on_a_wall_are_on_one_line():
    own = line(0, (100, 500), (840, 500), bounce=(500, 0))
    assert on_one_line(own, line(1, (900, 500), (160, 500), bounce=(504, 0)))


PERSONS = (SeatInfo("Ann", "keyboard", human=True), SeatInfo("Bob", "keyboard", human=True))
RECORDS = [replace(each, seats=PERSONS) if isinstance(each, GameStarted) else each for each in eventful()]


@pytest.fixture
def drawn(monkeypatch) -> list[Scene]:
    """Every scene that is drawn, in order."""
    scenes: list[Scene] = []
    draw = ArenaRenderer.draw

    def noted(self, target, scene, *rest, **named):
        scenes.append(scene)
        draw(self, target, scene, *rest, **named)

    monkeypatch.setattr(ArenaRenderer, "draw", noted)
    return scenes


def bare(scene: Scene) -> bool:
    return scene.telegraph is None and scene.aim is None


def test_a_replay_has_no_telegraph(drawn, tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    timeline = Timeline.of(RECORDS)
    screen, surface = ReplayScreen(*parts(FakeShell()), timeline, tmp_path / "s.json"), pygame.Surface((960, 540))
    assert timeline.at(timeline.end).board.seats == PERSONS
    for number in range(int(timeline.end * 4)):
        screen.update(number / 4)
        draw(screen, surface)
    assert len({scene.t for scene in drawn}) > 20
    assert all(bare(scene) for scene in drawn)


def test_a_film_has_no_telegraph(drawn, tmp_path):
    assert film(session(tmp_path, RECORDS), tmp_path / "film.mp4") == 0
    assert len(drawn) > 20
    assert any(scene.board.seats[0].name == "Ann" for scene in drawn)
    assert all(bare(scene) for scene in drawn)
