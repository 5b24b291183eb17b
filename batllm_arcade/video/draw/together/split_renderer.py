"""Draws the frames of a film of two matches side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Cards
from batllm_arcade.video.draw.film_camera import begun_since
from batllm_arcade.video.draw.layers import Cover, LayeredRenderer, Layers
from batllm_arcade.video.draw.overlay import Overlay
from batllm_arcade.video.edit.captions import places_between
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn
from batllm_arcade.view.layout import Box, Layout
from batllm_arcade.view.scene import Scene

SceneAt = Callable[[float], Scene]
"""What is shown of a match at a second of the timeline."""


@dataclass(frozen=True, slots=True)
class FilmedMatch:
    """One of both matches: where it is, and what is shown of it.

    From `over` on, in timeline seconds, nothing moves there, and its `result` lies over its arena, as wide as that.
    `meanwhile` is what its side did in what is left out before a second of the timeline.
    """

    column: MatchColumn
    scene_at: SceneAt
    over: float
    result: Callable[[CardPainter, int], pygame.Surface]
    meanwhile: Mapping[float, str]

    def arena_at_end(self) -> pygame.Surface:
        """Return its arena when it is over, as large as in its column."""
        renderer = _renderer(self)
        picture = pygame.Surface(self.column.place[2:], 0, 32)
        renderer.draw(picture, replace(self.scene_at(self.over), banner=None))
        return picture.subsurface(renderer.arena)

    def told_in(self, cut: Cut) -> Cut:
        """Return a cut with what its side did in what is left out before it."""
        did = self.meanwhile.get(cut.start, "") if cut.text else ""
        return replace(cut, text=f"{cut.text}: {did}") if did else cut


@dataclass(frozen=True, slots=True)
class EndedMatch:
    """A match that has ended, beside one that goes on: its place in the picture, and what paints that."""

    place: Box
    paint: Callable[[CardPainter, tuple[int, int]], pygame.Surface]


class _Half:
    """Where one of both matches is in the picture, and what draws it there."""

    def __init__(
        self, match: FilmedMatch, picture: pygame.Surface, rect: pygame.Rect, renderer: Renderer, painter: CardPainter
    ) -> None:
        self.rect, self.renderer = rect, renderer
        self._match, self._target, self._painter = match, picture.subsurface(rect), painter
        self._ended = False

    def redraw(self, t: float, since: float, taken: list[pygame.Rect]) -> list[pygame.Rect]:
        """Draw what differs from the last picture; return what changed in the whole picture.

        What is shown now is shown `since` that second of the timeline without a gap.
        """
        before, self._ended = self._ended, t >= self._match.over
        if self._ended:
            return [] if before else [self._draw_result()]
        left, top = self.rect.topleft
        kept_free = [rect.move(-left, -top) for rect in taken if rect.colliderect(self.rect)]
        scene = begun_since(self._match.scene_at(t), since)
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
    """Draws frames of one or two `matches` on `surface`, each a function of its time alone; needs no display.

    `opening` paints the first card, `ended` is a match beside them. Where telephones lay words over a film it is
    `covered`.
    """

    def __init__(
        self,
        size: tuple[int, int],
        matches: Sequence[FilmedMatch],
        edit_list: EditList,
        opening: Callable[[CardPainter], pygame.Surface],
        *,
        ended: EndedMatch | None = None,
        covered: bool = False,
    ) -> None:
        painter = CardPainter(size, telephone=covered)
        super().__init__(Layers(size, Cards(painter, edit_list, opening)), edit_list)
        self.surface.fill(theme.NIGHT if covered else theme.WALL)
        if ended is not None:
            self.surface.blit(ended.paint(painter, ended.place[2:]), ended.place)
        self._placed: tuple[Cut | None, list[list[Cover]]] = None, []
        self._matches, self._halves, first = matches, list[_Half](), None
        for match in matches:
            renderer = _renderer(match, first)
            first = first or renderer
            self._halves.append(_Half(match, self.surface, pygame.Rect(match.column.place), renderer, painter))
        arenas = [half.renderer.arena.move(half.rect.topleft) for half in self._halves]
        self._overlays = [
            Overlay(Layout.fitted(size), arena, ribbons=[match.told_in(cut).text for cut in edit_list.cuts])
            for match, arena in zip(matches, arenas, strict=True)
        ]

    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        placed = self._place(moment)
        taken = [each.rect for covers in placed for each in covers]
        self._layers.uncover()
        since = self._edit_list.shown_since(moment.cut)
        changed = [rect for half in self._halves for rect in half.redraw(moment.t, since, taken)]
        found = [overlay.covers(moment, own) for overlay, own in zip(self._overlays, placed, strict=True)]
        return self._layers.show_match(changed, [cover for covers in found for cover in covers])

    def _place(self, moment: EditMoment) -> list[list[Cover]]:
        """Return the ribbon of each match with its place, found once for as long as a cut is shown."""
        if self._placed[0] != moment.cut:
            cut, found = moment.cut, []
            for match, overlay in zip(self._matches, self._overlays, strict=True):
                bots = places_between(cut.start, cut.end, match.scene_at) if cut.text else ()
                shown = replace(moment, cut=match.told_in(cut))
                found.append(overlay.place(shown, bots) if cut.start < match.over else [])
            self._placed = cut, found
        return self._placed[1]


def _renderer(match: FilmedMatch, beside: Renderer | None = None) -> Renderer:
    column = match.column
    return Renderer(column.place[2:], match.scene_at(0.0).board.rules, film="plain", column=column, beside=beside)
