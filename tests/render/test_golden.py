"""What a match looks like: each of its great moments as one picture that somebody has looked at."""

from __future__ import annotations

from dataclasses import replace

import charged
import pygame
import pytest
import turns
from fakes import aim, played
from golden import assert_looks_like

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Aim, Scene, Thinking
from batllm_arcade.view.timeline import Timeline

HD, LARGE, SMALL = (1280, 720), (1920, 1080), (960, 540)
TALL, PHONE = (720, 1280), (540, 960)
CALM = DisplayOptions(reduced_motion=True, ui_scale=1.5)
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


KEYS = (("\u2190 \u2192  A D", "hold to aim"), ("", "let go to turn"), ("SPACE", "fire"))


def moment(name: str, display: DisplayOptions = DisplayOptions()) -> Scene:  # noqa: B008
    """One of the great moments of the match."""
    timeline = Timeline.of(match(), display)
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


def charged_moment(name: str, display: DisplayOptions = DisplayOptions()) -> Scene:  # noqa: B008
    """One of the moments that only a match with battery and armour has."""
    timeline = Timeline.of(charged.charged_match(), display)
    effects = [effect for segment in timeline.segments for effect in segment.effects]
    at = {
        "moving": next(e.start for e in effects if e.kind == "dust") + 0.25,
        "back": next(e.start for e in effects if e.text == "back") + 0.25,
        "breaking": next(e.start + e.held for e in effects if e.kind == "break") + 0.15,
        "refused": next(e.start for e in effects if e.kind == "uncharged" and e.bot == 0) + 0.4,
        "weak": next(e.start for e in effects if e.kind == "fade") - 0.02,
    }
    scene = timeline.at(at[name])
    if name == "weak":
        return replace(scene, acting=None, thinking=Thinking(1, 12.3, "Hold it once more? It will", False))
    return scene


PICTURES = {
    "match": (moment, RULES, {
        "moving": HD, "hit": LARGE, "knockout": TALL, "thinking": HD, "fumble": TALL, "result": HD, "aiming": TALL,
    }),
    "charged": (charged_moment, charged.RULES, {
        "moving": SMALL, "back": HD, "breaking": TALL, "refused": LARGE, "weak": HD,
    }),
    "telegraph": (turns.scene, turns.RULES, {
        "threat": HD, "holds": SMALL, "empty": PHONE, "turning": LARGE, "corner": SMALL, "step": SMALL, "shield": PHONE,
        "lead": SMALL, "bounce": PHONE, "back": SMALL, "bump": SMALL,
    }),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, (*_, names) in PICTURES.items() for name in names])
def test_a_moment_of_a_match_looks_as_it_should(kind, name):
    scene_of, rules, sizes = PICTURES[kind]
    surface = pygame.Surface(sizes[name])
    Renderer(sizes[name], rules).draw(surface, scene_of(name))
    assert_looks_like(f"{kind}-{name}", surface)


@pytest.mark.parametrize(
    ("name", "size", "rules", "scene"),
    [
        ("match-large-calm", TALL, RULES, moment("fumble", CALM)),
        ("charged-weak-large-calm", HD, charged.RULES, charged_moment("weak", CALM)),
        ("telegraph-threat-large-calm", PHONE, turns.RULES, turns.scene("threat")),
    ],
)
def test_large_words_and_reduced_motion_look_as_they_should(name, size, rules, scene):
    surface = pygame.Surface(size)
    Renderer(size, rules, CALM).draw(surface, scene)
    assert_looks_like(name, surface)


def test_waiting_for_a_match_looks_as_it_should():
    surface = pygame.Surface(HD)
    seats = (SeatInfo("Ann", "keyboard", human=True), SEATS[0])
    prompts = ("", "Rush the enemy and shoot. Keep your shield up while you walk.")
    Renderer(HD, RULES).draw_loading(surface, 4.3, seats, "right: loading gemma3", failed=False, prompts=prompts)
    assert_looks_like("match-loading", surface)


def test_the_word_of_a_knock_out_is_gone_when_the_result_comes(monkeypatch):
    said, timeline = [], Timeline.of(match())
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
