"""Everything that moves in the arena: bots, bullets, effects, bubbles."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.bots import BotRenderer
from batllm_arcade.render.bullets import BulletRenderer
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.effects import Effects
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.sprites import Sprites
from batllm_arcade.render.telegraph import TelegraphRenderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.render.words.effect_words import EffectLabels
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Scene

_BUBBLE_DELAY_S = 0.5
"""Seconds of thinking before a bubble appears, so that scripted bots never show one."""


class ArenaRenderer:
    """Draws one arena's bots, bullets, effects and bubbles."""

    def __init__(
        self,
        rules: Rules,
        camera: Camera,
        arena: pygame.Rect,
        scale: float,
        text_renderer: TextRenderer,
        sprites: Sprites,
        display: DisplayOptions,
    ) -> None:
        self.camera, self.arena, self._display = camera, arena, display
        self._bot_renderer = BotRenderer(sprites, scale, arena, display)
        self._bullet_renderer = BulletRenderer(sprites, scale)
        self._telegraphs = TelegraphRenderer(sprites, scale, text_renderer, display)
        self._effects = Effects(sprites, scale, display)
        self._words = EffectLabels(text_renderer, Icons(), scale, arena, sprites.radius, display)
        self._bubbles = Bubbles(text_renderer, scale, arena, sprites.radius)

    def draw(
        self, target: DrawList, scene: Scene, taken: Sequence[pygame.Rect] = (), covered: pygame.Rect | None = None
    ) -> None:
        """Draw the scene; `target` must be clipped to the arena.

        Words keep off what is `taken`; words that a banner covers are left out.
        """
        camera = self.camera.shifted(*scene.shake)
        for effect in scene.effects:
            self._effects.draw_below(target, effect, scene.t, camera)
            if effect.kind == "trace":
                self._bullet_renderer.draw_trace(target, effect, scene.t, camera)
        shown = self._telegraphs.shown(scene)
        if shown is not None:
            self._telegraphs.draw_below(target, shown, camera)
        for index in (0, 1):
            self._bot_renderer.draw(target, scene, index, camera)
        if shown is not None:
            self._telegraphs.draw(target, scene, shown, camera)
        for bullet in scene.bullets:
            self._bullet_renderer.draw_bullet(target, bullet, camera)
        for effect in scene.effects:
            self._effects.draw(target, effect, scene.t, camera)
        taken = list(taken)
        covered = covered or pygame.Rect(0, 0, 0, 0)
        for index in (0, 1):
            bubble = DrawList(target.clip)
            rects = self._draw_bubble(bubble, scene, index, camera, taken)
            if not any(rect.colliderect(covered) for rect in rects):
                target.commands += bubble.commands
                taken += rects
        words = self._words.draw(target, scene, self.camera, taken, covered)
        if shown is not None:
            self._telegraphs.draw_words(target, scene, shown, camera, [*taken, *words])

    def _draw_bubble(
        self, target: DrawList, scene: Scene, index: int, camera: Camera, taken: Sequence[pygame.Rect]
    ) -> list[pygame.Rect]:
        """Draw what this bot says, else what it thinks, off what is `taken`; return the rectangle, if it is one."""
        pose, foe, thinking = scene.bots[index], scene.bots[1 - index], scene.thinking
        at, other = camera.point(pose.x, pose.y), camera.point(foe.x, foe.y)
        speech = [effect for effect in scene.effects if effect.kind == "speech" and effect.bot == index]
        if speech and pose.alive:
            return [self._bubbles.draw(target, speech[-1], scene.t, at, other, taken)]
        if thinking is None or thinking.bot != index or thinking.human or not self._display.bubbles or not pose.alive:
            return []
        if thinking.seconds < _BUBBLE_DELAY_S:
            return []
        dots = 1 if self._display.reduced_motion else int(scene.t * 3) % 3
        return [self._bubbles.draw_thought(target, thinking.text, dots, index, at, other, taken)]
