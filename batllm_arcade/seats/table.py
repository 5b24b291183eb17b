"""The table a match is played at: who is asked, deadlines, the fallback, swaps, take-overs.

This is the one place below the window where a match waits and reads clocks. What a window calls (`stop`,
`swap`, `take_over` and their like) may be called from any thread and never waits for a brain.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.match.records import Why
from batllm_arcade.match.runner import Answer, Interruption, Prompts, SeatChange
from batllm_arcade.seats.brain_thread import BotReport, BrainThread, Kinds, find_kind, find_person
from batllm_arcade.seats.closing import Closer
from batllm_arcade.seats.late_answer import ReplySlot, answer_of, timestamp, wait_for_answer
from batllm_arcade.seats.pending_brain import PendingBrain, PendingStatus
from batllm_arcade.seats.seat import Seat, first_seats
from batllm_arcade.seats.waiting import Intermission, OpenRequest, PendingWait

CLOSING_S = 3.0
"""Seconds that all brains together have to close."""


class Table:
    """Two seats and their fallbacks, one for both or a pair; `ask` waits at most a brain's deadline and never raises.

    `turn_clock_s` is what a person has for a turn (0: as long as they like). With `intervals` the match
    waits between rounds until a window lets it go on. Raise UsageError, with the seat's name, if options are wrong.
    """

    def __init__(
        self,
        kinds: Kinds,
        specs: tuple[Spec, Spec],
        *,
        fallback: Spec | tuple[Spec, Spec],
        deadline_s: float = 30.0,
        turn_clock_s: float = 0.0,
        intervals: bool = False,
    ) -> None:
        self._kinds, self._intervals = kinds, intervals
        self._fallbacks = (fallback, fallback) if isinstance(fallback, Spec) else fallback
        self._deadline_s, self._clock_s = deadline_s, turn_clock_s or None
        self._lock = threading.RLock()  # ctrl-C may stop the match on the thread that is asking
        self._waiting: PendingWait | None = None
        self._preparing: BrainThread | None = None
        self._closer = Closer()
        self._in_round = self._abandoned = self._closed = False
        self.stopped = False
        self.thinking: OpenRequest | None = None
        """Who is being asked just now, for the window to show."""
        self.intermission: Intermission | None = None
        """Set while the match waits between two rounds."""
        self._seats = first_seats(specs, self._brain_thread)

    def prepare(self, report: Callable[[str], None], prompts: Prompts = ("", ""), headers: Prompts = ("", "")) -> None:
        """Load what the brains need before the first play with these texts; raise BrainError with the seat's name."""
        first = [seat.brain_thread for seat in self._seats]  # a person may take a seat over meanwhile, and hand it back
        for seat, (name, brain_thread) in enumerate(zip(SEATS, first, strict=True)):
            with self._lock:
                self._preparing = None if self._left else brain_thread
            if self._preparing is None:
                return
            try:
                brain_thread.prepare(report, prompts[seat], headers[seat], seat)
            except ArcadeError as error:
                raise BrainError(f"{name}: {one_line(error, 4000)}") from None
            finally:
                self._preparing = None

    def seat(self, bot: int) -> SeatInfo:
        """Return who sits there now."""
        return self._seats[bot].brain_thread.info

    def bot_report(self, bot: int) -> BotReport | None:
        """Return what the bot at a seat has logged and done wrong, None for a brain inside the program."""
        return self._seats[bot].brain_thread.report

    # ------------------------------------------------------------------------------ what the match asks for

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays the game about to begin, left first."""
        with self._lock:
            self._in_round = False
            self._seat_pending_brains()
            for seat in self._seats:
                seat.announced = seat.brain_thread
            return self.seat(0), self.seat(1)

    def begin_round(self, game: int, number: int, prompts: Prompts) -> Prompts | None:
        """Return the prompts of the round about to begin; None when the match was left in the interval before it."""
        with self._lock:
            self._in_round = self._abandoned = False
            if number == 1 or not self._intervals:
                return prompts
            if self._left:
                return None
            intermission = self.intermission = Intermission(game, number, prompts)
        intermission.wait()
        with self._lock:
            self.intermission = None
            return None if self._left else intermission.prompts

    def begin_turn(self) -> None:
        """Seat the brains that are ready, now that the last turn is over."""
        with self._lock:
            self._in_round = True
            self._seat_pending_brains()

    def seat_change(self, bot: int) -> SeatChange | None:
        """Return who has taken the seat since the match last asked, None if nobody has."""
        with self._lock:
            return self._seats[bot].announce()

    def ask(self, bot: int, view: View) -> Answer | Interruption:
        """Return the brain's answer within its deadline, or why none is wanted."""
        with self._lock:
            if (interruption := self._interruption(bot)) is not None:
                return interruption
            seat, brain_thread = self._seats[bot], self._seats[bot].brain_thread
            slot, live, began = ReplySlot(), Live(brain_thread.deadline_s), time.monotonic()
            view = replace(view, live=live)
            waiting = self._waiting = PendingWait(seat, slot.ready, live)
            self.thinking = OpenRequest(bot, brain_thread.info, view, began)
        brain_thread.submit(view, slot)
        if not self._left:  # a ctrl-C may have come in between, on this very thread
            wait_for_answer(slot, live)
        with self._lock:
            restarting_s = 0.0 if brain_thread.human else live.held_s  # which is no thinking
            waited = time.monotonic() - began - restarting_s
            self.thinking = self._waiting = None
            interruption = self._interruption(bot) or (Interruption.ANOTHER if waiting.given_up else None)
            decision, problem = slot.decision, slot.problem
        if decision is None or interruption is not None:
            live.cancel()
        return interruption or answer_of(decision, problem, waited, brain_thread.deadline_s)

    def fall_back(self, bot: int, problem: str) -> bool:
        """Let the fallback play the next turn after too many failures; return False if there is none left."""
        with self._lock:
            seat, failing = self._seats[bot], self._seats[bot].brain_thread
            if self._left or failing is not seat.announced or seat.due:
                return True  # another brain plays the next turn already, or none does
            if seat.former is not None:
                self._hand_back(seat, problem)
                return True
            if failing.fallback:
                return False
            spec = replace(self._fallbacks[bot], seat=SEATS[bot])
            stand_in = PendingBrain(spec, lambda: self._brain_thread(spec, fallback=True))
            waiting = self._waiting = PendingWait(seat, stand_in.settled)
        stand_in.settled.wait(self._deadline_s)
        with self._lock:
            self._waiting = None
            brain_thread = stand_in.take() if seat.brain_thread is failing and not self._left else None
            if brain_thread is None:
                self._closer.close(stand_in)
                return waiting.given_up
            self._put(seat, brain_thread, "fallback", problem)
            self._closer.close(failing)
            return True

    def end_game(self, game: int, result: Result) -> None:
        """Tell the brains at both seats how the game has ended; wait for one that listens at most a second."""
        for bot, seat in enumerate(self._seats):
            seat.brain_thread.end_game({"game": game, "bot": bot, "winner": result.winner, "reason": result.reason})

    now = staticmethod(timestamp)

    # ------------------------------------------------------------------------------ what people ask for

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

    def abandon_round(self) -> None:
        """End the round under way; the next one begins, or the game ends on points. Nothing between rounds."""
        with self._lock:
            self._abandoned = self._in_round
            if self._abandoned and self._waiting is not None:
                self._waiting.give_up()

    def stop(self) -> None:
        """Leave the match: whoever is being asked or loaded is given up, and every later question too."""
        with self._lock:
            self.stopped = True
            self._end_waits()
            self._closer.close(self._preparing)

    def close(self) -> None:
        """Close all brains, whatever they are doing; wait a few seconds for those that take their time."""
        with self._lock:
            self._closed = True
            self._end_waits()
            for seat in self._seats:
                for brain in seat.everybody():
                    self._closer.close(brain)
        self._closer.wait(CLOSING_S)

    @property
    def _left(self) -> bool:
        return self.stopped or self._closed

    def _end_waits(self) -> None:
        if self._waiting is not None:
            self._waiting.give_up()
        if self.intermission is not None:
            self.intermission.go_on()

    def _brain_thread(self, spec: Spec, *, late: bool = False, fallback: bool = False) -> BrainThread:
        return BrainThread(self._kinds, spec, self._deadline_s, self._clock_s, late=late, fallback=fallback)

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
            before = (seat.brain_thread, seat.former)
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

    def _interruption(self, bot: int) -> Interruption | None:
        if self._left:
            return Interruption.STOPPED
        if self._abandoned:
            return Interruption.ABANDONED
        seat = self._seats[bot]
        return None if seat.brain_thread is seat.announced else Interruption.ANOTHER
