"""Where the words of effects stand: over no bot where there is room, and never at the wall."""

from __future__ import annotations

import math
import os
from dataclasses import replace

import pygame
import pytest
from fakes import eventful

from batllm_arcade.render.arena_words import EffectLabels, Ground, free_place, least_covering, place_words
from batllm_arcade.render.bots import bar_rect
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.timeline import Timeline

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
ARENA = pygame.Rect(0, 0, 600, 600)
STILL = Camera(1.0, 0.0, 0.0)
RADIUS = 60.0


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Timeline.of(eventful()).at(0.0)


def placed(scene, effects, t, taken=(), scale=1.3, within=lambda bots: ARENA, scarce=None, labels=None):
    """The rectangles of the words of effects at t seconds."""
    labels = labels or EffectLabels(TextRenderer(scale), Icons(), 1.0, RADIUS, DisplayOptions())
    target, scene = DrawList(ARENA), replace(scene, t=t, effects=effects, past=())
    labels.draw(target, scene, STILL, taken, pygame.Rect(0, 0, 0, 0), within, scarce)
    return [pygame.Rect(at, source.get_size()) for source, at, *_ in target.commands]


def shown(scene, effect, t, taken=(), scale=1.3, area=ARENA, scarce=None):
    """The rectangle of the words of an effect at t seconds."""
    (rect,) = placed(scene, (effect,), t, taken, scale, lambda bots: area, scarce)
    return rect


def hit(bots, at, text="", amount=12.0, bot=0):
    return Effect("hit", 1.0, 0.9, at, 0.0, bot, amount, text, bots=bots)


def over(rect, bots):
    """Whether a rectangle lies over one of the bots."""
    near = [(max(rect.left, min(x, rect.right)), max(rect.top, min(y, rect.bottom))) for x, y in bots]
    return any((x - a) ** 2 + (y - b) ** 2 < RADIUS**2 for (x, y), (a, b) in zip(bots, near, strict=True))


PAIRS = [
    ((170, 460), (430, 230)),
    ((300, 100), (430, 180)),
    ((70, 530), (530, 530)),
    ((300, 300), (310, 440)),
    ((300, 80), (300, 560)),
]


@pytest.mark.parametrize("bots", PAIRS)
@pytest.mark.parametrize(("kind", "text"), [("hit", "off the wall"), ("hit", "back"), ("knockout", "")])
def test_words_stand_over_no_bot_and_off_the_wall_at_every_age(scene, bots, kind, text):
    at = bots[0][0], bots[0][1] - 0.5 * RADIUS
    effect = Effect(kind, 1.0, 2.2 if kind == "knockout" else 0.9, at, 0.0, 0, 12.0, text, bots=bots)
    for t in (1.0, 1.02, 1.1, 1.4, 1.8):
        rect = shown(scene, effect, t)
        assert ARENA.inflate(-30, -30).contains(rect)
        bars = [bar_rect(bot, RADIUS, 1.0, ARENA, bots[1 - number]) for number, bot in enumerate(bots)]
        assert t < 1.1 or not (over(rect, bots) or rect.collidelistall(bars))


@pytest.mark.parametrize(("width", "scale"), [(600, 1.8), *((width, 1.3) for width in range(200, 600, 40))])
def test_no_words_are_cut_to_pop_up_or_where_there_is_little_width(scene, width, scale, monkeypatch):
    drawn, draw = [], TextRenderer.drawn
    monkeypatch.setattr(TextRenderer, "drawn", lambda self, words, *by: drawn.append(words) or draw(self, words, *by))
    at = PAIRS[4] if width == 600 else ((width / 2, 420.0), (width / 2, 560.0))
    effect = Effect("knockout", 1.0, 2.2, at[0], 0.0, 0, bots=at)
    for t in (1.0, 1.02, 1.1, 1.5):
        rect = shown(scene, effect, t, scale=scale, area=pygame.Rect(0, 0, width, 600))
        assert 0 <= rect.left < rect.right <= width
    assert set(drawn) == {"KNOCK-OUT!"}


@pytest.mark.parametrize("moves", [False, True])
def test_a_knock_out_is_told_over_who_lost_rather_than_over_who_won(scene, moves):
    """Below a ribbon's top and above another one, which takes more while the camera `moves`."""
    bots = ((70.0, 530.0), (230.0, 370.0))
    still = [pygame.Rect(0, 0, 600, 300), pygame.Rect(150, 540, 450, 60)]
    moving = [still[0], pygame.Rect(150, 400, 450, 200)]
    effect = Effect("knockout", 1.0, 2.2, bots[0], 0.0, 0, bots=bots)
    area = pygame.Rect(0, 0, 330, 600)
    rect = shown(scene, effect, 1.5, moving if moves else still, area=area, scarce=still if moves else None)
    assert not over(rect, bots[1:])
    assert rect.collidelist(still) < 0


@pytest.mark.parametrize("kind", ["hit", "block"])
def test_of_two_shots_only_the_later_ones_words_are_shown(scene, kind):
    bots = ((170.0, 460.0), (430.0, 230.0))
    first = Effect("hit", 1.0, 0.9, bots[0], 0.0, 0, 12.0, bots=bots)
    later = Effect(kind, 1.4, 0.9, bots[1], 0.0, 1, 24.0, bots=bots)
    labels = EffectLabels(TextRenderer(1.3), Icons(), 1.0, RADIUS, DisplayOptions())
    assert len(placed(scene, (first,), 1.3, labels=labels)) == 1
    assert len(placed(scene, (first, later), 1.5, labels=labels)) == 1


def test_words_that_fit_nowhere_near_are_smaller_or_on_two_rows(scene):
    bots = PAIRS[0]
    wide = hit(bots, bots[0], "off the wall")
    alone = hit(((300, 400), (300, 580)), (300, 400), "off the wall")
    taken = [pygame.Rect(0, 0, 600, 170)]
    assert shown(scene, wide, 1.3, taken).width < shown(scene, alone, 1.3, taken).width


def test_words_stay_in_their_place_while_the_camera_follows_bots_that_go_on(scene):
    """What is shown is asked for as it was at the hit; only what leaves the picture is drawn farther in."""
    bots, asked, places = ((200.0, 300.0), (400.0, 300.0)), [], []
    labels = EffectLabels(TextRenderer(1.3), Icons(), 1.0, RADIUS, DisplayOptions())
    for panned in (0, 30, 60, 400):
        shows = pygame.Rect(panned, 0, 900, 600)
        within = lambda at, shows=shows: asked.append(at) or (ARENA if at else shows)  # noqa: E731, short
        places += placed(scene, (hit(bots, bots[0], "side"),), 1.3, within=within, labels=labels)
    assert bots in asked
    assert places[0] == places[1] == places[2] != places[3]


def test_words_of_a_hit_stand_nearer_to_the_bot_that_it_struck_than_to_the_other_one(scene):
    for bots in (((300, 250), (300, 350)), ((300, 350), (300, 250)), ((260, 300), (340, 300))):
        for bot in (0, 1):
            rect = shown(scene, hit(bots, (300, 300), bot=bot), 1.3)
            assert math.dist(rect.center, bots[bot]) < math.dist(rect.center, bots[1 - bot])


def test_words_of_a_hit_are_rather_smaller_than_at_the_other_bot_or_far_away(scene):
    bots = (262, 437), (389, 509)
    rect = shown(scene, hit(bots, (313, 466), "side", 24.0), 1.3, [pygame.Rect(0, 0, 600, 238)])
    assert math.dist(rect.center, bots[0]) < math.dist(rect.center, bots[1])
    bots = ((470, 100), (270, 230))
    rect = shown(scene, hit(bots, (440, 60), "off the wall"), 1.3, [pygame.Rect(0, 0, 300, 60)])
    assert not over(rect, bots)
    assert math.dist(rect.center, (440, 60)) < 4 * RADIUS


def test_a_place_that_is_free_is_the_nearest():
    occupied = [pygame.Rect(0, 0, 600, 300)]
    found = free_place((100, 40), (300, 280), occupied, ARENA)
    assert found is not None
    assert found.collidelist(occupied) < 0
    assert abs(found.centerx - 300) <= 1
    assert found.top < 340
    assert free_place((100, 40), (300, 280), [ARENA], ARENA) is None
    assert free_place((700, 40), (300, 280), [], ARENA) is None


def test_where_nothing_is_free_least_of_a_bot_is_covered():
    bodies, taken = [pygame.Rect(0, 0, 600, 570)], [pygame.Rect(0, 0, 300, 600)]
    found = least_covering((100, 40), bodies, taken, ARENA)
    assert found is not None
    assert found.bottom == 600
    assert found.left >= 300
    assert least_covering((100, 40), bodies, [ARENA], ARENA) is None


def test_words_without_any_room_lie_over_a_bot_rather_than_over_others():
    body, words = pygame.Rect(0, 0, 600, 600), pygame.Rect(0, 0, 600, 300)
    found = place_words((100, 40), Ground((300, 320), [body], [words], ARENA, 60.0))
    assert found is not None
    assert not found.colliderect(words)
    assert place_words((100, 40), Ground((300, 320), [body], [ARENA], ARENA, 60.0)) is None
