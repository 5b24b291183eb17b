"""Words in the arena: where they go so that they hide as little as possible, and those that pop up with effects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import pygame

from batllm_arcade.render.bots import bar_rect
from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.sprites import Icons, blit_centred
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
Room = tuple[int, int]
"""Width and height."""
Turns = tuple[tuple[float, float], ...]
"""Turns away from the direction in which words like to go, the best first: cosine and sine of each."""


def _turns(*degrees: float) -> Turns:
    return tuple((math.cos(math.radians(turn)), math.sin(math.radians(turn))) for turn in degrees)


ASIDE = _turns(55, -55, 90, -90, 0, 125, -125, 180)
UPWARDS = _turns(0, 180, 55, -55, 125, -125, 90, -90)
NEAREST = 0.8
_DISTANCES = (NEAREST, 0.3, 1.5, 2.4, 3.4)  # radii between the anchor and the words' nearest edge
_COVERS = 400  # pixels by which words that lie over others at all count as lying over more
_ACROSS, _DOWN = 8, 16  # steps in which a free place is looked for in the whole arena
_EVERY = 20  # pixels between the points of a line that words keep off


@dataclass(frozen=True, slots=True)
class Chip:
    """Words on a plate: the pixel they belong to, and the direction (a unit vector) in which they like to go.

    Those that are `spare` are left out where there is no room.
    """

    image: pygame.Surface
    at: Pixel
    away: Pixel
    spare: bool = False


def place_chips(
    chips: Sequence[Chip],
    taken: Sequence[pygame.Rect],
    lines: Sequence[tuple[Pixel, Pixel]],
    area: pygame.Rect,
    radius: float,
) -> list[Pixel | None]:
    """Return the middle of each chip inside `area`, None for one left out; `radius` is that of a bot, all in pixels.

    The first chips choose first; nothing is laid over what is taken as long as there is room.
    """
    occupied, middles = list(taken), list[Pixel | None]()
    dots = [dot for line in lines for dot in _dots(*line)]
    for chip in chips:
        best, least = pygame.Rect(0, 0, 0, 0), math.inf
        for number, spot in enumerate(_spots(chip.image.get_size(), chip.at, chip.away, radius, ASIDE)):
            if number >= least:
                break
            spot.clamp_ip(area)
            cost: float = number + _covering(spot, occupied)
            if cost >= least:
                continue
            cost += 25.0 * len(spot.collidelistall(dots))
            if cost < least:
                best, least = spot, cost
            if cost <= number + 25.0:  # nothing covered but a bit of a line
                break
        if chip.spare and best.collidelist(occupied) >= 0:
            middles.append(None)
            continue
        occupied.append(best)
        middles.append((best.x + best.w / 2, best.y + best.h / 2))
    return middles


def _covering(spot: pygame.Rect, occupied: Sequence[pygame.Rect]) -> int:
    """Return what it costs that words lie over others: the pixels, and `_COVERS` where there are any; 0 if not."""
    pixels = 0
    for index in spot.collidelistall(occupied):
        _, _, wide, high = spot.clip(occupied[index])
        pixels += wide * high
    return pixels and pixels + _COVERS


class Ground(NamedTuple):
    """What is around the pixel that words belong to, all in pixels; `radius` is that of a bot.

    Words may lie over one of the `bodies` if there is no other room, but not over what is `taken`, nor outside `area`.
    """

    at: Pixel
    bodies: Sequence[pygame.Rect]
    taken: Sequence[pygame.Rect]
    area: pygame.Rect
    radius: float
    own: Pixel | None = None
    """The middle of the bot that they are of, to which they are nearer than to the `other` one, if they can."""
    other: Pixel = (0.0, 0.0)

    def near(self, size: Room) -> pygame.Rect | None:
        """Return the rectangle for words of that size near the pixel: above it, else where nothing is; None if none."""
        first: pygame.Rect | None = None
        for spot in self._untaken(size):
            if spot.collidelist(self.bodies) < 0:
                if self.is_at_its_own(spot):
                    return spot
                first = first or spot
        return first

    def is_at_its_own(self, spot: pygame.Rect) -> bool:
        """Return whether a rectangle is nearer to the bot that words are of than to the other one."""
        return self.own is None or math.dist(spot.center, self.own) < math.dist(spot.center, self.other)

    def over_a_body(self, size: Room) -> pygame.Rect | None:
        """Return the first rectangle near the pixel that lies over a body alone, where none is free."""
        return next(self._untaken(size), None)

    def free(self, size: Room) -> pygame.Rect | None:
        """Return the nearest rectangle of that size that is over nothing."""
        return free_place(size, self.at, [*self.bodies, *self.taken], self.area)

    def _untaken(self, size: Room) -> Iterator[pygame.Rect]:
        if size[0] > self.area.width or size[1] > self.area.height:
            return
        for spot in _spots(size, self.at, (0.0, -1.0), self.radius, UPWARDS):
            spot.clamp_ip(self.area)
            if spot.collidelist(self.taken) < 0:
                yield spot


def place_words(size: Room, ground: Ground) -> pygame.Rect | None:
    """Return the rectangle for words of that size at a bot: near it, else at the nearest place that is free."""
    return ground.near(size) or ground.free(size) or ground.over_a_body(size)


def free_place(
    size: tuple[int, int], at: Pixel, occupied: Sequence[pygame.Rect], area: pygame.Rect
) -> pygame.Rect | None:
    """Return the rectangle of that size in an area that is nearest to a pixel and over nothing, None without one."""
    free = (spot for spot in _everywhere(size, area) if spot.collidelist(occupied) < 0)
    return min(free, key=lambda spot: math.dist(spot.center, at), default=None)


def least_covering(
    size: tuple[int, int], bodies: Sequence[pygame.Rect], taken: Sequence[pygame.Rect], area: pygame.Rect
) -> pygame.Rect | None:
    """Return the rectangle of that size that covers least of the bodies and nothing that is taken, None without one."""
    free = (spot for spot in _everywhere(size, area) if spot.collidelist(taken) < 0)
    return min(free, key=lambda spot: _covering(spot, bodies), default=None)


def _everywhere(size: tuple[int, int], area: pygame.Rect) -> Iterator[pygame.Rect]:
    (wide, high), room = size, (area.width - size[0], area.height - size[1])
    if min(room) < 0:
        return
    for down in range(_DOWN + 1):
        for across in range(_ACROSS + 1):
            x, y = area.left + room[0] * across // _ACROSS, area.top + room[1] * down // _DOWN
            yield pygame.Rect(x, y, wide, high)


def _spots(size: tuple[int, int], at: Pixel, away: Pixel, radius: float, turns: Turns) -> Iterator[pygame.Rect]:
    (wide, high), (x, y), (ax, ay) = size, at, away
    left, top, ways = x - wide / 2, y - high / 2, []
    near = _DISTANCES[0] * radius
    for cos, sin in turns:
        ux, uy = ax * cos - ay * sin, ay * cos + ax * sin
        edge = min(wide / (abs(ux) or 1e-6), high / (abs(uy) or 1e-6)) / 2
        ways.append((ux, uy, edge))
        reach = near + edge
        yield pygame.Rect(int(left + ux * reach), int(top + uy * reach), wide, high)
    for distance in _DISTANCES[1:]:
        far = distance * radius
        for ux, uy, edge in ways:
            reach = far + edge
            yield pygame.Rect(int(left + ux * reach), int(top + uy * reach), wide, high)


@lru_cache(maxsize=8)
def _dots(start: Pixel, end: Pixel) -> tuple[pygame.Rect, ...]:
    count = max(1, int(math.dist(start, end) / _EVERY))
    (x, y), dx, dy = start, (end[0] - start[0]) / count, (end[1] - start[1]) / count
    return tuple(pygame.Rect(round(x + dx * n) - 2, round(y + dy * n) - 2, 4, 4) for n in range(count + 1))


# Words that pop up with effects: placed once for as long as they are shown

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
            sets = (self._nearest_set(rooms, each) for each in grounds)
        else:
            if bodies:  # it may rather lie over the bot that it is of than be small, or over the other one
                grounds.append(grounds[-1]._replace(bodies=[bodies[1 - bot]]))
            sets = (_title_set(large, each) for large in (rooms[:-1], rooms) for each in grounds)
        return next(filter(None, sets), None) or _least_set(*rooms[-1], grounds[0])

    def _nearest_set(self, rooms: Sequence[tuple[_Way, Room]], ground: Ground) -> _Set | None:
        """Return the first way in which words are near, else the one in which they are nearest; None where nothing is
        free."""
        options = list[tuple[float, _Set]]()
        for number, (way, room) in enumerate(rooms):
            spot = ground.near(room) or ground.free(room)
            if spot is not None:
                away = math.dist(spot.center, ground.at) / self._radius
                away += 0.0 if ground.is_at_its_own(spot) else _NEAR
                if away <= _NEAR:
                    return (*way, spot)
                options.append((away + number * _WORTH, (*way, spot)))
        return min(options, key=itemgetter(0))[1] if options else None

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
        reach, wall = 1.2 * self._radius, 2 * round(_WALL * self._scale)
        arena, bodies = pygame.Rect(area).inflate(wall, wall), []
        for (x, y), other in zip(middles, middles[::-1], strict=True):
            bar = bar_rect((x, y), self._radius, self._scale, arena, other)
            bodies.append(pygame.Rect(x - reach, y - reach, 2 * reach, 2 * reach).union(bar.inflate(6, 6)))
        return bodies

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
    spot = least_covering(room, ground.bodies, ground.taken, ground.area)
    return spot and (*way, spot)


def _in_rows(text: str, rows: int) -> str:
    return text if rows < 2 else "\n".join(text.rsplit(" ", 1))


def _worded(scene: Scene) -> Iterator[tuple[Effect, look.EffectWords]]:
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
