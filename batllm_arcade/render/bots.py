"""Bots and their shields."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.geometry import direction
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.effects import SMOKE
from batllm_arcade.view.look.motion import WRECK
from batllm_arcade.view.look.shapes import (
    FAINTEST,
    GAZE,
    HOT,
    MUZZLE,
    SHIELD_MIDDLE,
    STAR,
    STAR_REACH,
    Mood,
    is_loaded,
    is_weak,
)
from batllm_arcade.view.scene import BotPose, Effect, Scene
from batllm_arcade.view.theme import mixed

_ADD = pygame.BLEND_RGB_ADD


class BotRenderer:
    """Draws the bots of one arena."""

    def __init__(self, sprites: Sprites, scale: float, display: DisplayOptions) -> None:
        self._sprites, self._scale, self._calm = sprites, scale, display.reduced_motion
        self._comets: list[list[pygame.Surface]] = [[], []]

    def draw(self, target: DrawList, scene: Scene, index: int, camera: Camera, inside: pygame.Rect) -> None:
        """Draw one bot with its glow, shield and, `inside` what is shown of the arena, its small health bar."""
        pose = scene.bots[index]
        if pose.entrance <= motion.SEEN:
            return
        own_effects = [effect for effect in scene.effects if effect.bot == index]
        at = self._recoiled(camera.point(pose.x, pose.y), own_effects, scene.t)
        idle = 0.0 if self._calm else scene.t
        busy = scene.acting == index or (scene.thinking is not None and scene.thinking.bot == index)
        if pose.alive:
            self._draw_light(target, at, index, idle, busy)
        self._draw_body(target, pose, at, index, own_effects, scene.t)
        rules = scene.board.rules
        if rules.has_armour and pose.alive and pose.entrance >= motion.WHOLE:
            self._draw_heat(target, pose, at)
        if rules.battery and pose.alive and pose.entrance >= motion.WHOLE:
            blit_centred(target, self._sprites.gauge(index, pose.charge), at)
        self._draw_head(target, scene, index, at, own_effects, idle, busy)
        if not pose.alive:
            for x, y, radius, light in WRECK.puffs(idle, at, self._sprites.radius):
                blit_centred(target, self._sprites.lights.puff(SMOKE, radius, light), (x, y))
            return
        if is_loaded(rules, pose.charge):
            self._draw_muzzle(target, pose, at, index, idle)
        breaks = any(effect.kind == "break" and effect.age(scene.t) > 0 for effect in own_effects)
        if pose.shield > motion.SHIELD_SEEN and not breaks:
            self._draw_shield(target, pose, at, index, own_effects, scene)
        foe = scene.bots[1 - index]
        other = camera.point(foe.x, foe.y) if foe.entrance > motion.SEEN else None
        bar = bar_rect(at, self._sprites.radius, self._scale, inside, other)
        target.rect(theme.NIGHT, bar.inflate(4, 4), 4)
        for share, color in ((pose.ghost, theme.WHITE), (pose.health, theme.SEAT_COLORS[index])):
            part = bar.copy()
            part.width = round(bar.width * max(0.0, min(1.0, share)))
            if part.width:
                target.rect(color, part, 2)

    def _draw_shield(
        self,
        target: DrawList,
        pose: BotPose,
        at: tuple[float, float],
        index: int,
        own_effects: list[Effect],
        scene: Scene,
    ) -> None:
        """Draw a bot's shield: as opaque as there is charge left; it flickers where the next bullet ends it."""
        rules, t = scene.board.rules, scene.t
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
        light = self._sprites.lights.glow(mixed(theme.SEAT_COLORS[index], theme.WHITE, 0.55), radius * size, strength)
        blit_centred(target, light, (at[0] + ux * radius * SHIELD_MIDDLE, at[1] + uy * radius * SHIELD_MIDDLE), _ADD)

    def _recoiled(self, at: tuple[float, float], own_effects: list[Effect], t: float) -> tuple[float, float]:
        if self._calm:
            return at
        x, y = at
        for effect in own_effects:
            recoil = motion.RECOIL.get(effect.kind)
            if recoil is not None:
                (ux, uy), far = direction(effect.degrees % 360), recoil.at(effect.age(t)) * self._sprites.radius
                x, y = x + ux * far, y + uy * far
        return x, y

    def _draw_light(self, target: DrawList, at: tuple[float, float], index: int, idle: float, busy: bool) -> None:
        glow = motion.GLOW["busy" if busy else "rest"]
        light = self._sprites.lights.glow(
            theme.SEAT_COLORS[index], self._sprites.radius * glow.reach, glow.light.at(idle, index)
        )
        blit_centred(target, light, at, _ADD)
        if busy:
            self._draw_orbit(target, at, index, idle)

    def _draw_orbit(self, target: DrawList, at: tuple[float, float], index: int, idle: float) -> None:
        comets = motion.COMETS
        if not self._comets[index]:
            color, radius, glow = theme.SEAT_COLORS[index], self._sprites.radius, self._sprites.lights.glow
            shares = [number / (comets.number + 1) for number in range(comets.number)]
            self._comets[index] = [
                glow(color, radius * comets.size.at(share), comets.light.at(share)) for share in shares
            ]
        lights, reach = [], self._sprites.radius * comets.orbit
        for number, light in enumerate(self._comets[index]):
            angle = idle * comets.rate - number * comets.lag
            x, y = reach * math.cos(angle), reach * math.sin(angle)
            lights.append((light, ((at[0] + x, at[1] + y), (at[0] - x, at[1] - y))))
        target.lights(lights, _ADD)

    def _draw_body(
        self, target: DrawList, pose: BotPose, at: tuple[float, float], index: int, own_effects: list[Effect], t: float
    ) -> None:
        sprite = self._sprites.bot(index, pose.rot, pose.alive)
        if pose.entrance < 0.999 and not self._calm:
            sprite = pygame.transform.rotozoom(sprite, 0, max(0.05, pose.entrance))
        blit_centred(target, sprite, at)
        hurt = next((effect for effect in own_effects if effect.kind == "hit"), None)
        if hurt is not None and pose.alive and t < hurt.start + hurt.held + motion.HURT_FLASH_S and not self._calm:
            blit_centred(target, self._sprites.flash(index, pose.rot), at)

    def _draw_head(
        self, target: DrawList, scene: Scene, index: int, at: tuple[float, float], own_effects: list[Effect],
        idle: float, busy: bool,
    ) -> None:  # fmt: skip
        pose = scene.bots[index]
        if pose.entrance < motion.WHOLE:
            return
        mood = self._mood(scene, index, own_effects, idle)
        breath = round(motion.BREATHING["busy" if busy else "rest"].at(idle, index)) if pose.alive else 0
        blit_centred(target, self._sprites.head(index, mood, breath), at)
        if mood == "open":
            dx, dy = self._gaze(scene, index, idle)
            reach = self._sprites.radius * GAZE
            blit_centred(target, self._sprites.pupil(index), (at[0] + dx * reach, at[1] + dy * reach))

    def _mood(self, scene: Scene, index: int, own_effects: list[Effect], idle: float) -> Mood:
        if not scene.bots[index].alive:
            return "dead"
        if any(effect.kind == "hit" and effect.age(scene.t) < motion.HURT_AGE for effect in own_effects):
            return "hurt"
        if any(effect.kind == "fumble" and effect.amount for effect in own_effects):
            return "dead"  # dizzy
        if scene.board.result is not None and scene.board.result.winner == index:
            return "happy"
        return "closed" if motion.BLINK.is_closed(idle, index) else "open"

    def _gaze(self, scene: Scene, index: int, idle: float) -> tuple[float, float]:
        if scene.thinking is not None and scene.thinking.bot == index and not scene.thinking.human:
            return math.sin(1.9 * idle), -0.55 + 0.35 * math.sin(3.1 * idle + 1)
        me, foe = scene.bots[index], scene.bots[1 - index]
        far = math.hypot(foe.x - me.x, foe.y - me.y) or 1.0
        return (foe.x - me.x) / far, (foe.y - me.y) / far

    def _draw_heat(self, target: DrawList, pose: BotPose, at: tuple[float, float]) -> None:
        ux, uy = direction(pose.rot % 360)
        reach = self._sprites.radius * 0.92
        light = self._sprites.lights.glow(HOT, self._sprites.radius * 0.62, 0.6)
        blit_centred(target, light, (at[0] - ux * reach, at[1] - uy * reach), _ADD)

    def _draw_muzzle(self, target: DrawList, pose: BotPose, at: tuple[float, float], index: int, idle: float) -> None:
        """Draw the light at the muzzle of a gun that can fire: its shape, a star, tells it too."""
        ux, uy = direction(pose.rot % 360)
        radius = self._sprites.radius
        tip = (at[0] + ux * radius * MUZZLE, at[1] + uy * radius * MUZZLE)
        reach, pulse = motion.GUN_LIGHT
        blit_centred(target, self._sprites.lights.glow(theme.GOLD, radius * reach, pulse.at(idle, index)), tip, _ADD)
        reach = radius * STAR_REACH
        star = [
            (tip[0] + (ux * along - uy * aside) * reach, tip[1] + (uy * along + ux * aside) * reach)
            for along, aside in STAR
        ]
        target.polygon(theme.WHITE, star)


def bar_rect(
    at: tuple[float, float],
    radius: float,
    scale: float,
    arena: pygame.Rect,
    other: tuple[float, float] | None = None,
) -> pygame.Rect:
    """Return the rectangle of a bot's small health bar: above it, or below where there is no room or the other bot.

    Where neither is free it lies on its own bot, at the arena's end.
    """
    wide, high = radius * 1.7, max(4, round(6 * scale))
    left, least, most = at[0] - wide / 2, arena.top + 4, arena.bottom - 4 - high
    tops = at[1] - radius * 1.5 - high, at[1] + radius * 1.5
    free = (
        top
        for top in tops
        if least <= top <= most and not (other and _meets_disc(other, radius, left, top, wide, high))
    )
    top = next(free, max(least, tops[0]) if at[1] < arena.centery else min(most, tops[1]))
    return pygame.Rect(round(left), round(top), round(wide), high)


def _meets_disc(middle: tuple[float, float], radius: float, left: float, top: float, wide: float, high: float) -> bool:
    x, y = min(max(middle[0], left), left + wide), min(max(middle[1], top), top + high)
    return math.hypot(middle[0] - x, middle[1] - y) < radius
