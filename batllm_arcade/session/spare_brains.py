"""The brains of the last match, kept for a rematch: their models stay loaded and their connections open."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from batllm_arcade.seats.brain_thread import BrainThread

Brains = tuple[BrainThread | None, BrainThread | None]
"""Left first; None where there is none."""


class _SpareBrain(NamedTuple):
    setting: Any
    brain: BrainThread


class SpareBrains:
    """Keeps one brain a seat at most; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[_SpareBrain | None] = [None, None]
        self._over = False

    def put(self, settings: tuple[Any, Any], brains: Brains) -> None:
        """Keep the brains of a match that is over, made with these settings; each takes the place of the one before."""
        unwanted: list[_SpareBrain | None] = []
        with self._lock:
            for seat, brain in enumerate(brains):
                brought = _SpareBrain(settings[seat], brain) if brain is not None else None
                if brought is not None and not self._over:
                    unwanted.append(self._kept[seat])
                    self._kept[seat] = brought
                else:
                    unwanted.append(brought)
        _close(unwanted)

    def take(self, settings: tuple[Any, Any]) -> Brains:
        """Return the kept brains that were made with equal settings, each for its seat."""
        with self._lock:
            taken: list[BrainThread | None] = [None, None]
            for seat, kept in enumerate(self._kept):
                if kept is not None and kept.setting == settings[seat]:
                    taken[seat], self._kept[seat] = kept.brain, None
            return taken[0], taken[1]

    def drop(self) -> None:
        """Close the kept brains."""
        with self._lock:
            unwanted, self._kept = self._kept, [None, None]
        _close(unwanted)

    def close(self) -> None:
        """Close the kept brains, and from now on all that are brought."""
        with self._lock:
            self._over = True
        self.drop()


def _close(kept: list[_SpareBrain | None]) -> None:
    for each in kept:
        if each is not None:
            each.brain.close()
