"""Statistics of a game or a round, computed from its records."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from statistics import median
from typing import Literal

from batllm_arcade.brains.kinds import cost_of
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.events import BotHit, BotKnockedOut, BotMoved, BulletFlew, ShieldBroke, ShotBlocked
from batllm_arcade.core.model import Part, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import (
    Ended,
    GameEnded,
    GameStarted,
    NotesWritten,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
)
from batllm_arcade.story.games import games_of
from batllm_arcade.story.result import ended, who_played, why
from batllm_arcade.view.look.shapes import uncharged


@dataclass(slots=True)
class SeatStatistics:
    """One seat's figures: `health` as a share of its initial value, `steps` the distance walked in step lengths."""

    seat: SeatInfo
    plays: int = 0
    shots: int = 0
    hits: int = 0
    blocks: int = 0
    fumbles: int = 0
    parts: Counter[Part] = field(default_factory=Counter)
    """The hits by the part of the other bot that they struck."""
    broken: int = 0
    """Shields of the other bot that broke."""
    uncharged: int = 0
    """Commands refused for want of charge."""
    damage: float = 0.0
    steps: float = 0.0
    health: float = 1.0
    latencies: list[float] = field(default_factory=list)
    """Response times in seconds; queued commands, which nobody was asked for, do not count."""
    tokens: dict[str, int] = field(default_factory=dict)
    """The tokens a model read (`prompt`) and wrote (`completion`), as far as it reported them."""
    cost: float | None = None
    """What they cost, None without a price."""
    notes: str = ""
    """What its model has noted."""

    def spend(self, tokens: Mapping[str, int] | None) -> None:
        """Count what a request has cost."""
        for name, count in (tokens or {}).items():
            self.tokens[name] = self.tokens.get(name, 0) + count
        if (cost := cost_of(self.seat.options, tokens or {})) is not None:
            self.cost = (self.cost or 0.0) + cost

    @property
    def accuracy(self) -> float | None:
        """Return hits per shot; None without a shot."""
        return self.hits / self.shots if self.shots else None

    @property
    def median_s(self) -> float | None:
        """Return the median response time in seconds; None without one."""
        return median(self.latencies) if self.latencies else None

    @property
    def longest_s(self) -> float | None:
        """Return the longest response time in seconds; None without one."""
        return max(self.latencies, default=None)


MarkKind = Literal["hit", "block", "break", "knockout", "swap"]


@dataclass(frozen=True, slots=True)
class Mark:
    """An event that concerns a bot, at index `at` of the health curve."""

    at: int
    bot: int
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """A game so far, or one of its rounds; `curve` is both healths as shares, before the first and after every play."""

    rules: Rules
    seed: int
    game: int
    rounds: int
    seats: tuple[SeatStatistics, SeatStatistics]
    curve: tuple[tuple[float, float], ...]
    marks: tuple[Mark, ...]
    starts: tuple[int, ...]
    """The index into `curve` at which each round begins."""
    result: Result | None
    ended: Ended | None
    turns: int
    prompts: tuple[str, str] = ("", "")
    """The prompts of the last round, left first."""
    why: str = ""
    """Why the game ended as it did, in one sentence; "" before its end and for a round."""
    how: str = ""
    """How it ended, and when or how it stood, in one more."""
    who_played: tuple[str, ...] = ()
    """Who played at each seat that changed hands, and that the win counts for nobody, if so; only of a whole game."""


class _Collector:
    def __init__(self, started: GameStarted, only_round: int | None) -> None:
        self.started, self.only_round = started, only_round
        self.rules = started.rules
        self.seats = (SeatStatistics(started.seats[0]), SeatStatistics(started.seats[1]))
        self.curve: list[tuple[float, float]] = []
        self.marks: list[Mark] = []
        self.starts: list[int] = []
        self.round = self.turns = 0
        self.result: Result | None = None
        self.ended: Ended | None = None
        self.prompts = ("", "")

    @property
    def _wanted(self) -> bool:
        return self.only_round is None or self.only_round == self.round

    def add(self, record: Record) -> None:
        if isinstance(record, RoundStarted):
            self.round = record.round
            if self._wanted:
                self._begin(record)
        elif isinstance(record, SeatSwapped):
            self.seats[record.bot].seat, self.seats[record.bot].notes = record.seat, ""
            if self._wanted:
                self.marks.append(Mark(len(self.curve) - 1, record.bot, "swap"))
        elif isinstance(record, Play) and self._wanted:
            self._play(record)
        elif isinstance(record, RoundEnded) and self._wanted:
            self.ended = record.ended
        elif isinstance(record, NotesWritten) and self._wanted:
            me = self.seats[record.bot]
            me.notes = record.text or me.notes
            me.spend(record.tokens)
        elif isinstance(record, GameEnded):
            self.result = record.result

    def _begin(self, record: RoundStarted) -> None:
        self.prompts = record.prompts
        if not self.curve:
            self._add_health(record.arena.left.health, record.arena.right.health)
        self.starts.append(len(self.curve) - 1)

    def _add_health(self, left: float, right: float) -> None:
        full = self.rules.initial_health
        for seat, share in zip(self.seats, (left / full[0], right / full[1]), strict=True):
            seat.health = share
        self.curve.append((left / full[0], right / full[1]))

    def _play(self, play: Play) -> None:
        me, foe = self.seats[play.bot], self.seats[1 - play.bot]
        me.plays, self.turns = me.plays + 1, self.turns + (play.number % 2)
        me.fumbles += play.status != "ok"
        me.uncharged += bool(uncharged(play, self.rules))
        if play.decision.queued_from is None:
            me.latencies.append(play.latency_s)
        me.spend(play.decision.tokens)
        for event in play.events:
            if isinstance(event, BulletFlew):
                me.shots += 1
            elif isinstance(event, BotMoved):
                me.steps += math.dist(event.start, event.end) / self.rules.step_length
            elif isinstance(event, BotHit):
                me.hits += 1
                me.parts[event.part] += 1
                me.damage += event.damage
                self._mark(event.bot, "hit")
            elif isinstance(event, ShotBlocked):
                foe.blocks += 1
                self._mark(event.bot, "block")
            elif isinstance(event, ShieldBroke):
                me.broken += 1
                self._mark(event.bot, "break")
            elif isinstance(event, BotKnockedOut):
                self._mark(event.bot, "knockout")
        self._add_health(play.after.left.health, play.after.right.health)

    def _mark(self, bot: int, kind: MarkKind) -> None:
        self.marks.append(Mark(len(self.curve), bot, kind))

    def statistics(self) -> MatchStatistics:
        return MatchStatistics(
            self.rules,
            self.started.seed,
            self.started.game,
            self.round,
            self.seats,
            tuple(self.curve),
            tuple(self.marks),
            tuple(self.starts),
            self.result,
            self.ended,
            self.turns,
            self.prompts,
        )


def joined(reports: Iterable[MatchStatistics | None]) -> MatchStatistics | None:
    """Return the last game's report with the curves and marks of all games, one after the other; None of none.

    `starts` is where each game begins; that of one game is its own.
    """
    games = [each for each in reports if each is not None]
    if len(games) < 2:
        return games[0] if games else None
    starts = tuple(accumulate((len(each.curve) for each in games[:-1]), initial=0))
    return replace(
        games[-1],
        curve=tuple(shares for each in games for shares in each.curve),
        marks=tuple(
            replace(mark, at=mark.at + start) for each, start in zip(games, starts, strict=True) for mark in each.marks
        ),
        starts=starts,
    )


def report(records: Iterable[Record], only_round: int | None = None) -> MatchStatistics | None:
    """Return the statistics of the last game in the records, or of one of its rounds; None if no game has started."""
    collector: _Collector | None = None
    records = list(records)
    for record in records:
        if isinstance(record, GameStarted):
            collector = _Collector(record, only_round)
        elif collector is not None:
            collector.add(record)
    if collector is None:
        return None
    statistics = collector.statistics()
    if only_round is not None:
        return statistics
    game = games_of(records)[-1]
    told, played = why([game], game.names), who_played(game) if game.result else ()
    return replace(statistics, why=f"{told}." if told else "", how=ended(game, game.names), who_played=played)
