"""How fast the pairs of a league are played, and so how many are handed out together; pure."""

from __future__ import annotations

from dataclasses import dataclass, field

CHUNK_S = 2.0
"""Seconds of play in a chunk: handing out less costs more than it spreads."""
LARGEST_CHUNK = 64


@dataclass(slots=True)
class Pace:
    """How fast pairs are played, in seconds of one worker a pair."""

    pair_s: float = 0.0
    _seen: int = field(default=0)

    def add(self, seconds: float, pairs: int) -> None:
        """Take a chunk's time into account; recent ones count more."""
        for _ in range(min(pairs, 8)):
            self._seen += 1
            share = max(1 / self._seen, 0.05)
            self.pair_s += share * (seconds / pairs - self.pair_s)

    @property
    def known(self) -> bool:
        """Return whether any pair was played."""
        return self._seen > 0

    def chunk(self) -> int:
        """Return how many pairs make a chunk."""
        if not self._seen:
            return 1
        return max(1, min(LARGEST_CHUNK, round(CHUNK_S / max(self.pair_s, 1e-6))))
