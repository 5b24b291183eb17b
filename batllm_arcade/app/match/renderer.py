"""Draws the frames of a live match: the scene, or what is being loaded, with notices and keys over it."""

from __future__ import annotations

import pygame

from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.frame import MatchFrame
from batllm_arcade.app.ui.canvas import Canvas
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.view.scene import Scene

_NOTES_BELOW, _NOTES_BELOW_HINT = 12, 64
"""Logical units from the arena's top to the notices, and that with a hint above them."""


class MatchRenderer:
    """Draws one match's frames; pictures that take long to make are kept until something about them changes."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._canvas: Canvas | None = None

    def draw(self, target: pygame.Surface, frame: MatchFrame) -> None:
        """Draw the frame over the whole surface."""
        renderer = self._renderer_for(target.get_size(), frame)
        if frame.scene is None:
            loading = frame.loading
            renderer.draw_loading(
                target, frame.now, loading.seats, loading.progress, failed=loading.failed, prompts=loading.prompts
            )
        else:
            self._draw_scene(target, renderer, frame, frame.scene)

    def _draw_scene(self, target: pygame.Surface, renderer: Renderer, frame: MatchFrame, scene: Scene) -> None:
        renderer.draw(target, scene)
        if frame.keys:
            renderer.draw_hint(target, frame.keys, quiet=True)
        if frame.turn is not None:
            renderer.draw_hint(target, frame.turn.words, color=frame.turn.color, top=frame.turn.top)
        below = _NOTES_BELOW_HINT if frame.turn is not None and frame.turn.top else _NOTES_BELOW
        notifications.draw(self._canvas_on(target, frame.display.ui_scale), renderer.arena, frame.notes, below)

    def _renderer_for(self, size: tuple[int, int], frame: MatchFrame) -> Renderer:
        kept = self._renderer
        if kept is None or (kept.size, kept.rules, kept.display) != (size, frame.rules, frame.display):
            self._renderer = kept = Renderer(size, frame.rules, frame.display)
        return kept

    def _canvas_on(self, target: pygame.Surface, scale: float) -> Canvas:
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (target.get_size(), scale):
            self._canvas = Canvas(target.get_size(), scale)
        self._canvas.target = target
        return self._canvas
