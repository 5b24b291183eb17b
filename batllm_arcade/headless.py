"""Playing a session without a window: `run`."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from batllm_arcade.brains import BrainError
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history import layout
from batllm_arcade.plugin_manager import Plugins
from batllm_arcade.records import GameEnded, GameStarted, Record
from batllm_arcade.seating import Table, find_kind
from batllm_arcade.session import LiveSession, SessionPlan


def run(plan: SessionPlan, plugins: Plugins, *, as_json: bool) -> int:
    """Play the session to its end; ctrl-C ends it in good order. Exit code 0, or 1 where something was lost."""
    for seat, spec in zip(SEATS, plan.seats, strict=True):
        if find_kind(plugins.kinds, spec).human:
            raise UsageError(f"{seat} is a person, and without a window there is no keyboard; use 'batllm-arcade play'")
    session = LiveSession(plan, plugins)
    told = len(plugins.problems)
    printer = GamePrinter(plan.history) if as_json else None
    try:
        _prepare(session)
        with _stopping(session.table):
            for record in session.records():
                if printer:
                    printer.notify(record)
    finally:
        session.table.close()
    for problem in plugins.problems[told:]:
        print(f"batllm-arcade: {problem}", file=sys.stderr)
    if plan.history is not None and not session.observers.lost:
        print(f"session: {plan.history}", file=sys.stderr)
    return 1 if session.observers.lost or session.table.stopped else 0


def _prepare(session: LiveSession) -> None:
    try:
        session.table.prepare(lambda text: print(text, file=sys.stderr))
    except BrainError as error:
        raise UsageError(str(error)) from None


@contextmanager
def _stopping(table: Table) -> Iterator[None]:
    """The first ctrl-C ends the match with a complete file, the second one at once."""

    def stop(_signal: int, _frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        table.stop()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class GamePrinter:
    """Prints a game's record (without its rounds, with the session file) as one JSON line when it ends."""

    def __init__(self, history: Path | None) -> None:
        self._history = history
        self._session: dict[str, Any] = {"games": []}

    def notify(self, record: Record) -> None:
        """Take a record of the match."""
        if not isinstance(record, (GameStarted, GameEnded)):
            return
        layout.add(self._session, layout.entry(record))
        if isinstance(record, GameEnded):
            game = self._session["games"].pop()
            del game["rounds"]
            print(json.dumps({**game, "history": str(self._history) if self._history else None}), flush=True)
