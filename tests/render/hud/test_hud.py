"""The panels, off screen: whatever a model writes, they say what matters and stay in their place."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import LATE, played

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Thinking
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
    board = replace(loud.board, seats=(name, loud.board.seats[1]), prompts=(text, ""))
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
    assert picture.arena.size != (0, 0)
    different = [
        (x, y)
        for x in range(0, 1280, 2)
        for y in range(0, 720, 2)
        if with_bubble.get_at((x, y)) != without.get_at((x, y))
    ]
    assert len(different) > 300
    assert all(picture.arena.collidepoint(spot) for spot in different)


def test_how_orders_were_read_is_three_bars_and_a_sentence():
    thought = "camp 0.81 · hold_fire 0.12 · idle 0.07 — camping: in the corner, shield up"
    bars, _ = drawn(scene_of(Decision("camp", "M", thought=thought)))
    text, _ = drawn(scene_of(Decision("camp", "M", thought=thought.replace("camp 0", "kamp 0"))))
    area = (150, 255, 95, 70)
    assert count(bars, area, theme.SEAT_COLORS[0]) > 300
    assert count(text, area, theme.SEAT_COLORS[0]) == 0
