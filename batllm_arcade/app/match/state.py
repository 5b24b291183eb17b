"""What a match's screen knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.seats.table import OpenRequest, Table
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.play_words import ReadingPace
from batllm_arcade.view.statistics import MatchStatistics, report
from batllm_arcade.view.timeline import Timeline

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
HURRY = 2.0
LONGEST_FRAME_S = 0.25
"""Seconds that one frame moves the animation at most: after a hiccup it goes on, it does not jump."""


@dataclass
class PlaybackClock:
    """The timeline's time `t` in seconds; it only ever grows, at `speed` times the clock."""

    t: float = 0.0
    speed: float = 1.0
    paused: bool = False
    stepping: bool = False
    """Whether the animation is to stop again after the next play."""
    hurried: bool = False
    """Whether nobody has anything to do meanwhile: it goes on twice as fast."""
    _last: float | None = None

    def tick(self, now: float) -> float:
        """Move on to `now` of the shell's clock; return how many seconds of the animation passed."""
        speed = self.speed * (HURRY if self.hurried else 1.0)
        passed = 0.0 if self._last is None or self.paused else min(LONGEST_FRAME_S, now - self._last) * speed
        self._last = now
        self.t += passed
        return passed

    def hold(self) -> None:
        """Stop, whatever it did before."""
        self.paused, self.stepping = True, False

    def change_speed(self, by: int) -> None:
        """The next faster (1) or slower (-1) speed; where it stands does not change."""
        at = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]

    def skip_to(self, t: float) -> None:
        """Go there at once, never back."""
        self.t = max(self.t, t)


GLIMPSE_S = 0.3
"""Seconds at the end of a play that skipping leaves, so that what came of it is seen."""


class MatchState:
    """Takes one record after the other from the match's thread and moves its animation on, at any speed."""

    def __init__(self, thread: MatchThread, plan: SessionPlan, display: DisplayOptions) -> None:
        self.thread, self.plan = thread, plan
        self.timeline, self.clock = Timeline(display, plan.series), PlaybackClock()
        self.over = False
        """Whether the last game's end is being shown or has been."""
        self.lost: SeatSwapped | None = None
        """The loss of a seat to the fallback that has been shown last and not yet been talked about."""
        self._records: list[Record] = []  # of the game under way
        self._taken = False  # whether the record in the thread's mailbox is on the timeline
        self._games_ended = 0
        self._pace = ReadingPace()
        self._plays: list[Play] = []  # shown since somebody last asked for new ones
        self._before = len(plan.fork.taken) + 1 if plan.fork is not None else 0  # records of a fork still to be skipped

    @property
    def table(self) -> Table:
        """Who sits where, and who is being asked."""
        return self.thread.table

    @property
    def started(self) -> bool:
        """Whether there is anything to show yet."""
        return bool(self.timeline.segments)

    @property
    def humans(self) -> tuple[bool, bool]:
        """Which seats have a person at this window now, left first."""
        return self.table.is_here(0), self.table.is_here(1)

    @property
    def watched(self) -> bool:
        """Whether nobody plays, so that the match is only looked at."""
        return not any(self.humans)

    @property
    def taken_over(self) -> bool:
        """Whether a person has taken a brain's seat for a while."""
        return self.table.taken_over(0) or self.table.taken_over(1)

    @property
    def person(self) -> OpenRequest | None:
        """The person at this window whose move it is, once all before it has been shown; None while nobody may act."""
        asking = self.table.thinking
        return asking if asking is not None and self.may_act and not asking.remote else None

    @property
    def may_act(self) -> bool:
        """Whether it is a person's move, here or elsewhere, and everything before it has been shown."""
        asking = self.table.thinking
        return asking is not None and asking.seat.human and not (self.clock.paused or self.over) and self.caught_up

    @property
    def caught_up(self) -> bool:
        """Whether everything that has happened has been shown."""
        return not self._taken and self.thread.peek() is None and self.clock.t >= self.timeline.end

    @property
    def game(self) -> int:
        """The number of the game shown."""
        return self.timeline.segments[-1].board.game

    @property
    def rules(self) -> Rules:
        """The rules of the game shown, of the plan before there is one."""
        return self.timeline.segments[-1].board.rules if self.started else self.plan.config.rules

    @property
    def in_round(self) -> bool:
        """Whether a round is under way that could be abandoned."""
        rounds = [record for record in self._records if isinstance(record, (RoundStarted, RoundEnded))]
        return bool(rounds) and isinstance(rounds[-1], RoundStarted)

    @property
    def records(self) -> Sequence[Record]:
        """The records of the game shown, as far as it has got."""
        return tuple(self._records)

    def result_shown(self, seconds: float) -> bool:
        """Return whether the game's result has been on the screen for so many seconds."""
        return self.over and self.clock.t >= self.timeline.segments[-1].start + seconds

    def statistics(self, round: int | None = None) -> MatchStatistics | None:
        """Return the figures of the game so far, or of one round of it; None if there is nothing to count."""
        return report(self._records) if round is None else report(self._records, round)

    def update(self, now: float) -> tuple[float, float]:
        """Move on to `now`; return the animation's time before and after, in seconds."""
        before, skips = self.clock.t, self._before
        self.clock.tick(now)
        self._advance()
        return (self.clock.t if skips else before), self.clock.t

    def new_plays(self) -> list[Play]:
        """Return the plays that have been shown to their end since the last call."""
        found, self._plays = self._plays, []
        return found

    def _advance(self) -> None:
        if self.clock.paused:
            return
        if self._taken and self.clock.t >= self.timeline.end:
            self._taken = False
            record = self.thread.peek()
            self.thread.take()
            if isinstance(record, Play):
                self._plays.append(record)
                if self.clock.stepping:
                    self.clock.hold()
                self.thread.hold(self.clock.paused)
                return
        record = self.thread.peek() if not self._taken else None
        if record is not None:
            self._show(record)

    def _show(self, record: Record) -> None:
        self._taken = True
        if isinstance(record, GameStarted):
            self._records.clear()
        self._records.append(record)
        if isinstance(record, SeatSwapped):
            self.lost = record if record.why == "fallback" else None
        lead = 0.0
        if isinstance(record, Play):
            lead = self._pace.lead(record, waits=self.watched and self.clock.speed <= 1.0)
        self.timeline.append(record, not_before=self.clock.t, lead=lead)
        if self._before:  # what was played before a fork: it was seen in the replay
            self._before -= 1
            self.clock.skip_to(self.timeline.end)
        self._games_ended += isinstance(record, GameEnded)
        self.over = self._games_ended == self.plan.games

    def hold(self) -> None:
        """Hold the picture still and ask nobody new."""
        self.clock.hold()
        self.thread.hold(True)

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        self.clock.paused = False
        self.thread.hold(False)

    def step(self) -> None:
        """Show one play, then hold still again."""
        self.clock.paused, self.clock.stepping = False, True
        self.thread.hold(False)

    def skip(self) -> None:
        """Go to the end of what is shown, but not past what came of it; a result is never skipped."""
        segment = self.timeline.segments[-1]
        if isinstance(segment.record, GameEnded) or self.clock.paused:
            return
        fallen = segment.fallen != (None, None)
        glimpse = theme.KNOCKOUT_S if fallen else GLIMPSE_S if isinstance(segment.record, Play) else 0.0
        self.clock.skip_to(self.timeline.end - glimpse)
