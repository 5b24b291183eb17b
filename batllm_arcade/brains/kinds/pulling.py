"""How far a server is with fetching a model that a player wants."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far it is."""

    words: str
    """What the server is doing."""
    done: int = 0
    """The bytes that are there."""
    total: int = 0
    """The bytes that there will be, as far as that is known yet; 0 where it is not."""

    @property
    def share(self) -> float | None:
        """The part that is there, 0 to 1; None where it is not known."""
        return min(1.0, self.done / self.total) if self.total > 0 else None
