"""Captions of a film, and its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.text import film_names, shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.camera import Frame
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.play_words import play_words, word_count
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline, TimelineIndex

# -- Captions of what the bots thought: that of the bot that acts, and only where the film leaves

_EVERY_S = 0.1  # in which it is looked where the bots are while a caption is shown
_FRAME_S = 0.05  # by which a caption may be shorter: film frames do not fall on its first moment
_REMEMBERED = 3  # plays of a bot whose words are not told again
_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\\": "/"})


Place = tuple[float, float, float]
"""A bot in what is shown of the arena: its centre and its radius, as shares of the picture's sides."""


@dataclass(frozen=True, slots=True)
class Caption:
    """From `start` to `end` seconds of the timeline: the words of the bot that acts, and its name."""

    start: float
    end: float
    bot: int
    name: str
    words: str

    @property
    def text(self) -> str:
        """Return it on one line that begins with the name."""
        return f"{self.name}: {self.words}".translate(_MARKUP)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text track, from `start` to `end` seconds of the film."""

    start: float
    end: float
    text: str


class Captions:
    """The captions of a timeline that `edit_list` shows for long enough, in order."""

    def __init__(self, timeline: Timeline, edit_list: EditList) -> None:
        self.all = [shown for caption in told_plays(timeline) for shown in _shown(caption, edit_list)]

    def lines(self, edit_list: EditList, seconds: float) -> list[Line]:
        """Return the captions shown within the film's first `seconds`, in film time."""
        found = [
            Line(start, min(end, seconds), caption.text)
            for caption in self.all
            for start, end in edit_list.spans(caption.start, caption.end)
            if start < seconds
        ]
        return _joined(sorted(found, key=lambda line: line.start))


def told_plays(timeline: Timeline) -> Iterator[Caption]:
    """Yield a caption for every play whose words are new, from its start to the next play, round or result."""
    recent: tuple[list[str], list[str]] = ([], [])
    for segment, end in _until_next(timeline):
        play = segment.record
        if isinstance(play, GameStarted):
            recent = ([], [])
        if not isinstance(play, Play):
            continue
        words, said = shortened(play_words(play)), recent[play.bot]
        if words and words not in said[-_REMEMBERED:]:
            yield Caption(segment.start, end, play.bot, film_names(segment.board.seats)[play.bot], words)
        said.append(words)


def _until_next(timeline: Timeline) -> Iterator[tuple[Segment, float]]:
    """Yield the segments, each with the start of the next one that ends a caption."""
    end, found = timeline.end, []
    for segment in reversed(timeline.segments):
        found.append((segment, end))
        if isinstance(segment.record, (Play, GameStarted, RoundStarted, GameEnded)):
            end = segment.start
    return reversed(found)


def _shown(caption: Caption, edit_list: EditList) -> Iterator[Caption]:
    """Yield the caption for every piece of the film that leaves the time to read it."""
    needed = reading_seconds(word_count(caption.words)) - _FRAME_S
    for start, end, seconds in edit_list.pieces(caption.start, caption.end):
        if seconds >= needed:
            yield replace(caption, start=start, end=end)


def places_between(start: float, end: float, scene_at: Callable[[float], Scene]) -> tuple[Place, ...]:
    """Return where both bots are between two seconds of the timeline, in what is shown of the arena."""
    count = max(1, round((end - start) / _EVERY_S))
    times = (start + (end - start) * number / count for number in range(count + 1))
    return tuple(dict.fromkeys(place for t in times for place in _places(scene_at(t))))


def _places(scene: Scene) -> Iterator[Place]:
    """Yield where both bots are in what is shown of the arena."""
    rules = scene.board.rules
    left, top, width, height, *_ = scene.frame or Frame(0.0, 0.0, rules.arena_width, rules.arena_height)
    for pose in scene.bots:
        at = (pose.x - left) / width, (pose.y - top) / height, rules.bot_radius / width
        yield tuple(round(share, 3) for share in at)  # type: ignore[misc]


def _joined(lines: list[Line]) -> list[Line]:
    """Join lines with the same text that touch, as where a cut only changes its speed."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and abs(last.end - line.start) < 1e-6 and last.text == line.text:
            joined[-1] = Line(last.start, line.end, last.text)
        else:
            joined.append(line)
    return joined


def srt(lines: Iterable[Line]) -> str:
    """Return the content of an .srt file."""
    blocks = (
        f"{number}\n{_clock(line.start)} --> {_clock(line.end)}\n{line.text}\n" for number, line in enumerate(lines, 1)
    )
    return "\n".join(blocks)


def _clock(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d},{rest % 1000:03d}"


# -- A film's chapters: its rounds and games, as far apart as sites take them; a function of

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
