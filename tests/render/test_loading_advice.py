"""What a player has to know is said while a match loads, and never written over what is being loaded."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings import config

SEATS = (SeatInfo("Ann", "keyboard"), SeatInfo("Bob", "embedded"))


def drawn(size, rules):
    surface, picture = pygame.Surface(size), Renderer(size, rules)
    picture.draw_loading(surface, 1.0, SEATS, "a model of some size is loaded, " * 3, failed=False)
    arena = picture.arena
    cut = round(0.7 * arena.height)
    foot = pygame.Rect(arena.left, arena.top + cut, arena.width, arena.height - cut)
    head = pygame.Rect(arena.left, arena.top, arena.width, round(0.2 * arena.height))
    return [pygame.image.tobytes(surface.subsurface(part), "RGB") for part in (head, foot)]


@pytest.mark.parametrize("size", [(960, 540), (480, 854)])
def test_what_is_said_of_bounces_and_back_steps_is_on_top_and_the_foot_stays(size):
    rules = config.load("arena").rules
    head, foot = drawn(size, rules)
    two_said_head, two_said_foot = drawn(size, replace(rules, ricochet=0, back_step=0))
    assert foot == two_said_foot
    assert head != two_said_head
