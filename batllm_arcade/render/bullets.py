"""Draws bullets and their traces."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.motion import BEADS, TRACE_FADE, TRACE_LEAST, TRACE_LIGHT
from batllm_arcade.view.scene import Bullet, Effect
from batllm_arcade.view.theme import mixed

_ADD = pygame.BLEND_RGB_ADD
_LIT = (36, 44, 74)  # the lightest floor: a fading line must not end darker than it


class BulletRenderer:
    """Draws bullets and traces of one arena."""

    def __init__(self, sprites: Sprites, scale: float) -> None:
        self._sprites, self._scale = sprites, scale
        shares = [bead / BEADS.number for bead in range(1, BEADS.number + 1)]
        self._beads = [(share, BEADS.size.at(share), BEADS.light.at(share)) for share in shares]

    def draw_bullet(self, target: DrawList, bullet: Bullet, camera: Camera) -> None:
        """Draw a bolt of light that is thin at its tail."""
        tail, head = camera.point(*bullet.tail), camera.point(*bullet.head)
        color, reach = theme.SEAT_COLORS[bullet.bot], BEADS.reach * self._scale
        beads = []
        for share, size, strength in self._beads:
            light = self._sprites.glow(color, reach * size, strength)
            at = tail[0] + (head[0] - tail[0]) * share, tail[1] + (head[1] - tail[1]) * share
            beads.append((light, (at,)))
        target.lights(beads, _ADD)
        middle = ((tail[0] + head[0] * 2) / 3, (tail[1] + head[1] * 2) / 3)
        ux, uy = _across(tail, head)
        for nudge in (-0.8 * self._scale, 0.0, 0.8 * self._scale):
            ends = ((middle[0] + ux * nudge, middle[1] + uy * nudge), (head[0] + ux * nudge, head[1] + uy * nudge))
            target.line(mixed(color, theme.WHITE, 0.75), *ends)
        blit_centred(target, self._sprites.glow(theme.WHITE, reach * BEADS.head, 1.0), head, _ADD)

    def draw_trace(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the fading line of a bullet's flight."""
        strength = TRACE_FADE.at(effect.age(t))
        ux, uy = direction(effect.degrees % 360)
        start = camera.point(*effect.at)
        end = camera.point(effect.at[0] + ux * effect.amount, effect.at[1] + uy * effect.amount)
        color = mixed(_LIT, theme.SEAT_COLORS[effect.bot], TRACE_LIGHT * strength)
        if strength > TRACE_LEAST:
            target.line(color, start, end)


def _across(tail: tuple[float, float], head: tuple[float, float]) -> tuple[float, float]:
    """Return the unit vector perpendicular to a line."""
    length = math.hypot(head[0] - tail[0], head[1] - tail[1]) or 1.0
    return -(head[1] - tail[1]) / length, (head[0] - tail[0]) / length
