"""A stretch of the timeline that shows one record, and the numbers that change in it."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import Record
from batllm_arcade.view.look.motion import CHANGE
from batllm_arcade.view.scene import Effect, Scoreboard


@dataclass(frozen=True, slots=True)
class Change:
    """A number that changes from `old` to `new` at `t` seconds; the change is shown `held` seconds later."""

    t: float
    old: float
    new: float
    held: float = 0.0

    def eased(self, t: float, seconds: float, delay: float = 0.0) -> float:
        """Return the number at `t`, eased over `seconds` and starting `delay` seconds late."""
        old, new = self.old, self.new
        share = (t - self.t - self.held - delay) / seconds
        if old == new or share >= 1.0:  # what most numbers of a picture are, so that films ask for it a lot
            return new
        return old + (new - old) * CHANGE.at(share)


@dataclass(frozen=True, slots=True)
class Segment:
    """One record on the timeline: animated from `start` to `end` seconds, and the state from then on.

    `flight` is when a bullet leaves and when it lands; on landing everything freezes for `hold` seconds.
    `fallen` is when each bot was knocked out, `entered` when the bots came into the arena. A play's bot acts only
    `lead` seconds after its start, so that its words are seen first.
    """

    start: float
    end: float
    record: Record
    arena: Arena
    board: Scoreboard
    health: tuple[Change, Change]
    shield: tuple[Change, Change]
    charge: tuple[Change, Change]
    effects: tuple[Effect, ...] = ()
    flight: tuple[float, float] | None = None
    hold: float = 0.0
    fallen: tuple[float | None, float | None] = (None, None)
    entered: float = 0.0
    lead: float = 0.0

    @property
    def acts(self) -> float:
        """Return when what is animated begins, in seconds."""
        return self.start + self.lead

    @property
    def known(self) -> float:
        """Return when what comes of it is seen, in seconds: as a bullet lands, else as it begins."""
        return self.flight[1] if self.flight else self.acts
