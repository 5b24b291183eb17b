"""Sprites: as wide as the rules make them, as large as they can be hit, painted once, and lights laid as they shine."""

from __future__ import annotations

import math
from dataclasses import replace

import pygame
import pytest
from charged import RULES, SEATS, charged_match

from batllm_arcade.core.flight import part_at
from batllm_arcade.core.model import Rules
from batllm_arcade.render import sprites as shapes
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.sprites import Glows, Sprites, _rotated, blit_centred, lay_light
from batllm_arcade.view.timeline import Timeline

FIGURES = ("initial_charge", "block_charge", "shield_charge", "step_charge", "rest_charge")


@pytest.mark.parametrize("half", [30.0, 64.0, 88.0, 180.0])
@pytest.mark.parametrize("rot", [0, 75, 270])
def test_the_shield_is_drawn_exactly_as_wide_as_it_blocks(half, rot):
    radius = 40
    sprite = pygame.Surface((4 * radius, 4 * radius), pygame.SRCALPHA)
    blit_centred(sprite, Sprites(radius, half).shield(0, rot, 1.0), (2 * radius, 2 * radius))
    middle = 2 * radius, 2 * radius

    def covered(offset: float) -> bool:
        angle = math.radians(rot + offset)
        x, y = (round(m + 1.14 * radius * d) for m, d in zip(middle, (math.cos(angle), math.sin(angle)), strict=True))
        return sprite.get_at((x, y)).a > 128

    step = 3.0  # degrees; a pixel at this radius is 1.3 degrees wide
    assert all(covered(sign * share * (half - step)) for sign in (-1, 1) for share in (0.0, 0.3, 0.7, 1.0))
    if half < 180 - step:
        assert not any(covered(sign * offset) for sign in (-1, 1) for offset in (half + step, (half + 180) / 2 + 1))


@pytest.mark.parametrize("radius", [9.3, 24.8, 49.0])
@pytest.mark.parametrize("half", [30.0, 64.0, 180.0])
def test_nothing_that_is_seen_of_a_turned_bot_or_shield_is_cut(radius, half):
    sprites = Sprites(radius, half, Rules(shield_degrees=half, battery=10))
    for base in (
        *(sprites._base(seat, alive) for seat in (0, 1) for alive in (True, False)),
        sprites._arc(0, 8, 8, False),
    ):
        for degree in range(0, 360, 15):
            turned, cut = pygame.transform.rotozoom(base, -degree, 0.5), _rotated(base, degree)
            seen = [surface.get_bounding_rect().size for surface in (turned, cut)]
            assert seen[0] == seen[1], degree
            assert cut.get_width() <= base.get_width() / 2 + 6


def test_a_bot_is_drawn_as_large_as_it_can_be_hit():
    sprite = Sprites(40, 64).bot(0, 0, True)
    middle = sprite.get_width() // 2
    row = [sprite.get_at((x, middle)).a > 128 for x in range(sprite.get_width())]
    assert abs(sum(row) - 80) <= 2


def test_the_bots_of_the_next_match_are_not_painted_again_and_look_the_same():
    shapes.kept.cache_clear()

    def pixels() -> list[bytes]:
        sprites = Sprites(33, 64)
        sprites.shield(1, 30, 1.0, 0.3)  # a faint one must not make the next whole one faint
        shown = (sprites.flash(0, 30), sprites.struck_shield(1, 30), sprites.bot(0, 30, True), sprites.shield(1, 30, 1))
        return [pygame.image.tobytes(each, "RGBA") for each in shown]

    first = pixels()
    assert shapes.kept.cache_info().misses == 2
    assert pixels() == first
    assert shapes.kept.cache_info().misses == 2


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


@pytest.mark.parametrize("radius", [9.0, 70.0, 420.0])
@pytest.mark.parametrize("at", [(50.0, 40.0), (0.0, 12.4), (130.7, 90.0)])
@pytest.mark.parametrize("strength", [0.17, 1.0])
def test_it_is_the_same_light(radius, at, strength):
    laid, blitted = pygame.Surface((120, 80)), pygame.Surface((120, 80))
    for surface in (laid, blitted):
        surface.fill((10, 20, 30))
    lay_light(laid, (250, 120, 60), radius, strength, at)
    blit_centred(blitted, Glows().glow((250, 120, 60), radius, strength), at, pygame.BLEND_RGB_ADD)
    assert pygame.image.tobytes(laid, "RGB") == pygame.image.tobytes(blitted, "RGB")
    assert laid.get_at((int(min(at[0], 119)), int(min(at[1], 79)))) != (10, 20, 30) or radius < 12
