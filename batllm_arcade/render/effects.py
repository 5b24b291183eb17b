"""Draws short effects: muzzle flash, hits, blocks, dust, knock-outs, and the texts that pop up with them."""

from __future__ import annotations

import math
from functools import lru_cache
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
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.theme import Color, mixed

_ADD = pygame.BLEND_RGB_ADD
_GOLDEN_ANGLE = 2.399963  # radians; spreads sparks evenly without randomness

_TEXT_SCALES = ((0.03, 1.5), (0.06, 1.25), (0.1, 1.1))
"""Share of a text's time and its enlargement until then; few sizes, so that surfaces can be cached."""

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
            scorch = self._lights.puff(look.SCORCH, radius * 1.9, 0.9 * min(1.0, 5 * age))
            blit_centred(target, scorch, at)
        elif effect.kind == "dust" and not self._calm:
            self._draw_dust(target, effect, t, camera)

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
        elif effect.kind == "knockout" and age < look.FLASH_AGE and not self._calm:
            target.flash(look.FLASH)
        for layer in look.LAYERS.get(effect.kind, ()):
            self._draw_layer(target, layer, effect, at, age)

    def _draw_layer(self, target: DrawList, layer: look.Layer, effect: Effect, at: Pixel, age: float) -> None:
        radius, lights, bot = self._sprites.radius, self._lights, effect.bot
        degrees = 0.0 if effect.kind == "knockout" else effect.degrees
        match layer:
            case look.GlowLayer(color, reach, power, rate):
                light = lights.glow(look.tinted(color, bot), radius * reach, max(0.0, 1 - rate * age) ** power)
                blit_centred(target, light, at, _ADD)
            case look.RingLayer(color, start, grow, eased):
                reach = radius * (start + grow * (1 - (1 - age) ** 3 if eased else age))
                blit_centred(target, lights.ring(look.tinted(color, bot), reach, (1 - age) ** 2), at, _ADD)
            case look.SparkLayer(color, count, reach, spread, turn, hurry):
                wide = 2 * self._sprites.shield_degrees if spread is None else spread
                tint, part = look.tinted(color, bot), min(1.0, age * hurry)
                self._draw_sparks(target, at, part, degrees + turn, wide, count, radius * reach, tint)
            case look.SplinterLayer(count, reach, spread, turn):
                self._draw_splinters(target, at, age, bot, count, radius * reach, degrees + turn, spread)
            case look.WaveLayer(color, delay):
                part = (age - delay) / 0.5
                if 0 < part < 1:
                    tint = mixed(look.tinted(color, bot), theme.FLOOR, part)
                    self._draw_shock_wave(target, at, radius * (0.6 + 5.5 * part), tint)
            case look.SmokeLayer(count):
                self._draw_smoke(target, at, age, count)

    def _draw_lost_shield(self, target: DrawList, effect: Effect, at: Pixel, age: float) -> None:
        """Draw a shield's splinters: flung away if a bullet broke it, else they just go out."""
        radius, half, color = self._sprites.radius, self._sprites.shield_degrees, theme.SEAT_COLORS[effect.bot]
        broken = effect.kind == "break"
        flown = 1 - (1 - age) ** 3
        reach = radius * (1.15 + (1.3 * flown if broken and not self._calm else 0.12 * flown))
        tint = mixed(mixed(color, theme.WHITE, 0.75), theme.FLOOR, age)
        for number in range(9):
            degrees = effect.degrees + half * (number - 4) / 4.5
            ux, uy = direction(degrees % 360)
            far = reach * (1 + (0.18 * math.sin(number * 2.4) if broken else 0.0))
            turn = math.radians(degrees) + (flown * (2.2 if number % 2 else -2.6) if broken and not self._calm else 0.0)
            self._draw_shard(target, (at[0] + ux * far, at[1] + uy * far), turn, radius * 0.17 * (1 - 0.6 * age), tint)

    def _draw_shard(self, target: DrawList, at: Pixel, turn: float, size: float, color: Color) -> None:
        """Draw a splinter: a long triangle across the direction `turn` (radians)."""
        ux, uy = math.cos(turn), math.sin(turn)
        corners = ((0.5, -1.0), (0.1, 1.0), (-0.6, -0.2))
        points = [(at[0] + (ux * x - uy * y) * size, at[1] + (uy * x + ux * y) * size) for x, y in corners]
        target.polygon(color, points)

    def _draw_shock_wave(self, target: DrawList, at: Pixel, reach: float, color: Color) -> None:
        """Draw a wide anti-aliased ring; too large and too short-lived for the cache."""
        wide = max(2, round(5 * self._scale))
        target.circle(color, at, reach, wide)
        for edge in (reach - 0.5, reach - wide + 0.5):
            target.outline(color, ring(at, edge))

    def _draw_smoke(self, target: DrawList, at: Pixel, age: float, count: int) -> None:
        if self._calm:
            return
        radius = self._sprites.radius
        for number in range(count):
            angle, far = number * _GOLDEN_ANGLE, radius * (0.3 + 1.3 * age) * (0.5 + 0.5 * ((number * 0.7548776) % 1.0))
            spot = (at[0] + far * math.cos(angle), at[1] + far * math.sin(angle) - radius * 0.9 * age)
            blit_centred(target, self._lights.puff(look.SMOKE, radius * (0.5 + 0.6 * age), 0.55 * (1 - age)), spot)

    def _draw_dust(self, target: DrawList, effect: Effect, t: float, camera: Camera) -> None:
        """Draw the puffs of dust behind a moving bot."""
        ux, uy = direction(effect.degrees % 360)
        radius, seconds = self._sprites.radius, t - effect.start
        for number in range(7):
            share = (number + 0.5) / 7
            born = theme.MOVE_S * (0.15 + 0.75 * share)
            age = (seconds - born) / 0.7
            if not 0 < age < 1:
                continue
            along, side = effect.amount * share, (1 if number % 2 else -1) * 0.5
            x, y = camera.point(effect.at[0] + ux * along, effect.at[1] + uy * along)
            drift = radius * (side + side * 0.5 * age)
            spot = (x - uy * drift - ux * radius * 0.5, y + ux * drift - uy * radius * 0.5)
            blit_centred(target, self._lights.puff(look.DUST, radius * (0.22 + 0.36 * age), 0.7 * (1 - age)), spot)

    def _draw_sparks(
        self,
        target: DrawList,
        at: Pixel,
        age: float,
        degrees: float,
        spread: float,
        count: int,
        reach: float,
        color: Color,
    ) -> None:
        """Draw streaks that fly off around a direction and fade; `reach` in pixels, `spread` in degrees."""
        if age >= 1.0:
            return
        if self._calm:
            count = count // 3
        flown = 1 - (1 - age) ** 3
        tint = mixed(mixed(theme.WHITE, color, min(1.0, age * 2.5)), theme.FLOOR, age * age)
        ember = self._lights.glow(theme.WHITE if age < 0.2 else color, max(2.0, 5 * self._scale), 1 - age * age)
        share_near, share_far = 0.5 + 0.45 * age, reach * (0.06 + 0.94 * flown)
        lines = []
        for ux, uy, far in _rays(count, round(degrees), spread):
            far *= share_far
            near = far * share_near
            lines.append(((at[0] + ux * near, at[1] + uy * near), (at[0] + ux * far, at[1] + uy * far)))
        target.spray(tint, lines, [(ember, end) for _, end in lines], _ADD)

    def _draw_splinters(
        self,
        target: DrawList,
        at: Pixel,
        age: float,
        seat: int,
        count: int,
        reach: float,
        degrees: float,
        spread: float,
    ) -> None:
        if self._calm:
            return
        flown, radius = 1 - (1 - age) ** 2.5, self._sprites.radius
        for number, (ux, uy, far) in enumerate(_rays(count, round(degrees), spread)):
            far *= reach * flown
            piece = self._lights.splinter(seat, radius, number, int(number + 22 * flown * (1 + number % 3)))
            blit_centred(target, faded(piece, 5 * (1 - age)), (at[0] + far * ux, at[1] + far * uy))

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
        color, size = style
        if not self._calm:
            size *= next((grown for until, grown in _TEXT_SCALES if age < until), 1.0)
        image = self._texts.get((text, size, color), lambda: self._with_outline(text, size, color))
        half_w, half_h = image.get_width() / 2, image.get_height() / 2
        rise = self._sprites.radius * (1.75 + (0.0 if self._calm else 0.7 * (1 - (1 - age) ** 2))) + half_h
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
        blit_centred(target, faded(image, (1 - age) / 0.3), (x, y))

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
        radius, turned = self._sprites.radius, 0.0 if self._calm else age * 7.5
        star = faded(self._icons.star(max(4, round(radius * 0.36)), theme.GOLD), 4 * (1 - age))
        for number in range(5):
            angle = turned + number * math.tau / 5
            blit_centred(
                target, star, (at[0] + radius * 0.95 * math.cos(angle), at[1] + radius * 0.42 * math.sin(angle))
            )


@lru_cache(maxsize=128)
def _rays(count: int, degrees: int, spread: float) -> tuple[tuple[float, float, float], ...]:
    """Return unit vectors spread evenly over `spread` degrees, each with a length from 0.3 to 1."""
    rays = []
    for number in range(count):
        angle = math.radians(degrees + spread * ((number * _GOLDEN_ANGLE / math.tau) % 1.0 - 0.5))
        rays.append((math.cos(angle), math.sin(angle), 0.3 + 0.7 * ((number * 0.7548776) % 1.0)))
    return tuple(rays)
