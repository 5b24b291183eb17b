"""What moves in the arena: bots, bullets, effects, what is said."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.core.geometry import direction, ray_meets_circle, ray_meets_walls
from batllm_arcade.core.model import Rules
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import Look
from batllm_arcade.view.scene import BotPose, Effect, Scene
from batllm_arcade.view.speech import Speech
from batllm_arcade.view.sprites import Sprites, blit_centred
from batllm_arcade.view.text import Letters
from batllm_arcade.view.theme import Color, mixed

_ADD = pygame.BLEND_RGB_ADD
_GOLDEN = 2.399963  # radians; spreads sparks evenly without randomness


class Fight:
    """Draws the fight in one arena."""

    def __init__(
        self, rules: Rules, camera: Camera, arena: pygame.Rect, scale: float, letters: Letters, sprites: Sprites,
        look: Look,
    ) -> None:  # fmt: skip
        self.rules, self.camera, self.arena, self.scale = rules, camera, arena, scale
        self.letters, self._sprites, self._look = letters, sprites, look
        self._speech = Speech(letters, scale)

    def draw(self, target: pygame.Surface, scene: Scene) -> None:
        """Draw the whole fight, clipped to the arena."""
        target.set_clip(self.arena)
        self._draw_fight(target, scene, self.camera.shifted(*scene.shake))
        target.set_clip(None)

    def _draw_fight(self, target: pygame.Surface, scene: Scene, camera: Camera) -> None:
        if scene.aim is not None:
            self._draw_aim(target, scene, camera)
        for effect in scene.effects:
            if effect.kind == "knockout":
                self._draw_scorch(target, effect, scene.t, camera)
        for index in (0, 1):
            self._draw_bot(target, scene, index, camera)
        for bullet in scene.bullets:
            self._draw_bullet(target, camera.point(*bullet.tail), camera.point(*bullet.head), bullet.bot)
        for effect in scene.effects:
            self._draw_effect(target, effect, scene, camera)
        for index, pose in enumerate(scene.bots):
            said = [effect for effect in scene.effects if effect.kind == "speech" and effect.bot == index]
            if said and pose.alive:  # over everything else, and at the bot wherever it goes
                at, radius = camera.point(pose.x, pose.y), camera.length(self.rules.bot_radius)
                self._speech.draw(target, said[-1], scene.t, at, radius, self.arena)

    def _draw_bot(self, target: pygame.Surface, scene: Scene, index: int, camera: Camera) -> None:
        pose = scene.bots[index]
        at, radius = camera.point(pose.x, pose.y), camera.length(self.rules.bot_radius)
        color = theme.SEAT_COLORS[index]
        if pose.entrance < 1.0 and pose.entrance <= 0.02:
            return
        if pose.alive:
            busy = scene.acting == index or (scene.thinking is not None and scene.thinking.bot == index)
            t = 0.0 if self._look.reduced_motion else scene.t
            pulse = 0.26 + 0.10 * math.sin(5 * t) if busy else 0.13 + 0.03 * math.sin(1.6 * t + index * 2)
            blit_centred(target, self._sprites.glow(color, radius * 2.1, pulse), at, _ADD)
            if busy:
                self._draw_turn_ring(target, at, radius, color, t)
        hurt = next((e for e in scene.effects if e.kind == "hit" and e.bot == index), None)
        sprite = self._sprites.bot(index, pose.rot, pose.alive)
        if pose.entrance != 1.0 and pose.entrance < 0.999:
            sprite = pygame.transform.rotozoom(sprite, 0, max(0.05, pose.entrance))
        blit_centred(target, sprite, at)
        if hurt is not None and hurt.age(scene.t) < 0.2:
            blit_centred(target, self._sprites.glow(theme.WHITE, radius * 1.25, 0.9 - 4 * hurt.age(scene.t)), at, _ADD)
        if pose.shield > 0.05 and pose.alive:
            blit_centred(target, self._sprites.shield(index, pose.rot, pose.shield), at)
        if pose.alive:
            self._draw_name_tag(target, pose, at, radius, index, scene)

    def _draw_turn_ring(
        self, target: pygame.Surface, at: tuple[float, float], radius: float, color: Color, t: float
    ) -> None:
        reach = radius * 1.48
        for part in range(8):
            angle = t * 1.6 + part * math.tau / 8
            spot = (at[0] + reach * math.cos(angle), at[1] + reach * math.sin(angle))
            pygame.draw.circle(target, mixed(color, theme.FLOOR, 0.25 + 0.5 * (part % 2)), spot, max(2, radius * 0.06))

    def _draw_name_tag(
        self, target: pygame.Surface, pose: BotPose, at: tuple[float, float], radius: float, index: int, scene: Scene
    ) -> None:
        """A small health bar above the bot, as in any fighting game."""
        wide, high = radius * 1.7, max(4, round(5 * self.scale))
        above = at[1] - radius * 1.5 - high
        if above < self.arena.top + 4:
            above = at[1] + radius * 1.5
        bar = pygame.Rect(round(at[0] - wide / 2), round(above), round(wide), high)
        pygame.draw.rect(target, theme.SUNKEN, bar.inflate(4, 4), border_radius=4)
        for share, color in ((pose.ghost, theme.DANGER), (pose.health, theme.SEAT_COLORS[index])):
            part = bar.copy()
            part.width = round(bar.width * max(0.0, min(1.0, share)))
            pygame.draw.rect(target, color, part, border_radius=2)

    def _draw_bullet(
        self, target: pygame.Surface, tail: tuple[float, float], head: tuple[float, float], bot: int
    ) -> None:
        color, wide = theme.SEAT_COLORS[bot], max(2, round(4 * self.scale))
        pygame.draw.line(target, mixed(color, theme.FLOOR, 0.45), tail, head, wide + 2)
        middle = ((tail[0] + head[0] * 2) / 3, (tail[1] + head[1] * 2) / 3)
        pygame.draw.line(target, mixed(color, theme.WHITE, 0.6), middle, head, wide)
        blit_centred(target, self._sprites.glow(color, 26 * self.scale, 0.9), head, _ADD)
        pygame.draw.circle(target, theme.WHITE, head, wide)

    def _draw_aim(self, target: pygame.Surface, scene: Scene, camera: Camera) -> None:
        """A person's aim: a line to what it would hit, and the ghost of the new direction."""
        aim = scene.aim
        assert aim is not None
        me, foe, rules = scene.bots[aim.bot], scene.bots[1 - aim.bot], self.rules
        ux, uy = direction(aim.rot % 360)
        hit = ray_meets_circle(me.x, me.y, ux, uy, foe.x, foe.y, rules.bot_radius)
        end = hit or ray_meets_walls(me.x, me.y, ux, uy, rules.arena_width, rules.arena_height)
        color = theme.GOLD if hit else mixed(theme.SEAT_COLORS[aim.bot], theme.FLOOR, 0.35)
        start_x, start_y = camera.point(me.x, me.y)
        end_x, end_y = camera.point(*end)
        length = math.hypot(end_x - start_x, end_y - start_y) or 1.0
        gap, radius = 13 * self.scale, camera.length(rules.bot_radius)
        offset = radius * 1.15
        while offset < length:
            stop = min(length, offset + gap * 0.55)
            first = (start_x + ux * offset, start_y + uy * offset)
            pygame.draw.line(
                target, color, first, (start_x + ux * stop, start_y + uy * stop), max(2, round(2.5 * self.scale))
            )
            offset += gap
        if hit:
            pygame.draw.circle(target, color, (end_x, end_y), 9 * self.scale, max(2, round(2 * self.scale)))
        if aim.turned:
            words = self.letters.line(f"{abs(aim.turned):.0f}\u00b0", "title", 20, color)
            away = radius * 1.9
            blit_centred(target, words, (start_x - ux * away, start_y - uy * away))
        ghost = self._sprites.bot(aim.bot, aim.rot, True).copy()
        ghost.set_alpha(110)
        blit_centred(target, ghost, (start_x, start_y))

    def _draw_effect(self, target: pygame.Surface, effect: Effect, scene: Scene, camera: Camera) -> None:
        at, age = camera.point(*effect.at), effect.age(scene.t)
        color = theme.SEAT_COLORS[effect.bot]
        radius = camera.length(self.rules.bot_radius)
        if effect.kind == "muzzle":
            ux, uy = direction(effect.degrees % 360)
            tip = (at[0] + ux * radius, at[1] + uy * radius)
            blit_centred(target, self._sprites.glow(color, radius * 0.9, 1 - age), tip, _ADD)
        elif effect.kind == "hit":
            self._sparks(target, at, age, effect.degrees + 180, 130, 18, radius * 2.2, theme.DANGER)
            self._ring(target, at, radius * (0.3 + 1.3 * age), age, theme.DANGER)
            blit_centred(target, self._sprites.glow((255, 120, 90), radius * 1.7, 0.9 * (1 - age)), at, _ADD)
            self._floater(target, f"-{effect.amount:g}", at, age, theme.DANGER, 30, radius)
        elif effect.kind == "block":
            self._sparks(target, at, age, effect.degrees, 70, 14, radius * 1.8, mixed(color, theme.WHITE, 0.5))
            blit_centred(target, self._sprites.glow(color, radius * 1.3, 1 - age), at, _ADD)
            self._floater(target, "blocked", at, age, mixed(color, theme.WHITE, 0.5), 19, radius)
        elif effect.kind == "wall":
            self._sparks(target, at, age, effect.degrees, 60, 8, radius * 1.1, theme.SOFT)
        elif effect.kind == "refused":
            self._floater(target, "shield is up", at, age, theme.GOLD, 18, radius)
        elif effect.kind == "fumble":
            self._floater(target, "fumble!" if effect.amount else "waits", at, age, theme.GOLD, 22, radius)
        elif effect.kind == "knockout":
            self._draw_blast(target, effect, at, radius, scene.t)

    def _draw_blast(
        self, target: pygame.Surface, effect: Effect, at: tuple[float, float], radius: float, t: float
    ) -> None:
        age = effect.age(t)
        color = theme.SEAT_COLORS[effect.bot]
        blit_centred(target, self._sprites.glow((255, 214, 140), radius * 4, max(0.0, 1 - 2.2 * age)), at, _ADD)
        for delay, tint in ((0.0, theme.WHITE), (0.08, theme.GOLD), (0.16, color)):
            part = (age - delay) / 0.6
            if 0 < part < 1:
                self._ring(target, at, radius * (0.5 + 5 * part), part, tint)
        self._sparks(target, at, min(1.0, age * 1.3), 0, 360, 42, radius * 5, theme.GOLD)
        self._sparks(target, at, age, 40, 360, 26, radius * 3.4, color)
        self._floater(target, "KNOCK-OUT", at, age, theme.GOLD, 44, radius)

    def _draw_scorch(self, target: pygame.Surface, effect: Effect, t: float, camera: Camera) -> None:
        at, radius = camera.point(*effect.at), camera.length(self.rules.bot_radius)
        pygame.draw.circle(target, theme.NIGHT, at, radius * 1.5 * min(1.0, 4 * effect.age(t)))

    def _ring(self, target: pygame.Surface, at: tuple[float, float], radius: float, age: float, color: Color) -> None:
        wide = max(1, round(6 * self.scale * (1 - age)))
        pygame.draw.circle(target, mixed(color, theme.FLOOR, age), at, max(2.0, radius), wide)

    def _sparks(
        self, target: pygame.Surface, at: tuple[float, float], age: float, degrees: float, spread: float,
        count: int, reach: float, color: Color,
    ) -> None:  # fmt: skip
        """Streaks that fly off around a direction and fade; the same effect always flies the same way."""
        if age >= 1.0:
            return
        flown = 1 - (1 - age) ** 3
        tint = mixed(mixed(theme.WHITE, color, min(1.0, age * 3)), theme.FLOOR, age * age)
        wide = max(1, round(3 * self.scale * (1 - age)))
        for number in range(count):
            share = (number * _GOLDEN / math.tau) % 1.0
            angle = math.radians(degrees + spread * (share - 0.5))
            far = reach * (0.35 + 0.65 * ((number * 0.7548776) % 1.0)) * flown
            near = far * (0.55 + 0.4 * age)
            ux, uy = math.cos(angle), math.sin(angle)
            pygame.draw.line(
                target, tint, (at[0] + ux * near, at[1] + uy * near), (at[0] + ux * far, at[1] + uy * far), wide
            )

    def _floater(
        self,
        target: pygame.Surface,
        text: str,
        at: tuple[float, float],
        age: float,
        color: Color,
        size: float,
        radius: float,
    ) -> None:
        """Words that pop up over a bot and rise."""
        words = self.letters.line(text, "title", size, color)
        shadow = self.letters.line(text, "title", size, theme.NIGHT)
        rise = radius * (1.9 + 0.9 * (1 - (1 - age) ** 2))
        arena, half = self.arena, words.get_width() / 2
        x = min(max(at[0], arena.left + half + 6), arena.right - half - 6)
        y = at[1] - rise if at[1] - rise > arena.top + 20 else at[1] + rise
        if age > 0.7:
            words, shadow = words.copy(), shadow.copy()
            words.set_alpha(round(255 * (1 - age) / 0.3))
            shadow.set_alpha(round(255 * (1 - age) / 0.3))
        blit_centred(target, shadow, (x + 2, y + 2))
        blit_centred(target, words, (x, y))
