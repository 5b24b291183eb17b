"""Panels, bubbles and banners, off screen: whatever is written, they say what matters and stay in their place."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pygame
import pytest
from fakes import LATE, eventful, played

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.hud.banners import Banners
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Banner, Thinking
from batllm_arcade.view.timeline import Timeline

RULES = Rules(total_rounds=1, turns_per_round=1)
HOSTILE = [
    "x" * 1_000_000,
    "\0\x1b[2J\ud800\u202e",
    "\n" * 5000,
    "a " * 40_000,
    "שלום عليكم",
    "😀" * 900,
    "e" + "\u0301" * 4000,
    "",
]


def scene_of(left, **changes):
    timeline = Timeline.of(played([left], ["M"], rules=RULES, seed=1, prompts=("", "")))
    play = next(s for s in timeline.segments if isinstance(s.record, Play) and s.record.bot == 0)
    return replace(timeline.at(play.end - 0.01), effects=(), **changes)


def drawn(scene, size=(1280, 720), display=DisplayOptions()):  # noqa: B008
    surface = pygame.Surface(size)
    picture = Renderer(size, RULES, display)
    picture.draw(surface, scene)
    return surface, picture


def count(surface, area, color):
    data = pygame.image.tobytes(surface.subsurface(area), "RGB")
    wanted = bytes(color)
    return sum(data[at : at + 3] == wanted for at in range(0, len(data), 3))


def differing(one, other):
    """Every second pixel in both directions in which two pictures differ."""
    pixels = [pygame.surfarray.array2d(surface)[::2, ::2] for surface in (one, other)]
    return [(2 * int(x), 2 * int(y)) for x, y in np.argwhere(pixels[0] != pixels[1])]


def colors(surface, area):
    """Return the different colours in an area; smooth text alone has dozens."""
    data = pygame.image.tobytes(surface.subsurface(area), "RGB")
    return {data[at : at + 3] for at in range(0, len(data), 3)}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("size", [(1280, 720), (360, 640)], ids=str)
def test_hostile_words_stay_in_their_panel(text, size):
    quiet = scene_of(Decision("M", "M"))
    loud = scene_of(Decision(text, "M", thought=text, say=""))
    name = SeatInfo(text[:2000], "fake:" + text[:2000], text[:2000])
    board = replace(loud.board, seats=(name, loud.board.seats[1]), given=(text, ""))
    loud = replace(loud, board=board, thinking=Thinking(0, 2.0, text, False))
    quiet = replace(quiet, thinking=Thinking(0, 2.0, "", False))
    display = DisplayOptions(bubbles=False)
    (one, picture), (two, _) = drawn(quiet, size, display), drawn(loud, size, display)
    panels = [*picture.layout.panels[:1], *(picture.layout.heads or ())[:1]]
    for surface in (one, two):
        for panel in panels:
            surface.fill((0, 0, 0), panel)
    assert pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(two, "RGB")


@pytest.mark.parametrize("ui_scale", [1.0, 1.5])
@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (640, 360), (60, 40), (1, 1), (3, 300)], ids=str)
def test_any_window_is_filled_and_its_panels_have_text_at_any_size_of_words(size, ui_scale):
    unpainted = (255, 0, 255)
    for answer in (Decision('{"cmd": "C5"}', "C5", "hm"), LATE, "nonsense"):
        surface, picture = pygame.Surface(size), Renderer(size, RULES, DisplayOptions(ui_scale=ui_scale))
        surface.fill(unpainted)
        picture.draw(surface, scene_of(answer, thinking=Thinking(1, 3.0, "so far", False)))
        assert count(surface, surface.get_rect(), unpainted) == 0
        for panel in (*picture.layout.panels, *(picture.layout.heads or ())):
            assert min(size) < 360 or len(colors(surface, panel)) > 40


def test_before_the_first_round_nobody_is_said_to_have_no_orders():
    begun = scene_of("M")
    surface, picture = drawn(replace(begun, board=replace(begun.board, round=0)))
    panel = picture.layout.panels[0]
    before = count(surface, panel, theme.DIM)
    picture.draw(surface, begun)
    assert count(surface, panel, theme.DIM) > before


def test_the_command_stands_out_of_the_raw_reply():
    plain, picture = drawn(scene_of(Decision("nothing of the kind here", "M")))
    marked, _ = drawn(scene_of(Decision("I take M of course", "M")))
    panel = picture.layout.panels[0]
    assert count(marked, panel, theme.GOLD) > count(plain, panel, theme.GOLD) + 50


def test_a_fumble_is_seen_without_its_colour():
    """Its stripes alternate between light and dark along the band."""
    surface, picture = drawn(scene_of("nonsense"))
    left, top, wide, high = picture.layout.panels[0]
    rows = [
        sum(
            surface.get_at((x, y))[:3] != surface.get_at((x + 1, y))[:3]
            for x in range(left + wide // 2, left + wide - 20)
        )
        for y in range(top + high // 2, top + high)
    ]
    golden = count(surface, (left, top + high // 2, wide, high // 2), theme.GOLD)
    assert golden > 800
    assert max(rows) >= 8


def test_the_seconds_a_person_has_left_are_shown():
    human = SeatInfo("Ann", "keyboard", human=True)
    base = scene_of("M")
    base = replace(base, board=replace(base.board, seats=(human, base.board.seats[1])))
    pictures = [
        pygame.image.tobytes(drawn(replace(base, thinking=Thinking(0, 1.0, "", True, left)))[0], "RGB")
        for left in (None, 9.0, 8.0)
    ]
    assert len(set(pictures)) == 3


def test_a_thought_bubble_shows_at_the_bot_while_a_model_streams_and_can_be_switched_off():
    thinking = scene_of("M", thinking=Thinking(0, 2.0, "I had better move now", False))
    (with_bubble, picture), (without, _) = drawn(thinking), drawn(thinking, display=DisplayOptions(bubbles=False))
    changed = differing(with_bubble, without)
    assert len(changed) > 300
    assert all(picture.arena.collidepoint(spot) for spot in changed)


def test_how_orders_were_read_is_three_bars_and_a_sentence():
    thought = "camp 0.81 · hold_fire 0.12 · idle 0.07 — camping: in the corner, shield up"
    bars, _ = drawn(scene_of(Decision("camp", "M", thought=thought)))
    text, _ = drawn(scene_of(Decision("camp", "M", thought=thought.replace("camp 0", "kamp 0"))))
    area = (150, 255, 95, 70)
    assert count(bars, area, theme.SEAT_COLORS[0]) > 300
    assert count(text, area, theme.SEAT_COLORS[0]) == 0


TALK = Rules(total_rounds=1, turns_per_round=3)


def told(*says):
    left = [Decision("", None, say=say) if say else "M" for say in says]
    return Timeline.of(played(left, ["C5"] * 3, rules=TALK, seed=1))


def begins(timeline, turn):
    return next(
        segment.start
        for segment in timeline.segments
        if isinstance(segment.record, Play) and (segment.record.turn, segment.record.bot) == (turn, 0)
    )


def spoken(timeline, t):
    return [(effect.bot, effect.text) for effect in timeline.at(t).effects if effect.kind == "speech"]


def picture(timeline, t):
    return drawn(timeline.at(t))[0]


def test_words_appear_with_the_play_and_go_again():
    timeline = told("hello", "", "")
    start = begins(timeline, 1)
    assert spoken(timeline, start - 0.01) == []
    assert spoken(timeline, start + 0.01) == [(0, "hello")]
    assert {effect.kind for effect in timeline.at(start + 0.1).effects} == {"speech"}  # who speaks does not wait
    assert spoken(timeline, start + theme.SPEECH_S - 0.01) == [(0, "hello")]
    assert spoken(timeline, start + theme.SPEECH_S + 0.01) == []


@pytest.mark.parametrize(
    "words",
    ["hello", "a " * 400, "x" * 999, "\x1b[2J\u202e\n\n\x00", " ", "é🎯漢字", "\ud800", "line\nline\nline\nline\nline"],
)
def test_a_bubble_is_seen_whatever_is_said(words):
    silent, loud = told("", "", ""), told(words, "", "")
    t = begins(loud, 1) + 0.4
    x, y = Renderer((1280, 720), TALK).camera.point(loud.at(t).bots[0].x, loud.at(t).bots[0].y)
    near = [spot for spot in differing(picture(silent, t), picture(loud, t)) if math.dist(spot, (x, y)) < 250]
    assert len(near) > 80


def test_of_two_things_said_the_later_one_is_shown(monkeypatch):
    timeline = told("first words here", "second", "")
    t = begins(timeline, 2) + 0.2
    assert [text for _, text in spoken(timeline, t)] == ["first words here", "second"]
    drawn = []
    monkeypatch.setattr(
        Bubbles, "draw", lambda self, target, said, *where: drawn.append(said.text) or pygame.Rect(0, 0, 1, 1)
    )
    picture(timeline, t)
    assert drawn == ["second"]


@pytest.mark.parametrize(
    ("at", "other", "taken", "side"),
    [
        ((300, 300), (600, 300), [], (0, -1)),
        ((300, 100), (600, 300), [], (0, 1)),
        ((100, 300), (110, 450), [pygame.Rect(0, 140, 400, 80)], (1, 0)),
        ((700, 300), (690, 450), [pygame.Rect(400, 140, 400, 80)], (-1, 0)),
    ],
)
def test_a_bubble_covers_neither_bot_nor_other_words(at, other, taken, side):
    bubbles = Bubbles(TextRenderer(1.0), 1.0, 30.0)
    spot, found = bubbles._placed(pygame.Surface((220, 70)), at, other, taken, pygame.Rect(0, 0, 800, 600))
    assert found == side
    assert not any(spot.collidepoint(bot) for bot in (at, other))
    assert spot.collidelist(taken) < 0


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
