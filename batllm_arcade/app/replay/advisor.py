"""What a replay knows of its plays' worth: the analysis on its thread, then the curve, the marks and the best plays."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.app.replay.chances import Chances, MarkedPlay
from batllm_arcade.app.replay.clock import ReplayClock
from batllm_arcade.app.services.session_analysis import SessionAnalysis
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.telegraph.best_play import BestPlay, best_play
from batllm_arcade.view.timeline_index import TimelineIndex
from batllm_arcade.view.words.judged_words import judged_shortly

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
        self._best: tuple[MarkedPlay, BestPlay] | None = None
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
        if self._best is None or self._best[0] is not mark:
            found, play = mark.found, mark.play
            self._best = mark, best_play(play.before, play.bot, found.best, found.points, scene.board.rules)
        return self._best[1]

    def leave(self) -> SessionAnalysis | None:
        """Give up an analysis that is still being made; return it, so that its end can be waited for."""
        if self.task is not None:
            self.task.cancel()
        return self.task
