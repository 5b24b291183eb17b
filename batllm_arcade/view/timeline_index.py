"""Where in a match: turns, rounds, marks."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShieldBroke, ShotBlocked
from batllm_arcade.match.records import GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import BotShape, Points, disc, line, polygon
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline import Segment, Timeline

# -- An index of a timeline: where its games, rounds, turns, plays and notable events are

Kind = Literal["hit", "block", "break", "fumble", "knockout", "swap"]
Unit = Literal["play", "turn", "round", "game"]
HAPPENED: dict[Kind, str] = {
    "hit": "hits",
    "block": "blocks a shot",
    "break": "loses its shield: it broke",
    "fumble": "fumbles",
    "knockout": "is knocked out",
    "swap": "is played by somebody else now",
}
"""What a bot does or what befalls it in each moment."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A notable event at `t` seconds; `bot` is the one that shot, blocked, lost its shield, fumbled or fell."""

    t: float
    kind: Kind
    bot: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """The start of a game or a round, in seconds; `round` is 0 for a game."""

    t: float
    game: int
    round: int


class TimelineIndex:
    """The index of a finished timeline; lookups are binary searches. All times are in seconds."""

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
        self.ends: Sequence[float] = [segment.end for segment in timeline.segments if isinstance(segment.record, Play)]
        self._times = [moment.t for moment in self.moments]

    def step(self, unit: Unit, by: int, t: float, grace: float = 0.0) -> float:
        """Return the start of the next (`by` 1) or previous (`by` -1) unit, else the timeline's end or start.

        Going back, a unit that began less than `grace` seconds ago is skipped.
        """
        starts = self.starts[unit]
        if by > 0:
            after = bisect_right(starts, t + 1e-6)
            return starts[after] if after < len(starts) else self.end
        before = bisect_left(starts, t - grace - 1e-6) - 1
        return starts[before] if before >= 0 else 0.0

    def play_at(self, t: float) -> Play | None:
        """Return the play shown at `t` or the last one before it; None before the first."""
        index = bisect_right(self.starts["play"], t) - 1
        return self.plays[index] if index >= 0 else None

    def turn_before(self, t: float) -> Play | None:
        """Return the play that ended the last turn at `t`, the one shown included; None before the first turn's end."""
        index = bisect_right(self.starts["play"], t) - 1
        return next((play for play in reversed(self.plays[: index + 1]) if play.number % 2 == 0), None)

    def play_from(self, t: float) -> Play | None:
        """Return the play shown at `t` or the next one after it; None after the last."""
        index = bisect_right(self.ends, t + 1e-6)
        return self.plays[index] if index < len(self.plays) else None

    def near(self, t: float, reach: float) -> Moment | None:
        """Return the moment nearest to `t` within `reach` seconds, knock-outs first; None if there is none."""
        low, high = bisect_left(self._times, t - reach), bisect_right(self._times, t + reach)
        found = self.moments[low:high]
        return min(found, key=lambda moment: (moment.kind != "knockout", abs(moment.t - t)), default=None)


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
            found.append(Moment(_shown_at(segment, "hit"), "hit", record.bot))
        elif isinstance(event, ShotBlocked):
            found.append(Moment(_shown_at(segment, "block"), "block", event.bot))
        elif isinstance(event, ShieldBroke):
            found[-1:] = [Moment(_shown_at(segment, "break"), "break", event.bot)]  # instead of its block
        elif isinstance(event, BotKnockedOut):
            found.append(Moment(_shown_at(segment, "knockout"), "knockout", event.bot))
    return found


def _shown_at(segment: Segment, kind: str) -> float:
    """Return when the effect of that kind becomes visible: a bullet has to land first."""
    return next((effect.start for effect in segment.effects if effect.kind == kind), segment.start)


# -- The marks of what happened on a timeline: each kind has its shape as well as its colour;

MARK_COLORS: dict[Kind, Color] = {
    "hit": theme.DANGER, "block": theme.GOOD, "break": theme.TEXT, "fumble": theme.GOLD,
    "knockout": theme.WHITE, "swap": theme.SOFT,
}  # fmt: skip
_SHIELD: Points = [(-0.85, -0.9), (0.85, -0.9), (0.85, 0.1), (0.0, 1.0), (-0.85, 0.1)]
_BROKEN: tuple[Points, ...] = (
    [(-1.1, -0.9), (-0.05, -0.9), (-0.35, -0.3), (0.0, 0.1), (-0.35, 0.95), (-1.1, 0.1)],
    [(1.1, -0.9), (0.35, -0.9), (0.05, -0.3), (0.4, 0.1), (0.05, 1.0), (1.1, 0.1)],
)
"""A heraldic shield in two halves."""


def mark(kind: Kind, bot: int) -> list[BotShape]:
    """Return what a mark is drawn of, around (0, 0)."""
    color = MARK_COLORS[kind]
    if kind == "hit":
        spokes = [(index * math.pi / 8, 1.15 if index % 2 == 0 else 0.52) for index in range(16)]
        return [polygon(color, [(far * math.sin(angle), -far * math.cos(angle)) for angle, far in spokes])]
    if kind == "block":
        return [line(color, [(0.95 * x, 0.95 * y) for x, y in (*_SHIELD, *_SHIELD[:2])], 0.3)]
    if kind == "break":
        return [polygon(color, half) for half in _BROKEN]
    if kind == "fumble":
        return _cross(color, 0.8, 0.33)
    if kind == "swap":
        return [line(color, [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)], 0.3)]
    return [disc(theme.SEAT_COLORS[bot], 1.0), *_cross(theme.NIGHT, 0.55, 0.22)]


def _cross(color: Color, arm: float, wide: float) -> list[BotShape]:
    return [line(color, [(-arm, -turn * arm), (arm, turn * arm)], wide) for turn in (1, -1)]
