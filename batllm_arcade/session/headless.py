"""Playing a session without a window: `run`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, TextIO

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history import schema
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SeatSwapped
from batllm_arcade.match.result_text import describe_result
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_kind
from batllm_arcade.seats.table import Table
from batllm_arcade.session.interrupts import on_interrupt
from batllm_arcade.session.live_session import LiveSession, SessionPlan


def run(plan: SessionPlan, plugins: Plugins, *, out: TextIO | None) -> int:
    """Play a session to its end, printing its games to `out` as JSON; ctrl-C ends it in good order.

    Return the exit code: 0, or 1 if it was stopped or a recorder failed. Raise UsageError if a seat is a
    person's or a brain cannot get ready.
    """
    for seat, spec in zip(SEATS, plan.seats, strict=True):
        if find_kind(plugins.kinds, spec).human:
            raise UsageError(f"{seat} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")
    session = LiveSession(plan, plugins)
    known = len(plugins.problems)
    # A console prints the results itself.
    printer = GamePrinter(plan.history, out) if out else None if plan.console else ResultPrinter()
    table = session.table(plan)
    try:
        _prepare(table)
        with on_interrupt(table.stop):
            for record in session.match(plan, table):
                if printer:
                    printer.notify(record)
        session.close()
    finally:
        table.close()
    for problem in plugins.problems[known:]:
        print(f"batllm-arcade: {problem}", file=sys.stderr)
    if plan.history is not None and not session.lost:
        print(f"session: {plan.history}", file=sys.stderr)
    return 1 if session.lost or table.stopped else 0


def _prepare(table: Table) -> None:
    try:
        table.prepare(lambda text: print(text, file=sys.stderr))
    except BrainError as error:
        raise UsageError(str(error)) from None


class GamePrinter:
    """Prints a game's record (without its rounds, with the session file) as one JSON line when it ends."""

    def __init__(self, history: Path | None, out: TextIO) -> None:
        self._history, self._out = history, out
        self._game: dict[str, Any] = {}

    def notify(self, record: Record) -> None:
        """Remember how a game starts; print it when it ends."""
        if isinstance(record, GameStarted):
            self._game = schema.entry(record)["game"]
        elif isinstance(record, GameEnded):
            path = str(self._history) if self._history else None
            game = {**self._game, **schema.entry(record)["game_end"], "history": path}
            print(json.dumps(game), file=self._out, flush=True)


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
            print(f"game {record.game}: {describe_result(record.result, (left, right))}", file=sys.stderr, flush=True)
