"""A wide light that is laid on a picture is the one that bots have, however much of it is seen."""

from __future__ import annotations

import pygame
import pytest

from batllm_arcade.render.sprites import Glows, blit_centred, lay_light


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
