"""A match without a window, played at the pace at which pages show it, with orders that pages write or vote for."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence

from batllm_arcade.match.records import GameStarted, Record, RoundEnded
from batllm_arcade.match.series import distinct
from batllm_arcade.seats.table import Table
from batllm_arcade.serve.lobby import Lobby, Orders
from batllm_arcade.serve.votes import Ballot

_LOOK_S = 0.05
Propose = Callable[[int, int, str], Ballot]
"""Makes the question which orders a seat is given for a round instead of those it has."""


class ServedMatch:
    """Goes with a match: nobody is asked before the play before the last has been seen; `writers` write their orders.

    So the next brain thinks while the last play is shown, as in the window. No page can hold the match up. Who watches
    chooses the orders of `voted` seats, of what `propose` makes, or says until the first round's end who wins. From
    `until` on, by the clock, nothing is waited for.
    """

    def __init__(
        self, lobby: Lobby, writers: Sequence[int] = (), *, voted: Sequence[int] = (), propose: Propose | None = None,
        asks_winner: bool = False, until: float = math.inf,
    ) -> None:  # fmt: skip
        self._lobby, self._writers, self._voted, self._propose = lobby, tuple(writers), tuple(voted), propose
        self._asks_winner, self.until = asks_winner, until
        self._table: Table | None = None
        self._seen_at = 0.0
        self._over = False

    def orders(self, orders: Orders) -> Orders:
        """Return the orders of the first round, once all writers have written theirs; the others are as given."""
        return self._written(orders, 1)

    def _written(self, orders: Orders, round_: int) -> Orders:
        found = list(orders)
        if self._voted and self._propose is not None:
            ballots = [self._propose(seat, round_, orders[seat]) for seat in self._voted]
            self._lobby.put(ballots)
            while time.monotonic() < max(ballot.ends for ballot in ballots) and not self._left():
                time.sleep(_LOOK_S)
            self._lobby.put([])
            for ballot, seat in zip(ballots, self._voted, strict=True):
                found[seat] = ballot.chosen or found[seat]
        if self._writers:
            for seat, text in self._lobby.written(self._writers, round_, self._left).items():
                found[seat] = text
        return found[0], found[1]

    def _left(self) -> bool:
        return self._over or (self._table is not None and self._table.stopped)

    def begin(self, table: Table) -> None:
        """Learn where it is played."""
        self._table = table
        if self._writers or self._voted:
            threading.Thread(target=self._between_rounds, args=(table,), daemon=True, name="orders").start()

    def notify(self, record: Record) -> None:
        """Wait until what came before this record has been seen."""
        if isinstance(record, GameStarted) and self._asks_winner:
            names = distinct((record.seats[0].name, record.seats[1].name))
            self._lobby.put([Ballot("Who wins?", names)])
        elif isinstance(record, RoundEnded) and self._asks_winner:
            self._lobby.put(self._lobby.ballots, open=False)
        seen_at, self._seen_at = self._seen_at, time.monotonic() + self._lobby.feed.unseen_s
        while time.monotonic() < min(seen_at, self.until) and not self._left():
            time.sleep(min(_LOOK_S, max(0.0, seen_at - time.monotonic())))

    def stop(self) -> None:
        """End the match where it is."""
        if self._table is not None:
            self._table.stop()

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
