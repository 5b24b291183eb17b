"""Edit lists: which part of the timeline a film shows when, as cuts that each have a speed."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from batllm_arcade.view.sound_cues import Cue, cues
from batllm_arcade.view.timeline import Timeline

Entry = Literal["", "flash"]
_TOUCH_S = 1e-6


@dataclass(frozen=True, slots=True)
class Cut:
    """The timeline from `start` to `end` seconds, shown at `speed` (0.5: half as fast).

    `text` says what happens in it, in the colour of `bot`; `low` puts the text at the bottom, because the cut shows
    something at the top. `entry` is the transition from the cut before. A `card` covers the arena: a game's number,
    the score before it, and how the one before ended.
    """

    start: float
    end: float
    speed: float = 1.0
    text: str = ""
    bot: int | None = None
    entry: Entry = ""
    low: bool = False
    card: tuple[str, str, str] | None = None

    @property
    def seconds(self) -> float:
        """Return its length in the film, in seconds."""
        return (self.end - self.start) / self.speed


@dataclass(frozen=True, slots=True)
class EditMoment:
    """A moment of a film: `t` on the timeline, its cut, and the film seconds since the cut began."""

    t: float
    cut: Cut
    age: float


class EditList:
    """Cuts one after the other, between an opening card of `card` seconds and an end card of `end_card` seconds.

    Those of `highlights` are moments, each after a flash.
    """

    def __init__(
        self, cuts: Sequence[Cut], card: float = 0.0, end_card: float = 0.0, *, highlights: bool = False
    ) -> None:
        self.cuts, self.card, self.end_card, self.highlights = tuple(cuts), card, end_card, highlights
        self.starts: list[float] = []
        self.seconds = card
        for cut in self.cuts:
            self.starts.append(self.seconds)
            self.seconds += cut.seconds
        self.ends = self.seconds
        """When the end card begins, in film seconds."""
        self.seconds += end_card
        self._joined = dict[Cut, float]()
        begins = until = -math.inf
        for cut in self.cuts:
            begins = begins if abs(cut.start - until) < _TOUCH_S else cut.start
            self._joined[cut], until = begins, cut.end

    @property
    def ribbons(self) -> list[str]:
        """Return the texts of the cuts that have one."""
        return [cut.text for cut in self.cuts if cut.text]

    @property
    def last_ribbon(self) -> float:
        """Return until when there are such texts, in seconds of the timeline."""
        return max((cut.end for cut in self.cuts if cut.text), default=0.0)

    def shown_since(self, cut: Cut) -> float:
        """Return when the cuts without a gap begin, of which this is one, in seconds of the timeline."""
        return self._joined[cut]

    def at(self, film_t: float) -> EditMoment | None:
        """Return the moment `film_t` seconds into the film; None while a card is shown."""
        if film_t < self.card or (self.end_card and film_t >= self.ends):
            return None
        index = bisect_right(self.starts, film_t) - 1
        cut, age = self.cuts[index], film_t - self.starts[index]
        return EditMoment(min(cut.end, cut.start + age * cut.speed), cut, age)

    def pieces(self, start: float, end: float) -> Iterator[tuple[float, float, float]]:
        """Yield every part of the timeline from `start` to `end` that is shown in one piece, and its film seconds."""
        begin = until = film = 0.0
        for cut in self.cuts:
            first, last = max(start, cut.start), min(end, cut.end)
            if first >= last:
                continue
            if film and abs(first - until) > _TOUCH_S:
                yield begin, until, film
                film = 0.0
            begin, until, film = begin if film else first, last, film + (last - first) / cut.speed
        if film:
            yield begin, until, film

    def faster(self, pace: float) -> EditList:
        """Return the list in which everything but the cards plays so many times faster."""
        return EditList(
            [replace(cut, speed=cut.speed * pace) for cut in self.cuts],
            self.card,
            self.end_card,
            highlights=self.highlights,
        )

    def without_flashes(self) -> EditList:
        """Return the list without flashes between its cuts."""
        cuts = [replace(cut, entry="") for cut in self.cuts]
        return EditList(cuts, self.card, self.end_card, highlights=self.highlights)

    def spans(self, start: float, end: float) -> Iterator[tuple[float, float]]:
        """Yield start and end, in film seconds, of every part that shows the timeline from `start` to `end`."""
        for cut, film_start in zip(self.cuts, self.starts, strict=True):
            first, last = max(start, cut.start), min(end, cut.end)
            if first < last:
                yield film_start + (first - cut.start) / cut.speed, film_start + (last - cut.start) / cut.speed


def frame_count(seconds: float, fps: int) -> int:
    """Return the number of frames of a film of that length, at least one."""
    return max(1, round(seconds * fps))


def film_cues(timeline: Timeline, edit_list: EditList) -> Iterator[Cue]:
    """Yield the cues in film seconds, in order; computed only as far as they are read."""
    if edit_list.card:
        yield Cue(0.25, "start", 0.8)
    for cut, film_start in zip(edit_list.cuts, edit_list.starts, strict=True):
        for cue in cues(timeline, cut.start, cut.end):
            yield replace(cue, at=film_start + (cue.at - cut.start) / cut.speed)
