"""The words that pop up with effects: placed once for as long as they are shown, over no other words and no wall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import pygame

from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.sprites import blit_centred
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.render.words.labels import NEAREST, place_words
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.effects import GREATER
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.theme import Color

Pixel = tuple[float, float]
_WALL = 12  # pixels at scale 1 between words and the wall
_POP = 1.1  # times the size of the words for which room is kept; larger they are for a twentieth of a second


class _Shown(NamedTuple):
    """Words that are in the picture for some time, of which `rect` covers all places on their way."""

    effect: Effect
    words: look.EffectWords
    rect: pygame.Rect
    widest: int
    """How many pixels they may be wide."""
    end: float
    """When they are gone, in seconds."""

    def meets(self, effect: Effect, end: float) -> bool:
        """Return whether both are shown at the same time, those of the effect up to `end`."""
        return self.effect.start < end and effect.start < self.end and not _outdoes(effect, self.effect)


class EffectLabels:
    """Draws the words of one arena; where they stand is a function of the scene."""

    def __init__(
        self,
        text_renderer: TextRenderer,
        icons: Icons,
        scale: float,
        radius: float,
        display: DisplayOptions,
    ) -> None:
        self._text_renderer, self._icons, self._scale = text_renderer, icons, scale
        self._radius, self._calm = radius, display.reduced_motion
        self._texts = Cache(40)
        self._place = lru_cache(maxsize=128)(self._placed)

    def draw(
        self,
        target: DrawList,
        scene: Scene,
        camera: Camera,
        taken: Sequence[pygame.Rect],
        covered: pygame.Rect,
        within: pygame.Rect,
    ) -> list[pygame.Rect]:
        """Draw the words of a scene `within` a rectangle, where nothing is `taken` or `covered`; return theirs."""
        if not any(effect.kind in look.WORDED for effect in scene.effects):
            return []
        shown: list[_Shown] = []
        wall = -2 * round(_WALL * self._scale)
        area = tuple(within.inflate(wall, wall))
        for effect, words in _worded(scene):
            end = look.words_end(effect)
            before = [other.rect for other in shown if other.meets(effect, end)]
            kept = tuple(tuple(rect) for rect in (*before, *taken))
            rect = self._place(effect.at, effect.bots, words.text, words.size, kept, camera, area)
            if rect is not None:
                shown.append(_Shown(effect, words, rect, area[2], end))
        now = [each for each in shown if self._is_shown(each, scene)]
        live = [each for each in now if not each.rect.colliderect(covered)]
        for each in live:
            self._draw_words(target, each, scene.t)
        for effect in scene.effects:
            if effect.kind == "fumble" and effect.amount:
                self._draw_stars(target, camera.point(*effect.at), effect.age(scene.t))
        return [each.rect for each in live]

    @staticmethod
    def _is_shown(shown: _Shown, scene: Scene) -> bool:
        effect = shown.effect
        return effect.start <= scene.t < shown.end and not any(_outdoes(other, effect) for other in scene.effects)

    def _placed(
        self,
        at: Pixel,
        bots: tuple[Pixel, ...],
        text: str,
        size: float,
        kept: tuple[tuple[int, ...], ...],
        camera: Camera,
        area: tuple[int, ...],
    ) -> pygame.Rect | None:
        """Return the rectangle for words at a point and their way up, within an area; None where there is no room."""
        image, bodies = (
            self._picture(text, size, theme.TEXT, area[2]),
            [self._body(*camera.point(*bot)) for bot in bots],
        )
        room = round(_POP * image.get_width()), round(_POP * image.get_height() + self._rise(1.0))
        near = motion.WORDS.above * self._radius / NEAREST
        return place_words(room, camera.point(*at), bodies, [*map(pygame.Rect, kept)], pygame.Rect(area), near)

    def _body(self, x: float, y: float) -> pygame.Rect:
        """Return the rectangle of a bot and its health bar."""
        radius = self._radius
        return pygame.Rect(x - 1.2 * radius, y - 1.65 * radius, 2.4 * radius, 2.8 * radius)

    def _rise(self, age: float) -> float:
        return 0.0 if self._calm else self._radius * motion.WORDS.rise.at(age)

    def _draw_words(self, target: DrawList, shown: _Shown, t: float) -> None:
        effect, words, rect, widest, _ = shown
        age = effect.age(t) * effect.duration / look.words_seconds(effect)
        size = words.size if self._calm else words.size * motion.WORDS.size(age)
        image = self._picture(words.text, size, words.color, widest)
        at = image.get_rect(center=(rect.centerx, round(rect.bottom - image.get_height() / 2 - self._rise(age))))
        target.blit(faded(image, motion.WORDS.light.at(age)), at.clamp(target.clip))

    def _picture(self, text: str, size: float, color: Color, width: int) -> pygame.Surface:
        return self._texts.get((text, size, color, width), lambda: self._with_outline(text, size, color, width))

    def _with_outline(self, text: str, size: float, color: Color, width: int) -> pygame.Surface:
        """Return text with a dark outline, readable on any background, no wider than so many pixels."""
        front = self._text_renderer.fitted(text, "title", size, color, width)
        shadow = self._text_renderer.fitted(text, "title", size, theme.NIGHT, width)
        edge = max(1, round(2 * self._scale))
        image = pygame.Surface((front.get_width() + 2 * edge, front.get_height() + 2 * edge), pygame.SRCALPHA)
        for dx, dy in ((0, 0), (2 * edge, 0), (0, 2 * edge), (2 * edge, 2 * edge)):
            image.blit(shadow, (dx, dy))
        image.blit(front, (edge, edge))
        return image

    def _draw_stars(self, target: DrawList, at: Pixel, age: float) -> None:
        """Draw the stars that circle above a bot after a fumble."""
        stars, radius = motion.STARS, self._radius
        star = faded(self._icons.star(max(4, round(radius * stars.size)), theme.GOLD), stars.light.at(age))
        for x, y in stars.places(at, radius, 0.0 if self._calm else age):
            blit_centred(target, star, (x, y))


def _worded(scene: Scene) -> Iterator[tuple[Effect, look.EffectWords]]:
    """Yield the effects that have words now or had some a moment ago, the earliest first."""
    worded = [effect for effect in (*scene.past, *scene.effects) if effect.kind in look.WORDED]
    for effect in sorted(worded, key=lambda effect: effect.start):
        words = look.words(effect)
        if words is not None:
            yield effect, words


def _outdoes(other: Effect, effect: Effect) -> bool:
    """Return whether an effect is the greater event at the same bot, whose words are shown alone."""
    return other.bot == effect.bot and other.kind in GREATER.get(effect.kind, ())
