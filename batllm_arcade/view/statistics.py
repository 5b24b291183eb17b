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
from batllm_arcade.core.events import BotHit, BotKnockedOut, BotMoved, ShieldBroke, ShotBlocked
from batllm_arcade.core.model import Part, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import GameStarted, NotesWritten, Play, Record, RoundStarted, SeatSwapped
from batllm_arcade.story.games import last_game
from batllm_arcade.story.result import Account, Accounts, accounts, ended, who_played, why
from batllm_arcade.view.look.shapes import uncharged
from batllm_arcade.view.play_text import orders_played


@dataclass(slots=True)
class SeatStatistics:
    """One seat's figures: `health` as a share of its initial value, `steps` the distance walked in step lengths."""

    seat: SeatInfo
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

    def count(self, play: Play, rules: Rules) -> None:
        """Count what its account does not tell of a play of its own."""
        self.uncharged += bool(uncharged(play, rules))
        if play.decision.queued_from is None:
            self.latencies.append(play.latency_s)
        self.spend(play.decision.tokens)
        for event in play.events:
            if isinstance(event, BotMoved):
                self.steps += math.dist(event.start, event.end) / rules.step_length
            elif isinstance(event, BotHit):
                self.parts[event.part] += 1
            self.broken += isinstance(event, ShieldBroke)

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
Curve = tuple[tuple[float, float], ...]
_KINDS: dict[type, MarkKind] = {
    BotHit: "hit", ShotBlocked: "block", ShieldBroke: "break", BotKnockedOut: "knockout"
}  # fmt: skip


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
    curve: Curve
    marks: tuple[Mark, ...]
    starts: tuple[int, ...]
    """The index into `curve` at which each round begins."""
    result: Result | None
    turns: int
    prompts: tuple[str, str] = ("", "")
    """The prompts of the last round, left first."""
    why: str = ""
    """Why the game ended as it did, in one sentence; "" before its end and for a round."""
    how: str = ""
    """How it ended, and when or how it stood, in one more."""
    who_played: tuple[str, ...] = ()
    """Who played at each seat that changed hands, and that the win counts for nobody, if so; only of a whole game."""


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
    game = last_game(records)
    if game is None:
        return None
    started, rules = game.records[0], game.rules
    assert isinstance(started, GameStarted)
    told = [each for each in game.records if only_round in (None, getattr(each, "round", only_round))]
    plays = [record for record in told if isinstance(record, Play)]
    seats = _seats(started, told, accounts(plays, rules))
    for seat, last in zip(seats, game.seats, strict=True):
        seat.seat = last  # who came before the round that is told, too
    curve, marks, starts = _curve(told, rules)
    if curve:
        seats[0].health, seats[1].health = curve[-1]
    round = max((record.round for record in game.records if isinstance(record, RoundStarted)), default=0)
    turns = sum(play.number % 2 for play in plays)
    orders = orders_played(game.seats, game.prompts)
    figures = MatchStatistics(
        rules, started.seed, game.number, round, seats, curve, marks, starts, game.result, turns, orders
    )
    if only_round is not None:
        return figures
    reason, played = why([game], game.names), who_played(game) if game.result else ()
    return replace(figures, why=f"{reason}." if reason else "", how=ended(game, game.names), who_played=played)


def _seats(started: GameStarted, records: Iterable[Record], both: Accounts) -> tuple[SeatStatistics, SeatStatistics]:
    """Return the figures of both seats: their accounts, and what is counted nowhere else."""
    (left, right), rules = both, started.rules
    seats = _seat(started.seats[0], left, right), _seat(started.seats[1], right, left)
    for record in records:
        if isinstance(record, SeatSwapped):
            seats[record.bot].seat, seats[record.bot].notes = record.seat, ""
        elif isinstance(record, NotesWritten):
            seats[record.bot].notes = record.text or seats[record.bot].notes
            seats[record.bot].spend(record.tokens)
        elif isinstance(record, Play):
            seats[record.bot].count(record, rules)
    return seats


def _seat(seat: SeatInfo, mine: Account, other: Account) -> SeatStatistics:
    return SeatStatistics(seat, mine.shots, mine.hits, other.blocked, mine.lost, damage=mine.damage)


def _curve(records: Iterable[Record], rules: Rules) -> tuple[Curve, tuple[Mark, ...], tuple[int, ...]]:
    """Return both healths as shares before the first and after every play, its marks, and where rounds begin."""
    curve: list[tuple[float, float]] = []
    marks: list[Mark] = []
    starts: list[int] = []
    full = rules.initial_health
    for record in records:
        if isinstance(record, RoundStarted):
            if not curve:
                curve.append((record.arena.left.health / full[0], record.arena.right.health / full[1]))
            starts.append(len(curve) - 1)
        elif isinstance(record, SeatSwapped):
            marks.append(Mark(len(curve) - 1, record.bot, "swap"))
        elif isinstance(record, Play):
            for event in record.events:
                if isinstance(event, (BotHit, ShotBlocked, ShieldBroke, BotKnockedOut)):
                    marks.append(Mark(len(curve), event.bot, _KINDS[type(event)]))
            curve.append((record.after.left.health / full[0], record.after.right.health / full[1]))
    return tuple(curve), tuple(marks), tuple(starts)
