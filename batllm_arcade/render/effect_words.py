"""The words that pop up with effects: placed once for as long as they are shown, over no other words and no wall."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import pygame

from batllm_arcade.render.bots import bar_rect
from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.labels import NEAREST, Ground, Room, least_covering
from batllm_arcade.render.sprites import blit_centred
from batllm_arcade.render.text import LEAST_FIT, Cache, TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.effects import GREATER, SHOTS
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.theme import Color

Pixel = tuple[float, float]
Within = Callable[[Sequence[Pixel]], pygame.Rect]
"""Where words may be while the bots are at these places in world units, none: where they are now."""
_Way = tuple[str, float, bool]
"""How words are set: their text, in rows; their size; whether they rise."""
_Set = tuple[str, float, bool, pygame.Rect]
"""How words are set, and where they stand with their way up."""
_WALL = 16  # pixels at scale 1 between words and the wall
_TRIED = (1.0, 1, True), (0.8, 1, True), (0.8, 2, True), (0.8, 1, False), (0.66, 1, False), (0.66, 2, False)
"""How words are set where those before would stand over a bot: their size, their rows, and whether they rise."""
_NEAR, _WORTH = 3.5, 0.5
"""Radii at which words are near, and by which they may rather be farther away than set in the next way."""
_TITLE = 50  # from this size on words can be read away from what they are about
_TRIED_TITLE = (1.0, 1, True), (0.8, 1, True), (0.8, 1, False), (0.66, 1, False), (0.5, 1, False)
_PITCH = 0.8  # of a row's height, from one to the next
_POP = 1.1  # times the size of the words for which room is kept; larger they are for a twentieth of a second


class _Shown(NamedTuple):
    """Words that are in the picture for some time, of which `rect` covers all places on their way."""

    effect: Effect
    words: look.EffectWords
    rises: bool
    rect: pygame.Rect
    area: pygame.Rect
    """Where there was room for them."""
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
        self._texts = Cache(80)
        self._place = lru_cache(maxsize=128)(self._placed)

    def draw(
        self,
        target: DrawList,
        scene: Scene,
        camera: Camera,
        taken: Sequence[pygame.Rect],
        covered: pygame.Rect,
        within: Within,
        scarce: Sequence[pygame.Rect] | None = None,
    ) -> list[pygame.Rect]:
        """Draw the words of a scene `within` what is shown, where nothing is `taken` or `covered`; return theirs.

        Where there is no room so, no more than the `scarce` places is taken.
        """
        if not any(effect.kind in look.WORDED for effect in scene.effects):
            return []
        shown: list[_Shown] = []
        wall = -2 * round(_WALL * self._scale)
        for effect, words in _worded(scene):
            area = tuple(within(effect.bots).inflate(wall, wall))
            end = look.words_end(effect)
            before = [other.rect for other in shown if other.meets(effect, end)]
            kept = tuple(
                tuple(tuple(rect) for rect in (*before, *places))
                for places in ((taken,) if scarce is None else (taken, scarce))
            )
            placed = self._place(effect.at, effect.bots, effect.bot, words.text, words.size, kept, camera, area)
            if placed is not None:
                text, size, rises, rect = placed
                shown.append(_Shown(effect, words._replace(text=text, size=size), rises, rect, pygame.Rect(area), end))
        now = [each for each in shown if self._is_shown(each, scene)]
        live = [each for each in now if not each.rect.colliderect(covered)]
        limits = within(()).inflate(wall, wall)
        for each in live:
            self._draw_words(target, each, scene.t, limits)
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
        bot: int,
        text: str,
        size: float,
        kept: tuple[tuple[tuple[int, ...], ...], ...],
        camera: Camera,
        area: tuple[int, ...],
    ) -> _Set | None:
        """Return how words are set at a point, and their rectangle with their way up, within an area.

        That is their rows, their size, and whether they rise; None where there is no room.
        """
        near = motion.WORDS.above * self._radius / NEAREST
        title, middles = size >= _TITLE, [camera.point(*place) for place in bots]
        bodies, belongs = self._bodies(middles, area), () if title or not middles else (middles[bot], middles[1 - bot])
        grounds = [
            Ground(camera.point(*at), bodies, [*map(pygame.Rect, taken)], pygame.Rect(area), near, *belongs)
            for taken in kept
        ]
        tried = [(_in_rows(text, n), share * size, rises) for share, n, rises in (_TRIED_TITLE if title else _TRIED)]
        rooms = [(each, self._room(*each, area[2])) for each in tried]
        if not title:
            found = (self._nearest_set(rooms, each) for each in grounds)
        else:
            if bodies:  # it may rather lie over the bot that it is of than be small, or over the other one
                grounds.append(grounds[-1]._replace(bodies=[bodies[1 - bot]]))
            found = (_title_set(large, each) for large in (rooms[:-1], rooms) for each in grounds)
        return next(filter(None, found), None) or _least_set(*rooms[-1], grounds[0])

    def _nearest_set(self, rooms: Sequence[tuple[_Way, Room]], ground: Ground) -> _Set | None:
        """Return the first way in which words are near, else the one in which they are nearest; None where nothing is
        free."""
        found = list[tuple[float, _Set]]()
        for number, (way, room) in enumerate(rooms):
            spot = ground.near(room) or ground.free(room)
            if spot is not None:
                away = math.dist(spot.center, ground.at) / self._radius
                away += 0.0 if ground.is_at_its_own(spot) else _NEAR
                if away <= _NEAR:
                    return (*way, spot)
                found.append((away + number * _WORTH, (*way, spot)))
        return min(found, key=itemgetter(0))[1] if found else None

    def _room(self, text: str, size: float, rises: bool, width: int) -> Room:
        """Return the room that words need; measured, because most ways to set them are only tried."""
        rows, edge = text.split("\n"), self._edge
        wide, least = (
            max(self._text_renderer.measure(row, "title", share * size) for row in rows) for share in (1, LEAST_FIT)
        )
        high = (len(rows) * _PITCH + 1 - _PITCH) * self._text_renderer.height("title", size)
        smaller = min(1.0, (width - 2 * edge) / wide)
        way = self._rise(1.0) if rises else 0.0
        across = round(_POP * (smaller * wide + 2 * edge))
        across = min(width, across) if least <= width - 2 * edge else across  # else they would be cut there
        return across, round(_POP * (smaller * high + 2 * edge) + way)

    @property
    def _edge(self) -> int:
        return max(1, round(2 * self._scale))

    def _bodies(self, middles: list[Pixel], area: tuple[int, ...]) -> list[pygame.Rect]:
        """Return the rectangles of bots and their health bars."""
        reach, wall = 1.2 * self._radius, 2 * round(_WALL * self._scale)
        arena, found = pygame.Rect(area).inflate(wall, wall), []
        for (x, y), other in zip(middles, middles[::-1], strict=True):
            bar = bar_rect((x, y), self._radius, self._scale, arena, other)
            found.append(pygame.Rect(x - reach, y - reach, 2 * reach, 2 * reach).union(bar.inflate(6, 6)))
        return found

    def _rise(self, age: float) -> float:
        return 0.0 if self._calm else self._radius * motion.WORDS.rise.at(age)

    def _draw_words(self, target: DrawList, shown: _Shown, t: float, limits: pygame.Rect) -> None:
        effect, words, rises, rect, area, _ = shown
        age = effect.age(t) * effect.duration / look.words_seconds(effect)
        size = words.size if self._calm else words.size * motion.WORDS.size(age)
        wide = max(self._text_renderer.measure(row, "title", words.size) for row in words.text.split("\n"))
        size = min(size, max(words.size, words.size * (area.width - 2 * self._edge) / wide))  # no word is cut to pop up
        image = self._picture(words.text, size, words.color, area.width)
        up = self._rise(age) if rises else 0.0
        at = image.get_rect(center=(rect.centerx, round(rect.bottom - image.get_height() / 2 - up)))
        target.blit(faded(image, motion.WORDS.light.at(age)), at.clamp(limits))

    def _picture(self, text: str, size: float, color: Color, width: int) -> pygame.Surface:
        return self._texts.get((text, size, color, width), lambda: self._with_outline(text, size, color, width))

    def _with_outline(self, text: str, size: float, color: Color, width: int) -> pygame.Surface:
        """Return text with a dark outline, readable on any background, no wider than so many pixels."""
        rows, edge = text.split("\n"), self._edge
        front, shadow = (
            [self._text_renderer.fitted(row, "title", size, tint, width - 2 * edge) for row in rows]
            for tint in (color, theme.NIGHT)
        )
        pitch = round(_PITCH * front[0].get_height())
        wide, high = max(row.get_width() for row in front), pitch * (len(rows) - 1) + front[-1].get_height()
        image = pygame.Surface((wide + 2 * edge, high + 2 * edge), pygame.SRCALPHA)
        for dx, dy in ((0, 0), (2 * edge, 0), (0, 2 * edge), (2 * edge, 2 * edge)):
            for number, row in enumerate(shadow):
                image.blit(row, (dx + (wide - row.get_width()) // 2, dy + number * pitch))
        for number, row in enumerate(front):
            image.blit(row, (edge + (wide - row.get_width()) // 2, edge + number * pitch))
        return image

    def _draw_stars(self, target: DrawList, at: Pixel, age: float) -> None:
        """Draw the stars that circle above a bot after a fumble."""
        stars, radius = motion.STARS, self._radius
        star = faded(self._icons.star(max(4, round(radius * stars.size)), theme.GOLD), stars.light.at(age))
        for x, y in stars.places(at, radius, 0.0 if self._calm else age):
            blit_centred(target, star, (x, y))


def _title_set(rooms: Sequence[tuple[_Way, Room]], ground: Ground) -> _Set | None:
    """Return how words are set that can be read anywhere: large and near, else anywhere, else smaller; None if nothing
    is free."""
    for find, tried in ((ground.near, rooms[:2]), (ground.free, rooms)):
        for way, room in tried:
            spot = find(room)
            if spot is not None:
                return (*way, spot)
    return None


def _least_set(way: _Way, room: Room, ground: Ground) -> _Set | None:
    """Return how words are set where nothing is free: over as little of a bot as they can."""
    spot = least_covering(room, ground.bodies, ground.taken, ground.area)
    return spot and (*way, spot)


def _in_rows(text: str, rows: int) -> str:
    """Return words on one line, or on two, the last word on the second."""
    return text if rows < 2 else "\n".join(text.rsplit(" ", 1))


def _worded(scene: Scene) -> Iterator[tuple[Effect, look.EffectWords]]:
    """Yield the effects that have words now or had some a moment ago, the earliest first."""
    worded = [effect for effect in (*scene.past, *scene.effects) if effect.kind in look.WORDED]
    for effect in sorted(worded, key=lambda effect: effect.start):
        words = look.words(effect)
        if words is not None:
            yield effect, words


def _outdoes(other: Effect, effect: Effect) -> bool:
    """Return whether an effect is the greater event at the same bot, or a later shot's, whose words are shown alone.

    That a bot only waits is less than all else that has words.
    """
    if other.kind in SHOTS and effect.kind in SHOTS and other.start > effect.start:
        return True
    if other.bot != effect.bot:
        return False
    waits = effect.kind == "fumble" and not effect.amount
    return other.kind in GREATER.get(effect.kind, ()) or (waits and other is not effect and bool(look.words(other)))
