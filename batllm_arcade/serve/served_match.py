"""A match without a window, played at the pace at which pages show it, with orders that pages write."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from batllm_arcade.match.records import Record
from batllm_arcade.seats.table import Table
from batllm_arcade.serve.lobby import Lobby, Orders

_LOOK_S = 0.05


class ServedMatch:
    """Goes with a match: nobody is asked before the play before the last has been seen; `writers` write their orders.

    So the next brain thinks while the last play is shown, as in the window. No page can hold the match up.
    """

    def __init__(self, lobby: Lobby, writers: Sequence[int]) -> None:
        self._lobby, self._writers = lobby, tuple(writers)
        self._table: Table | None = None
        self._seen_at = 0.0
        self._over = False

    def orders(self, orders: Orders) -> Orders:
        """Return the orders of the first round, once all writers have written theirs; the others are as given."""
        return self._written(orders, 1) if self._writers else orders

    def _written(self, orders: Orders, round_: int) -> Orders:
        found = self._lobby.written(self._writers, round_, self._left)
        return found.get(0, orders[0]), found.get(1, orders[1])

    def _left(self) -> bool:
        return self._over or (self._table is not None and self._table.stopped)

    def begin(self, table: Table) -> None:
        """Learn where it is played."""
        self._table = table
        if self._writers:
            threading.Thread(target=self._between_rounds, args=(table,), daemon=True, name="orders").start()

    def notify(self, record: Record) -> None:
        """Wait until what came before this record has been seen."""
        seen_at, self._seen_at = self._seen_at, time.monotonic() + self._lobby.feed.unseen_s
        while time.monotonic() < seen_at and not self._left():
            time.sleep(min(_LOOK_S, max(0.0, seen_at - time.monotonic())))

    def end(self) -> None:
        """Wait for nobody any more."""
        self._over = True

    def _between_rounds(self, table: Table) -> None:
        while not self._left():
            intermission = table.intermission
            if intermission is None:
                time.sleep(_LOOK_S)
                continue
            intermission.go_on(self._written(intermission.prompts, intermission.round))
            while table.intermission is intermission and not self._left():
                time.sleep(_LOOK_S)
