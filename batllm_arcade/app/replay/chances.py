"""The chances of an analysed session on its timeline: a curve, and the plays that are marked on it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from batllm_arcade.analysis.judgement import Judgement
from batllm_arcade.match.records import Play
from batllm_arcade.view.timeline_index import TimelineIndex

_SAME_S = 1e-6


@dataclass(frozen=True, slots=True)
class MarkedPlay:
    """A play with a mark: when it starts and ends, in seconds, and what was found of it."""

    t: float
    end: float
    play: Play
    found: Judgement


class Chances:
    """`curves` are left's chances game by game, each a list of (seconds, 0 to 1); `marks` are in order."""

    def __init__(self, index: TimelineIndex, judged: Mapping[int, Sequence[Judgement]]) -> None:
        self.curves: list[list[tuple[float, float]]] = []
        self.marks: list[MarkedPlay] = []
        self._ends = index.ends
        self._found: list[Judgement | None] = []
        numbers: dict[int, int] = {}
        for play, start, end in zip(index.plays, index.starts["play"], index.ends, strict=True):
            if play.game not in numbers:
                self.curves.append([])
            number = numbers[play.game] = numbers.get(play.game, -1) + 1
            game = judged.get(play.game, ())
            found = game[number] if number < len(game) and game[number].bot == play.bot else None
            self._found.append(found)
            if found is not None:
                self.curves[-1] += [(start, found.chance)] if not self.curves[-1] else []
                self.curves[-1].append((end, found.chance))
                if found.mark:
                    self.marks.append(MarkedPlay(start, end, play, found))
        self._times = [mark.t for mark in self.marks]

    def step(self, by: int, t: float) -> float | None:
        """Return the start of the next (`by` 1) or previous (`by` -1) marked play, None if there is none."""
        if by > 0:
            after = bisect_right(self._times, t + _SAME_S)
            return self._times[after] if after < len(self._times) else None
        before = bisect_left(self._times, t - _SAME_S) - 1
        return self._times[before] if before >= 0 else None

    def marked_at(self, t: float) -> MarkedPlay | None:
        """Return the marked play that is shown at `t`, None while none is."""
        index = bisect_right(self._times, t + _SAME_S) - 1
        mark = self.marks[index] if index >= 0 else None
        return mark if mark is not None and t < mark.end else None

    def at(self, t: float) -> float | None:
        """Return left's chance at `t`, after the last play that has been shown to its end; None before the first."""
        index = bisect_right(self._ends, t + _SAME_S) - 1
        found = self._found[index] if index >= 0 else None
        return None if found is None else found.chance

    def near(self, t: float, reach: float) -> MarkedPlay | None:
        """Return the marked play that starts nearest to `t` within `reach` seconds, None if there is none."""
        low, high = bisect_left(self._times, t - reach), bisect_right(self._times, t + reach)
        return min(self.marks[low:high], key=lambda mark: abs(mark.t - t), default=None)
