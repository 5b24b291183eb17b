"""Sessions without a window."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Protocol, TextIO

from batllm_arcade.brains.kinds import cost_of, money
from batllm_arcade.brains.protocol import BrainError, SeatInfo
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history import schema
from batllm_arcade.match.records import (
    ForkedFrom,
    GameEnded,
    GameStarted,
    NotesWritten,
    Play,
    Record,
    SeatAdapted,
    SeatSwapped,
)
from batllm_arcade.match.series import describe_result
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_kind, needs_window
from batllm_arcade.seats.table import Table
from batllm_arcade.session.games import AnswerCount, FallbackReport
from batllm_arcade.session.interrupts import ENDING, on_interrupt
from batllm_arcade.session.live_session import LiveSession, RecorderLost, SessionPlan
from batllm_arcade.terminal.output import OutputError, complain, write_line


class Spending:
    """Counts the tokens of each seat, those of failed plays included, and their cost where there is a price.

    What a fork has taken over was paid before.
    """

    def __init__(self) -> None:
        self.tokens: list[dict[str, int]] = [{}, {}]
        """By seat, left first: `prompt` and `completion`, as far as they were counted."""
        self.cost: list[float | None] = [None, None]
        self._seats: list[SeatInfo] = []
        self._origin: ForkedFrom | None = None
        self._names = ["", ""]

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._seats, self._origin = list(record.seats), record.forked_from
        elif isinstance(record, SeatSwapped):
            self._seats[record.bot] = record.seat
        elif isinstance(record, Play) and record.decision.tokens and not (self._origin and self._origin.holds(record)):
            self._add(record.bot, dict(record.decision.tokens))
        elif isinstance(record, NotesWritten) and not (self._origin and record.round < self._origin.round):
            self._add(record.bot, dict(record.tokens or {}))

    def _add(self, bot: int, tokens: dict[str, int]) -> None:
        seat, total = self._seats[bot], self.tokens[bot]
        self._names[bot] = seat.name
        for name, count in tokens.items():
            total[name] = total.get(name, 0) + count
        if (cost := cost_of(seat.options, tokens)) is not None:
            self.cost[bot] = (self.cost[bot] or 0.0) + cost

    def entry(self) -> dict[str, object]:
        """Return the figures as a game's line of JSON holds them, nothing where nothing was counted."""
        rounded = [None if cost is None else round(cost, 9) for cost in self.cost]
        return {"tokens": self.tokens, "cost": rounded} if any(self.tokens) else {}

    def sentences(self) -> list[str]:
        """Return a line for each seat that has used tokens."""
        lines = []
        for seat, name, tokens, cost in zip(SEATS, self._names, self.tokens, self.cost, strict=True):
            if tokens:
                cached = f" ({tokens['cached']:,} from a cache)" if "cached" in tokens else ""
                figures = f"{tokens.get('prompt', 0):,} read{cached}, {tokens.get('completion', 0):,} written"
                lines.append(f"tokens of {seat} ({name}): {figures}{'' if cost is None else f', cost {money(cost)}'}")
        return lines


class Attendant(Protocol):
    """Goes with a match without a window."""

    def begin(self, table: Table) -> None:
        """Learn where it is played; called once, before anybody is asked."""
        ...

    def notify(self, record: Record) -> None:
        """Receive the next record; the match goes on when it returns."""
        ...

    def end(self) -> None:
        """Let go of the table."""
        ...


def run(plan: SessionPlan, plugins: Plugins, *, out: TextIO | None, attendant: Attendant | None = None) -> int:
    """Play a session to its end, printing its games to `out` as JSON; a signal to end ends it in good order.

    Return the exit code: 0; 1 if a recorder or the output failed (standard error only where `out` is None), a seat
    gave no answer or a fallback played one to the end of a game; 130, 143 or 129 after ctrl-C, SIGTERM or SIGHUP.
    Raise UsageError if a seat is a person's or a brain cannot get ready.
    """
    for seat, spec in zip(SEATS, plan.seats, strict=True):
        if needs_window(find_kind(plugins.kinds, spec)):
            raise UsageError(f"{seat} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")
    known = len(plugins.problems)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    try:
        if attendant is not None:
            attendant.begin(table)
        return _HeadlessRun(plan, plugins, session, table, out, known, attendant).play()
    finally:
        if attendant is not None:
            attendant.end()
        table.close()


class _HeadlessRun:
    """One run: plays the match, and says on the terminal what there is to say as soon as it happens."""

    def __init__(
        self, plan: SessionPlan, plugins: Plugins, session: LiveSession, table: Table, out: TextIO | None, known: int,
        attendant: Attendant | None,
    ) -> None:  # fmt: skip
        self._attendant = attendant
        self._plan, self._plugins, self._session, self._table = plan, plugins, session, table
        self._printer = GamePrinter(plan.shown_history, out) if out else None
        self._results = ResultPrinter()
        self._answers, self._fallbacks, self._spending = AnswerCount(), FallbackReport(), Spending()
        self._told = known  # problems of plugins that the person knows of
        self._out, self._failed, self._unsaid = out, False, False

    def play(self) -> int:
        """Play all games; return the exit code."""
        with on_interrupt(self._table.stop, ENDING) as interrupt:
            try:
                self._table.prepare(lambda text: self._say(write_line, text))
            except BrainError as error:
                if not self._table.stopped:
                    raise UsageError(str(error)) from None
            if not self._table.stopped:
                with suppress(RecorderLost):  # which was told with the problems
                    for record in self._session.match(self._plan, self._table):
                        self._notify(record)
            self._session.close()
            self._conclude(interrupted=bool(interrupt.number))
        return interrupt.exit_code or int(self._failed or self._session.lost or (self._unsaid and self._out is None))

    def _notify(self, record: Record) -> None:
        self._answers.notify(record)
        self._spending.notify(record)
        change = self._fallbacks.notify(record)
        if change and not self._plan.console:  # a console shows it itself
            self._say(complain, change)
        if self._printer is not None:
            self._say(self._printer.notify, record, wanted=True)
        self._say(self._results.notify, record)
        self._tell_problems()
        if self._session.unwritten is not None:
            self._not_written(self._session.unwritten)
        if self._attendant is not None:
            self._attendant.notify(record)

    def _conclude(self, *, interrupted: bool) -> None:
        self._tell_problems()
        if interrupted:
            self._say(complain, "stopped")
        wrong = [*self._answers.sentences(), *self._fallbacks.sentences()]
        for sentence in () if interrupted or self._failed else (*wrong, *self._answers.advice()):
            self._say(complain, sentence)
        self._failed |= bool(wrong) and not interrupted
        for line in self._spending.sentences() if self._plan.console else ():
            self._say(write_line, line)
        if self._session.recorded:
            self._say(write_line, f"session: {self._plan.shown_history}")

    def _tell_problems(self) -> None:
        """Name the plugins that were dropped meanwhile: a recorder's full disk is not kept until the last game."""
        while self._told < len(self._plugins.problems):
            self._told += 1
            self._say(complain, self._plugins.problems[self._told - 1])

    def _say(self, write: Any, what: object, *, wanted: bool = False) -> None:
        try:
            write(what)
        except OutputError as error:
            self._not_written(error, wanted=wanted)

    def _not_written(self, error: OutputError, *, wanted: bool = False) -> None:
        """End the match in order if what is `wanted` from it could not be written, or whoever watched it has gone.

        Where standard error is closed or full, the match goes on: it is recorded, or read from standard output.
        """
        self._unsaid = True
        if not self._failed and (wanted or (error.reader_gone and self._out is None)):
            self._failed = True
            self._table.stop()
            self._say(complain, error)


class GamePrinter:
    """Prints a game's record (without its rounds, with the session file) as one JSON line when it ends."""

    def __init__(self, history: str, out: TextIO) -> None:
        self._history, self._out = history, out
        self._game: dict[str, Any] = {}
        self._spending = Spending()
        self._swapped: set[int] = set()

    def notify(self, record: Record) -> None:
        """Remember how a game starts; print it when it ends."""
        if isinstance(record, GameStarted):
            self._game, self._swapped = schema.entry(record)["game"], set()
        self._spending.notify(record)
        if isinstance(record, SeatSwapped):
            self._swapped.add(record.bot)
        elif isinstance(record, SeatAdapted) and record.bot not in self._swapped:
            self._game["seats"][record.bot]["adapted"] = list(record.adapted)
        elif isinstance(record, GameEnded):
            ended = {**schema.entry(record)["game_end"], **self._spending.entry()}
            game = {**self._game, **ended, "history": self._history or None}
            write_line(json.dumps(game), self._out)
            self._spending.tokens, self._spending.cost = [{}, {}], [None, None]


class ResultPrinter:
    """Prints one line to standard error when a game ends: who won and why."""

    def __init__(self) -> None:
        self._names = ["", ""]

    def notify(self, record: Record) -> None:
        """Remember who plays; print the result when a game ends."""
        if isinstance(record, GameStarted):
            self._names = [seat.name for seat in record.seats]
        elif isinstance(record, SeatSwapped):
            self._names[record.bot] = record.seat.name
        elif isinstance(record, GameEnded):
            left, right = (f"{name} ({seat})" for name, seat in zip(self._names, SEATS, strict=True))
            write_line(f"game {record.game}: {describe_result(record.result, (left, right))}")
