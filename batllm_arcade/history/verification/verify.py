"""Verify a session: simulated states and all that can be derived, compared with the file."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from operator import attrgetter

from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import simulate
from batllm_arcade.history.verification.derivation import derived_differences
from batllm_arcade.history.verification.difference import Difference


def verify(session: SessionTape) -> Iterator[Difference]:
    """Yield every difference between the file and what it must hold, game by game.

    First come those of the states that a game's commands lead to, then those of what follows from the seed, the
    answers and the times; each with the first play first.
    """
    simulated = (item for item in simulate(session) if isinstance(item, Difference))
    yield from merge(simulated, derived_differences(session), key=attrgetter("game"))
