"""What a match with battery and armour looks like, as pictures that somebody has looked at."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from charged import RULES, SEATS, charged_match
from golden import SIZES, assert_looks_like

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Scene, Thinking
from batllm_arcade.view.timeline import Timeline

FIGURES = ("initial_charge", "block_charge", "shield_charge", "step_charge", "rest_charge")
SMALL, TALL = (960, 540), (720, 1280)


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(charged_match())


def moment(timeline: Timeline, name: str) -> Scene:
    """One of the moments that only such a match has."""
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


@pytest.mark.parametrize("size", [SMALL, *SIZES, TALL], ids=str)
@pytest.mark.parametrize("name", ["moving", "back", "breaking", "refused", "weak"])
def test_a_moment_of_a_match_with_a_battery_looks_as_it_should(timeline, name, size):
    surface = pygame.Surface(size)
    Renderer(size, RULES).draw(surface, moment(timeline, name))
    assert_looks_like(f"charged-{name}", surface)


@pytest.mark.parametrize("size", [SIZES[0], TALL], ids=str)
@pytest.mark.parametrize("name", ["breaking", "weak"])
def test_large_words_and_reduced_motion_look_as_they_should(name, size):
    display = DisplayOptions(reduced_motion=True, ui_scale=1.5)
    surface = pygame.Surface(size)
    Renderer(size, RULES, display).draw(surface, moment(Timeline.of(charged_match(), display), name))
    assert_looks_like(f"charged-{name}-large-calm", surface)


@pytest.mark.parametrize("battery", [1, 10, 24, 60, 1000])
@pytest.mark.parametrize("shot", [0, 1, 7])
def test_any_battery_can_be_drawn_at_any_charge(battery, shot):
    figures = {name: min(getattr(RULES, name), battery) for name in FIGURES}
    rules = replace(RULES, battery=battery, shot_charge=min(shot, battery), **figures)
    scene = Timeline.of(charged_match(RULES)).at(0.0)
    board = replace(scene.board, rules=rules, seats=SEATS)
    pictures = []
    for charge in (0, battery // 2, battery):
        bots = tuple(replace(pose, charge=charge, shield=1.0, entrance=1.0) for pose in scene.bots)
        surface = pygame.Surface((640, 360))
        Renderer((640, 360), rules).draw(surface, replace(scene, board=board, bots=bots, banner=None))
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert len(set(pictures)) == (3 if battery > 1 else 2)
