"""What a match with battery and armour looks like, as pictures that somebody has looked at."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest
from charged import RULES, SEATS, charged_match
from golden import SIZES, assert_looks_like

from batllm_arcade.core.flight import part_at
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.settings.user_settings import DisplayOptions
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


@pytest.mark.parametrize("half", [30.0, 50.0, 120.0])
@pytest.mark.parametrize("seat", [0, 1])
def test_plate_and_vent_are_exactly_as_wide_as_the_rules_make_them(half, seat):
    rules = replace(RULES, shield_degrees=half)
    bare, armoured = (pygame.Surface((180, 180), pygame.SRCALPHA) for _ in range(2))
    middle = 90.0
    blit_centred(bare, Sprites(60, half).bot(seat, 0, True), (middle, middle))
    blit_centred(armoured, Sprites(60, half, rules).bot(seat, 0, True), (middle, middle))

    def differs(offset: float) -> bool:
        angle = math.radians(offset)
        spot = (round(middle + 0.97 * 60 * math.cos(angle)), round(middle + 0.97 * 60 * math.sin(angle)))
        return any(abs(a - b) > 12 for a, b in zip(armoured.get_at(spot), bare.get_at(spot), strict=True))

    for offset in range(15, 180, 3):  # the barrel covers the middle of the plate
        if min(abs(offset - half), abs(offset - (180 - half))) > 3:
            assert differs(offset) == (part_at(offset, rules) != "side"), f"{offset} degrees"


@pytest.mark.parametrize("battery", [1, 10, 24, 60, 1000])
@pytest.mark.parametrize("shot", [0, 1, 7])
def test_any_battery_s_charge_is_seen_in_the_arena(battery, shot):
    figures = {name: min(getattr(RULES, name), battery) for name in FIGURES}
    rules = replace(RULES, battery=battery, shot_charge=min(shot, battery), **figures)
    scene = Timeline.of(charged_match(RULES)).at(0.0)
    board = replace(scene.board, rules=rules, seats=SEATS)
    pictures = []
    for charge in (0, battery // 2, battery):
        bots = tuple(replace(pose, charge=charge, shield=0.0, entrance=1.0) for pose in scene.bots)
        surface = pygame.Surface((640, 360))
        renderer = Renderer((640, 360), rules)
        renderer.draw(surface, replace(scene, board=board, bots=bots, banner=None))
        pictures.append(pygame.image.tobytes(surface.subsurface(renderer.arena), "RGB"))
    assert len(set(pictures)) == (3 if battery > 1 else 2)
