"""The picture of a film at any of its moments: the arcade's own picture, and what a film lays over it."""

from __future__ import annotations

from dataclasses import replace

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.overlay import Overlay
from batllm_arcade.video.draw.title_card import TitleCard
from batllm_arcade.video.edit.captions import Captions
from batllm_arcade.video.edit.edit_list import EditList, EditMoment
from batllm_arcade.video.edit.thinking_time import ThinkingTimes
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline


class FrameRenderer:
    """Draws a film's pictures on `surface`, each a function of its moment alone; needs no display.

    `captions` are burnt in, `title` is the opening card's.
    """

    def __init__(
        self,
        size: tuple[int, int],
        timeline: Timeline,
        waits: ThinkingTimes,
        reel: EditList,
        captions: Captions | None = None,
        title: str = "",
    ) -> None:
        self.surface = _canvas(size)
        laid_over = captions is not None or reel.card > 0 or any(piece.words or piece.entry for piece in reel.pieces)
        self._timeline, self._waits, self._reel, self._captions = timeline, waits, reel, captions
        self._bare = _canvas(size) if laid_over else self.surface
        self._picture: Renderer | None = None
        self._overlay: Overlay | None = None
        self._covered: list[pygame.Rect] = []
        self._card = TitleCard(size, title, timeline.segments[0].board.seats) if reel.card else None

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the picture of that moment; where it differs from the one drawn before."""
        moment = self._reel.at(film_t)
        if moment is None:
            assert self._card is not None
            self._covered = self._card.draw(self.surface, film_t)
            return self._covered
        scene = self.scene(moment.t)
        picture, overlay = self._picture_for(scene)
        changed = picture.redraw(self._bare, scene)
        return changed if self._bare is self.surface else self._laid_over(overlay, moment, changed)

    def _laid_over(self, overlay: Overlay, moment: EditMoment, changed: list[pygame.Rect]) -> list[pygame.Rect]:
        stale = [*changed, *self._covered]
        for rect in stale:
            self.surface.blit(self._bare, rect, rect)
        caption = self._captions.at(moment.t) if self._captions else None
        self._covered = overlay.draw(self.surface, moment, caption)
        return [*stale, *self._covered]

    def scene(self, t: float) -> Scene:
        """The scene at t seconds of the timeline, with who is thinking then."""
        scene, thinking = self._timeline.at(t), self._waits.at(t)
        return replace(scene, thinking=thinking) if thinking else scene

    def _picture_for(self, scene: Scene) -> tuple[Renderer, Overlay]:
        if self._picture is None or self._overlay is None or self._picture.rules != scene.board.rules:
            self._picture = Renderer(self.surface.get_size(), scene.board.rules)
            ribbons = any(piece.words for piece in self._reel.pieces)
            size, arena, scale = self.surface.get_size(), self._picture.arena, self._picture.layout.scale
            self._overlay = Overlay(size, arena, scale, ribbons=ribbons)
        return self._picture, self._overlay


def _canvas(size: tuple[int, int]) -> pygame.Surface:
    """A surface whose bytes are what an encoder calls bgr0, whatever the machine's screen is like."""
    return pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
