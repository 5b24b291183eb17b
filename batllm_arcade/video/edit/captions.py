"""What the bots thought, as captions: never two at a time, whatever the players, and safe for every format."""

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
_LOW = 0.72  # of the arena's height; further down a bot is where captions stand
_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\\": "/"})


@dataclass(frozen=True, slots=True)
class Caption:
    """From `start` to `end` seconds: what each seat thought last, "" where nothing is known."""

    start: float
    end: float
    thoughts: tuple[str, str]
    names: tuple[str, str]
    high: bool = False
    """Whether it had better stand at the top: a bot is where captions stand, and none is up there."""

    @property
    def words(self) -> str:
        """One line for each bot that thought, its name in front."""
        lines = [f"{name}: {thought}" for name, thought in zip(self.names, self.thoughts, strict=True) if thought]
        return "\n".join(lines).translate(_MARKUP)


@dataclass(frozen=True, slots=True)
class Line:
    """Words of a text track, from `start` to `end` seconds of the film."""

    start: float
    end: float
    words: str


class Captions:
    """A timeline's captions in order; thoughts stay until the bot's next play, a new round or the result."""

    def __init__(self, timeline: Timeline) -> None:
        self.all = list(_captions(timeline))
        self._starts = [caption.start for caption in self.all]

    def at(self, t: float) -> Caption | None:
        """The caption at t seconds of the timeline."""
        index = bisect_right(self._starts, t) - 1
        caption = self.all[index] if index >= 0 else None
        return caption if caption and t < caption.end else None

    def filmed(self, reel: EditList, seconds: float) -> list[Line]:
        """The captions in seconds of the film, as many as its pieces show within its first `seconds`."""
        found = [
            Line(start, min(end, seconds), caption.words)
            for caption in self.all
            for start, end in reel.when(caption.start, caption.end)
            if start < seconds
        ]
        return _joined(sorted(found, key=lambda line: line.start))


def _captions(timeline: Timeline) -> Iterator[Caption]:
    thoughts, names, since = ("", ""), ("", ""), 0.0
    for segment in timeline.segments:
        record = segment.record
        if isinstance(record, Play):
            said = shortened(record.decision.thought or record.decision.say)
            new = (thoughts[0], said) if record.bot else (said, thoughts[1])
        elif isinstance(record, (GameStarted, RoundStarted, GameEnded)):
            new = ("", "")
        else:
            continue
        if any(thoughts) and segment.start > since:
            yield Caption(since, segment.start, thoughts, names, _in_the_way(timeline, since, segment.start))
        thoughts, since = new, segment.start
        left, right = (seat.name for seat in segment.board.seats)
        names = (f"{left} ({SEATS[0]})", f"{right} ({SEATS[1]})") if left == right else (left, right)
    if any(thoughts) and timeline.end > since:
        yield Caption(since, timeline.end, thoughts, names, _in_the_way(timeline, since, timeline.end))


def _in_the_way(timeline: Timeline, start: float, end: float) -> bool:
    """Whether a bot is low in the arena and none is high."""
    scenes = [timeline.at(t) for t in (start, (start + end) / 2, end)]
    heights = [pose.y / scene.board.rules.arena_height for scene in scenes for pose in scene.bots]
    return max(heights) > _LOW and min(heights) > 1 - _LOW


def _joined(lines: list[Line]) -> list[Line]:
    """Without the seams where a piece of film only changes its speed."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and abs(last.end - line.start) < 1e-6 and last.words == line.words:
            joined[-1] = Line(last.start, line.end, last.words)
        else:
            joined.append(line)
    return joined


def shortened(text: str, most: int = LONGEST) -> str:
    """A thought on one line, without what no format or font takes, cut at a word where it is long."""
    kept = text[: 4 * most]
    kept = "".join(" " if unicodedata.category(character)[0] in "CZ" else character for character in kept)
    kept = " ".join(kept.split())
    if len(kept) <= most:
        return kept
    return kept[: most - 1].rsplit(" ", 1)[0][: most - 1].rstrip(",;:. ") + "\u2026"


def srt(lines: Iterable[Line]) -> str:
    """The text of an .srt file."""
    blocks = (
        f"{number}\n{_clock(line.start)} --> {_clock(line.end)}\n{line.words}\n" for number, line in enumerate(lines, 1)
    )
    return "\n".join(blocks)


def _clock(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d},{rest % 1000:03d}"
