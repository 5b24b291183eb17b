"""Everything that moves in the arena: bots, bullets, effects, bubbles."""

from __future__ import annotations

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.bots import BotRenderer
from batllm_arcade.render.bullets import BulletRenderer
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.effects import Effects, Place
from batllm_arcade.render.hud.bubbles import Bubbles
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.sprites import Sprites
from batllm_arcade.render.telegraph import TelegraphRenderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.effects import GREATER
from batllm_arcade.view.scene import Effect, Scene

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
        self._effects = Effects(sprites, text_renderer, Icons(), scale, display)
        self._bubbles = Bubbles(text_renderer, scale, arena, sprites.radius)

    def draw(self, target: DrawList, scene: Scene) -> None:
        """Draw the scene; `target` must be clipped to the arena."""
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
        with_bubble = [self._draw_bubble(target, scene, index, camera) for index in (0, 1)]
        said = {(effect.kind, effect.bot) for effect in scene.effects}
        for effect in scene.effects:
            if any((greater, effect.bot) in said for greater in GREATER.get(effect.kind, ())):
                continue  # the words of the greater event alone
            place = "below" if with_bubble[effect.bot] else self._place(scene, effect)
            self._effects.draw_words(target, effect, scene.t, camera, self.arena, place)
        if shown is not None:
            self._telegraphs.draw_words(target, scene, shown, camera)

    def _place(self, scene: Scene, effect: Effect) -> Place:
        """Return where words at the bot of this effect hide nothing, in a match with a battery: they say more there."""
        rules = scene.board.rules
        if not rules.battery:
            return "above"
        me, foe, radius = scene.bots[effect.bot], scene.bots[1 - effect.bot], rules.bot_radius
        if abs(me.x - foe.x) >= 3.5 * radius or not radius < me.y - foe.y < 4.5 * radius:
            return "above"
        return "below" if me.y + 3.2 * radius < rules.arena_height else "beside"

    def _draw_bubble(self, target: DrawList, scene: Scene, index: int, camera: Camera) -> bool:
        """Draw what this bot says, else what it thinks; return whether there was a bubble."""
        pose, foe, thinking = scene.bots[index], scene.bots[1 - index], scene.thinking
        at, other = camera.point(pose.x, pose.y), camera.point(foe.x, foe.y)
        speech = [effect for effect in scene.effects if effect.kind == "speech" and effect.bot == index]
        if speech and pose.alive:
            self._bubbles.draw(target, speech[-1], scene.t, at, other)
            return True
        if thinking is None or thinking.bot != index or thinking.human or not self._display.bubbles or not pose.alive:
            return False
        if thinking.seconds < _BUBBLE_DELAY_S:
            return False
        dots = 1 if self._display.reduced_motion else int(scene.t * 3) % 3
        self._bubbles.draw_thought(target, thinking.text, dots, index, at, other)
        return True
