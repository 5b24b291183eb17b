"""Draws a bot's shield: its arc, its flicker when the battery is low, and how it blocks."""

from __future__ import annotations

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.core.model import Rules
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.view import theme
from batllm_arcade.view.charge import is_weak
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.armour import FAINTEST, SHIELD_MIDDLE
from batllm_arcade.view.scene import BotPose, Effect
from batllm_arcade.view.theme import mixed

_ADD = pygame.BLEND_RGB_ADD


class ShieldRenderer:
    """Draws the shields of one arena's bots; `calm` ones neither flicker nor shimmer."""

    def __init__(self, sprites: Sprites, *, calm: bool) -> None:
        self._sprites, self._calm = sprites, calm

    def draw(
        self,
        target: DrawList,
        pose: BotPose,
        at: tuple[float, float],
        index: int,
        own_effects: list[Effect],
        t: float,
        rules: Rules,
    ) -> None:
        """Draw a bot's shield: as opaque as there is charge left; it flickers where the next bullet ends it."""
        sprites = self._sprites
        if rules.battery:
            weak = is_weak(rules, pose.charge)
            share = FAINTEST + (1 - FAINTEST) * pose.charge / rules.battery
            if weak and not self._calm and sum(swing.at(t) for swing in motion.FLICKER) > motion.FLICKERS_ABOVE:
                share *= motion.FLICKER_LIGHT
            blit_centred(target, sprites.shield(index, pose.rot, pose.shield, share, weak=weak), at)
        else:
            blit_centred(target, sprites.shield(index, pose.rot, pose.shield), at)
        block = next((effect for effect in own_effects if effect.kind == "block"), None)
        shimmer = motion.SHIMMER
        if pose.shield > shimmer.whole and not self._calm:
            for swing in shimmer.swings:
                spot = pose.rot + swing.at(t) * sprites.shield_degrees
                self._draw_glint(target, spot, at, index, shimmer.size, shimmer.light)
        if block is None:
            return
        age = block.age(t)
        if age < motion.STRUCK_AGE and not self._calm:
            blit_centred(target, sprites.struck_shield(index, pose.rot), at)
        ripple = motion.RIPPLE
        for side in (-1, 1):
            for number in range(ripple.number):
                away = side * (age * ripple.speed - ripple.lag * number) * sprites.shield_degrees
                spot, size = block.degrees + away, ripple.size - ripple.smaller * number
                if abs((spot - pose.rot + 180) % 360 - 180) <= sprites.shield_degrees and away * side >= 0:
                    self._draw_glint(target, spot, at, index, size, ripple.light.at(age))

    def _draw_glint(
        self, target: DrawList, degrees: float, at: tuple[float, float], index: int, size: float, strength: float
    ) -> None:
        ux, uy = direction(degrees % 360)
        radius = self._sprites.radius
        light = self._sprites.glow(mixed(theme.SEAT_COLORS[index], theme.WHITE, 0.55), radius * size, strength)
        blit_centred(target, light, (at[0] + ux * radius * SHIELD_MIDDLE, at[1] + uy * radius * SHIELD_MIDDLE), _ADD)
