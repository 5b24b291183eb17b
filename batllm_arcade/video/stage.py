"""The picture of a film at any of its moments: the arcade's own picture, and what a film lays over it."""

from __future__ import annotations

from dataclasses import replace

import pygame

from batllm_arcade.video.cuts import Reel
from batllm_arcade.video.waits import Waits
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.look import Look
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline


class Stage:
    """Draws a film's pictures on `surface`, each a function of its moment alone; needs no display."""

    def __init__(self, size: tuple[int, int], timeline: Timeline, waits: Waits, reel: Reel, look: Look) -> None:
        self.surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
        self._timeline, self._waits, self._reel, self._look = timeline, waits, reel, look
        self._picture: Picture | None = None

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the picture of that moment; where it differs from the one drawn before."""
        moment = self._reel.at(film_t)
        assert moment is not None
        scene = self.scene(moment.t)
        self._picture_for(scene).draw(self.surface, scene)
        return [self.surface.get_rect()]

    def scene(self, t: float) -> Scene:
        """The scene at t seconds of the timeline, with who is thinking then."""
        scene, thinking = self._timeline.at(t), self._waits.at(t)
        return replace(scene, thinking=thinking) if thinking else scene

    def _picture_for(self, scene: Scene) -> Picture:
        if self._picture is None or self._picture.rules != scene.board.rules:
            self._picture = Picture(self.surface.get_size(), scene.board.rules)
        return self._picture
