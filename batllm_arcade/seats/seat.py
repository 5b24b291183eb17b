"""One seat at the table: the brain that is asked there, and those that wait for the seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.match.records import Why
from batllm_arcade.match.runner import SeatChange
from batllm_arcade.seats.brain_thread import BrainThread
from batllm_arcade.seats.closing import Closing
from batllm_arcade.seats.pending_brain import PendingBrain
from batllm_arcade.seats.recovery import KeptAnswer, Recovery


class Seat:
    """The brain asked at a seat, the brain last reported to the match, and brains waiting to take the seat."""

    def __init__(self, brain_thread: BrainThread) -> None:
        self.brain_thread = self.announced = self.first = brain_thread
        self.released = False
        """Whether the seat's first brain is kept for another table."""
        self.why: Why = "swap"
        self.problem = ""
        self.former: BrainThread | None = None
        """The brain that gets the seat back from the person who has taken it over."""
        self.swap: PendingBrain | None = None
        """The brain that gets ready to take the seat at a turn's end."""
        self.recovery: Recovery | None = None
        """The model that has lost the seat to the fallback."""
        self.kept: KeptAnswer | None = None

    @property
    def due(self) -> bool:
        """Whether another brain takes the seat at the turn's end."""
        return self.swap is not None and self.swap.ready and (self.former is None or self.swap.replaces_person)

    def put(self, brain_thread: BrainThread, why: Why, problem: str = "") -> None:
        """Give the seat to another brain; `problem` is why the one before had to go."""
        self.brain_thread, self.why, self.problem = brain_thread, why, problem

    def announce(self) -> SeatChange | None:
        """Return who has taken the seat since the match was last told, None if nobody has."""
        if self.brain_thread is self.announced:
            return None
        self.announced = self.brain_thread
        return SeatChange(self.brain_thread.info, self.why, self.problem)

    def take_swap(self) -> BrainThread | None:
        """Return the brain that takes the seat now, None unless one is due; nobody gets the seat back then."""
        brain_thread = self.swap.take() if self.swap is not None and self.due else None
        if brain_thread is not None:
            self.former = self.swap = self.recovery = None
        return brain_thread

    @property
    def lost(self) -> Recovery | None:
        """The model that is asked again for this seat; None while a person plays or has chosen another brain."""
        return self.recovery if self.former is None and self.swap is None else None

    def release(self) -> BrainThread | None:
        """Return the brain that sat here from the beginning, which others close; None if it is gone."""
        self.released = self.first in (self.brain_thread, self.former)
        return self.first if self.released else None

    def everybody(self) -> list[Closing]:
        """Return all who have to be closed in the end."""
        known: tuple[Closing | None, ...] = (self.brain_thread, self.former, self.swap, self.recovery)
        return [one for one in known if one is not None and not (self.released and one is self.first)]


def first_seats(
    specs: tuple[Spec, Spec], kept: tuple[BrainThread | None, ...], make: Callable[[Spec], BrainThread]
) -> tuple[Seat, ...]:
    """Return both seats with their first brains, those `kept` from another table or new ones.

    Raise UsageError with the seat's name if one cannot be made.
    """
    seats: list[Seat] = []
    for name, spec, brain_thread in zip(SEATS, specs, kept, strict=True):
        try:
            seats.append(Seat(brain_thread or make(replace(spec, seat=name))))
        except ArcadeError as error:
            for seat in seats:
                if seat.first not in kept:
                    seat.first.close()
            raise UsageError(f"{name}: {one_line(error, 1000)}") from None
    return tuple(seats)
