"""Films for telephones: every word is where no application lays its own, and says what the bots were told and do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest
from charged import THOUGHT, charged_match
from plays import bot, game
from texts import note_texts

from batllm_arcade.match.records import Play, RoundStarted
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.hud.panel_head import ChargeRow
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.frame_renderer import film_scenes
from batllm_arcade.view.layout import Layout, safe_box
from batllm_arcade.view.play_text import outcome
from batllm_arcade.view.play_words import play_words
from batllm_arcade.view.timeline import Timeline

WORDY = "Unpredictable manoeuvres, approaching carefully behind shielding armour, notwithstanding."
TIMELINE = Timeline.of(charged_match())
SIZES = [(1080, 1920), (720, 1280), (1080, 1350), (450, 800)]


def _uncovered(safe):
    """The part of a picture that no application covers: they leave its left edge free."""
    return pygame.Rect(0, safe.top, safe.right, safe.height)


@pytest.mark.parametrize("size", SIZES)
def test_no_word_is_where_applications_lay_their_own(size):
    width, height = size
    safe = pygame.Rect(safe_box(size))
    assert safe.top >= 250 / 1920 * height - 1
    assert height - safe.bottom >= 450 / 1920 * height - 1
    assert width - safe.right >= 120 / 1080 * width - 1
    layout = Layout.upright(size, covered=True)
    boxes = [layout.bar, layout.words, *layout.heads, *layout.panels]
    assert all(_uncovered(safe).contains(pygame.Rect(box)) for box in boxes)
    arena, free = pygame.Rect(layout.arena), pygame.Rect(layout.free)
    assert safe.top < free.top < safe.top + 0.02 * height
    assert safe.right > free.right > safe.right - 0.02 * width
    assert (free.left, free.bottom) == (0, safe.bottom)
    assert pygame.Rect(0, 0, *size).contains(arena)
    assert arena.width > 0.6 * width
    boxes.append(layout.arena)
    assert all(not pygame.Rect(one).colliderect(other) for at, one in enumerate(boxes) for other in boxes[at + 1 :])


def test_around_that_nothing_ever_changes():
    size = (540, 960)
    rules = TIMELINE.segments[0].board.rules
    renderer, surface = Renderer(size, rules, film="covered"), pygame.Surface(size)
    free, arena = (
        _uncovered(pygame.Rect(safe_box(size))).inflate(20, 20),
        renderer.arena.inflate(20, 20),
    )  # and its wall
    around = set()
    for number in range(12):
        renderer.draw(surface, TIMELINE.at(TIMELINE.end * number / 11))
        surface.fill((0, 0, 0), free)
        surface.fill((0, 0, 0), arena)
        around.add(surface.get_view("2").raw)
    assert len(around) == 1


TOP = replace(bot(500, 0), y=60.0), replace(bot(900, 180), y=60.0)


@pytest.mark.parametrize("bots", [TOP, (bot(700, 0), bot(940, 0))])
def test_words_in_the_arena_are_where_telephones_lay_nothing_over_it(bots, monkeypatch):
    timeline = Timeline.of(game("A B", "B B", "A B", "B S1", bots=bots))
    scene_at = film_scenes(timeline, fast=False)
    free = _uncovered(pygame.Rect(safe_box((1080, 1920))))
    times, said = [timeline.end * number / 40 for number in range(40)], 0
    pictures = []
    for drawn in (True, False):
        with monkeypatch.context() as patched:
            if not drawn:
                patched.setattr(EffectLabels, "_draw_words", lambda *given: None)
            renderer = Renderer((1080, 1920), timeline.segments[0].board.rules, film="covered")
            for t in times:
                surface = pygame.Surface((1080, 1920))
                renderer.draw(surface, replace(scene_at(t), banner=None))
                pictures.append(pygame.surfarray.array2d(surface))
    for one, other in zip(pictures[:40], pictures[40:], strict=True):
        across, down = np.nonzero(one != other)
        said += bool(len(across))
        assert not len(across) or free.contains(
            pygame.Rect(across.min(), down.min(), np.ptp(across) + 1, np.ptp(down) + 1)
        )
    assert said > 5


def test_orders_and_what_the_acting_bot_thinks_are_drawn_large(monkeypatch):
    texts = note_texts(monkeypatch)
    segment = next(segment for segment in TIMELINE.segments if getattr(segment.record, "decision", None) and
                   segment.record.decision.thought == THOUGHT)  # fmt: skip
    renderer = Renderer((1080, 1920), segment.board.rules, film="covered")
    renderer.draw(pygame.Surface((1080, 1920)), TIMELINE.at(segment.end - 0.01))
    assert {"\u201cattack\u201d", "\u201chide\u201d", "BATLLM ", "ARCADE"} <= {*texts.words}
    words = " ".join(
        text for text, height in texts.largest("height").items() if height >= 42
    )  # 14 pixels of a telephone 360 wide
    assert all(word in words for word in play_words(segment.record).split())


@pytest.fixture
def texts(monkeypatch):
    """What is drawn from now on."""
    return note_texts(monkeypatch)


@pytest.mark.parametrize("size", [(1280, 720), (800, 450), (1440, 1080), (720, 1280), (1080, 1080), (1080, 1350)])
def test_thoughts_have_14_pixels_where_the_shorter_side_of_a_film_is_shown_with_360(texts, size):
    timeline = Timeline.of(
        replace(record, decision=replace(record.decision, thought=WORDY)) if isinstance(record, Play) else record
        for record in charged_match()
    )
    renderer = Renderer(size, timeline.segments[0].board.rules, film="plain")
    renderer.draw(pygame.Surface(size), timeline.at(timeline.segments[-2].end - 0.01))
    heights = [height for text, height in texts.largest("size").items() if any(word in text for word in WORDY.split())]
    assert heights
    assert min(heights) >= 14 / 360 * min(size) - 0.5
    assert {"attack", "hide"} <= {text.strip("\u201c\u201d") for text in texts.words}


@pytest.mark.parametrize("size", [(1080, 1920), (1080, 1080)])
def test_what_a_play_led_to_can_be_read_as_well_as_a_thought(texts, size):
    rules = TIMELINE.segments[0].board.rules
    led = [(each, outcome(each.record, rules)[0]) for each in TIMELINE.segments if isinstance(each.record, Play)]
    assert any(len(words) > 20 for _, words in led)
    for segment, words in led:
        texts.clear()
        film = "covered" if size[1] > size[0] else "plain"
        Renderer(size, rules, film=film).draw(pygame.Surface(size), TIMELINE.at(segment.end - 0.01))
        assert not words or texts.largest("size")[words] >= (42 if len(words) <= 22 else 35)


def test_before_the_first_play_nothing_is_black():
    size = (540, 540)
    renderer, surface = Renderer(size, TIMELINE.segments[0].board.rules, film="plain"), pygame.Surface((540, 540))
    renderer.draw(surface, TIMELINE.at(0.0))
    assert renderer.layout.words is not None
    middle = pygame.Rect(renderer.layout.words).center
    assert surface.get_at(middle)[:3] != (0, 0, 0)


def test_long_orders_are_cut_at_a_word(monkeypatch):
    texts = note_texts(monkeypatch)
    long = " ".join(f"word{number}" for number in range(90))
    records = [
        replace(record, prompts=(long, "hide")) if isinstance(record, RoundStarted) else record
        for record in charged_match()
    ]
    timeline = Timeline.of(records)
    renderer = Renderer((1080, 1920), timeline.segments[0].board.rules, film="covered")
    renderer.draw(pygame.Surface((1080, 1920)), timeline.at(timeline.end / 2))
    (last,) = (text for text in texts.words if text.endswith("\u2026") and text.startswith("word"))
    assert all(word in long.split() for word in last.removesuffix("\u2026").split())


@pytest.mark.parametrize("size", [(1080, 1920), (1080, 1080)])
def test_films_that_are_not_wide_show_how_many_shots_both_guns_have(size, monkeypatch):
    shown: list[int] = []
    paint = ChargeRow.paint

    def noted(self, surface, area, rules, charge, *, alarm):
        shown.append(charge)
        assert surface.get_rect().contains(area)
        return paint(self, surface, area, rules, charge, alarm=alarm)

    monkeypatch.setattr(ChargeRow, "paint", noted)
    segment = next(segment for segment in TIMELINE.segments if isinstance(segment.record, Play))
    film = "covered" if size[1] > size[0] else "plain"
    scene = TIMELINE.at(segment.end - 0.01)
    Renderer(size, segment.board.rules, film=film).draw(pygame.Surface(size), scene)
    assert shown == [pose.charge for pose in scene.bots]
    shown.clear()
    rules = replace(segment.board.rules, battery=0)
    Renderer(size, rules, film=film).draw(pygame.Surface(size), replace(scene, board=replace(scene.board, rules=rules)))
    assert not shown
