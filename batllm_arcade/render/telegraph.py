"""The telegraph, and the words beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pygame

from batllm_arcade.render.arena_words import Ground, place_words
from batllm_arcade.render.draw_list import DrawList, KeptCommands, unit, wash
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.telegraph_words import GREY, Stretch, TelegraphWords, along, course, on_one_line, own_color
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.look.shapes import HOT
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.lines import FireLine, StepGhost, Telegraph, aim_alone
from batllm_arcade.view.telegraph.person_turn import BestPlay
from batllm_arcade.view.theme import Color, mixed

Pixel = tuple[float, float]
_ADD = pygame.BLEND_RGB_ADD
_FINE = 4
_ASIDE = 4.0
"""Logical pixels by which two lines that would hide one another are moved apart, each to its right."""
_REACH_DASH = 6.0
"""Degrees from one dash to the next of the arc within which a play turns."""
_DOTS = 28
"""Of the ring of a step that takes a turn before."""
_STAMPS = {"hatch": 13.0, "dot": 15.0}
"""Logical pixels from one piece of a line to the next."""


class TelegraphRenderer:
    """Draws the telegraphs of one arena."""

    def __init__(self, sprites: Sprites, scale: float, text_renderer: TextRenderer, display: DisplayOptions) -> None:
        self._sprites, self._scale = sprites, scale
        self._calm = display.reduced_motion
        self._stamps, self._ghosts = Cache(200), Cache(360)
        self._own, self._foe, self._arc = KeptCommands(), KeptCommands(), KeptCommands()
        self._words = TelegraphWords(sprites.radius, scale, text_renderer)

    def shown(self, scene: Scene) -> Telegraph | None:
        """Return what the scene shows of telegraphs: at least the line of a person who aims."""
        if scene.telegraph is not None or scene.aim is None:
            return scene.telegraph
        return aim_alone(scene.arena, scene.board.rules, scene.aim.bot, scene.aim.rot, named=False)

    def draw_words(
        self, target: DrawList, scene: Scene, shown: Telegraph, camera: Camera, taken: Sequence[pygame.Rect] = ()
    ) -> None:
        """Draw the words at the lines' ends and the sentence, none over a bot, another or what is `taken`."""
        self._words.draw(target, scene, shown, camera, taken)

    # Below the bots

    def draw_below(self, target: DrawList, shown: Telegraph, camera: Camera) -> None:
        """Draw the lines and the ghost of a step, which hide no bot."""
        aside = _ASIDE * self._scale if on_one_line(shown.own, shown.foe) else 0.0
        chosen = {"move": shown.step, "retreat": shown.back}.get(shown.chosen)
        if shown.reach is not None:
            at, reach, color = camera.point(*shown.own.start), shown.reach, theme.SEAT_COLORS[shown.own.bot]
            self._arc.draw(target, (at, reach, color), lambda alone: self._draw_reach(alone, at, reach, color))
        for ghost in (shown.foe_step, shown.back, shown.step):
            if ghost is not None:
                self._draw_step(target, ghost, camera, stands=ghost is chosen)
        if shown.aimed_step is not None:
            self._draw_step(target, shown.aimed_step, camera, stands=False, dotted=True)
        if shown.foe is not None:
            foe = shown.foe
            self._foe.draw(target, (foe, camera, aside), lambda alone: self._draw_foe(alone, foe, camera, aside))
        if shown.marks:
            self._draw_marks(target, shown, camera)
        own = shown.own
        self._own.draw(target, (own, camera, aside), lambda alone: self._draw_own(alone, own, camera, aside))

    def _draw_reach(self, target: DrawList, at: Pixel, reach: tuple[float, float], color: Color) -> None:
        """Draw the arc within which one play turns the barrel, with a stop at each end."""
        (middle, most), radius, tint = reach, self._sprites.radius, mixed(theme.FLOOR, color, 0.6)
        dashes = max(2, round(2 * most / _REACH_DASH))
        for dash in range(dashes):
            ways = [middle - most + 2 * most * (dash + share) / dashes for share in (0.25, 0.75)]
            target.polygon(tint, [*_arc(at, radius * 1.52, ways), *_arc(at, radius * 1.48, ways[::-1])])
        for end in (middle - most, middle + most):
            ways = [end - 1.2, end + 1.2]
            target.polygon(color, [*_arc(at, radius * 1.62, ways), *_arc(at, radius * 1.38, ways[::-1])])

    def _draw_marks(self, target: DrawList, shown: Telegraph, camera: Camera) -> None:
        mark = self._stamps.get(("mark",), lambda: _mark(self._scale))
        for point in shown.marks:
            place = mark.get_rect(center=camera.point(*point)).clamp(target.clip)
            target.blit(mark, place.topleft)

    def _draw_foe(self, target: DrawList, line: FireLine, camera: Camera, aside: float) -> None:
        for stretch in course(line, camera, self._sprites.radius, aside):
            self._draw_foe_stretch(target, line, stretch)
        self._draw_bounce(target, line, camera, theme.SEAT_COLORS[line.bot])

    def _draw_foe_stretch(self, target: DrawList, line: FireLine, stretch: Stretch) -> None:
        color, (start, end) = theme.SEAT_COLORS[line.bot], stretch
        if line.held == "charge":
            self._draw_stamps(target, "dot", GREY, start, end)
        elif line.held or line.outcome == "miss":
            target.line(mixed(theme.FLOOR, color, 0.6), start, end)
        elif line.outcome == "blocked":
            target.line(mixed(theme.FLOOR, color, 0.6), start, end)
            self._draw_stamps(target, "hatch", mixed(color, theme.WHITE, 0.25), start, end)
        else:
            self._draw_solid(target, mixed(color, theme.WHITE, 0.25), start, end)

    def _draw_own(self, target: DrawList, line: FireLine, camera: Camera, aside: float) -> None:
        color = own_color(line)
        gap, size = (22.0, 4.5) if line.held else (14.0, 6.0)
        bead = self._sprites.lights.glow(color, size * self._scale, 1.0)
        reached = self._sprites.radius * 0.3  # from the muzzle on, or from the last bead before a wall
        for start, end in course(line, camera, self._sprites.radius, aside):
            (ux, uy), length = unit(start, end), math.dist(start, end) or 1.0
            while reached < length:
                blit_centred(target, bead, (start[0] + ux * reached, start[1] + uy * reached), _ADD)
                reached += gap * self._scale
            reached -= length
        self._draw_bounce(target, line, camera, color)

    def _draw_bounce(self, target: DrawList, line: FireLine, camera: Camera, color: Color) -> None:
        if line.bounce is not None and line.outcome != "miss":
            glow = self._sprites.lights.glow(color, 15 * self._scale, 0.9)
            blit_centred(target, glow, camera.point(*line.bounce), _ADD)

    def _draw_solid(self, target: DrawList, color: Color, start: Pixel, end: Pixel) -> None:
        """Draw a thick line with a bright core, in pieces: the bounding box of a long one would be mostly empty."""
        pieces = max(1, math.ceil(math.dist(start, end) / (40 * self._scale)))
        half, (ux, uy) = math.dist(start, end) / pieces / 2, unit(start, end)
        for thick, tint in ((2.4, color), (0.8, mixed(color, theme.WHITE, 0.75))):
            for number in range(pieces):
                at = (2 * number + 1) * half
                middle = (start[0] + ux * at, start[1] + uy * at)
                target.polygon(tint, _quad(middle, (ux, uy), half, thick * self._scale))

    def _draw_stamps(self, target: DrawList, kind: str, color: Color, start: Pixel, end: Pixel) -> None:
        length = math.dist(start, end)
        if length < 1.0:
            return
        ux, uy = unit(start, end)
        degree = round(math.degrees(math.atan2(uy, ux))) % 360
        stamp = self._stamps.get((kind, color, degree), lambda: _stamp(kind, color, degree, self._scale))
        gap = _STAMPS[kind] * self._scale
        for number in range(math.ceil(length / gap)):
            along = min(length, (number + 0.5) * gap)
            blit_centred(target, stamp, (start[0] + ux * along, start[1] + uy * along))

    def _draw_step(
        self, target: DrawList, ghost: StepGhost, camera: Camera, *, stands: bool, dotted: bool = False
    ) -> None:
        """Draw the ring of a step; a bot `stands` there while the step is chosen. `dotted`: it takes a turn before.

        Where a shot would hit there, the ring is hot and has a cross in it, whether or not there is room for words.
        """
        radius, color = self._sprites.radius, HOT if ghost.struck else theme.SEAT_COLORS[ghost.bot]
        ring = self._stamps.get(
            ("ring", color, dotted), lambda: _ring(radius, color, crossed=ghost.struck, dotted=dotted)
        )
        if stands:
            body = self._faded(self._sprites.bot(ghost.bot, ghost.rot, True), 0.5)
            blit_centred(target, body, camera.point(*ghost.end))
        blit_centred(target, ring, camera.point(*ghost.end))

    # Above the bots

    def draw(self, target: DrawList, scene: Scene, shown: Telegraph, camera: Camera) -> None:
        """Draw the bot in the direction it would turn to, and what the bullets would do where they end."""
        aim = scene.aim
        if aim is not None and round(aim.turned):
            pose, at = scene.bots[aim.bot], camera.point(scene.bots[aim.bot].x, scene.bots[aim.bot].y)
            blit_centred(target, self._faded(self._sprites.bot(aim.bot, aim.rot, True), 0.5), at)
            if pose.shield > 0.5:
                blit_centred(target, self._faded(self._sprites.shield(aim.bot, aim.rot, pose.shield), 0.4), at)
            if scene.board.rules.battery:
                blit_centred(target, self._sprites.gauge(aim.bot, pose.charge), at)
        if shown.shoved is not None:
            body = self._faded(self._sprites.bot(shown.shoved.bot, shown.shoved.rot, True), 0.6)
            blit_centred(target, body, camera.point(*shown.shoved.end))
        if shown.leaves[0]:
            me = scene.bots[shown.own.bot]
            shield = self._faded(self._sprites.shield(shown.own.bot, me.rot, 1.0), 0.5)
            blit_centred(target, shield, camera.point(me.x, me.y))
        self._draw_end(target, shown.own, camera, own_color(shown.own))
        foe = shown.foe
        if foe is not None and not foe.held and foe.outcome != "miss":
            color = mixed(theme.SEAT_COLORS[foe.bot], theme.WHITE, 0.3)
            if foe.outcome == "hit":
                pulse = 0.8 if self._calm else 0.7 + 0.2 * math.sin(6 * scene.t)
                glow = self._sprites.lights.glow(HOT, self._sprites.radius * 0.8, pulse)
                blit_centred(target, glow, camera.point(*foe.end), _ADD)
                self._draw_arrow(target, foe, camera)
            else:
                self._draw_end(target, foe, camera, color)

    def _faded(self, sprite: pygame.Surface, opacity: float) -> pygame.Surface:
        """Return a translucent copy of a sprite, which must never change; its pixels have the opacity in them.

        A copy with an opacity of its own looks the same and takes five times as long to blit.
        """

        return self._ghosts.get((sprite, opacity), lambda: _thinned(sprite, opacity))

    def _draw_end(self, target: DrawList, line: FireLine, camera: Camera, color: Color) -> None:
        end, wide = camera.point(*line.end), max(2, round(2 * self._scale))
        if line.outcome == "hit":
            target.circle(color, end, 9 * self._scale, wide)
        elif line.outcome == "blocked":
            ux, uy = along(line, camera)
            half, thick = 13 * self._scale, 2.2 * self._scale
            target.polygon(color, _quad(end, (-uy, ux), half, thick))

    def _draw_arrow(self, target: DrawList, line: FireLine, camera: Camera) -> None:
        (ux, uy), (x, y), size = along(line, camera), camera.point(*line.end), 15 * self._scale
        x, y = x - ux * self._sprites.radius * 0.3, y - uy * self._sprites.radius * 0.3  # clear of the muzzle
        for reach, color in ((1.3, theme.NIGHT), (1.0, theme.WHITE)):
            tip, back = size * 0.1 * reach, -size * reach
            points = [
                (x + ux * tip, y + uy * tip),
                (x + ux * back - uy * size * 0.62 * reach, y + uy * back + ux * size * 0.62 * reach),
                (x + ux * back * 0.72, y + uy * back * 0.72),
                (x + ux * back + uy * size * 0.62 * reach, y + uy * back - ux * size * 0.62 * reach),
            ]
            target.polygon(color, points)


def _thinned(sprite: pygame.Surface, opacity: float) -> pygame.Surface:
    copy = sprite.copy()
    wash(copy, (255, 255, 255, round(255 * opacity)), pygame.BLEND_RGBA_MULT)
    return copy


def _quad(at: Pixel, along: Pixel, half: float, thick: float) -> list[Pixel]:
    (x, y), (ux, uy) = at, along
    return [
        (x + ux * a * half - uy * b * thick, y + uy * a * half + ux * b * thick)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def _stamp(kind: str, color: Color, degree: int, scale: float) -> pygame.Surface:
    unit = scale * _FINE
    side = math.ceil(20 * unit)
    canvas = pygame.Surface((side, side), pygame.SRCALPHA)
    canvas.fill((*color, 0))
    middle = side / 2
    if kind == "hatch":
        slant = [(-4, 6), (-0.6, 6), (4, -6), (0.6, -6)]
        pygame.draw.polygon(canvas, color, [(middle + x * unit, middle + y * unit) for x, y in slant])
    else:
        pygame.draw.circle(canvas, color, (middle, middle), 2.0 * unit)
    return pygame.transform.rotozoom(canvas, -degree, 1 / _FINE)


def _mark(scale: float) -> pygame.Surface:
    fine = scale * _FINE
    side = math.ceil(22 * fine)
    canvas = pygame.Surface((side, side), pygame.SRCALPHA)
    canvas.fill((*theme.GOLD, 0))
    for half, opacity in ((11, 70), (6, 240)):
        corners = [(0, -half), (half, 0), (0, half), (-half, 0)]
        points = [(side / 2 + x * fine, side / 2 + y * fine) for x, y in corners]
        pygame.draw.polygon(canvas, (*theme.GOLD, opacity), points)
    return pygame.transform.smoothscale(canvas, (side // _FINE, side // _FINE))


def _dashes(at: Pixel, outer: float, inner: float, number: int) -> Iterator[list[Pixel]]:
    """Yield the outlines of a dashed ring's pieces."""
    for dash in range(number):
        ways = [math.tau * (dash + share) / number for share in (0.0, 0.2, 0.4, 0.6)]
        edges = [(outer, way) for way in ways] + [(inner, way) for way in reversed(ways)]
        yield [(at[0] + reach * math.cos(way), at[1] + reach * math.sin(way)) for reach, way in edges]


def _arc(at: Pixel, radius: float, ways: Sequence[float]) -> list[Pixel]:
    """Return the points that are so far from a place, in these directions in degrees."""
    return [
        (at[0] + radius * math.cos(math.radians(way)), at[1] + radius * math.sin(math.radians(way))) for way in ways
    ]


def _ring(radius: float, color: Color, *, crossed: bool, dotted: bool) -> pygame.Surface:
    fine = radius * _FINE
    side = math.ceil(2.1 * fine)
    canvas = pygame.Surface((side, side), pygame.SRCALPHA)
    canvas.fill((*color, 0))
    if dotted:
        for dot in range(_DOTS):
            ((x, y),) = _arc((side / 2, side / 2), fine * 0.97, [360 * dot / _DOTS])
            pygame.draw.circle(canvas, (*color, 150), (x, y), fine * 0.03)
    else:
        pygame.draw.circle(canvas, (*color, 26), (side / 2, side / 2), fine)
        for dash in _dashes((side / 2, side / 2), fine, fine * 0.95, 18):
            pygame.draw.polygon(canvas, (*color, 200), dash)
    arm, thick = fine * 0.16, max(2, round(fine * 0.07))
    for slant in (-arm, arm) if crossed else ():
        ends = (side / 2 - slant, side / 2 - arm), (side / 2 + slant, side / 2 + arm)
        pygame.draw.line(canvas, (*color, 220), *ends, thick)
    return pygame.transform.smoothscale(canvas, (side // _FINE, side // _FINE))


_THICK, _HEAD = 3.2, 15.0
"""Logical pixels: half the width of the arrow's shaft, and how long its head is."""
_GHOST = 0.55
"""How opaque the ghost is."""


class BestPlayRenderer:
    """Draws the best plays of one arena."""

    def __init__(self, sprites: Sprites, scale: float, text_renderer: TextRenderer) -> None:
        self._sprites, self._scale, self._text_renderer = sprites, scale, text_renderer
        self._ghosts = Cache(60)

    def draw(self, target: DrawList, scene: Scene, best: BestPlay, camera: Camera) -> None:
        """Draw the ghost and the arrow over the scene, and the words where they hide neither bot."""
        ghost = best.ghost
        at = camera.point(ghost.x, ghost.y)
        if not best.stays:
            body = self._sprites.bot(best.bot, ghost.rot, True)
            blit_centred(target, self._ghosts.get(body, lambda: _thinned(body, _GHOST)), at)
        if best.shield:
            blit_centred(target, self._sprites.shield(best.bot, ghost.rot, 1.0, 0.6), at)
        corners = [camera.point(*point) for point in best.path]
        for start, end in pairwise(corners):
            self._shaft(target, start, end)
        if len(corners) > 1:
            self._head(target, *corners[-2:])
        self._ring(target, at)
        self._words(target, scene, best, camera)

    def _ring(self, target: DrawList, at: Pixel) -> None:
        radius, thick = self._sprites.radius * 1.12, max(1.5, 2.0 * self._scale)
        for dash in _dashes(at, radius, radius - thick, 14):
            target.polygon(theme.GOLD, dash)

    def _shaft(self, target: DrawList, start: Pixel, end: Pixel) -> None:
        (ux, uy), half = unit(start, end), _THICK * self._scale
        for wide, color in ((1.9, theme.NIGHT), (1.0, theme.GOLD)):
            x, y = -uy * half * wide, ux * half * wide
            points = [(start[0] + x, start[1] + y), (end[0] + x, end[1] + y), (end[0] - x, end[1] - y)]
            target.polygon(color, [*points, (start[0] - x, start[1] - y)])

    def _head(self, target: DrawList, start: Pixel, end: Pixel) -> None:
        ux, uy = unit(start, end)
        for reach, color in ((1.25, theme.NIGHT), (1.0, theme.GOLD)):
            size = _HEAD * self._scale * reach
            tip = (end[0] + ux * size * 0.7, end[1] + uy * size * 0.7)
            back = (end[0] - ux * size * 0.5, end[1] - uy * size * 0.5)
            side = (-uy * size * 0.62, ux * size * 0.62)
            points = [tip, (back[0] + side[0], back[1] + side[1]), (back[0] - side[0], back[1] - side[1])]
            target.polygon(color, points)

    def _words(self, target: DrawList, scene: Scene, best: BestPlay, camera: Camera) -> None:
        chip = self._chip(best.words.upper())
        radius = self._sprites.radius
        bodies = [_around(camera.point(pose.x, pose.y), 1.35 * radius) for pose in scene.bots]
        at = camera.point(best.ghost.x, best.ghost.y)
        bodies.append(_around(at, 1.35 * radius))
        area = target.clip.inflate(-round(12 * self._scale), -round(12 * self._scale))
        rect = place_words(chip.get_size(), Ground(at, bodies, [], area, radius))
        if rect is not None:
            target.blit(chip, rect)

    def _chip(self, words: str) -> pygame.Surface:
        def made() -> pygame.Surface:
            line = self._text_renderer.line(words, "title", 19, theme.GOLD)
            pad = round(9 * self._scale)
            plate = pygame.Surface((line.get_width() + 2 * pad, line.get_height() + pad), pygame.SRCALPHA)
            rect = plate.get_rect()
            pygame.draw.rect(plate, (*theme.NIGHT, 225), rect, border_radius=pad)
            pygame.draw.rect(
                plate, (*mixed(theme.GOLD, theme.NIGHT, 0.4), 255), rect, max(1, round(1.5 * self._scale)), pad
            )
            plate.blit(line, (pad, pad // 2))
            return plate

        return self._ghosts.get(("words", words), made)


def _around(at: Pixel, reach: float) -> pygame.Rect:
    return pygame.Rect(round(at[0] - reach), round(at[1] - reach), round(2 * reach), round(2 * reach))
