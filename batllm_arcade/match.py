"""The match runner: a generator of records; the consumer sets the pace, the table asks the brains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, Protocol

from batllm_arcade.brains import Decision, PastPlay, PastTurn, SeatInfo, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.prompts import payload
from batllm_arcade.prompts.style import Gamepad, PayloadStyle
from batllm_arcade.records import (
    Ended,
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
    Status,
)

PATIENCE = 3
"""Plays in a row with `timeout` or `error` before a seat is given to the fallback, and that forfeits."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What is played: `games` games under one seed, with fixed prompts (left first)."""

    rules: Rules
    seed: int
    games: int = 1
    prompts: tuple[str, str] = ("", "")
    style: PayloadStyle = PayloadStyle()
    header_template: str = ""
    program: str = "batllm-arcade"
    gamepad: Gamepad = Gamepad()


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking a brain; `latency_s` in seconds, `timestamp` ISO 8601."""

    decision: Decision
    status: Literal["ok", "timeout", "error"]
    reason: str
    latency_s: float
    timestamp: str


class Table(Protocol):
    """Where the brains sit: the side of a match that waits, fails and reads clocks."""

    def seat(self, bot: int) -> SeatInfo:
        """Who sits there now."""
        ...

    def ask(self, bot: int, view: View) -> Answer | None:
        """The brain's answer; None when the match was stopped meanwhile. Never raises."""
        ...

    def fall_back(self, bot: int) -> SeatInfo | None:
        """Give the seat to the fallback brain; None if that sits there already."""
        ...

    def now(self) -> str:
        """The time, ISO 8601."""
        ...


def play(plan: MatchPlan, table: Table) -> Iterator[Record]:
    """Play the plan's games; every record is yielded as soon as it is true."""
    yield SessionStarted(plan.seed, table.now(), plan.program)
    yield from games(plan, table)
    yield SessionEnded(table.now())


def games(plan: MatchPlan, table: Table, first: int = 1) -> Iterator[Record]:
    """The plan's games alone, numbered from `first`; for a session that goes on afterwards."""
    for game in range(first, first + plan.games):
        run = _Game(plan, table, game)
        yield from run.records()
        if run.stopped:
            break


class _Game:
    """One game under way."""

    def __init__(self, plan: MatchPlan, table: Table, game: int) -> None:
        self.plan, self.table, self.game = plan, table, game
        self.stream = Random(f"{plan.seed}/{game}")
        self.brain_streams = tuple(Random(f"{plan.seed}/{game}/{seat}") for seat in SEATS)
        self.arena = game_rules.start(self.stream, plan.rules)
        self.failures = [0, 0]
        self.replaced: dict[int, tuple[SeatInfo, str]] = {}
        self.result: Result | None = None
        self.stopped = False

    def records(self) -> Iterator[Record]:
        seats = (self.table.seat(0), self.table.seat(1))
        yield GameStarted(self.game, self.plan.seed, self.plan.rules, seats, self.arena)
        number = 0
        while self.result is None and number < self.plan.rules.total_rounds:
            number += 1
            yield from self._round(number)
        result = self.result or game_rules.outcome(self.arena, self.plan.rules)
        yield GameEnded(self.game, number, result, self.arena)

    def _round(self, number: int) -> Iterator[Record]:
        plan = self.plan
        order = game_rules.acting_order(self.stream)
        headers = [payload.header(plan.header_template, plan.rules, seat) if plan.style.aug else "" for seat in (0, 1)]
        started = RoundStarted(
            self.game, number, order, self.arena, plan.prompts, plan.style.aug,
            plan.style.mode == "independent", (headers[0], headers[1]),
        )  # fmt: skip
        yield started
        history: list[PastTurn] = []
        for turn in range(1, plan.rules.turns_per_round + 1):
            plays: list[PastPlay] = []
            for bot in order:
                view = self._view(started, turn, bot, tuple(history))
                if bot in self.replaced:
                    seat, problem = self.replaced.pop(bot)
                    yield SeatSwapped(self.game, number, view.number, bot, seat, "fallback", problem)
                answer = self.table.ask(bot, view)
                if answer is None:
                    self.stopped, self.result = True, Result(None, "aborted")
                    break
                made = self._carry_out(view, answer)
                plays.append(PastPlay(bot, made.decision.raw, made.command.token))
                yield made
                if self.result is not None:
                    break
            if self.result is not None:
                break
            history.append(PastTurn(turn, tuple(plays), self.arena))
        yield RoundEnded(self.game, number, self._ended(), self.arena)

    def _ended(self) -> Ended:
        if self.result is None:
            return "complete"
        return "knockout" if self.result.reason == "knockout" else "abandoned"

    def _view(self, started: RoundStarted, turn: int, bot: int, history: tuple[PastTurn, ...]) -> View:
        number = 2 * turn - 1 + (bot != started.acting_order[0])
        return View(
            seat=bot, rules=self.plan.rules, game=self.game, round=started.round, turn=turn, number=number,
            acting_order=started.acting_order, prompts=started.prompts, arena=self.arena, initial=started.arena,
            history=history, system_header=started.system_headers[bot], style=self.plan.style,
            gamepad=self.plan.gamepad, rng=_copy(self.brain_streams[bot]),
        )  # fmt: skip

    def _carry_out(self, view: View, answer: Answer) -> Play:
        refused = answer.decision.invalid
        command = Nothing(refused) if refused else parse(answer.decision.command, self.plan.rules.free_move)
        status: Status = answer.status
        reason = answer.reason
        if answer.status == "ok":
            # Only now: a brain that was given up may go on drawing from its own copy.
            self.brain_streams[view.seat].setstate(view.rng.getstate())
            self.failures[view.seat] = 0
            if isinstance(command, Nothing) and command.reason:
                status, reason = "invalid", command.reason
        else:
            command = Nothing(answer.reason)
            self.failures[view.seat] += 1
        before = self.arena
        self.arena, events = game_rules.step(before, view.seat, command, self.plan.rules)
        if self.failures[view.seat] >= PATIENCE and not self._replace(view.seat, answer.reason):
            status = "forfeit"
        self.result = self._judged(view.seat, status)
        return Play(
            self.game, view.round, view.turn, view.number, view.seat, answer.decision, command, status, reason,
            answer.latency_s, answer.timestamp, before, self.arena, events,
        )  # fmt: skip

    def _replace(self, bot: int, problem: str) -> bool:
        """Give the seat to the fallback; False if there is nobody left to give it to."""
        seat = self.table.fall_back(bot)
        if seat is None:
            return False
        self.failures[bot] = 0
        self.replaced[bot] = (seat, problem)
        return True

    def _judged(self, bot: int, status: Status) -> Result | None:
        if status == "forfeit":
            return Result(1 - bot, "forfeit")
        return (
            game_rules.outcome(self.arena, self.plan.rules) if game_rules.knocked_out(self.arena) is not None else None
        )


def _copy(stream: Random) -> Random:
    copy = Random()
    copy.setstate(stream.getstate())
    return copy
