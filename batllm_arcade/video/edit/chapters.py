"""A film's chapters: its rounds and games, as far apart as sites take them; a function of timeline and edit list."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex

SHORTEST_S = 10.0
"""Seconds of a chapter at least: sites take no list with a shorter one."""


@dataclass(frozen=True, slots=True)
class FilmChapter:
    """A part of a film from `start` to `end`, in film seconds."""

    start: float
    end: float
    title: str


def chapters(timeline: Timeline, edit_list: EditList, seconds: float) -> list[FilmChapter]:
    """Return the chapters of a film of which so many seconds were made, none of highlights or where there is but one.

    The first begins at 0, the last ends with the film.
    """
    if edit_list.highlights:
        return []
    found: list[tuple[float, str]] = []
    for start, title in _begins(timeline, edit_list):
        if not found or min(start - found[-1][0], seconds - start) >= SHORTEST_S:
            found.append((start if found else 0.0, title))
    ends = [*found[1:], (seconds, "")]
    several = len(found) > 1
    return [FilmChapter(start, end, title) for (start, title), (end, _) in zip(found, ends, strict=True) if several]


def _begins(timeline: Timeline, edit_list: EditList) -> list[tuple[float, str]]:
    """Return when each game and each round is first shown, in film seconds."""
    index = TimelineIndex(timeline)
    several = len({chapter.game for chapter in index.chapters}) > 1
    marks = [
        (each.t, f"Game {each.game}, round {max(1, each.round)}" if several else f"Round {max(1, each.round)}")
        for each in index.chapters
    ]
    found: list[tuple[float, str]] = []
    for (start, title), (end, _) in pairwise([*sorted(marks), (timeline.end, "")]):
        shown = next((film_start for film_start, _ in edit_list.spans(start, end)), None)
        if shown is not None and (not found or found[-1][1] != title):
            found.append((shown, title))
    return found
