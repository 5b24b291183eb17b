"""Playing a session without a window: `run`."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history import schema
from batllm_arcade.history.summary import worded
from batllm_arcade.match.records import GameEnded, GameStarted, Record, SeatSwapped
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_kind
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan


def run(plan: SessionPlan, plugins: Plugins, *, out: TextIO | None) -> int:
    """Play the session to its end, its games as JSON to `out`; ctrl-C ends it in good order.

    The exit code is 0, or 1 where something was lost.
    """
    for seat, spec in zip(SEATS, plan.seats, strict=True):
        if find_kind(plugins.kinds, spec).human:
            raise UsageError(f"{seat} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")
    session = LiveSession(plan, plugins)
    told = len(plugins.problems)
    # The consoles say it in their own way.
    printer = GamePrinter(plan.history, out) if out else None if plan.console else ResultPrinter()
    table = session.table(plan)
    try:
        _prepare(table)
        with _stopping(table):
            for record in session.match(plan, table):
                if printer:
                    printer.notify(record)
        session.close()
    finally:
        table.close()
    for problem in plugins.problems[told:]:
        print(f"batllm-arcade: {problem}", file=sys.stderr)
    if plan.history is not None and not session.lost:
        print(f"session: {plan.history}", file=sys.stderr)
    return 1 if session.lost or table.stopped else 0


def _prepare(table: Table) -> None:
    try:
        table.prepare(lambda text: print(text, file=sys.stderr))
    except BrainError as error:
        raise UsageError(str(error)) from None


@contextmanager
def _stopping(table: Table) -> Iterator[None]:
    """The first ctrl-C ends the match with a complete file, the second one at once."""
    wishes: SimpleQueue[bool] = SimpleQueue()

    def stop(_signal: int, _frame: Any) -> None:
        # Not here: the thread that was interrupted may hold the very locks that stopping takes.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        wishes.put(True)

    def wait() -> None:
        if wishes.get():
            table.stop()

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        wishes.put(False)
        waiting.join()


class GamePrinter:
    """Prints a game's record (without its rounds, with the session file) as one JSON line when it ends."""

    def __init__(self, history: Path | None, out: TextIO) -> None:
        self._history, self._out = history, out
        self._session: dict[str, Any] = {"games": []}

    def notify(self, record: Record) -> None:
        """Take a record of the match."""
        if not isinstance(record, (GameStarted, GameEnded)):
            return
        schema.add(self._session, schema.entry(record))
        if isinstance(record, GameEnded):
            game = self._session["games"].pop()
            del game["rounds"]
            print(
                json.dumps({**game, "history": str(self._history) if self._history else None}),
                file=self._out,
                flush=True,
            )


class ResultPrinter:
    """Prints to standard error who won a game and why, in one line."""

    def __init__(self) -> None:
        self._names = ["", ""]

    def notify(self, record: Record) -> None:
        """Take a record of the match."""
        if isinstance(record, GameStarted):
            self._names = [seat.name for seat in record.seats]
        elif isinstance(record, SeatSwapped):
            self._names[record.bot] = record.seat.name
        elif isinstance(record, GameEnded):
            left, right = (f"{name} ({seat})" for name, seat in zip(self._names, SEATS, strict=True))
            print(f"game {record.game}: {worded(record.result, (left, right))}", file=sys.stderr, flush=True)
