"""How a seat's orders read while somebody writes them: asked on a thread, once the writer pauses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from batllm_arcade.app.services.background import BackgroundTask, Report, TaskCancelled
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.orders import MOST_WORDS, Reading, ReadsOrders

PAUSE_S = 0.5
"""Seconds without a change after which orders are read."""
CLEAR = {
    "attack": "shoot him", "charge": "rush him", "retreat": "run away from him", "shield": "hide behind your shield",
    "dodge": "dodge his shots", "camp": "camp in the corner", "snipe": "shoot from afar",
    "counter": "wait for an opening, then shoot", "hold_fire": "never shoot", "idle": "do nothing",
    "mixed": "be unpredictable",
}  # fmt: skip
"""Orders that are read as each style without doubt."""
MakeReader = Callable[[], ReadsOrders]


class OrdersReading:
    """Follows one seat's orders; `update` never waits. The reader is made when something is first read.

    Orders that nobody has changed since the start are not read: that would load a model for nothing.
    """

    def __init__(self, make: MakeReader) -> None:
        self._make = make
        self._orders: str | None = None
        self._changed_at: float | None = None
        self._task: BackgroundTask[Reading] | None = None
        self._lock = threading.Lock()
        self._reader: ReadsOrders | None = None
        self._closed = False
        self.reading: Reading | None = None
        """How the orders read that were written last, None as long as that is not known."""
        self.problem = ""

    def update(self, orders: str, now: float) -> None:
        """Follow what is written now; `now` in seconds."""
        if self._orders is None:
            self._orders = orders
        if orders != self._orders:
            self._orders, self._changed_at = orders, now
            self.reading = None
        task = self._task
        if task is not None and task.done:
            self._task = None
            self.problem = task.problem
            if self._changed_at is None:
                self.reading = task.result
        if self._task is None and self._changed_at is not None and now - self._changed_at >= PAUSE_S:
            self._changed_at = None
            if orders.strip() and not self._closed:
                self._task = BackgroundTask("reading orders", lambda report: self._read(orders, report))

    @property
    def text(self) -> str:
        """Return what to show beside the orders: how they read, what would be clearer, what is left out."""
        if self.reading is not None:
            return "; ".join(filter(None, (self._how(self.reading), self._left_out(), self.reading.note)))
        if self.problem or (self._task is None and self._changed_at is None):
            return self.problem
        doing = (self._task.progress if self._task is not None else "") or "reading"
        return "; ".join(filter(None, (f"{doing} ...", self._left_out())))

    @property
    def in_doubt(self) -> bool:
        """Return whether the reading is not to be relied on."""
        return self.reading is not None and (
            self.reading.in_doubt or bool(self.reading.note or self.reading.not_understood)
        )

    def close(self) -> BackgroundTask[None]:
        """Read nothing any more; the work that is returned lets go of the model."""
        with self._lock:
            self._closed = True
            reader, self._reader = self._reader, None
        if self._task is not None:
            self._task.cancel()
        return BackgroundTask("forgetting how orders read", lambda _: reader.close() if reader is not None else None)

    def _read(self, orders: str, report: Report) -> Reading:
        with suppress(Cancelled):
            return self._ready(report).read_orders(orders)
        raise TaskCancelled

    def _ready(self, report: Report) -> ReadsOrders:
        with self._lock:
            if self._closed:
                raise TaskCancelled
            reader, new = self._reader, self._reader is None
            if reader is None:
                reader = self._reader = self._make()
        if new:
            reader.prepare(report)
            report("")
        return reader

    def _how(self, reading: Reading) -> str:
        if told := reading.not_understood:
            return f"{told}. It understands: {reading.in_words()}"
        if (doubtful := reading.doubtful) is None:
            return f"It understands: {reading.in_words()}"
        clearer = " or ".join(f'"{CLEAR[style]}"' for style, _ in doubtful.ranked[:2])
        return f"not sure: {reading.in_words()}; clearer would be: {clearer}"

    def _left_out(self) -> str:
        count = len((self._orders or "").split())
        return f"only the first {MOST_WORDS} of {count} words are read" if count > MOST_WORDS else ""
