"""A game that plays on from a recorded one: what was played is taken over, then the brains at the table play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from batllm_arcade.brains.protocol import PastPlay, PastTurn, SeatInfo
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.streams import game_stream
from batllm_arcade.match.records import (
    ForkedFrom,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    past,
)
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK, GameRun, MatchPlan, SeatChange, TableProtocol
from batllm_arcade.match.seat_streams import SeatStreams


@dataclass(frozen=True, slots=True)
class Fork:
    """A recorded game up to the end of a turn, and what is new from there on."""

    origin: ForkedFrom
    started: GameStarted
    """The start of the recorded game, as game 1."""
    taken: tuple[Record, ...]
    """What was played of it, up to the last play taken over; the last round has begun."""
    new: tuple[bool, bool] = (False, False)
    """The seats that get another brain, left first."""
    prompts: tuple[str | None, str | None] = (None, None)
    """The new orders of each seat, None for those that it has."""
    secret: str = ""
    """What the streams of the recorded session were keyed with, "" where that tells of none."""

    @property
    def seats(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who sat at the seats when the last play was made, left first."""
        seats = list(self.started.seats)
        for record in self.taken:
            if isinstance(record, SeatSwapped):
                seats[record.bot] = record.seat
        return seats[0], seats[1]

    @property
    def round(self) -> RoundStarted:
        """Return how the last round began."""
        return next(record for record in reversed(self.taken) if isinstance(record, RoundStarted))

    @property
    def orders(self) -> tuple[str, str]:
        """Return the orders of both seats from here on: new ones, or the last that a fork or the round gave."""
        orders = list(self.round.prompts)
        for record in self.taken:
            if isinstance(record, RoundStarted):
                orders = list(record.prompts)
            elif isinstance(record, SeatSwapped) and record.prompt is not None:
                orders[record.bot] = record.prompt
        left, right = (old if new is None else new for old, new in zip(orders, self.prompts, strict=True))
        return left, right


def records(plan: MatchPlan, table: TableProtocol, fork: Fork) -> Iterator[Record]:
    """Yield the records of the forked game, which is game 1: those taken over, then those of the table's brains."""
    yield from _ForkedRun(plan, table, fork).records()


class _ForkedRun(GameRun):
    """A forked game under way."""

    def __init__(self, plan: MatchPlan, table: TableProtocol, fork: Fork) -> None:
        super().__init__(plan, table, 1, fork.orders)
        self._fork, origin = fork, fork.origin
        self.arena, self.rounds = fork.started.arena, origin.round
        self.stream = game_stream(plan.seed, origin.game)
        game_rules.start(self.stream, plan.rules)
        for _ in range(origin.round):
            game_rules.acting_order(self.stream)
        self.seat_streams = SeatStreams(plan.seed, origin.game, plan.secret, f"{origin.round}.{origin.turn}")
        self._due: dict[int, SeatChange] = {}

    def records(self) -> Iterator[Record]:
        """Yield the records of the whole game."""
        fork, seats = self._fork, self.begin_game()
        for bot, (seat, new, prompt) in enumerate(zip(seats, fork.new, fork.prompts, strict=True)):
            if new or prompt is not None:
                self._due[bot] = SeatChange(seat, "fork", prompt=prompt)
        yield fork.started
        history: list[PastTurn] = []
        plays: list[PastPlay] = []
        for record in fork.taken:
            if isinstance(record, RoundStarted | RoundEnded):
                history, plays, self.queued = [], [], set()
            elif isinstance(record, Play):
                plays.append(past(record))
                self.arena = record.after
                if record.decision.queued_from is not None:
                    self.queued.add(record.number)
                if len(plays) == 2:
                    history.append(PastTurn(record.turn, tuple(plays), record.after))
                    plays = []
            yield record
        self._count_failures()
        yield from self.further_turns(replace(fork.round, prompts=self.prompts), history)
        yield from self.further_rounds()

    def _count_failures(self) -> None:
        """Count how often the brains that stay have failed in a row; too often, and the fallback takes the seat."""
        reasons = ["", ""]
        for record in self._fork.taken:
            if isinstance(record, SeatSwapped):
                self.failures[record.bot] = 0
            elif isinstance(record, Play):
                self.failures[record.bot] = self.failures[record.bot] + 1 if record.failed else 0
                reasons[record.bot] = record.reason
        for bot, reason in enumerate(reasons):
            if bot not in self._due and self.failures[bot] >= FAILURES_BEFORE_FALLBACK:
                self.table.fall_back(bot, reason)

    def headers(self) -> tuple[str, str]:
        """Return the system headers of the recorded game, if it had some."""
        recorded = self._fork.round.system_headers
        return recorded if any(recorded) else super().headers()

    def seat_changes(self, bot: int) -> Iterator[SeatChange]:
        """Yield who has taken a seat since its last play: the fork's brain before all others."""
        if bot in self._due:
            yield self._due.pop(bot)
        yield from super().seat_changes(bot)
