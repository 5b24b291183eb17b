"""Where a replay stands, and how fast and in which direction it runs."""

from __future__ import annotations

from batllm_arcade.view.timeline_index import TimelineIndex, Unit

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
FRAME_S = 1 / 60
_GRACE_S = 0.25  # while it runs: a step back from a play that has just begun goes to the play before


class ReplayClock:
    """`t` is the moment shown, in seconds of the timeline; `speed` is below 0 while it runs backwards."""

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
        """Move on by the time since the last update; return from where to where, None if it stands still.

        It pauses at the end, and where it runs backwards at the beginning.
        """
        elapsed = 0.0 if self._updated is None else now - self._updated
        self._updated = now
        if self.paused or not runs:
            return None
        before = self.t
        self.seek(before + elapsed * self.speed)
        self.paused = self.t >= self._index.end if self.speed > 0 else self.t <= 0.0
        return before, self.t

    # -- what can be done -----------------------------------------------------------------------

    def toggle_pause(self) -> None:
        """Pause, or run on."""
        self.paused = not self.paused
        if not self.paused:
            self._leave_the_end()

    def _leave_the_end(self) -> None:
        """Begin anew from the other end if there is nothing left in this direction."""
        if self.speed > 0 and self.t >= self._index.end:
            self.seek(0.0)
        elif self.speed < 0 and self.t <= 0.0:
            self.seek(self._index.end)

    def run(self, direction: int) -> None:
        """Run forwards (1) or backwards (-1): at normal speed, or twice as fast if it runs that way already."""
        along = self.speed * direction > 0 and not self.paused
        self.speed = direction * (min(SPEEDS[-1], abs(self.speed) * 2) if along else 1.0)
        self.paused = False
        self._leave_the_end()

    def reverse(self) -> None:
        """Run in the other direction."""
        self.speed = -self.speed

    def change_speed(self, by: int) -> None:
        """Run one step of `SPEEDS` faster (1) or slower (-1), or at normal speed (0)."""
        place = SPEEDS.index(abs(self.speed) if by else 1.0) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, place))] * (1 if self.speed > 0 else -1)

    def step(self, unit: Unit, by: int) -> None:
        """Go to the next (1) or the last (-1) beginning of a play, turn, round or game."""
        grace = 0.0 if self.paused else _GRACE_S * abs(self.speed)
        self.seek(self._index.step(unit, by, self.t, grace))

    def step_frame(self, by: int) -> None:
        """Pause, and go so many frames on or back."""
        self.paused = True
        self.seek(self.t + by * FRAME_S)
