"""A match on a thread of its own: it prepares the brains, plays, and passes on one record at a time."""

from __future__ import annotations

import threading

from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.records import Record
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan


class MatchThread(BackgroundTask[None]):
    """Drains a match's records into a mailbox of one, so that the next brain thinks while the last play is shown.

    The window peeks at the record it shows and takes it out when it is over; then the match goes on. Before the table
    of a match that is over is closed, its session keeps the brains for a rematch.
    """

    def __init__(self, session: LiveSession, plan: SessionPlan, table: Table) -> None:
        super().__init__("match", self._play, begun=False)
        table.attended = True
        self.table, self._session, self._plan = table, session, plan
        self._changed = threading.Condition()
        self._mailbox: Record | None = None
        self._held = self._left = False
        self.loading, self.progress = True, "getting ready"

    def peek(self) -> Record | None:
        """Return the record that waits to be shown, or None."""
        with self._changed:
            return self._mailbox

    def take(self) -> None:
        """Throw the shown record away; the match may put the next one in."""
        with self._changed:
            self._mailbox = None
            self._changed.notify_all()

    def hold(self, held: bool) -> None:
        """While held nobody new is asked; whoever is being asked already may answer."""
        with self._changed:
            self._held = held
            self._changed.notify_all()

    def leave(self) -> None:
        """Stop the match in good order (its file gets an aborted game), without waiting for that."""
        with self._changed:
            self._left = True
            self._changed.notify_all()
        self.table.stop()

    def _play(self, report: Report) -> None:
        try:
            self.table.prepare(report, self._plan.config.prompts, self._plan.headers)
            self.loading = False
            if self._left:
                return
            for record in self._session.match(self._plan, self.table):
                self._put(record)
            self._session.give_back(self._plan, self.table)
        except ArcadeError as error:
            self.error = error  # it is said before all is let go of
            raise
        finally:
            self.loading = False
            self.table.close()

    def _put(self, record: Record) -> None:
        """Wait until there is room for the record, then until the match may go on; one that was left waits no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._mailbox is None or self._left)
            if not self._left:
                self._mailbox = record
            self._changed.wait_for(lambda: not self._held or self._left)
