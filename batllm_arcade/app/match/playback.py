"""The clock of a live match's animation: pause, speed, single plays and skipping, without pygame."""

from __future__ import annotations

from dataclasses import dataclass

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

    def step(self) -> None:
        """Go on until the next play is over."""
        self.paused, self.stepping = False, True

    def play_over(self) -> None:
        """A play has been shown to its end; when stepping, the animation stops there."""
        if self.stepping:
            self.hold()

    def change_speed(self, by: int) -> None:
        """The next faster (1) or slower (-1) speed; where it stands does not change."""
        at = SPEEDS.index(self.speed) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, at))]

    def skip_to(self, t: float) -> None:
        """Go there at once, never back."""
        self.t = max(self.t, t)
