"""Verify a session: simulated states and all that can be derived, compared with the file."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from operator import attrgetter

from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import simulate
from batllm_arcade.history.verification.derivation import derived_differences
from batllm_arcade.history.verification.difference import Difference
from batllm_arcade.history.verification.scripted_seats import ScriptedSeats


def verify(session: SessionTape, scripts: ScriptedSeats | None = None) -> Iterator[Difference]:
    """Yield every difference between the file and what it must hold, game by game; with `scripts` who played, too.

    First come those of the states that a game's commands lead to, and of what scripts play; then those of what follows
    from the seed, the answers and the times; each with the first play first.
    """
    yield from merge(_simulated(session, scripts), derived_differences(session), key=attrgetter("game"))


def _simulated(session: SessionTape, scripts: ScriptedSeats | None) -> Iterator[Difference]:
    for item in simulate(session):
        if isinstance(item, Difference):
            yield item
        elif scripts is not None:
            yield from scripts.differences(item)
