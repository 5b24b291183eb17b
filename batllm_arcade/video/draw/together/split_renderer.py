"""Draws the frames of a film of two matches side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Cards
from batllm_arcade.video.draw.layers import LayeredRenderer, Layers
from batllm_arcade.video.draw.overlay import Overlay
from batllm_arcade.video.edit.edit_list import EditList, EditMoment
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn, columns
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.scene import Scene

SceneAt = Callable[[float], Scene]
"""What is shown of a match at a second of the timeline."""


@dataclass(frozen=True, slots=True)
class FilmedMatch:
    """One of both matches: its label, what the side that is compared was told in it and its opponent (`against`), and
    what is shown of it.

    From `over` on, in timeline seconds, nothing moves there, and its `result` lies over its arena, as wide as that.
    """

    label: str
    orders: str
    against: str
    scene_at: SceneAt
    over: float
    result: Callable[[CardPainter, int], pygame.Surface]


class _Half:
    """Where one of both matches is in the picture, and what draws it there."""

    def __init__(
        self, match: FilmedMatch, picture: pygame.Surface, rect: pygame.Rect, renderer: Renderer, painter: CardPainter
    ) -> None:
        self.rect, self.renderer = rect, renderer
        self._match, self._target, self._painter = match, picture.subsurface(rect), painter
        self._ended = False

    def redraw(self, t: float, taken: list[pygame.Rect]) -> list[pygame.Rect]:
        """Draw what differs from the last picture; return what changed in the whole picture."""
        before, self._ended = self._ended, t >= self._match.over
        if self._ended:
            return [] if before else [self._draw_result()]
        left, top = self.rect.topleft
        kept_free = [rect.move(-left, -top) for rect in taken if rect.colliderect(self.rect)]
        scene = self._match.scene_at(t)
        if before:
            self.renderer.draw(self._target, scene, kept_free)
            return [self.rect]
        return [rect.move(left, top) for rect in self.renderer.redraw(self._target, scene, kept_free)]

    def _draw_result(self) -> pygame.Rect:
        arena, scene = self.renderer.arena, self._match.scene_at(self._match.over)
        self.renderer.draw(self._target, replace(scene, banner=None))  # the plate says who won
        plate = self._match.result(self._painter, arena.width)
        self._target.blit(plate, self._beside_bots(plate, scene))
        return self.rect

    def _beside_bots(self, plate: pygame.Surface, scene: Scene) -> pygame.Rect:
        """Return where a result lies over no bot that still stands, if there is such a place."""
        arena, camera = self.renderer.arena, self.renderer.camera_of(scene)
        reach = camera.length(self.renderer.rules.bot_radius)
        heights = [camera.point(pose.x, pose.y)[1] for pose in scene.bots if pose.alive]
        places = [plate.get_rect(**{at: getattr(arena, at)}) for at in ("center", "midtop", "midbottom")]
        return min(places, key=lambda place: sum(place.top - reach < y < place.bottom + reach for y in heights))


class SplitRenderer(LayeredRenderer):
    """Draws frames on `surface`, each a function of its time alone; needs no display.

    The side of seat `subject` is what is compared; `opening` paints the first card. Where telephones lay words over a
    film it is `covered`.
    """

    def __init__(
        self,
        size: tuple[int, int],
        matches: tuple[FilmedMatch, FilmedMatch],
        subject: int,
        edit_list: EditList,
        opening: Callable[[CardPainter], pygame.Surface],
        *,
        covered: bool = False,
    ) -> None:
        painter = CardPainter(size, telephone=covered)
        super().__init__(Layers(size, Cards(painter, edit_list, opening)), edit_list)
        self.surface.fill(theme.NIGHT if covered else theme.WALL)
        labels, orders = (matches[0].label, matches[1].label), (matches[0].orders, matches[1].orders)
        told = any(match.against.strip() for match in matches)
        places = columns(size, labels, subject, orders, against=told, covered=covered)
        first = _renderer(matches[0], places[0])
        renderers = first, _renderer(matches[1], places[1], beside=first)
        self._halves = [
            _Half(match, self.surface, pygame.Rect(column.place), renderer, painter)
            for match, column, renderer in zip(matches, places, renderers, strict=True)
        ]
        arenas = [half.renderer.arena.move(half.rect.topleft) for half in self._halves]
        self._overlays = [Overlay(Layout.fitted(size), arena, ribbons=edit_list.ribbons) for arena in arenas]

    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        placed = [overlay.place(moment, None) for overlay in self._overlays]
        taken = [each.rect for covers in placed for each in covers]
        self._layers.uncover()
        changed = [rect for half in self._halves for rect in half.redraw(moment.t, taken)]
        covers = [overlay.covers(moment, each) for overlay, each in zip(self._overlays, placed, strict=True)]
        return self._layers.show_match(changed, [*covers[0], *covers[1]])


def _renderer(match: FilmedMatch, column: MatchColumn, beside: Renderer | None = None) -> Renderer:
    return Renderer(column.place[2:], match.scene_at(0.0).board.rules, film="plain", column=column, beside=beside)
