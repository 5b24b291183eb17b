"""The timeline of a film with the real waits in it: how long each brain thought, up to a cap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from batllm_arcade.match.records import Play, Record
from batllm_arcade.view.scene import Thinking
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ThinkingSpan:
    """A brain is being asked from `start` to `end` (timeline seconds); it really took `latency` seconds."""

    start: float
    end: float
    bot: int
    latency: float
    human: bool

    def at(self, t: float) -> Thinking:
        """What the panel shows then; where the wait is cut short its clock runs faster."""
        share = (t - self.start) / (self.end - self.start)
        return Thinking(self.bot, share * self.latency, "", self.human)


class ThinkingTimes:
    """All waits of a film, in order."""

    def __init__(self) -> None:
        self._waits: list[ThinkingSpan] = []
        self._starts: list[float] = []

    def add(self, wait: ThinkingSpan) -> None:
        """The next wait."""
        self._waits.append(wait)
        self._starts.append(wait.start)

    def at(self, t: float) -> Thinking | None:
        """Who thinks at t seconds of the timeline, if anybody."""
        index = bisect_right(self._starts, t) - 1
        wait = self._waits[index] if index >= 0 else None
        return wait.at(t) if wait and t < wait.end else None


def put(timeline: Timeline, records: Iterable[Record], longest: float | None) -> ThinkingTimes:
    """Append the records to the timeline, each play after its wait of at most `longest` seconds (None: no waits)."""
    waits = ThinkingTimes()
    for record in records:
        if longest is None or not isinstance(record, Play) or not timeline.segments:
            timeline.append(record)
            continue
        begins = timeline.end
        seconds = min(max(0.0, record.latency_s), longest)
        human = timeline.segments[-1].board.seats[record.bot].human
        if seconds > 0.0:
            waits.add(ThinkingSpan(begins, begins + seconds, record.bot, record.latency_s, human))
        timeline.append(record, not_before=begins + seconds)
    return waits
