"""Draws a film's frames: the match as in the window, and the overlays and cards of films."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Cards
from batllm_arcade.video.draw.film_camera import begun_since
from batllm_arcade.video.draw.health_strip import HealthStrip
from batllm_arcade.video.draw.layers import Cover, LayeredRenderer, Layers
from batllm_arcade.video.draw.overlay import Overlay
from batllm_arcade.video.edit.captions import Place, places_between
from batllm_arcade.video.edit.cards import FilmCards
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.video.edit.ending import standings
from batllm_arcade.view.layout import FilmKind
from batllm_arcade.view.scene import Scene, Scoreboard
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline import Timeline


class FrameRenderer(LayeredRenderer):
    """Draws a film's frames on `surface`, each a function of its time alone; needs no display.

    `cards` are its first and its last picture, if it has any; `scene_at` is what is shown of the arena at a second of
    the timeline, all of it unless that is given. `film` is what its pictures are arranged for.
    With a `key` they have panels and words alone, on that colour.
    """

    def __init__(
        self,
        size: tuple[int, int],
        timeline: Timeline,
        edit_list: EditList,
        cards: FilmCards | None = None,
        *,
        scene_at: Callable[[float], Scene] | None = None,
        film: FilmKind = "plain",
        key: Color | None = None,
    ) -> None:
        self._film, self._key = film, key
        self._timeline = timeline
        self._scene_at = scene_at or timeline.at
        self._standings = standings(timeline)
        self._last_game = timeline.segments[-1].board.game
        painted = Cards.of_match(CardPainter(size, telephone=film == "covered"), timeline, edit_list, cards)
        super().__init__(Layers(size, painted), edit_list)
        self._renderer: Renderer | None = None
        self._overlay: Overlay | None = None
        self._strip: HealthStrip | None = None
        self._places: dict[Cut, tuple[Place, ...]] = {}
        self._placed: tuple[object, list[Cover]] = None, []

    def _draw_match(self, moment: EditMoment) -> list[pygame.Rect]:
        scene = begun_since(self.scene(moment.t), self._edit_list.shown_since(moment.cut))
        renderer, overlay = self._renderers_for(scene)
        placed = self._place(overlay, moment)
        self._layers.uncover()
        changed = renderer.redraw(self.surface, scene, overlay.kept_free(moment, placed))
        if self._strip is not None:
            changed += self._strip.draw(self.surface, moment.t, anew=self.surface.get_rect() in changed)
        return self._layers.show_match(changed, overlay.covers(moment, placed))

    def scene(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline, with how a series stands."""
        scene = self._scene_at(t)
        if score := self._standing(scene.board):
            scene = replace(scene, board=replace(scene.board, score=score))
        if scene.banner is not None and self._is_told_next(scene.board):
            scene = replace(scene, banner=None)
        return scene

    def _is_told_next(self, board: Scoreboard) -> bool:
        """Return whether a knock-out that is seen needs no banner, because the end card follows and says who won."""
        knocked_out = board.result is not None and board.result.reason == "knockout"
        return knocked_out and board.game == self._last_game and self._edit_list.end_card > 0

    def _standing(self, board: Scoreboard) -> str:
        """Return how a series stands, "" in a film of one game."""
        return self._standings.get((board.game, board.result is not None), "")

    def _place(self, overlay: Overlay, moment: EditMoment) -> list[Cover]:
        """Return the cut's text with its place, found once for as long as it is shown."""
        shown = overlay, moment.cut
        if self._placed[0] != shown:
            self._placed = shown, overlay.place(moment, self._behind_ribbon(moment.cut))
        return self._placed[1]

    def _behind_ribbon(self, cut: Cut) -> tuple[Place, ...]:
        """Return where both bots are while a cut's text is shown: for as many cuts as it stays."""
        if not cut.text:
            return ()
        if cut not in self._places:
            cuts = self._edit_list.cuts
            first = last = cuts.index(cut)
            while first and cuts[first - 1].text == cut.text and cuts[first - 1].end == cuts[first].start:
                first -= 1
            while last + 1 < len(cuts) and cuts[last + 1].text == cut.text and cuts[last + 1].start == cuts[last].end:
                last += 1
            found = places_between(cuts[first].start, cuts[last].end, self._scene_at)
            self._places.update(dict.fromkeys(cuts[first : last + 1], found))
        return self._places[cut]

    def _renderers_for(self, scene: Scene) -> tuple[Renderer, Overlay]:
        if self._renderer is None or self._overlay is None or self._renderer.rules != scene.board.rules:
            self._renderer = Renderer(self.surface.get_size(), scene.board.rules, film=self._film, key=self._key)
            layout, arena, cuts = self._renderer.layout, self._renderer.arena, self._edit_list
            self._overlay = Overlay(layout, arena, ribbons=cuts.ribbons, until=cuts.last_ribbon)
            self._strip = HealthStrip(layout, self._timeline) if layout.free else None
        return self._renderer, self._overlay
