"""Captions of what the bots thought: one at a time, and safe for every caption format."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.timeline import Timeline

LONGEST = 160
"""Characters of a thought that a caption shows."""
_LOW = 0.72  # share of the arena's height below which a bot is behind the captions
_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\\": "/"})


@dataclass(frozen=True, slots=True)
class Caption:
    """From `start` to `end` seconds of the timeline: what each seat thought last, "" if that is not known."""

    start: float
    end: float
    thoughts: tuple[str, str]
    names: tuple[str, str]
    high: bool = False
    """Whether it belongs at the top: a bot is at the bottom and none is at the top."""

    @property
    def text(self) -> str:
        """Return one line for each bot that thought, beginning with its name."""
        lines = [f"{name}: {thought}" for name, thought in zip(self.names, self.thoughts, strict=True) if thought]
        return "\n".join(lines).translate(_MARKUP)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text track, from `start` to `end` seconds of the film."""

    start: float
    end: float
    text: str


class Captions:
    """A timeline's captions in order; a thought stays until the bot's next play, a new round or the result."""

    def __init__(self, timeline: Timeline) -> None:
        self.all = list(_captions(timeline))
        self._starts = [caption.start for caption in self.all]

    def at(self, t: float) -> Caption | None:
        """Return the caption at t seconds of the timeline; None if there is none."""
        index = bisect_right(self._starts, t) - 1
        caption = self.all[index] if index >= 0 else None
        return caption if caption and t < caption.end else None

    def lines(self, edit_list: EditList, seconds: float) -> list[Line]:
        """Return the captions shown within the film's first `seconds`, in film time."""
        found = [
            Line(start, min(end, seconds), caption.text)
            for caption in self.all
            for start, end in edit_list.spans(caption.start, caption.end)
            if start < seconds
        ]
        return _joined(sorted(found, key=lambda line: line.start))


def _captions(timeline: Timeline) -> Iterator[Caption]:
    thoughts, names, since = ("", ""), ("", ""), 0.0
    for segment in timeline.segments:
        record = segment.record
        if isinstance(record, Play):
            thought = shortened(record.decision.thought or record.decision.say)
            new = (thoughts[0], thought) if record.bot else (thought, thoughts[1])
        elif isinstance(record, (GameStarted, RoundStarted, GameEnded)):
            new = ("", "")
        else:
            continue
        if any(thoughts) and segment.start > since:
            yield Caption(since, segment.start, thoughts, names, _belongs_at_top(timeline, since, segment.start))
        thoughts, since = new, segment.start
        left, right = (seat.name for seat in segment.board.seats)
        names = (f"{left} ({SEATS[0]})", f"{right} ({SEATS[1]})") if left == right else (left, right)
    if any(thoughts) and timeline.end > since:
        yield Caption(since, timeline.end, thoughts, names, _belongs_at_top(timeline, since, timeline.end))


def _belongs_at_top(timeline: Timeline, start: float, end: float) -> bool:
    """Return whether a bot is at the arena's bottom and none at its top."""
    scenes = [timeline.at(t) for t in (start, (start + end) / 2, end)]
    heights = [pose.y / scene.board.rules.arena_height for scene in scenes for pose in scene.bots]
    return max(heights) > _LOW and min(heights) > 1 - _LOW


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


def shortened(text: str, most: int = LONGEST) -> str:
    """Return the text on one line of at most `most` characters, cut at a word, without control characters."""
    kept = text[: 4 * most]
    kept = "".join(" " if unicodedata.category(character)[0] in "CZ" else character for character in kept)
    kept = " ".join(kept.split())
    if len(kept) <= most:
        return kept
    return kept[: most - 1].rsplit(" ", 1)[0][: most - 1].rstrip(",;:. ") + "\u2026"


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
