"""What a match looks like: its great moments as pictures that somebody has looked at."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import aim, played
from golden import SIZES, assert_looks_like

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Aim, Scene, Thinking
from batllm_arcade.view.timeline import Timeline

TALL = (720, 1280)
RULES = Rules(
    bot_radius=60,
    step_length=130,
    bullet_damage=(30, 20),
    shield_degrees=50,
    initial_health=(60, 60),
    total_rounds=2,
    turns_per_round=5,
)
THOUGHT = "Its shield is down and it stands to my right: I turn towards it, then I fire before it hides again."
STREAM = "The opponent is at bearing 42.1 and its shield is down. Mine is up, so I must lower it before I fire. First I"
SEATS = (SeatInfo("gemma3", "ollama:model=gemma3:4b", "gemma3:4b"), SeatInfo("turtle", "scripted:turtle"))


def aimed(view) -> Decision:
    """A model's rich reply that turns to the other bot."""
    token = aim(view).command
    return Decision(f'<think>S0 or M?</think>{{"cmd": "{token}", "reasoning": "line up"}}', token, THOUGHT)


def match() -> list[Record]:
    loud = Decision('{"cmd": "B"}', "B", THOUGHT, "Eat this!")
    left = ["S0", aimed, loud, Decision("I will go FORWARD and fire!", "FORWARD", THOUGHT), aimed, "B"]
    records = played(left, ["M", "C30", "S0", "A45.5", None], rules=RULES, seed=11, prompts=("attack", "hide"))
    return [replace(r, seats=SEATS) if isinstance(r, GameStarted) else r for r in records]


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(match())


KEYS = (("\u2190 \u2192  A D", "hold to aim"), ("", "let go to turn"), ("SPACE", "fire"))


def moment(timeline: Timeline, name: str) -> Scene:
    """One of the great moments of the match."""
    first = {effect.kind: effect for segment in reversed(timeline.segments) for effect in segment.effects}
    if name == "result":
        return timeline.at(timeline.end)
    if name in ("hit", "knockout", "fumble"):
        start = {"fumble": _fumble(timeline)}.get(name, first[name].start + first[name].held)
        return timeline.at(start + 0.15)
    scene = timeline.at(first["dust"].start + 0.3)
    if name == "thinking":
        return replace(scene, acting=None, thinking=Thinking(0, 7.31, STREAM, False))
    if name == "aiming":
        human = replace(scene.board, seats=(SEATS[0], SeatInfo("Ann", "keyboard", human=True)))
        return replace(
            scene,
            board=human,
            acting=None,
            thinking=Thinking(1, 3.0, "", True, 17.0),
            aim=Aim(1, 200.0, 25.0),
            keys=((), KEYS),
        )
    return scene


def _fumble(timeline: Timeline) -> float:
    return next(e.start for s in timeline.segments for e in s.effects if e.kind == "fumble" and e.amount)


@pytest.mark.parametrize("size", [*SIZES, TALL], ids=str)
@pytest.mark.parametrize("name", ["moving", "hit", "knockout", "thinking", "fumble", "result", "aiming"])
def test_a_moment_of_a_match_looks_as_it_should(timeline, name, size):
    surface = pygame.Surface(size)
    Renderer(size, RULES).draw(surface, moment(timeline, name))
    assert_looks_like(f"match-{name}", surface)


@pytest.mark.parametrize("size", [SIZES[0], TALL], ids=str)
def test_large_words_and_reduced_motion_look_as_they_should(size):
    display = DisplayOptions(reduced_motion=True, ui_scale=1.5)
    surface = pygame.Surface(size)
    Renderer(size, RULES, display).draw(surface, moment(Timeline.of(match(), display), "fumble"))
    assert_looks_like("match-large-calm", surface)


@pytest.mark.parametrize("size", [*SIZES, TALL], ids=str)
def test_waiting_for_a_match_looks_as_it_should(size):
    surface = pygame.Surface(size)
    seats = (SeatInfo("Ann", "keyboard", human=True), SEATS[0])
    prompts = ("", "Rush the enemy and shoot. Keep your shield up while you walk.")
    Renderer(size, RULES).draw_loading(surface, 4.3, seats, "right: loading gemma3", failed=False, prompts=prompts)
    assert_looks_like("match-loading", surface)


def test_the_word_of_a_knock_out_is_gone_when_the_result_comes(timeline, monkeypatch):
    said = []
    floater = lambda self, target, shown, t, limits: said.append(shown.words.text)  # noqa: E731, short
    monkeypatch.setattr("batllm_arcade.render.arena_words.EffectLabels._draw_words", floater)
    picture, surface = Renderer((640, 360), RULES), pygame.Surface((640, 360))
    result = next(s for s in timeline.segments if timeline.at(s.start).banner and s.board.result)
    picture.draw(surface, timeline.at(result.start - 0.7))
    assert "KNOCK-OUT!" in said
    said.clear()
    for step in range(20):
        picture.draw(surface, timeline.at(result.start + step / 20))
    assert not said
