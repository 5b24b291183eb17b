"""Draws the best play in a position: a ghost of the bot, an arrow, and words."""

from __future__ import annotations

import math
from itertools import pairwise

import pygame

from batllm_arcade.render.draw_list import DrawList, wash
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import Cache, TextRenderer
from batllm_arcade.render.words.labels import Ground, place_words
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.best_play import BestPlay
from batllm_arcade.view.theme import mixed

Pixel = tuple[float, float]
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
            blit_centred(target, self._ghost(best.bot, ghost.rot), at)
        if best.shield:
            blit_centred(target, self._sprites.shield(best.bot, ghost.rot, 1.0, 0.6), at)
        corners = [camera.point(*point) for point in best.path]
        for start, end in pairwise(corners):
            self._shaft(target, start, end)
        if len(corners) > 1:
            self._head(target, *corners[-2:])
        self._ring(target, at)
        self._words(target, scene, best, camera)

    def _ghost(self, bot: int, rot: float) -> pygame.Surface:
        body = self._sprites.bot(bot, rot, True)

        def thinned() -> pygame.Surface:
            copy = body.copy()
            wash(copy, (255, 255, 255, round(255 * _GHOST)), pygame.BLEND_RGBA_MULT)
            return copy

        return self._ghosts.get(body, thinned)

    def _ring(self, target: DrawList, at: Pixel) -> None:
        """Draw a dashed ring of gold around where the bot would stand."""
        radius, thick = self._sprites.radius * 1.12, max(1.5, 2.0 * self._scale)
        for dash in range(14):
            angles = [math.tau * (dash + share) / 14 for share in (0.0, 0.2, 0.4, 0.6)]
            outer = [(at[0] + radius * math.cos(a), at[1] + radius * math.sin(a)) for a in angles]
            inner = [(at[0] + (radius - thick) * math.cos(a), at[1] + (radius - thick) * math.sin(a)) for a in angles]
            target.polygon(theme.GOLD, [*outer, *reversed(inner)])

    def _shaft(self, target: DrawList, start: Pixel, end: Pixel) -> None:
        length = math.dist(start, end) or 1.0
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        half = _THICK * self._scale
        for wide, color in ((1.9, theme.NIGHT), (1.0, theme.GOLD)):
            x, y = -uy * half * wide, ux * half * wide
            points = [(start[0] + x, start[1] + y), (end[0] + x, end[1] + y), (end[0] - x, end[1] - y)]
            target.polygon(color, [*points, (start[0] - x, start[1] - y)])

    def _head(self, target: DrawList, start: Pixel, end: Pixel) -> None:
        length = math.dist(start, end) or 1.0
        ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
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
        """Return words in gold on a dark plate."""

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
