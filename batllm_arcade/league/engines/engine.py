"""What plays the pairs: processes on this machine or a cluster, with one face to the coordinator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.plan import ScheduledPair


@dataclass(frozen=True, slots=True)
class EngineReport:
    """News of a chunk of pairs: one of them was `played`, or the chunk `ended`, however it did.

    Pairs of an ended chunk that were not reported as played are to be played again. `problem` is why nobody can go
    on, "" while all is well, `note` what a person is to be told; where there is nothing but these, `chunk` is 0.
    """

    chunk: int
    played: PlayedPair | None = None
    ended: bool = False
    problem: str = ""
    note: str = ""


class Engine(Protocol):
    """Plays chunks of pairs; all methods are called by one thread."""

    @property
    def workers(self) -> int:
        """Return how many chunks are played at once; it may change, also to none."""
        ...

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Have these pairs played, one after the other, under this number."""
        ...

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        ...

    def late(self, chunk: int) -> str:
        """Take note that a chunk is late, so that others get what comes next; return who plays it."""
        ...

    def close(self) -> None:
        """Give up what is being played, and end all processes that were started."""
        ...
