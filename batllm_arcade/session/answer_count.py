"""Whether a seat has answered at all in a session."""

from __future__ import annotations

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import ForkedFrom, GameStarted, Play, Record


class AnswerCount:
    """Notices a seat that was asked and gave not a single answer in it; what a fork takes over does not count."""

    def __init__(self) -> None:
        self._names = ["", ""]
        self._reasons: list[str | None] = [None, None]
        self._answered = [False, False]
        self._origin: ForkedFrom | None = None

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        if isinstance(record, GameStarted):
            self._names = [seat.name for seat in record.seats]
            self._origin = record.forked_from
        elif isinstance(record, Play) and not (self._origin and self._origin.holds(record)):
            self._answered[record.bot] |= record.status in ("ok", "invalid")
            self._reasons[record.bot] = record.reason

    def sentences(self) -> list[str]:
        """Return a sentence for each seat that never answered."""
        return [
            f"{seat} ({name}) gave not a single answer; the last time: {reason}"
            for seat, name, reason, answered in zip(SEATS, self._names, self._reasons, self._answered, strict=True)
            if reason is not None and not answered
        ]
