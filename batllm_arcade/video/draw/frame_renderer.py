"""Frames of a film."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Cards, FilmRenderer
from batllm_arcade.video.draw.overlay import Cover, HealthStrip, LayeredRenderer, Layers, Overlay
from batllm_arcade.video.edit.captions import Place, places_between
from batllm_arcade.video.edit.cards import FilmCards, standings
from batllm_arcade.video.edit.edit_list import Cut, EditList, EditMoment
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.camera import MIDDLE, CloseUp, Point
from batllm_arcade.view.layout import FilmKind
from batllm_arcade.view.scene import Effect, Scene, Scoreboard
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline import Timeline, close_up, fits_segment

# -- The camera of a film, which knows the whole match: it stays close between shots that follow

SOON_S = 9.0
"""Seconds from a shot that landed to the next one, between which the camera does not go out and in again."""


def film_scenes(timeline: Timeline, *, fast: bool, anchor: Point = MIDDLE) -> Callable[[float], Scene]:
    """Return what a film shows of the arena at a second of the timeline: all of it if it is `fast`.

    `anchor` is where in the picture the middle between both bots should be, as shares of its width and height.
    """
    return timeline.at if fast else _without_rests(FilmCamera(timeline, anchor).at)


def _without_rests(scene_at: Callable[[float], Scene]) -> Callable[[float], Scene]:
    """Return the same scenes without the words that a bot rests on purpose, for what is beside the arena says so."""

    def shown(t: float) -> Scene:
        scene = scene_at(t)
        if not any(map(_rests, (*scene.effects, *scene.past))):
            return scene
        kept, past = (tuple(each for each in effects if not _rests(each)) for effects in (scene.effects, scene.past))
        return replace(scene, effects=kept, past=past)

    return shown


def begun_since(scene: Scene, start: float) -> Scene:
    """Return a scene without effects that began before `start`: of a play that is cut out nothing should be seen."""
    if all(effect.start >= start for effect in scene.effects):
        return scene
    return replace(scene, effects=tuple(effect for effect in scene.effects if effect.start >= start))


class FilmCamera:
    """Shows a timeline that no record is added to any more; `anchor` is as for `film_scenes`."""

    def __init__(self, timeline: Timeline, anchor: Point = MIDDLE) -> None:
        self._timeline, self._anchor = timeline, anchor
        self._shots = _Shots(_joined(timeline.segments, anchor))

    def at(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline as the camera shows it."""
        return self._timeline.closer(t, self._shots.before(t), self._anchor)


class _Shots:
    """Shots in order of time."""

    def __init__(self, shots: Iterable[CloseUp]) -> None:
        self._shots = list(shots)
        self._begins = [each.begins for each in self._shots]

    def before(self, t: float) -> list[CloseUp]:
        """Return the last two that have begun at t seconds."""
        index = bisect_right(self._begins, t)
        return self._shots[max(0, index - 2) : index]


def _rests(effect: Effect) -> bool:
    return effect.kind == "fumble" and not effect.amount


def _joined(segments: list[Segment], anchor: Point) -> Iterator[CloseUp]:
    """Yield the shots that meet a bot near the other one; those between which the camera stays close as one."""
    found: CloseUp | None = None
    stays = True
    for before, segment in pairwise(segments):
        stays = stays and _goes_on(segment) and fits_segment(segment, anchor)
        shot = close_up(segment, anchor)
        if shot is None:
            continue
        if isinstance(before.record, RoundStarted) and fits_segment(before, anchor):
            shot = CloseUp(before.start, shot.lands)
        if found is not None and stays and shot.begins - found.lands <= SOON_S:
            found = CloseUp(found.begins, shot.lands)
        else:
            if found is not None:
                yield found
            found = shot
        stays = True
    if found is not None:
        yield found


def _goes_on(segment: Segment) -> bool:
    """Return whether the camera may stay while a segment is shown."""
    return isinstance(segment.record, (Play, RoundEnded, RoundStarted))


# -- Draws a film's frames: the match as in the window, and the overlays and cards of films


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


# -- Draws frames with an alpha layer: of the same picture on black and on white, what differs is

Pixels = NDArray[np.uint8]


class AlphaRenderer:
    """Draws frames on `surface`, whose fourth channel is the alpha layer, each a function of its time alone."""

    def __init__(self, on_black: FilmRenderer, on_white: FilmRenderer) -> None:
        self._both = on_black, on_white
        size = on_black.surface.get_size()
        self.surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000))

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        changed, also = (renderer.draw(film_t) for renderer in self._both)
        black, white, out = (_pixels(surface) for surface in (*(each.surface for each in self._both), self.surface))
        whole = self.surface.get_rect()
        for rect in (each.clip(whole) for each in (*changed, *also)):
            part = slice(rect.top, rect.bottom), slice(rect.left, rect.right)
            out[part] = _with_alpha(black[part][..., :3], white[part][..., :3])
        return [*changed, *also]


def _with_alpha(black: Pixels, white: Pixels) -> Pixels:
    """Return pixels of which these are what is seen on black and on white."""
    through = np.clip(white.astype(np.int16) - black, 0, 255).max(axis=2)
    alpha = (255 - through).astype(np.uint16)
    color = black.astype(np.uint16) * 255 // np.maximum(alpha, 1)[..., None]
    return np.concatenate((np.minimum(color, 255), alpha[..., None]), axis=2).astype(np.uint8)


def _pixels(surface: pygame.Surface) -> Pixels:
    """Return the memory of a surface, of shape (height, width, 4): blue, green, red and alpha."""
    buffer: Any = surface.get_buffer()
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found.reshape(surface.get_height(), surface.get_pitch() // 4, 4)
