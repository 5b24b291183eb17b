"""Draws bullets, their traces, and a person's aim."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.geometry import direction, ray_meets_circle, ray_meets_walls
from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Bullet, Effect, Scene
from batllm_arcade.view.theme import mixed

_ADD = pygame.BLEND_RGB_ADD
_BEADS = 12
_LIT = (36, 44, 74)  # the lightest floor: a fading line must not end darker than it


class BulletRenderer:
    """Draws bullets, traces and the aim of one arena."""

    def __init__(self, rules: Rules, sprites: Sprites, scale: float, text_renderer: TextRenderer) -> None:
        self._rules, self._sprites, self._scale, self._text_renderer = rules, sprites, scale, text_renderer

    def draw_bullet(self, target: DrawList, bullet: Bullet, camera: Camera) -> None:
        """Draw a bolt of light that is thin at its tail."""
        tail, head = camera.point(*bullet.tail), camera.point(*bullet.head)
        color, reach = theme.SEAT_COLORS[bullet.bot], 17 * self._scale
        beads = []
        for bead in range(_BEADS):
            share = (bead + 1) / _BEADS
            light = self._sprites.glow(color, reach * (0.35 + 0.65 * share), 0.25 + 0.6 * share)
            beads.append((light, (tail[0] + (head[0] - tail[0]) * share, tail[1] + (head[1] - tail[1]) * share)))
        target.lights(beads, _ADD)
        middle = ((tail[0] + head[0] * 2) / 3, (tail[1] + head[1] * 2) / 3)
        ux, uy = _across(tail, head)
        for nudge in (-0.8 * self._scale, 0.0, 0.8 * self._scale):
            ends = ((middle[0] + ux * nudge, middle[1] + uy * nudge), (head[0] + ux * nudge, head[1] + uy * nudge))
            target.line(mixed(color, theme.WHITE, 0.75), *ends)
        blit_centred(target, self._sprites.glow(theme.WHITE, reach * 0.9, 1.0), head, _ADD)

    def draw_trace(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the fading line of a bullet's flight."""
        strength = (1 - effect.age(t)) ** 2
        ux, uy = direction(effect.degrees % 360)
        start = camera.point(*effect.at)
        end = camera.point(effect.at[0] + ux * effect.amount, effect.at[1] + uy * effect.amount)
        color = mixed(_LIT, theme.SEAT_COLORS[effect.bot], 0.6 * strength)
        if strength > 0.1:
            target.line(color, start, end)

    def draw_aim(self, target: DrawList, scene: Scene, camera: Camera) -> None:
        """Draw a dashed line to what a shot would hit, and a translucent bot in the new direction."""
        aim = scene.aim
        assert aim is not None
        me, foe, rules = scene.bots[aim.bot], scene.bots[1 - aim.bot], self._rules
        ux, uy = direction(aim.rot % 360)
        hit = ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, rules.bot_radius)
        end = camera.point(*(hit or ray_meets_walls(me.x, me.y, ux, uy, rules.arena_width, rules.arena_height)))
        color = theme.GOLD if hit else mixed(theme.SEAT_COLORS[aim.bot], theme.FLOOR, 0.3)
        start, radius = camera.point(me.x, me.y), self._sprites.radius
        self._draw_dashes(target, start, end, color, radius * 1.3)
        if hit:
            target.circle(color, end, 9 * self._scale, max(2, round(2 * self._scale)))
        blit_centred(target, faded(self._sprites.bot(aim.bot, aim.rot, True), 0.43), start)
        if aim.turned:
            angle = self._text_renderer.line(f"{abs(aim.turned):.0f}\u00b0", "title", 22, color)
            away = radius * 2.2
            place = angle.get_rect(center=(round(start[0] - ux * away), round(start[1] - uy * away)))
            target.blit(angle, place.clamp(target.clip.inflate(-8, -8)))

    def _draw_dashes(
        self, target: DrawList, start: tuple[float, float], end: tuple[float, float], color: theme.Color, offset: float
    ) -> None:
        length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        gap, bead = 14 * self._scale, self._sprites.glow(color, 6 * self._scale, 1.0)
        while offset < length:
            blit_centred(target, bead, (start[0] + ux * offset, start[1] + uy * offset), _ADD)
            offset += gap


def _across(tail: tuple[float, float], head: tuple[float, float]) -> tuple[float, float]:
    """Return the unit vector perpendicular to a line."""
    length = math.hypot(head[0] - tail[0], head[1] - tail[1]) or 1.0
    return -(head[1] - tail[1]) / length, (head[0] - tail[0]) / length
