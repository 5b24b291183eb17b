"""The table a match is played at: who is asked, deadlines, the fallback, models that answer again.

This is the one place below the window where a match waits and reads clocks. What a window calls (`stop`,
`abandon_round`) may be called from any thread and never waits for a brain.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.rules import Result
from batllm_arcade.core.streams import resumed, state_of
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.match.runner import Answer, Interruption, Prompts, SeatChange, why_refused
from batllm_arcade.seats.brain_thread import BrainThread, Kinds, ReplySlot, answer_of, find_kind, wait_for_answer
from batllm_arcade.seats.seating import (
    RECOVERY_S,
    Intermission,
    KeptAnswer,
    Log,
    OpenRequest,
    PendingBrain,
    PendingWait,
    Recovery,
    Seating,
    may_recover,
    play_of,
)

CLOSING_S = 3.0
"""Seconds that all brains together have to close."""


class Table(Seating):
    """Two seats and their fallbacks, one for both or a pair; `ask` waits at most a brain's deadline and never raises.

    A seat whose fallback is None forfeits the game where another one's fallback takes its seat.

    A model that has lost its seat to the fallback is asked again in every following round: then `ask` waits for both.

    `turn_clock_s` is what a person has for a turn (0: as long as they like). With `intervals` the match waits between
    rounds until a window lets it go on. `log` gets what bots print, `kept` are brains of
    another table, `now` tells the time of their session. Raise UsageError, with the seat's name, if options are wrong.
    """

    def __init__(
        self,
        kinds: Kinds,
        specs: tuple[Spec, Spec],
        *,
        fallback: Spec | tuple[Spec | None, Spec | None],
        deadline_s: float = 30.0,
        turn_clock_s: float = 0.0,
        intervals: bool = False,
        log: Log | None = None,
        kept: tuple[BrainThread | None, BrainThread | None] = (None, None),
        now: Callable[[], str] | None = None,
    ) -> None:
        super().__init__(kinds, specs, deadline_s, turn_clock_s or None, log, kept)
        self._now = now or SessionClock().now
        self._intervals = intervals
        self._fallbacks = (fallback, fallback) if isinstance(fallback, Spec) else fallback
        self._preparing: BrainThread | None = None
        self._in_round = self._abandoned = False
        self.unready: int | None = None
        """The seat whose brain could not get ready, so that the match could not begin."""
        self.thinking: OpenRequest | None = None
        """Who is being asked just now, for the window to show."""
        self.hints = (0, 0)
        self.intermission: Intermission | None = None
        """Set while the match waits between two rounds."""

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
                self.unready = seat
                raise BrainError(f"{name}: {one_line(error, 4000)}") from None
            finally:
                self._preparing = None

    # ------------------------------------------------------------------------------ what the match asks for

    def hint(self, bot: int) -> None:
        """Count that a player is shown the best play."""
        left, right = self.hints
        self.hints = (left + (bot == 0), right + (bot == 1))

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays the game about to begin, left first."""
        with self._lock:
            self._in_round, self.hints = False, (0, 0)
            self._seat_pending_brains()
            for seat in self._seats:
                seat.announced = seat.brain_thread
            return self.seat(0), self.seat(1)

    def begin_round(self, game: int, number: int, prompts: Prompts) -> Prompts | None:
        """Return the prompts of the round about to begin; None when the match was left in the interval before it."""
        with self._lock:
            self._in_round = self._abandoned = False
            interval = self._intervals and number > 1
            if interval and self._left:
                return None
            returning = [] if self._left else [seat.lost.begin() for seat in self._seats if seat.lost]
            intermission = self.intermission = Intermission(game, number, prompts) if interval else None
        if intermission is not None:
            intermission.wait()
        with self._lock:
            self.intermission = None
            if interval and self._left:
                return None
        self._wait_for(returning)
        return prompts if intermission is None else intermission.prompts

    def _wait_for(self, returning: list[PendingBrain]) -> None:
        """Wait a while for the models that get ready to be asked again."""
        ends = time.monotonic() + RECOVERY_S
        for pending in returning:
            with self._lock:
                if self._left:
                    return
                self._waiting = PendingWait(None, pending.settled)
            pending.settled.wait(max(0.0, ends - time.monotonic()))
            with self._lock:
                self._waiting = None

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
            seat = self._seats[bot]
            kept, seat.kept = seat.kept, None
            if kept is not None and (kept.brain_thread, kept.play) == (seat.brain_thread, play_of(view)):
                view.rng.setstate(kept.stream)
                return kept.answer
            returning = seat.lost.take() if seat.lost else None
        if returning is not None and (interruption := self._ask_again(bot, returning, view)) is not None:
            return interruption
        return self._question(bot, seat.brain_thread, view)

    def _ask_again(self, bot: int, returning: BrainThread, view: View) -> Interruption | None:
        """Ask a model that has lost its seat, and give it back if it answers; return None if it does not."""
        own = replace(view, rng=resumed(view.rng.getstate()))  # the fallback may still be asked for this play
        answer = self._question(bot, returning, own)
        with self._lock:
            seat, stream = self._seats[bot], state_of(own.rng)
            if isinstance(answer, Interruption) or stream is None or not _is_new_answer(answer, view):
                self._closer.close(returning)
                return answer if isinstance(answer, Interruption) else None
            self._closer.close(seat.brain_thread)
            self._put(seat, returning, "recovered")
            seat.recovery = None
            seat.kept = KeptAnswer(returning, play_of(view), answer, stream)
            return Interruption.ANOTHER

    def _question(self, bot: int, brain_thread: BrainThread, view: View) -> Answer | Interruption:
        with self._lock:
            if (interruption := self._interruption(bot)) is not None:
                return interruption
            slot, live, began = ReplySlot(), Live(brain_thread.deadline_s), time.monotonic()
            view = replace(view, live=live)
            waiting = self._waiting = PendingWait(self._seats[bot], slot.ready, live)
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
        return interruption or answer_of(decision, problem, waited, brain_thread, live, self.now())

    def fall_back(self, bot: int, problem: str) -> bool:
        """Let the fallback play the next turn after too many failures; return False if there is none left."""
        with self._lock:
            seat, failing = self._seats[bot], self._seats[bot].brain_thread
            if self._left or failing is not seat.announced or seat.due:
                return True  # another brain plays the next turn already, or none does
            if seat.former is not None:
                self._hand_back(seat, problem)
                return True
            chosen = failing.stand_in or (None if failing.fallback else self._fallbacks[bot])
            if chosen is None:
                return False
            spec = replace(chosen, seat=SEATS[bot], bundled=True)
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
            if may_recover(find_kind(self._kinds, failing.spec)):
                seat.recovery = Recovery(failing.spec, lambda: self._brain_thread(failing.spec))
            return True

    def end_game(self, game: int, result: Result) -> None:
        """Tell the brains at both seats how the game has ended; wait for one that listens at most a second."""
        for bot, seat in enumerate(self._seats):
            seat.brain_thread.end_game({"game": game, "bot": bot, "winner": result.winner, "reason": result.reason})

    def now(self) -> str:
        """Return the time of the session, ISO 8601 in UTC."""
        return self._now()

    # ------------------------------------------------------------------------------ what people ask for

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

    def _end_waits(self) -> None:
        if self._waiting is not None:
            self._waiting.give_up()
        if self.intermission is not None:
            self.intermission.go_on()

    def _interruption(self, bot: int) -> Interruption | None:
        if self._left:
            return Interruption.STOPPED
        if self._abandoned:
            return Interruption.ABANDONED
        seat = self._seats[bot]
        return None if seat.brain_thread is seat.announced else Interruption.ANOTHER


def _is_new_answer(answer: Answer, view: View) -> bool:
    """Return whether the match will take this as an answer that a model gave just now."""
    decision = answer.decision
    refused = decision.queued_from is not None or why_refused(decision, view.rules, view.number, ())
    return answer.status == "ok" and not refused
