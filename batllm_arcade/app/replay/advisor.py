"""What a replay says of its plays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.analysis.game import Judgement
from batllm_arcade.app.services.sessions import SessionAnalysis
from batllm_arcade.match.records import Play
from batllm_arcade.view.reading_words import judged_shortly
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.person_turn import BestPlay, best_play
from batllm_arcade.view.timeline import TimelineIndex, Unit

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


SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_GRACE_S = 0.25  # while it runs: a step back from a play that has just begun goes to the play before


class ReplayClock:
    """`t` is the moment shown, in seconds of the timeline; at `speed` so many of these pass in a second."""

    def __init__(self, index: TimelineIndex) -> None:
        self._index = index
        self.t, self.speed, self.paused = 0.0, 1.0, False
        self._updated: float | None = None

    def seek(self, t: float) -> None:
        """Go to a moment at once; before the beginning to the beginning, after the end to the end."""
        self.t = max(0.0, min(self._index.end, t))

    def hold(self) -> None:
        """Do not count the time from now to the next update."""
        self._updated = None

    def update(self, now: float, *, runs: bool = True) -> tuple[float, float] | None:
        """Move on by the time since the last update; return from where to where, None if it stands still."""
        elapsed = 0.0 if self._updated is None else now - self._updated
        self._updated = now
        if self.paused or not runs:
            return None
        before = self.t
        self.seek(before + elapsed * self.speed)
        self.paused = self.t >= self._index.end
        return before, self.t

    def toggle_pause(self) -> None:
        """Pause, or run on; from the end once more from the beginning."""
        self.paused = not self.paused
        if not self.paused and self.t >= self._index.end:
            self.seek(0.0)

    def change_speed(self, by: int) -> None:
        """Run one step of `SPEEDS` faster (1) or slower (-1), or at normal speed (0)."""
        place = SPEEDS.index(self.speed if by else 1.0) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, place))]

    def step(self, unit: Unit, by: int) -> None:
        """Go to the next (1) or the last (-1) beginning of a play, turn, round or game."""
        grace = 0.0 if self.paused else _GRACE_S * self.speed
        self.seek(self._index.step(unit, by, self.t, grace))


MOST_UNASKED = 400
"""Plays up to which a session is analysed as soon as it is opened; a longer one when somebody asks for it."""
_JUST_BEFORE_S = 1e-3
_NONE_S = 2.0
"""Seconds of the timeline for which it is said that there is no further mark."""


class Advisor:
    """Analyses a session beside its replay; without a `path` there is nothing to analyse."""

    def __init__(self, index: TimelineIndex, clock: ReplayClock, path: Path | None) -> None:
        self._index, self._clock, self._path = index, clock, path
        self.task: SessionAnalysis | None = None
        self.chances: Chances | None = None
        self.hidden = False
        """Whether the curve, the marks and the best plays are not to be seen."""
        self._none: tuple[float, str] | None = None  # where there was no further mark, and the words for it

    def start(self, *, asked: bool) -> None:
        """Begin the analysis, if there is one to be made; one that nobody `asked` for only of a short session."""
        if self.task is None and self._path is not None and (asked or len(self._index.plays) <= MOST_UNASKED):
            self.task = SessionAnalysis(self._path)

    def update(self) -> None:
        """Take what has been found."""
        if self.chances is None and self.task is not None and self.task.result is not None:
            self.chances = Chances(self._index, self.task.result)
        if self._none is not None and not 0 <= self._clock.t - self._none[0] < _NONE_S:
            self._none = None

    def go(self, by: int) -> None:
        """Stand still at the next or previous marked play; work out the chances first, if nobody has."""
        self.start(asked=True)
        self.hidden, self._none = False, None
        if self.chances is None:
            return
        t = self.chances.step(by, self._clock.t)
        if t is not None:
            self._clock.paused = True
            self._clock.seek(t)
        else:
            side = "after" if by > 0 else "before"
            self._none = self._clock.t, f"there is no mark {side} this" if self.chances.marks else "no play has a mark"

    def toggle(self) -> None:
        """Show what plays are worth, or hide it; work it out first, if nobody has."""
        self.hidden = not self.hidden if self.chances is not None else False
        self.start(asked=True)

    def from_here(self) -> float:
        """Return the moment to play on from: who sees a marked play wants to play it otherwise."""
        mark = self.shown.marked_at(self._clock.t) if self.shown is not None else None
        return self._clock.t if mark is None else mark.t - _JUST_BEFORE_S

    @property
    def shown(self) -> Chances | None:
        """The chances that are to be seen, None while there are none."""
        return None if self.hidden else self.chances

    @property
    def words(self) -> str:
        """How far the analysis is, or why there is none; "" where there is nothing to say."""
        task = self.task
        if task is None or self.chances is not None:
            return ""
        return str(task.error) if task.error is not None else task.progress

    def words_at(self, t: float) -> str:
        """Return both sides' chances at a moment, and what a marked play there has lost; "" where nothing is known."""
        chances = self.shown
        if self._none is not None:
            return self._none[1]
        chance = chances.at(t) if chances is not None else None
        if chances is None or chance is None:
            return ""
        left = round(100 * chance)
        mark = chances.marked_at(t)
        return f"{left} : {100 - left}  " + (judged_shortly(mark.play, mark.found) if mark else "")

    def best_at(self, t: float, scene: Scene) -> BestPlay | None:
        """Return the best play where one with a mark is shown that lost something, None elsewhere."""
        mark = self.shown.marked_at(t) if self.shown is not None else None
        if mark is None or mark.found.mark == "!":
            return None
        return best_play(mark.play.before, mark.play.bot, mark.found.best, mark.found.points, scene.board.rules)

    def leave(self) -> SessionAnalysis | None:
        """Give up an analysis that is still being made; return it, so that its end can be waited for."""
        if self.task is not None:
            self.task.cancel()
        return self.task
