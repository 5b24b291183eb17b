"""Words said aloud: who says them, how long they stay, that they are seen, whatever they are."""

from __future__ import annotations

import pygame
import pytest
from fakes import played

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline

RULES = Rules(total_rounds=1, turns_per_round=3)


def told(*says):
    left = [Decision("", None, say=say) if say else "M" for say in says]
    return Timeline.of(played(left, ["C5"] * 3, rules=RULES, seed=1))


def begins(timeline, turn):
    return next(
        segment.start
        for segment in timeline.segments
        if isinstance(segment.record, Play) and (segment.record.turn, segment.record.bot) == (turn, 0)
    )


def spoken(timeline, t):
    return [(effect.bot, effect.text) for effect in timeline.at(t).effects if effect.kind == "speech"]


def picture(timeline, t):
    scene = timeline.at(t)
    surface = pygame.Surface((1280, 720))
    Renderer((1280, 720), scene.board.rules).draw(surface, scene)
    return surface


def test_words_appear_with_the_play_and_go_again():
    timeline = told("hello", "", "")
    start = begins(timeline, 1)
    assert spoken(timeline, start - 0.01) == []
    assert spoken(timeline, start + 0.01) == [(0, "hello")]
    assert spoken(timeline, start + theme.SPEECH_S - 0.01) == [(0, "hello")]
    assert spoken(timeline, start + theme.SPEECH_S + 0.01) == []


def test_a_bot_that_speaks_does_not_also_wait():
    timeline = told("hello", "", "")
    kinds = {effect.kind for effect in timeline.at(begins(timeline, 1) + 0.1).effects}
    assert kinds == {"speech"}


@pytest.mark.parametrize(
    "words",
    ["hello", "a " * 400, "x" * 999, "\x1b[2J\u202e\n\n\x00", " ", "é🎯漢字", "\ud800", "line\nline\nline\nline\nline"],
)
def test_a_bubble_is_seen_whatever_is_said(words):
    silent, loud = told("", "", ""), told(words, "", "")
    t = begins(loud, 1) + 0.4
    scene = loud.at(t)
    surface = picture(loud, t)
    arena = Renderer((1280, 720), RULES).arena
    x, y = Renderer((1280, 720), RULES).camera.point(scene.bots[0].x, scene.bots[0].y)
    near = pygame.Rect(0, 0, 380, 380)
    near.center = (round(x), round(y))
    near = near.clip(arena)
    changed = sum(
        surface.get_at((column, row)) != picture_of(silent, t).get_at((column, row))
        for column in range(near.left, near.right, 4)
        for row in range(near.top, near.bottom, 4)
    )
    assert changed > 20


_PICTURES: dict = {}


def picture_of(timeline, t):
    """One picture of the silent match, not one a pixel."""
    if t not in _PICTURES:
        _PICTURES[t] = picture(timeline, t)
    return _PICTURES[t]


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
