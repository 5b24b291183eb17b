"""A close-up shows the same match larger, in the arena alone, and its pictures follow one another without traces."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest
from plays import bot, game

from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.render import bots
from batllm_arcade.render.arena import CloseUpRenderer, ScaledSheet
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.draw_list import DrawList, mapped
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings import config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.camera import BEYOND, Frame, frame
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
        (("A B",), (bot(300, 0), bot(700, 180)), False),
    ],
)
def test_the_camera_follows_hits_and_blocks_of_bots_near_each_other_alone(commands, bots, goes):
    line = Timeline.of(game(*commands, bots=bots)[:-1])
    assert any(line.framed(step / 50).frame for step in range(int(50 * line.end) + 100)) is goes


@pytest.mark.parametrize(("y", "goes"), [(500, False), (100, True)])
def test_a_shot_off_a_wall_has_a_close_up_only_if_the_wall_is_in_it(y, goes):
    """Bounced off the top wall halfway between both bots."""
    up = math.degrees(math.atan2(-y, 100))
    bots = (replace(bot(400, up), y=y), replace(bot(600, 90), y=y))
    line = Timeline.of(game("A B", bots=bots, rules=config.load("arena").rules)[:-1])
    flew = next(event for event in line.segments[-1].record.events if isinstance(event, BulletFlew))
    assert flew.bounce is not None
    assert any(isinstance(event, BotHit) for event in line.segments[-1].record.events)
    assert any(line.framed(step / 50).frame for step in range(int(50 * line.end) + 100)) is goes


def test_words_keep_their_places_off_what_is_taken_while_the_camera_moves(timeline, monkeypatch):
    """Their places in the arena drawn large: every frame of the way shows a part of that."""
    arena, found = pygame.Rect(100, 40, 630, 630), []
    place = EffectLabels._placed
    monkeypatch.setattr(EffectLabels, "_placed", lambda *given: found.append((given, place(*given))) or found[-1][1])
    renderer = CloseUpRenderer(timeline.segments[0].board.rules, arena, 1.0, 1.0, DisplayOptions())
    scenes = [timeline.framed(step / 40) for step in range(int(40 * timeline.end))]

    def places(taken):
        """The places of each effect's words, and what they were to stay within."""
        seen = {}
        for scene in (scene for scene in scenes if scene.frame is not None):
            renderer._renderer._words._place.cache_clear()
            found.clear()
            renderer.draw(DrawList(arena), scene, scene.frame, taken)
            shown = renderer._place(scene.frame)
            for (_, effect, *_, camera, area), (*_, rect) in found:
                back = round(renderer._camera.left - camera.left), round(renderer._camera.top - camera.top)
                assert shown.clip(renderer._whole).contains(rect.move(back))
                assert not any(rect.move(back).colliderect(mapped(each, arena, shown)) for each in taken)
                within = tuple(pygame.Rect(area).move(back))
                seen.setdefault(effect, []).append((tuple(rect.move(back)), within))
        return seen

    free = places([])
    assert len(free) == 2
    over = pygame.Rect(free[next(iter(free))][0][0])  # a ribbon where the first words would be, at the closest
    closest = renderer._closest(tuple((pose.x, pose.y) for pose in scenes[0].bots))
    ribbon = mapped(over.inflate(60, 10), closest, arena)
    for seen in (free, places([ribbon])):
        for spots in seen.values():
            assert len({within for _, within in spots}) == 1
            assert all(max(abs(a - b) for a, b in zip(rect, spots[0][0], strict=True)) <= 1 for rect, _ in spots)
    assert not pygame.Rect(places([ribbon])[next(iter(free))][0][0]).colliderect(over)


def test_where_the_camera_stands_only_changes_are_painted(timeline, renderer):
    kept, still = pygame.Surface(SIZE), []
    last = None
    for step in range(int(30 * timeline.end)):
        scene = timeline.framed(step / 30)
        changed = renderer.redraw(kept, scene)
        if scene.frame is not None and scene.frame == last and scene.shake == (0.0, 0.0):
            still.append(sum(rect.w * rect.h for rect in changed))
        last = scene.frame
    assert sorted(still)[len(still) // 4] < renderer.arena.w * renderer.arena.h / 2


def test_a_close_up_is_drawn_in_its_own_size(timeline, renderer, monkeypatch):
    scaled = []
    monkeypatch.setattr(ScaledSheet, "_paint", lambda *given: scaled.append(given))
    scene = timeline.at(0.0)
    bots = tuple((pose.x, pose.y) for pose in scene.bots)
    for share, wanted in ((1.0, False), (0.5, True)):
        picture(renderer, replace(scene, frame=frame(bots, (1000.0, 1000.0), share)))
        assert bool(scaled) == wanted


def test_beyond_a_wall_there_are_neither_words_nor_bars(monkeypatch):
    """Bots in the corner at the top left: above and beside them the camera shows what is beyond the walls."""
    line = Timeline.of(game("A B", "B B", bots=tuple(replace(each, y=60) for each in (bot(100, 0), bot(240, 180)))))
    arena, found = pygame.Rect(100, 40, 630, 630), []
    place, bar = EffectLabels._placed, bots.bar_rect
    monkeypatch.setattr(EffectLabels, "_placed", lambda *given: found.append(place(*given)[-1]) or (*place(*given),))
    monkeypatch.setattr(bots, "bar_rect", lambda *given: found.append(bar(*given)) or found[-1])
    renderer = CloseUpRenderer(line.segments[0].board.rules, arena, 1.0, 1.0, DisplayOptions())
    closer = [scene for step in range(int(40 * line.end)) if (scene := line.framed(step / 40)).frame]
    assert min(scene.frame.left for scene in closer) == min(scene.frame.top for scene in closer) == -BEYOND
    for scene in closer:
        renderer._renderer._words._place.cache_clear()
        found.clear()
        renderer.draw(DrawList(arena), scene, scene.frame)
        shown = renderer._place(scene.frame)
        moved = (arena.left - shown.left, arena.top - shown.top) if shown.size == arena.size else (0, 0)
        assert len(found) >= 2
        assert all(renderer._whole.move(moved).contains(rect) for rect in found)
