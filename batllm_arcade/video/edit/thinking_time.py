"""A film's timeline with the time each brain really took to think, up to a limit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from batllm_arcade.match.records import Play, Record
from batllm_arcade.view.scene import Thinking
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class ThinkingSpan:
    """A brain thinks from `start` to `end` (timeline seconds); it really took `latency` seconds."""

    start: float
    end: float
    bot: int
    latency: float
    human: bool

    def at(self, t: float) -> Thinking:
        """Return what the panel shows at `t`; its clock runs faster if the span is shorter than the latency."""
        share = (t - self.start) / (self.end - self.start)
        return Thinking(self.bot, share * self.latency, "", self.human)


class ThinkingTimes:
    """All thinking spans of a film, in order."""

    def __init__(self) -> None:
        self._spans: list[ThinkingSpan] = []
        self._starts: list[float] = []

    def add(self, span: ThinkingSpan) -> None:
        """Append a span that is later than all others."""
        self._spans.append(span)
        self._starts.append(span.start)

    def at(self, t: float) -> Thinking | None:
        """Return who thinks at t seconds of the timeline; None if nobody does."""
        index = bisect_right(self._starts, t) - 1
        span = self._spans[index] if index >= 0 else None
        return span.at(t) if span and t < span.end else None


def append_with_thinking(
    timeline: Timeline, records: Iterable[Record], longest: float | None, leads: Sequence[float] = ()
) -> ThinkingTimes:
    """Append the records, each play after its thinking time of at most `longest` seconds; return those times.

    With `longest` None the thinking is left out. `leads` is how many seconds longer each play is shown for its words,
    0 for those beyond its end.
    """
    times, number = ThinkingTimes(), 0
    for record in records:
        lead = leads[number] if isinstance(record, Play) and number < len(leads) else 0.0
        number += isinstance(record, Play)
        if longest is None or not isinstance(record, Play) or not timeline.segments:
            timeline.append(record, lead=lead)
            continue
        begins = timeline.end
        seconds = min(max(0.0, record.latency_s), longest)
        human = timeline.segments[-1].board.seats[record.bot].human
        if seconds > 0.0:
            times.add(ThinkingSpan(begins, begins + seconds, record.bot, record.latency_s, human))
        timeline.append(record, not_before=begins + seconds, lead=lead)
    return times
