"""Draws the frames of a live match: the scene, or what is being loaded, with notices and keys over it."""

from __future__ import annotations

from dataclasses import replace

import pygame

from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.frame import MatchFrame
from batllm_arcade.app.match.guide import card
from batllm_arcade.app.match.pointer.button_strip import ButtonStrip
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.view.scene import Scene

_NOTES_BELOW, _NOTES_BELOW_HINT, _NOTES_BELOW_SENTENCE = 12.0, 64.0, 116.0
"""Logical units from the arena's top to the notices, and that with a hint or a person's sentence above them."""


class MatchRenderer:
    """Draws one match's frames; pictures that take long to make are kept until something about them changes."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._strip: ButtonStrip | None = None
        self._canvas: Canvas | None = None
        self._corner = CornerButton("pause")

    # -- where things are in the picture -----------------------------------------------------

    def button_at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button at a pixel, `pause` for the one at the top left, "" for none."""
        if self._canvas is not None and self._corner.BOX.holds(*self._canvas.logical(pos)):
            return "pause"
        return self._strip.at(pos) if self._strip is not None else ""

    def world(self, pos: tuple[int, int]) -> tuple[float, float] | None:
        """Return the point of the arena at a pixel, in world units; None outside of the arena."""
        renderer = self._renderer
        if renderer is None or not renderer.arena.collidepoint(pos):
            return None
        camera = renderer.camera
        return (pos[0] - camera.left) / camera.scale, (pos[1] - camera.top) / camera.scale

    def lay_out(self, size: tuple[int, int], frame: MatchFrame) -> None:
        """Give everything its place in a window of this size, in pixels."""
        kept, display = self._renderer, frame.display
        if kept is None or (kept.size, kept.rules, kept.display) != (size, frame.rules, display):
            self._renderer = kept = Renderer(size, frame.rules, display, live=True)
            kept.prepare()
            self._strip = ButtonStrip(kept.layout, display.ui_scale)
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (size, display.ui_scale):
            self._canvas = Canvas(size, display.ui_scale)
        if self._strip is not None and frame.scene is not None:
            self._strip.place(frame.buttons)
        self._corner.hovered = frame.corner == "hovered"

    # -- drawing ---------------------------------------------------------------------------------

    def draw(self, target: pygame.Surface, frame: MatchFrame) -> None:
        """Draw the frame that was laid out last over the whole surface."""
        renderer, canvas = self._renderer, self._canvas
        assert renderer is not None, "it has not been laid out"
        assert canvas is not None
        canvas.target = target
        if frame.scene is None:
            loading = frame.loading
            renderer.draw_loading(
                target, frame.now, loading.seats, loading.progress, failed=loading.failed, prompts=loading.prompts,
                score=loading.score,
            )  # fmt: skip
        else:
            self._draw_scene(canvas, renderer, frame, frame.scene)
        if frame.corner:
            self._corner.draw(canvas)

    def _draw_scene(self, canvas: Canvas, renderer: Renderer, frame: MatchFrame, scene: Scene) -> None:
        target = canvas.target
        box = card.place(canvas, renderer.arena, frame.guide) if frame.guide is not None else None
        top, tall = renderer.arena.top / canvas.scale, renderer.arena.height / canvas.scale
        if box is not None and scene.telegraph is not None:
            covered = ((box.y - top) / tall, (box.bottom - top) / tall)
            scene = replace(scene, telegraph=replace(scene.telegraph, covered=covered))
        renderer.draw(target, scene)
        if frame.best is not None:
            renderer.draw_best(target, scene, frame.best)
        if self._strip is not None:
            self._strip.draw(target, frame.buttons)
        if frame.turn is not None:
            renderer.draw_hint(target, frame.turn.words, color=frame.turn.color, top=frame.turn.top)
        below = notes_below(frame, scene)
        if frame.guide is not None and box is not None:
            card.draw(canvas, box, frame.guide)
            if box.y - top < _NOTES_BELOW + 30:
                below = box.bottom - top + 6
        notifications.draw(canvas, renderer.arena, frame.notes, below)


def notes_below(frame: MatchFrame, scene: Scene) -> float:
    """Return how far below the arena's top the notices begin, so that they lie over no words; logical units."""
    if scene.telegraph is not None and scene.telegraph.banner and scene.telegraph.place == "top":
        return _NOTES_BELOW_SENTENCE
    return _NOTES_BELOW_HINT if frame.turn is not None and frame.turn.top else _NOTES_BELOW
