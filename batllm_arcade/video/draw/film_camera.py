"""The camera of a film, which knows the whole match: between shots that follow each other soon it stays close."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace

from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.view.camera import CloseUp
from batllm_arcade.view.scene import Effect, Scene
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline, close_up, near

SOON_S = 9.0
"""Seconds from a shot that landed to the next one, between which the camera does not go out and in again."""


def film_scenes(timeline: Timeline, *, fast: bool) -> Callable[[float], Scene]:
    """Return what a film shows of the arena at a second of the timeline: all of it if it is `fast`."""
    return timeline.at if fast else FilmCamera(timeline).at


class FilmCamera:
    """Shows a timeline that no record is added to any more."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._close_ups = list(_joined(timeline.segments))
        self._begins = [each.begins for each in self._close_ups]

    def at(self, t: float) -> Scene:
        """Return the scene at t seconds of the timeline as the camera shows it.

        That a bot rests on purpose is not said in the arena, for its panel says so.
        """
        index = bisect_right(self._begins, t)
        scene = self._timeline.closer(t, self._close_ups[max(0, index - 2) : index])
        if not any(map(_rests, (*scene.effects, *scene.past))):
            return scene
        shown, past = (tuple(each for each in effects if not _rests(each)) for effects in (scene.effects, scene.past))
        return replace(scene, effects=shown, past=past)


def _rests(effect: Effect) -> bool:
    return effect.kind == "fumble" and not effect.amount


def _joined(segments: list[Segment]) -> Iterator[CloseUp]:
    """Yield the shots that meet a bot near the other one; those between which the camera stays close as one."""
    found: CloseUp | None = None
    stays = True
    for segment in segments:
        stays = stays and isinstance(segment.record, (Play, RoundEnded, RoundStarted)) and near(segment)
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
