"""The camera of a film, which knows the whole match: it stays close between shots that follow each other soon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.view.camera import MIDDLE, CloseUp, Point
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.shots import close_up, fits_segment
from batllm_arcade.view.timeline import Timeline

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
