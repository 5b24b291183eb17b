"""Who sits at a table: the brains at both seats, swaps, and people who take a seat over.

What a window calls (`swap`, `take_over` and their like) may be called from any thread and never waits for a brain.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.protocol import SeatInfo, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import Why
from batllm_arcade.seats.brain_thread import BotReport, BrainThread, Kinds, find_kind, find_person
from batllm_arcade.seats.closing import Closer
from batllm_arcade.seats.pending_brain import PendingBrain, PendingStatus
from batllm_arcade.seats.seat import Seat, first_seats
from batllm_arcade.seats.waiting import PendingWait

Log = Callable[[str, str], None]
"""Gets a seat with its name, and a line that its bot has printed."""


class Seating:
    """Two seats; `deadline_s` is a brain's time for an answer, `clock_s` a person's (None: as long as they like).

    `kept` are brains of another table that sit down again. Raise UsageError, with the seat's name, for wrong options.
    """

    def __init__(
        self,
        kinds: Kinds,
        specs: tuple[Spec, Spec],
        deadline_s: float,
        clock_s: float | None,
        log: Log | None = None,
        kept: tuple[BrainThread | None, BrainThread | None] = (None, None),
    ) -> None:
        self._kinds, self._deadline_s, self._clock_s, self._log = kinds, deadline_s, clock_s, log
        self._lock = threading.RLock()  # ctrl-C may stop the match on the thread that is asking
        self._waiting: PendingWait | None = None
        self._closer = Closer()
        self._closed = False
        self.stopped = False
        self._seats = first_seats(specs, kept, self._brain_thread)

    def seat(self, bot: int) -> SeatInfo:
        """Return who sits there now."""
        return self._seats[bot].brain_thread.info

    def bot_report(self, bot: int) -> BotReport | None:
        """Return what the bot at a seat has logged and done wrong, None for a brain inside the program."""
        return self._seats[bot].brain_thread.report

    def swap(self, bot: int, spec: Spec) -> None:
        """Give the seat to another brain at the end of a turn, as soon as it is ready; never wait for it.

        It gets ready on a thread of its own; `pending` says how far it is, and why it failed or was refused.
        A later swap replaces an earlier one; one that is asked for while a person has taken the seat over
        ends that. Raise UsageError if there is no such brain.
        """
        find_kind(self._kinds, spec)
        spec = replace(spec, seat=SEATS[bot])
        swap = PendingBrain(spec, lambda: self._brain_thread(spec))
        with self._lock:
            swap.replaces_person = self._seats[bot].former is not None
            self._replace_swap(bot, swap)

    def cancel_swap(self, bot: int) -> None:
        """Forget the swap that waits for this seat, or that failed."""
        with self._lock:
            self._replace_swap(bot, None)

    def pending(self, bot: int) -> PendingStatus | None:
        """Return the swap that waits for this seat or has failed, None without one."""
        return swap.status if (swap := self._seats[bot].swap) is not None else None

    def take_over(self, bot: int) -> None:
        """Give the seat to a person with its very next play, a question under way included; a person's seat stays.

        A swap that was asked for before waits until the seat is handed back. Raise UsageError if no plugin
        offers a person's seat.
        """
        person = self._brain_thread(find_person(self._kinds), late=True)
        with self._lock:
            seat = self._seats[bot]
            if seat.brain_thread.human or self._closed:
                self._closer.close(person)
                return
            seat.former = seat.brain_thread
            if seat.swap is not None:
                seat.swap.replaces_person = False
            self._put(seat, person, "wheel")

    def hand_back(self, bot: int) -> None:
        """Give a seat that was taken over back to its brain, with its very next play or the question under way."""
        with self._lock:
            if self._seats[bot].former is not None and not self._closed:
                self._hand_back(self._seats[bot])

    def taken_over(self, bot: int) -> bool:
        """Return whether a person has taken this seat over and may hand it back."""
        return self._seats[bot].former is not None

    def lost(self, bot: int) -> Spec | None:
        """Return the model that has lost this seat to the fallback and may get it back, None if none has."""
        lost = self._seats[bot].lost
        return lost.spec if lost is not None else None

    def ask_again(self, bot: int) -> None:
        """Have the model that has lost this seat asked again as soon as it is ready, not only in the next round."""
        with self._lock:
            lost = self._seats[bot].lost
            if lost is not None and not self._left:
                lost.begin()

    def returning(self, bot: int) -> PendingStatus | None:
        """Return how far the model is that has lost this seat and gets ready to be asked again, None if none does."""
        lost = self._seats[bot].lost
        return lost.status if lost is not None else None

    def release(self) -> tuple[BrainThread | None, BrainThread | None]:
        """Return the brains that sat here from the beginning and still do, which `close` then leaves to the caller.

        None for a seat whose brain is gone, and at a table that was left.
        """
        with self._lock:
            if self._left:
                return None, None
            left, right = self._seats
            return left.release(), right.release()

    @property
    def _left(self) -> bool:
        return self.stopped or self._closed

    def _brain_thread(self, spec: Spec, *, late: bool = False, fallback: bool = False) -> BrainThread:
        return BrainThread(
            self._kinds, spec, self._deadline_s, self._clock_s, late=late, fallback=fallback, log=self._log
        )

    def _put(self, seat: Seat, brain_thread: BrainThread, why: Why, problem: str = "") -> None:
        seat.put(brain_thread, why, problem)
        if self._waiting is not None and self._waiting.seat is seat:
            self._waiting.give_up()

    def _hand_back(self, seat: Seat, problem: str = "") -> None:
        person, former, seat.former = seat.brain_thread, seat.former, None
        assert former is not None
        self._put(seat, former, "wheel", problem)
        self._closer.close(person)

    def _seat_pending_brains(self) -> None:
        for seat in self._seats:
            before = (seat.brain_thread, seat.former, seat.recovery)
            brain_thread = seat.take_swap()
            if brain_thread is not None:
                self._put(seat, brain_thread, "swap")
                for replaced in before:
                    self._closer.close(replaced)

    def _replace_swap(self, bot: int, swap: PendingBrain | None) -> None:
        seat = self._seats[bot]
        before, seat.swap = seat.swap, swap
        for unwanted in (before, swap if self._closed else None):
            self._closer.close(unwanted)
