"""The clock of a session, which runs on evenly while somebody sets the computer's."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone


class SessionClock:
    """Tells times: when it was made by the computer's clock, and what has passed since by one that nobody sets.

    It begins at `earliest` where the computer's clock is behind that.
    """

    def __init__(self, earliest: datetime | None = None) -> None:
        self._began, self._start = time.monotonic(), datetime.now(timezone.utc)
        if earliest is not None and earliest > self._start:
            self._start = earliest

    def now(self, timespec: str = "microseconds") -> str:
        """Return the time, ISO 8601 in UTC."""
        now = self._start + timedelta(seconds=time.monotonic() - self._began)
        return now.isoformat(timespec=timespec).replace("+00:00", "Z")
