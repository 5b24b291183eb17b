"""Draws the words of a person's turn: what each line of fire would do, what a step loads, and one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pygame

from batllm_arcade.core.geometry import bearing, direction, turn_between
from batllm_arcade.render.arena_words import Chip, place_chips
from batllm_arcade.render.draw_list import DrawList, KeptCommands, unit
from batllm_arcade.render.sprites import blit_centred
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.shapes import HOT
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.lines import FireLine, StepGhost, Telegraph
from batllm_arcade.view.theme import Color, mixed

Pixel = tuple[float, float]
_SAME_DEGREES = 5.0
"""Degrees between two lines of fire, one against the other, that look like one line."""
_SAME_BOUNCE = 0.09
"""That of two lines off a wall: how far apart they bounce, as a share of the way there."""
GREY: Color = (150, 158, 184)
"""The colour of a line whose gun is empty."""


def own_color(line: FireLine) -> Color:
    """Return the colour of the person's own line: gold where it would hit, pale where it would not or cannot."""
    seat = theme.SEAT_COLORS[line.bot]
    if line.outcome == "miss" or line.held:
        return mixed(seat, theme.FLOOR, 0.3)
    return theme.GOLD if line.outcome == "hit" else mixed(seat, theme.WHITE, 0.5)


Stretch = tuple[Pixel, Pixel]


def course(line: FireLine, camera: Camera, radius: float, aside: float = 0.0) -> tuple[Stretch, ...]:
    """Return a line's straight parts in pixels, from the edge of the bot it starts at, moved `aside` to its right.

    `radius` of a bot is in pixels, as `aside` is.
    """
    corners = [camera.point(*point) for point in line.path]
    first = _stretch(corners[0], corners[1], radius, aside)
    return (first, *(_stretch(start, end, 0.0, aside) for start, end in pairwise(corners[1:])))


def _stretch(start: Pixel, end: Pixel, radius: float, aside: float) -> Stretch:
    (ux, uy), gap = unit(start, end), min(radius, math.dist(start, end))
    x, y = -uy * aside, ux * aside
    return (start[0] + ux * gap + x, start[1] + uy * gap + y), (end[0] + x, end[1] + y)


def on_one_line(own: FireLine, foe: FireLine | None) -> bool:
    """Return whether two bots aim at each other so well that one line would hide the other."""
    if foe is None or "miss" in (own.outcome, foe.outcome) or (own.bounce is None) != (foe.bounce is None):
        return False
    if own.bounce is not None and foe.bounce is not None:
        return math.dist(own.bounce, foe.bounce) < _SAME_BOUNCE * math.dist(own.start, own.bounce)
    ways = [bearing(line.end[0] - line.start[0], line.end[1] - line.start[1]) for line in (own, foe)]
    return abs(turn_between(ways[0] + 180, ways[1])) < _SAME_DEGREES


def along(line: FireLine, camera: Camera) -> Pixel:
    """Return the unit vector along a line at its end."""
    return unit(*(camera.point(*point) for point in line.path[-2:]))


class TelegraphWords:
    """Draws the words of one arena's telegraphs; `radius` of a bot in pixels."""

    def __init__(self, radius: float, scale: float, text_renderer: TextRenderer) -> None:
        self._radius, self._scale, self._text_renderer = radius, scale, text_renderer
        self._chips = Cache(400)
        self._kept = KeptCommands()
        self._asked: object = None  # what the words on the screen are of, besides what they keep off
        self._taken: Sequence[pygame.Rect] = ()
        self._placed: list[pygame.Rect] = []

    def draw(
        self, target: DrawList, scene: Scene, shown: Telegraph, camera: Camera, taken: Sequence[pygame.Rect] = ()
    ) -> None:
        """Draw the words at the lines' ends and the sentence, none over a bot, another or what is `taken`.

        They stay where they are while only that changes and nothing of it comes to lie over them.
        """
        key = (shown, scene.aim, camera, tuple((pose.x, pose.y) for pose in scene.bots), tuple(target.clip))
        if key != self._asked or any(rect.collidelist(self._placed) >= 0 for rect in taken):
            self._asked, self._taken = key, tuple(taken)
        said = tuple(tuple(rect) for rect in self._taken)
        self._kept.draw(target, (key, said), lambda alone: self._draw_anew(alone, scene, shown, camera))

    def _draw_anew(self, target: DrawList, scene: Scene, shown: Telegraph, camera: Camera) -> None:
        chips, taken = list(self._words(scene, shown, camera)), [*self._bodies(scene, camera), *self._taken]
        sentence = self._sentence(shown, target.clip) if shown.banner else None
        if sentence is not None:
            banner = self._banner_rect(sentence, shown, target.clip)
            taken.append(banner)
        if shown.covered is not None:
            top, bottom = (round(target.clip.height * share) for share in shown.covered)
            taken.append(pygame.Rect(target.clip.x, target.clip.y + top, target.clip.width, bottom - top))
        both = (line for line in (shown.own, shown.foe) if line is not None)
        lines = [stretch for line in both for stretch in course(line, camera, self._radius)]
        area = target.clip.inflate(-round(12 * self._scale), -round(12 * self._scale))
        self._placed = []
        for chip, at in zip(chips, place_chips(chips, taken, lines, area, self._radius), strict=True):
            if at is not None:
                blit_centred(target, chip.image, at)
                self._placed.append(chip.image.get_rect(center=(round(at[0]), round(at[1]))))
        if sentence is not None:
            target.blit(sentence, banner)

    def _bodies(self, scene: Scene, camera: Camera) -> Iterator[pygame.Rect]:
        near = math.dist(*((pose.x, pose.y) for pose in scene.bots)) < 4 * scene.board.rules.bot_radius
        for pose in scene.bots:
            x, y = camera.point(pose.x, pose.y)
            yield pygame.Rect(
                round(x - self._radius * 1.3),
                round(y - self._radius * 1.75),
                round(self._radius * 2.6),
                round(self._radius * (3.6 if near else 3.1)),
            )

    def _words(self, scene: Scene, shown: Telegraph, camera: Camera) -> Iterator[Chip]:
        foe, own, step, aim = shown.foe, shown.own, shown.step, scene.aim
        if foe is not None and (foe.words or foe.note):
            loud = foe.outcome == "hit" and not foe.held
            tint = theme.WHITE if loud else GREY if foe.held else mixed(theme.SEAT_COLORS[foe.bot], theme.WHITE, 0.45)
            edge = HOT if loud else None
            at, away = self._anchor(foe, camera, near_muzzle=bool(foe.held))
            yield Chip(self._chip(foe.words, foe.note, tint, 20 if loud else 17, edge), at, away)
        if own.words or own.note:
            tint = {"hit": theme.GOLD, "blocked": theme.TEXT, "miss": theme.SOFT}[own.outcome]
            at, away = self._anchor(own, camera)
            yield Chip(
                self._chip(own.words, own.note, mixed(tint, theme.FLOOR, 0.25) if own.held else tint, 18), at, away
            )
        if step is not None and (step.words or step.threat):
            yield self._at_step(step, camera)
        for ghost in (shown.back, shown.foe_step, shown.shoved):
            if ghost is not None and (ghost.words or ghost.threat):
                yield self._at_step(ghost, camera, spare=ghost is shown.back)
        if shown.leaves[0]:
            bot = scene.bots[own.bot]
            ux, uy = direction(bot.rot % 360)
            yield Chip(self._chip(*shown.leaves, theme.TEXT, 18), camera.point(bot.x, bot.y), (-ux, -uy))
        if aim is not None and round(aim.turned):
            ux, uy = direction(aim.rot % 360)
            x, y = camera.point(scene.bots[aim.bot].x, scene.bots[aim.bot].y)
            words = self._chip(f"{abs(round(aim.turned))}\u00b0", "", own_color(own), 20)
            yield Chip(words, (x - ux * self._radius * 1.3, y - uy * self._radius * 1.3), (-ux, -uy))

    def _at_step(self, step: StepGhost, camera: Camera, *, spare: bool = False) -> Chip:
        (ux, uy), (x, y) = direction(step.rot % 360), camera.point(*step.end)
        tint = theme.WHITE if step.worse else mixed(theme.SEAT_COLORS[step.bot], theme.WHITE, 0.35)
        note = step.words if step.threat else ""
        chip = self._chip(step.threat or step.words, note, tint, 17, HOT if step.worse else None)
        return Chip(chip, (x + ux * self._radius * 0.3, y + uy * self._radius * 0.3), (-uy, ux), spare)

    def _anchor(self, line: FireLine, camera: Camera, *, near_muzzle: bool = False) -> tuple[Pixel, Pixel]:
        stretches = course(line, camera, self._radius)
        if near_muzzle:
            return stretches[0][0], unit(*stretches[0])
        ux, uy = along(line, camera)
        return stretches[-1][1], (-ux, -uy)

    def _chip(self, words: str, note: str, color: Color, size: float, edge: Color | None = None) -> pygame.Surface:
        return self._chips.get((words, note, color, size, edge), lambda: self._painted(words, note, color, size, edge))

    def _painted(self, words: str, note: str, color: Color, size: float, edge: Color | None) -> pygame.Surface:
        lines = [self._text_renderer.line(text, "title", size, color) for text in (words,) if text]
        lines += [
            self._text_renderer.line(text, "label", size * (0.8 if words else 0.95), mixed(color, GREY, 0.4))
            for text in (note,)
            if text
        ]
        pad_x, pad_y = round(7 * self._scale), round(1.5 * self._scale)
        wide = max(line.get_width() for line in lines) + 2 * pad_x
        high = sum(line.get_height() for line in lines) + 2 * pad_y
        chip = pygame.Surface((wide, high), pygame.SRCALPHA)
        round_corner = round(6 * self._scale)
        pygame.draw.rect(
            chip, (*mixed(theme.NIGHT, edge or theme.NIGHT, 0.3), 215), chip.get_rect(), border_radius=round_corner
        )
        if edge is not None:
            line_width = max(1, round(2 * self._scale))
            pygame.draw.rect(chip, edge, chip.get_rect(), line_width, border_radius=round_corner)
        top = pad_y
        for line in lines:
            chip.blit(line, line.get_rect(midtop=(wide // 2, top)))
            top += line.get_height()
        return chip

    def _banner_rect(self, sentence: pygame.Surface, shown: Telegraph, arena: pygame.Rect) -> pygame.Rect:
        rect, gap = sentence.get_rect(center=arena.center), round(16 * self._scale)
        if shown.place == "bottom":
            rect.bottom = arena.bottom - gap
        elif shown.place == "top":
            rect.top = arena.top + gap
        return rect

    def _sentence(self, shown: Telegraph, arena: pygame.Rect) -> pygame.Surface:
        color = theme.SEAT_COLORS[shown.own.bot]
        room = arena.width * 0.88

        def painted() -> pygame.Surface:
            title = self._text_renderer.line(shown.title, "label", 14, color) if shown.title else None
            words = self._text_renderer.fitted(shown.banner, "title", 22, theme.TEXT, room)
            above = title.get_height() if title else 0
            wide = max(words.get_width(), title.get_width() if title else 0) + round(28 * self._scale)
            plate = pygame.Surface((wide, words.get_height() + above + round(8 * self._scale)), pygame.SRCALPHA)
            pygame.draw.rect(plate, (*theme.NIGHT, 215), plate.get_rect(), border_radius=round(8 * self._scale))
            bar = pygame.Rect(0, 0, max(3, round(4 * self._scale)), plate.get_height())
            pygame.draw.rect(plate, color, bar, border_radius=round(2 * self._scale))
            top = round(3 * self._scale)
            for line in (title, words):
                if line is not None:
                    plate.blit(line, line.get_rect(midtop=(wide // 2, top)))
                    top += line.get_height()
            return plate

        return self._chips.get(("sentence", shown.title, shown.banner, color), painted)
