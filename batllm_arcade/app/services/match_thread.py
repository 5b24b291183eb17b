"""A match on a thread of its own: it loads the brains, plays, and hands over one record at a time."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.records import Record
from batllm_arcade.seats.table import Table


class MatchThread:
    """Drains a match's records into a mailbox of one, so that the next brain thinks while the last play is shown.

    The window peeks at the record it shows and takes it out when it is over; then the match goes on.
    """

    def __init__(self, records: Iterator[Record], table: Table) -> None:
        self.table = table
        self._records = records
        self._mailbox: queue.Queue[Record] = queue.Queue(maxsize=1)
        self._left = threading.Event()
        self._goes = threading.Event()
        self._goes.set()
        self._thread = threading.Thread(target=self._run, daemon=True, name="match")
        self.loading = True
        self.progress = "getting ready"
        self.problem = ""
        """One sentence where the match could not start or go on."""
        self.bug: BaseException | None = None

    def start(self) -> None:
        """Begin loading and playing."""
        self._thread.start()

    def peek(self) -> Record | None:
        """The record that waits to be shown, or None."""
        with self._mailbox.mutex:
            return self._mailbox.queue[0] if self._mailbox.queue else None

    def take(self) -> None:
        """Throw the shown record away; the match may put the next one in."""
        self._mailbox.get_nowait()

    def hold(self, held: bool) -> None:
        """While held nobody new is asked; who is being asked already may answer."""
        (self._goes.clear if held else self._goes.set)()

    def leave(self) -> None:
        """Stop the match in good order (its file gets an aborted game), without waiting for that."""
        self._left.set()
        self._goes.set()
        self.table.stop()

    @property
    def alive(self) -> bool:
        """Whether the match is still letting go of something."""
        return self._thread.is_alive()

    def join(self, seconds: float) -> None:
        """Wait at most `seconds` until a match that was left has let everything go."""
        self._thread.join(seconds)

    def _report(self, text: str) -> None:
        self.progress = text

    def _run(self) -> None:
        try:
            self.table.prepare(self._report)
            self.loading = False
            if self._left.is_set():
                return
            for record in self._records:
                self._put(record)
                self._goes.wait()
        except ArcadeError as error:
            self.problem = str(error)
        except BaseException as error:  # noqa: BLE001 - shown by the window, raised when it closes
            self.problem, self.bug = f"the program failed: {type(error).__name__}: {error}", error
        finally:
            self.loading = False
            self.table.close()

    def _put(self, record: Record) -> None:
        while not self._left.is_set():
            try:
                self._mailbox.put(record, timeout=0.1)
                return
            except queue.Full:
                continue
