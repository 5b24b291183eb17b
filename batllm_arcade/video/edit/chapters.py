"""A film's chapters: its rounds, or what its highlights show; a function of the timeline and the edit list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.match.records import GameEnded
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex

SHORTEST_S = 1.0
"""Seconds: what begins sooner after another chapter is part of that one, as is what has the same title."""
_OPENING, _TURNING, _END = "Who plays", "Turning point", "The end"


@dataclass(frozen=True, slots=True)
class FilmChapter:
    """A part of a film from `start` to `end`, in film seconds."""

    start: float
    end: float
    title: str


def chapters(
    timeline: Timeline, edit_list: EditList, seconds: float, points: Sequence[TurningPoint] = ()
) -> list[FilmChapter]:
    """Return the chapters of a film of which so many seconds were made: the first begins at 0, the last ends there.

    `points` is where its games tipped, which are chapters of their own.
    """
    begins = _of_highlights(edit_list) if edit_list.highlights else _of_rounds(timeline, edit_list, points)
    if edit_list.card:
        begins = [(0.0, _OPENING), *begins]
    found = _apart((start, title) for start, title in begins if start < seconds)
    starts = [0.0, *(start for start, _ in found[1:])]
    ends = [*starts[1:], seconds]
    return [FilmChapter(start, end, title) for start, end, (_, title) in zip(starts, ends, found, strict=False)]


def _apart(begins: Iterable[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return those that begin long enough after the one before."""
    found: list[tuple[float, str]] = []
    for start, title in begins:
        if not found or (start - found[-1][0] >= SHORTEST_S and title != found[-1][1]):
            found.append((start, title))
    return found


def _of_rounds(timeline: Timeline, edit_list: EditList, points: Sequence[TurningPoint]) -> list[tuple[float, str]]:
    """Return when each game and each round is first shown, the turning points, and the last result."""
    index = TimelineIndex(timeline)
    several = len({chapter.game for chapter in index.chapters}) > 1
    marks = [
        (each.t, (f"Game {each.game}, " if several else "") + f"round {max(1, each.round)}") for each in index.chapters
    ]
    results = [segment.start for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    marks += [(start, _END) for start in results[-1:]]
    turning = (segment for segment in timeline.segments for point in points if point.is_at(segment.record))
    marks = sorted([*marks, *((segment.start, _TURNING) for segment in turning)])
    ends = [*(start for start, _ in marks[1:]), timeline.end]
    found = []
    for (start, title), end in zip(marks, ends, strict=True):
        shown = next((film_start for film_start, _ in edit_list.spans(start, end)), None)
        if shown is not None:
            found.append((shown, title[:1].upper() + title[1:]))
    return found


def _of_highlights(edit_list: EditList) -> list[tuple[float, str]]:
    """Return when each moment begins, named by the last ribbon in it."""
    return [(start, title or _END) for start, title in _moments(edit_list)]


def _moments(edit_list: EditList) -> Iterator[tuple[float, str]]:
    begun, title = edit_list.card, ""
    for cut, start in zip(edit_list.cuts, edit_list.starts, strict=True):
        if cut.entry and start > begun:
            yield begun, title
            begun, title = start, ""
        title = cut.text or (cut.card[0] if cut.card else "") or title
    yield begun, title
