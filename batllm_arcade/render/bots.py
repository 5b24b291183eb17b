"""Draws the two bots; all motion is a function of the scene's time."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.shield import ShieldRenderer
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.charge import is_loaded
from batllm_arcade.view.look.armour import HOT
from batllm_arcade.view.look.effects import HURT_AGE, RECOIL, SMOKE
from batllm_arcade.view.look.shapes import BREATHS, GAZE, MUZZLE, STAR, STAR_REACH, Mood
from batllm_arcade.view.scene import BotPose, Effect, Scene

_ADD = pygame.BLEND_RGB_ADD
_BLINK_EVERY_S, _BLINK_S = 3.7, 0.13


class BotRenderer:
    """Draws the bots of one arena."""

    def __init__(self, sprites: Sprites, scale: float, arena: pygame.Rect, display: DisplayOptions) -> None:
        self._sprites, self._scale, self._arena, self._calm = sprites, scale, arena, display.reduced_motion
        self._shields = ShieldRenderer(sprites, calm=display.reduced_motion)
        self._comets: list[list[pygame.Surface]] = [[], []]

    def draw(self, target: DrawList, scene: Scene, index: int, camera: Camera) -> None:
        """Draw one bot with its glow, shield and small health bar."""
        pose = scene.bots[index]
        if pose.entrance <= 0.02:
            return
        own_effects = [effect for effect in scene.effects if effect.bot == index]
        at = self._recoiled(camera.point(pose.x, pose.y), own_effects, scene.t)
        idle = 0.0 if self._calm else scene.t
        busy = scene.acting == index or (scene.thinking is not None and scene.thinking.bot == index)
        if pose.alive:
            self._draw_light(target, at, index, idle, busy)
        self._draw_body(target, pose, at, index, own_effects, scene.t)
        rules = scene.board.rules
        if rules.has_armour and pose.alive and pose.entrance >= 0.7:
            self._draw_heat(target, pose, at)
        if rules.battery and pose.alive and pose.entrance >= 0.7:
            blit_centred(target, self._sprites.gauge(index, pose.charge), at)
        self._draw_head(target, scene, index, at, own_effects, idle, busy)
        if not pose.alive:
            self._draw_smoke(target, at, idle)
            return
        if is_loaded(rules, pose.charge):
            self._draw_muzzle(target, pose, at, index, idle)
        if pose.shield > 0.05 and not any(effect.kind == "break" and effect.age(scene.t) > 0 for effect in own_effects):
            self._shields.draw(target, pose, at, index, own_effects, scene.t, rules)
        self._draw_bar(target, pose, at, index)

    def _recoiled(self, at: tuple[float, float], own_effects: list[Effect], t: float) -> tuple[float, float]:
        """Return the bot's position with the recoil of its shot or of a hit."""
        if self._calm:
            return at
        x, y = at
        for effect in own_effects:
            share = RECOIL.get(effect.kind, 0.0)
            if share:
                left = (1 - effect.age(t)) ** (3 if effect.kind == "muzzle" else 6)
                ux, uy = direction(effect.degrees % 360)
                x, y = x + ux * share * left * self._sprites.radius, y + uy * share * left * self._sprites.radius
        return x, y

    def _draw_light(self, target: DrawList, at: tuple[float, float], index: int, idle: float, busy: bool) -> None:
        color, radius = theme.SEAT_COLORS[index], self._sprites.radius
        if busy:
            pulse = 0.36 + 0.12 * math.sin(4.2 * idle)
            blit_centred(target, self._sprites.glow(color, radius * 2.2, pulse), at, _ADD)
            self._draw_orbit(target, at, index, idle)
        else:
            pulse = 0.18 + 0.06 * math.sin(1.7 * idle + index * 2)
            blit_centred(target, self._sprites.glow(color, radius * 1.9, pulse), at, _ADD)

    def _draw_orbit(self, target: DrawList, at: tuple[float, float], index: int, idle: float) -> None:
        """Draw two comets around the busy bot."""
        if not self._comets[index]:
            color, radius = theme.SEAT_COLORS[index], self._sprites.radius
            self._comets[index] = [
                self._sprites.glow(color, radius * (0.22 - 0.02 * part), 1 - part / 8) for part in range(7)
            ]
        lights, reach = [], self._sprites.radius * 1.5
        for part, light in enumerate(self._comets[index]):
            angle = idle * 2.1 - part * 0.13
            x, y = reach * math.cos(angle), reach * math.sin(angle)
            lights += [(light, (at[0] + x, at[1] + y)), (light, (at[0] - x, at[1] - y))]
        target.lights(lights, _ADD)

    def _draw_body(
        self, target: DrawList, pose: BotPose, at: tuple[float, float], index: int, own_effects: list[Effect], t: float
    ) -> None:
        sprite = self._sprites.bot(index, pose.rot, pose.alive)
        if pose.entrance < 0.999 and not self._calm:
            sprite = pygame.transform.rotozoom(sprite, 0, max(0.05, pose.entrance))
        blit_centred(target, sprite, at)
        hurt = next((effect for effect in own_effects if effect.kind == "hit"), None)
        if hurt is not None and pose.alive and t < hurt.start + hurt.held + 0.09 and not self._calm:
            blit_centred(target, self._sprites.flash(index, pose.rot), at)

    def _draw_head(
        self,
        target: DrawList,
        scene: Scene,
        index: int,
        at: tuple[float, float],
        own_effects: list[Effect],
        idle: float,
        busy: bool,
    ) -> None:
        pose = scene.bots[index]
        if pose.entrance < 0.7:
            return
        mood = self._mood(scene, index, own_effects, idle)
        breath = round(BREATHS / 2 * math.sin((3.1 if busy else 1.5) * idle + index)) if pose.alive else 0
        blit_centred(target, self._sprites.head(index, mood, breath), at)
        if mood == "open":
            dx, dy = self._gaze(scene, index, idle)
            reach = self._sprites.radius * GAZE
            blit_centred(target, self._sprites.pupil(index), (at[0] + dx * reach, at[1] + dy * reach))

    def _mood(self, scene: Scene, index: int, own_effects: list[Effect], idle: float) -> Mood:
        if not scene.bots[index].alive:
            return "dead"
        if any(effect.kind == "hit" and effect.age(scene.t) < HURT_AGE for effect in own_effects):
            return "hurt"
        if any(effect.kind == "fumble" and effect.amount for effect in own_effects):
            return "dead"  # dizzy
        if scene.board.result is not None and scene.board.result.winner == index:
            return "happy"
        return "closed" if (idle + 1.3 * index + 2.0) % _BLINK_EVERY_S < _BLINK_S else "open"

    def _gaze(self, scene: Scene, index: int, idle: float) -> tuple[float, float]:
        """Return the direction the eye looks in: around while thinking, else at the other bot."""
        if scene.thinking is not None and scene.thinking.bot == index and not scene.thinking.human:
            return math.sin(1.9 * idle), -0.55 + 0.35 * math.sin(3.1 * idle + 1)
        me, foe = scene.bots[index], scene.bots[1 - index]
        far = math.hypot(foe.x - me.x, foe.y - me.y) or 1.0
        return (foe.x - me.x) / far, (foe.y - me.y) / far

    def _draw_smoke(self, target: DrawList, at: tuple[float, float], idle: float) -> None:
        """Draw smoke over a bot that was knocked out."""
        radius = self._sprites.radius
        for number in range(4):
            age = (idle * 0.45 + number / 4) % 1.0
            spot = (at[0] + radius * 0.3 * math.sin(number * 2.2 + idle), at[1] - radius * 1.7 * age)
            puff = self._sprites.lights.puff(SMOKE, radius * (0.25 + 0.5 * age), 0.5 * (1 - age))
            blit_centred(target, puff, spot)

    def _draw_heat(self, target: DrawList, pose: BotPose, at: tuple[float, float]) -> None:
        """Draw the glow of the vent in the bare back."""
        ux, uy = direction(pose.rot % 360)
        reach = self._sprites.radius * 0.92
        light = self._sprites.glow(HOT, self._sprites.radius * 0.62, 0.6)
        blit_centred(target, light, (at[0] - ux * reach, at[1] - uy * reach), _ADD)

    def _draw_muzzle(self, target: DrawList, pose: BotPose, at: tuple[float, float], index: int, idle: float) -> None:
        """Draw the light at the muzzle of a gun that can fire: its shape, a star, tells it too."""
        ux, uy = direction(pose.rot % 360)
        radius = self._sprites.radius
        tip = (at[0] + ux * radius * MUZZLE, at[1] + uy * radius * MUZZLE)
        pulse = 0.75 + 0.15 * math.sin(5.0 * idle + index)
        blit_centred(target, self._sprites.glow(theme.GOLD, radius * 0.62, pulse), tip, _ADD)
        reach = radius * STAR_REACH
        star = [
            (tip[0] + (ux * along - uy * aside) * reach, tip[1] + (uy * along + ux * aside) * reach)
            for along, aside in STAR
        ]
        target.polygon(theme.WHITE, star)

    def _draw_bar(self, target: DrawList, pose: BotPose, at: tuple[float, float], index: int) -> None:
        """Draw the small health bar at the bot."""
        bar = bar_rect(at, self._sprites.radius, self._scale, self._arena)
        target.rect(theme.NIGHT, bar.inflate(4, 4), 4)
        for share, color in ((pose.ghost, theme.WHITE), (pose.health, theme.SEAT_COLORS[index])):
            part = bar.copy()
            part.width = round(bar.width * max(0.0, min(1.0, share)))
            if part.width:
                target.rect(color, part, 2)


def bar_rect(at: tuple[float, float], radius: float, scale: float, arena: pygame.Rect) -> pygame.Rect:
    """Return the rectangle of a bot's small health bar: above it, or below if there is no room."""
    wide, high = radius * 1.7, max(4, round(6 * scale))
    above = at[1] - radius * 1.5 - high
    if above < arena.top + 4:
        above = at[1] + radius * 1.5
    return pygame.Rect(round(at[0] - wide / 2), round(above), round(wide), high)
