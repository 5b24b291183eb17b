"""Draws short effects: muzzle flash, hits, blocks, dust, knock-outs; `effect_words` draws their words."""

from __future__ import annotations

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.render.background import ring
from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.look import motion, particles
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.theme import Color, mixed

_ADD = pygame.BLEND_RGB_ADD
Pixel = tuple[float, float]


class Effects:
    """Draws the effects of one arena; pictures are a function of the effect and the time."""

    def __init__(self, sprites: Sprites, scale: float, display: DisplayOptions) -> None:
        self._sprites, self._lights, self._scale, self._calm = sprites, sprites.lights, scale, display.reduced_motion

    def draw_below(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the part of an effect that is below the bots."""
        at, age, radius = camera.point(*effect.at), effect.age(t), self._sprites.radius
        if effect.kind == "knockout":
            light = motion.SCORCH_LIGHT.at(motion.SCORCH_HURRY * age)
            scorch = self._lights.puff(look.SCORCH, radius * motion.SCORCH_REACH, light)
            blit_centred(target, scorch, at)
        elif effect.kind == "dust" and not self._calm:
            puffs = particles.DUST.puffs(t - effect.start, at, effect.degrees, camera.length(effect.amount), radius)
            self._draw_puffs(target, look.DUST, puffs)

    def draw(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the part of an effect that is above the bots."""
        at, age, radius = camera.point(*effect.at), effect.age(t), self._sprites.radius
        if effect.kind == "muzzle":
            ux, uy = direction(effect.degrees % 360)
            at = (at[0] + ux * radius * look.MUZZLE, at[1] + uy * radius * look.MUZZLE)
        elif effect.kind in ("break", "fade"):
            if age <= 0.0:
                return
            self._draw_lost_shield(target, effect, at, age)
        elif effect.kind == "knockout" and age < motion.FLASH_AGE and not self._calm:
            target.flash(look.FLASH)
        for layer in look.LAYERS.get(effect.kind, ()):
            self._draw_layer(target, layer, effect, at, age)

    def _draw_layer(self, target: DrawList, layer: look.Layer, effect: Effect, at: Pixel, age: float) -> None:
        radius, lights, bot = self._sprites.radius, self._lights, effect.bot
        degrees = 0.0 if effect.kind == "knockout" else effect.degrees
        match layer:
            case look.GlowLayer(color, reach, light, hurry):
                glow = lights.glow(look.tinted(color, bot), radius * reach, light.at(hurry * age))
                blit_centred(target, glow, at, _ADD)
            case look.RingLayer(color, reach, light):
                found = lights.ring(look.tinted(color, bot), radius * reach.at(age), light.at(age))
                blit_centred(target, found, at, _ADD)
            case look.SparkLayer(turn=turn, hurry=hurry):
                self._draw_sparks(target, layer, bot, at, degrees + turn, min(1.0, age * hurry))
            case look.SplinterLayer(turn=turn) if not self._calm:
                self._draw_splinters(target, layer, bot, at, degrees + turn, age)
            case look.WaveLayer(delay=delay, lasts=lasts):
                part = (age - delay) / lasts
                if 0 < part < 1:
                    self._draw_shock_wave(target, layer, bot, at, part)
            case look.SmokeLayer(count) if not self._calm:
                self._draw_puffs(target, look.SMOKE, particles.SMOKE.puffs(count, at, radius, age))

    def _draw_lost_shield(self, target: DrawList, effect: Effect, at: Pixel, age: float) -> None:
        """Draw a shield's splinters."""
        sprites, tint = self._sprites, mixed(look.shard_color(effect.bot), theme.FLOOR, age)
        shards = particles.SHARDS[effect.kind]
        for corners in shards.pieces(at, effect.degrees, sprites.shield_degrees, sprites.radius, age, calm=self._calm):
            target.polygon(tint, corners)

    def _draw_shock_wave(self, target: DrawList, layer: look.WaveLayer, bot: int, at: Pixel, part: float) -> None:
        """Draw a wide anti-aliased ring; too large and too short-lived for the cache."""
        color = mixed(look.tinted(layer.color, bot), theme.FLOOR, part)
        reach, wide = self._sprites.radius * layer.reach.at(part), max(layer.least, round(layer.wide * self._scale))
        target.circle(color, at, reach, wide)
        for edge in (reach - 0.5, reach - wide + 0.5):
            target.outline(color, ring(at, edge))

    def _draw_puffs(self, target: DrawList, color: Color, puffs: list[particles.Puff]) -> None:
        for x, y, radius, light in puffs:
            blit_centred(target, self._lights.puff(color, radius, light), (x, y))

    def _draw_sparks(
        self, target: DrawList, layer: look.SparkLayer, bot: int, at: Pixel, degrees: float, age: float
    ) -> None:
        """Draw streaks that fly off around a direction and fade into the floor."""
        if age >= 1.0:
            return
        sparks, color = particles.SPARKS, look.tinted(layer.color, bot)
        count = layer.number // sparks.calm if self._calm else layer.number
        spread = 2 * self._sprites.shield_degrees if layer.spread is None else layer.spread
        light = sparks.light.at(age)
        tint = mixed(mixed(theme.WHITE, color, sparks.tint.at(age)), theme.FLOOR, 1 - light)
        size = max(sparks.least, sparks.ember * self._scale)
        ember = self._lights.glow(theme.WHITE if age < sparks.white else color, size, light)
        along = particles.rays(count, round(degrees), spread, sparks.nearest)
        lines = sparks.streaks(along, at, self._sprites.radius * layer.reach, age)
        target.spray(tint, lines, [(ember, [end for _, end in lines])], _ADD)

    def _draw_splinters(
        self, target: DrawList, layer: look.SplinterLayer, bot: int, at: Pixel, degrees: float, age: float
    ) -> None:
        splinters, radius = particles.SPLINTERS, self._sprites.radius
        along = particles.rays(layer.number, round(degrees), layer.spread, splinters.nearest)
        light = splinters.light.at(age)
        for number, (x, y, turned) in enumerate(splinters.pieces(along, at, radius * layer.reach, age)):
            blit_centred(target, faded(self._lights.splinter(bot, radius, number, int(turned)), light), (x, y))
