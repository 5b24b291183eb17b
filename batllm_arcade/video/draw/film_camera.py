"""The camera of a film, which knows the whole match: it stays close between shots that follow each other soon, and
shows bots that are farther apart in medium shots."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.view.camera import STAY_S, CloseUp
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.shots import close_up, fits_close, fits_medium
from batllm_arcade.view.timeline import Timeline

SOON_S = 9.0
"""Seconds from a shot that landed to the next one, between which the camera does not go out and in again."""
MEDIUM_S = 3.0
"""Seconds that a medium shot takes at least."""


def film_scenes(timeline: Timeline, *, fast: bool) -> Callable[[float], Scene]:
    """Return what a film shows of the arena at a second of the timeline: all of it if it is `fast`."""
    return timeline.at if fast else _without_rests(FilmCamera(timeline).at)


def _without_rests(scene_at: Callable[[float], Scene]) -> Callable[[float], Scene]:
    """Return the same scenes without the words that a bot rests on purpose, for what is beside the arena says so."""

    def shown(t: float) -> Scene:
        scene = scene_at(t)
        if not any(map(_rests, (*scene.effects, *scene.past))):
            return scene
        kept, past = (tuple(each for each in effects if not _rests(each)) for effects in (scene.effects, scene.past))
        return replace(scene, effects=kept, past=past)

    return shown


class FilmCamera:
    """Shows a timeline that no record is added to any more."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._close_ups = _Shots(_joined(timeline.segments))
        self._mediums = _Shots(_mediums(timeline.segments))

    def at(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline as the camera shows it."""
        return self._timeline.closer(t, self._close_ups.before(t), self._mediums.before(t))


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


def _joined(segments: list[Segment]) -> Iterator[CloseUp]:
    """Yield the shots that meet a bot near the other one; those between which the camera stays close as one."""
    found: CloseUp | None = None
    stays = True
    for segment in segments:
        stays = stays and isinstance(segment.record, (Play, RoundEnded, RoundStarted)) and fits_close(segment)
        shot = close_up(segment)
        if shot is None:
            continue
        if found is not None and stays and shot.begins - found.lands <= SOON_S:
            found = CloseUp(found.begins, shot.lands)
        else:
            if found is not None:
                yield found
            found = shot
        stays = True
    if found is not None:
        yield found


def _mediums(segments: list[Segment]) -> Iterator[CloseUp]:
    """Yield the stretches of plays that a medium shot shows whole."""
    for fit, group in groupby(segments, key=lambda each: isinstance(each.record, Play) and fits_medium(each)):
        stretch = list(group)
        if fit and stretch[-1].end - stretch[0].start >= MEDIUM_S:
            yield CloseUp(stretch[0].start, stretch[-1].end - STAY_S)
