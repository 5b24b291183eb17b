"""The table of the last match, kept for a rematch: its models stay loaded and its connections open."""

from __future__ import annotations

import threading
from typing import Any

from batllm_arcade.seats.table import Table


class SpareTable:
    """Keeps one table at most; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Any, Table] | None = None
        self._over = False

    def put(self, setting: Any, table: Table) -> None:
        """Keep the table of a match that is over, made with this setting; the one kept before is closed."""
        with self._lock:
            unwanted, self._kept = self._kept, (setting, table)
            if self._over:
                unwanted, self._kept = self._kept, None
        if unwanted is not None:
            unwanted[1].close()

    def take(self, setting: Any) -> Table | None:
        """Return the kept table if it was made with an equal setting, None otherwise."""
        with self._lock:
            if self._kept is None or self._kept[0] != setting:
                return None
            table, self._kept = self._kept[1], None
            return table

    def drop(self) -> None:
        """Close the kept table, if there is one."""
        with self._lock:
            unwanted, self._kept = self._kept, None
        if unwanted is not None:
            unwanted[1].close()

    def close(self) -> None:
        """Close the kept table, and from now on every one that is brought."""
        with self._lock:
            self._over = True
        self.drop()
