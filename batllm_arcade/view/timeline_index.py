"""What there is to find on a timeline: its games, rounds, turns and plays, and the moments worth a mark."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShotBlocked
from batllm_arcade.match.records import GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.view.timeline import Segment, Timeline

Kind = Literal["hit", "block", "fumble", "knockout", "swap"]
Unit = Literal["play", "turn", "round", "game"]


@dataclass(frozen=True, slots=True)
class Moment:
    """Something at `t` seconds; `bot` is who did it: shot, held the shield, fumbled, fell, was swapped."""

    t: float
    kind: Kind
    bot: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """Where a game or a round begins; `round` is 0 for a game."""

    t: float
    game: int
    round: int


class TimelineIndex:
    """The index of a finished timeline; every question is a bisection."""

    def __init__(self, timeline: Timeline) -> None:
        self.end = timeline.end
        self.moments: list[Moment] = []
        self.chapters: list[Chapter] = []
        self.plays: list[Play] = []
        starts: dict[Unit, list[float]] = {"play": [], "turn": [], "round": [], "game": []}
        turn: tuple[int, int, int] | None = None
        for segment in timeline.segments:
            record = segment.record
            if isinstance(record, Play):
                self.plays.append(record)
                starts["play"].append(segment.start)
                if (record.game, record.round, record.turn) != turn:
                    turn = (record.game, record.round, record.turn)
                    starts["turn"].append(segment.start)
            elif isinstance(record, RoundStarted):
                self.chapters.append(Chapter(segment.start, record.game, record.round))
                starts["round"].append(segment.start)
            elif isinstance(record, GameStarted):
                self.chapters.append(Chapter(segment.start, record.game, 0))
                starts["game"].append(segment.start)
            self.moments += _moments(segment)
        self.starts: Mapping[Unit, Sequence[float]] = starts
        self._ends = [segment.end for segment in timeline.segments if isinstance(segment.record, Play)]
        self._times = [mark.t for mark in self.moments]

    def step(self, unit: Unit, by: int, t: float, grace: float = 0.0) -> float:
        """Where the next (`by` 1) or previous (-1) begins, else an end; for `grace` seconds one is still it."""
        starts = self.starts[unit]
        if by > 0:
            after = bisect_right(starts, t + 1e-6)
            return starts[after] if after < len(starts) else self.end
        before = bisect_left(starts, t - grace - 1e-6) - 1
        return starts[before] if before >= 0 else 0.0

    def play_at(self, t: float) -> Play | None:
        """The play under way or last made at `t`, none before the first."""
        index = bisect_right(self.starts["play"], t) - 1
        return self.plays[index] if index >= 0 else None

    def play_from(self, t: float) -> Play | None:
        """The play under way or made next at `t`, none after the last."""
        index = bisect_right(self._ends, t + 1e-6)
        return self.plays[index] if index < len(self.plays) else None

    def near(self, t: float, reach: float) -> Moment | None:
        """The mark closest to `t`, at most `reach` seconds away; a knock-out before all else."""
        low, high = bisect_left(self._times, t - reach), bisect_right(self._times, t + reach)
        found = self.moments[low:high]
        return min(found, key=lambda mark: (mark.kind != "knockout", abs(mark.t - t)), default=None)


def _moments(segment: Segment) -> list[Moment]:
    record = segment.record
    if isinstance(record, SeatSwapped):
        return [Moment(segment.start, "swap", record.bot)]
    if not isinstance(record, Play):
        return []
    if record.status != "ok":
        return [Moment(segment.start, "fumble", record.bot)]
    found = []
    for event in record.events:
        if isinstance(event, BotHit):
            found.append(Moment(_seen(segment, "hit"), "hit", record.bot))
        elif isinstance(event, ShotBlocked):
            found.append(Moment(_seen(segment, "block"), "block", event.bot))
        elif isinstance(event, BotKnockedOut):
            found.append(Moment(_seen(segment, "knockout"), "knockout", event.bot))
    return found


def _seen(segment: Segment, kind: str) -> float:
    """When it is seen to happen: a bullet takes its time."""
    return next((effect.start for effect in segment.effects if effect.kind == kind), segment.start)
