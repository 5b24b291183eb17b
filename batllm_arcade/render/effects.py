"""Draws short effects: muzzle flash, hits, blocks, dust, knock-outs, and the texts that pop up with them."""

from __future__ import annotations

from typing import Literal

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.render.background import ring
from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.look import motion, particles
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.theme import Color, mixed

_ADD = pygame.BLEND_RGB_ADD
Pixel = tuple[float, float]
Place = Literal["above", "below", "beside"]
"""Where words stand, seen from their bot."""


class Effects:
    """Draws the effects of one arena; pictures are a function of the effect and the time."""

    def __init__(
        self, sprites: Sprites, text_renderer: TextRenderer, icons: Icons, scale: float, display: DisplayOptions
    ) -> None:
        self._sprites, self._lights, self._text_renderer, self._icons = sprites, sprites.lights, text_renderer, icons
        self._scale, self._calm, self._texts = scale, display.reduced_motion, Cache(40)

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
        target.spray(tint, lines, [(ember, end) for _, end in lines], _ADD)

    def _draw_splinters(
        self, target: DrawList, layer: look.SplinterLayer, bot: int, at: Pixel, degrees: float, age: float
    ) -> None:
        splinters, radius = particles.SPLINTERS, self._sprites.radius
        along = particles.rays(layer.number, round(degrees), layer.spread, splinters.nearest)
        light = splinters.light.at(age)
        for number, (x, y, turned) in enumerate(splinters.pieces(along, at, radius * layer.reach, age)):
            blit_centred(target, faded(self._lights.splinter(bot, radius, number, int(turned)), light), (x, y))

    def draw_words(
        self, target: DrawList, effect: Effect, t: float, camera: Camera, arena: pygame.Rect, place: Place
    ) -> None:
        """Draw the text that pops up at a bot and rises, in a place that hides nothing else."""
        words, age = look.words(effect), effect.age(t)
        if words is None:
            return
        age *= effect.duration / look.words_seconds(effect)
        if age < 1.0:
            self._draw_text(target, words.text, age, camera.point(*effect.at), arena, (words.color, words.size), place)
        if effect.kind == "fumble" and effect.amount:
            self._draw_stars(target, camera.point(*effect.at), effect.age(t))

    def _draw_text(
        self,
        target: DrawList,
        text: str,
        age: float,
        at: Pixel,
        arena: pygame.Rect,
        style: tuple[Color, float],
        place: Place,
    ) -> None:
        (color, size), words = style, motion.WORDS
        if not self._calm:
            size *= words.size(age)
        image = self._texts.get((text, size, color), lambda: self._with_outline(text, size, color))
        half_w, half_h = image.get_width() / 2, image.get_height() / 2
        rise = self._sprites.radius * (words.above + (0.0 if self._calm else words.rise.at(age))) + half_h
        y = at[1] + rise if place == "below" else at[1] - rise
        if y - half_h < arena.top:
            y = at[1] + rise
        elif y + half_h > arena.bottom:
            y = at[1] - rise
        aside = half_w + 16 * self._scale  # clear of the wall
        x = min(max(at[0], arena.left + aside), arena.right - aside)
        if place == "beside":  # on the side with more room, at the height of the bot's lower half
            away = 1.7 * self._sprites.radius + half_w
            x = at[0] - away if at[0] > arena.centerx else at[0] + away
            y = at[1] + 0.5 * self._sprites.radius
        blit_centred(target, faded(image, words.light.at(age)), (x, y))

    def _with_outline(self, text: str, size: float, color: Color) -> pygame.Surface:
        """Return text with a dark outline, readable on any background."""
        front, shadow = (self._text_renderer.line(text, "title", size, tint) for tint in (color, theme.NIGHT))
        edge = max(1, round(2 * self._scale))
        image = pygame.Surface((front.get_width() + 2 * edge, front.get_height() + 2 * edge), pygame.SRCALPHA)
        for dx, dy in ((0, 0), (2 * edge, 0), (0, 2 * edge), (2 * edge, 2 * edge)):
            image.blit(shadow, (dx, dy))
        image.blit(front, (edge, edge))
        return image

    def _draw_stars(self, target: DrawList, at: Pixel, age: float) -> None:
        """Draw the stars that circle above a bot after a fumble."""
        stars, radius = motion.STARS, self._sprites.radius
        star = faded(self._icons.star(max(4, round(radius * stars.size)), theme.GOLD), stars.light.at(age))
        for x, y in stars.places(at, radius, 0.0 if self._calm else age):
            blit_centred(target, star, (x, y))
