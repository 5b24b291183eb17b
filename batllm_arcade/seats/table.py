"""The table a match is played at: whose turn to think it is, deadlines, the fallback, swaps and the wheel.

This is the one place below the window where a match waits and reads clocks. What a window calls (`stop`,
`swap`, `grab` and their like) may be called from any thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from batllm_arcade.brains.protocol import BrainError, Decision, Live, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.match.records import Why
from batllm_arcade.match.runner import Answer, Interruption, Prompts, SeatChange
from batllm_arcade.seats.brain_thread import BrainThread, Kinds, ReplySlot, find_kind
from batllm_arcade.seats.pending_brain import PendingBrain, PendingStatus

CLOSING_S = 3.0
"""Seconds that all brains together have to close."""
LOOK_S = 0.2
"""Seconds after which a wait looks again how far the deadline is."""
MAKING_S = 0.3
"""Seconds a new brain's factory may keep the window waiting, so that wrong options are told at once."""


def timestamp() -> str:
    """Now, ISO 8601 in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class OpenRequest:
    """A brain that is being asked: what the window shows meanwhile; `since` is `time.monotonic()`."""

    bot: int
    seat: SeatInfo
    view: View
    since: float

    @property
    def live(self) -> Live:
        """The line to the brain: its partial text, and for a person where the command goes."""
        return self.view.live


class Intermission:
    """The time between two rounds: the match waits until `go_on`; `round` is the one to come."""

    def __init__(self, game: int, round: int, prompts: Prompts) -> None:
        self.game, self.round, self.prompts = game, round, prompts
        self._over = threading.Event()

    def go_on(self, prompts: Prompts | None = None) -> None:
        """Begin the round, with these prompts (left first) from here on; a second call changes nothing."""
        if not self._over.is_set():
            self.prompts = self.prompts if prompts is None else prompts
            self._over.set()

    def wait(self) -> None:
        """Wait until somebody goes on."""
        self._over.wait()


class _Seat:
    """Who is asked at a seat, whom the match knows to sit there, and who else has a claim to it."""

    def __init__(self, brain_thread: BrainThread) -> None:
        self.brain_thread = self.announced = brain_thread
        self.why: Why = "swap"
        self.problem = ""
        self.former: BrainThread | None = None
        """The brain that a person at the wheel hands the seat back to."""
        self.pending_brain: PendingBrain | None = None

    @property
    def due(self) -> bool:
        """Whether somebody takes the seat at the turn's end."""
        new = self.pending_brain
        return new is not None and new.ready and (self.former is None or new.takes_wheel)

    def brain_threads(self) -> list[BrainThread]:
        """Everybody who has to be let go in the end."""
        unfinished = self.pending_brain.unfinished if self.pending_brain else None
        return [
            brain_thread for brain_thread in (self.brain_thread, self.former, unfinished) if brain_thread is not None
        ]


class _Wait:
    """What the match waits for at a seat, a brain's answer or a fallback; `given_up` when it need not any more."""

    def __init__(self, seat: _Seat, ready: threading.Event, live: Live | None = None) -> None:
        self.seat, self.given_up = seat, False
        self._ready, self._live = ready, live

    def give_up(self) -> None:
        """Let the match go on at once."""
        self.given_up = True
        if self._live is not None:
            self._live.cancel()
        self._ready.set()


class Table:
    """Two seats and their fallback; `ask` waits for a brain at most its deadline and never raises.

    `turn_clock_s` is what a person has for a turn (0: as long as they like). With `intervals` the match
    waits between rounds until a window lets it go on.
    """

    def __init__(
        self,
        kinds: Kinds,
        specs: tuple[Spec, Spec],
        *,
        fallback: Spec,
        deadline_s: float = 30.0,
        turn_clock_s: float = 0.0,
        intervals: bool = False,
    ) -> None:
        self._kinds, self._fallback, self._intervals = kinds, fallback, intervals
        self._deadline_s, self._clock_s = deadline_s, turn_clock_s or None
        self._seats = tuple(_Seat(self._first(seat, spec)) for seat, spec in zip(SEATS, specs, strict=True))
        self._lock = threading.RLock()  # ctrl-C may stop the match on the thread that is asking
        self._waiting: _Wait | None = None
        self._closing: list[threading.Thread] = []
        self._in_round = self._abandoned = self._closed = False
        self.stopped = False
        self.thinking: OpenRequest | None = None
        """Who is being asked just now, for the window to show."""
        self.intermission: Intermission | None = None
        """Set while the match waits between two rounds."""

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load what the brains need before the first play; BrainError with the seat's name in front."""
        brain_threads = [
            seat.brain_thread for seat in self._seats
        ]  # a person may take the wheel meanwhile, and hand it back
        for name, brain_thread in zip(SEATS, brain_threads, strict=True):
            try:
                brain_thread.prepare(report)
            except ArcadeError as error:
                raise BrainError(f"{name}: {one_line(error, 1000)}") from None

    def seat(self, bot: int) -> SeatInfo:
        """Who sits there now."""
        return self._seats[bot].brain_thread.info

    # ------------------------------------------------------------------------------ what the match asks for

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Who plays the game about to begin, left first."""
        with self._lock:
            self._in_round = False
            self._seat_pending_brains()
            for seat in self._seats:
                seat.announced = seat.brain_thread
            return self.seat(0), self.seat(1)

    def begin_round(self, game: int, number: int, prompts: Prompts) -> Prompts | None:
        """The prompts of the round about to begin; None when the match was stopped in the interval before it."""
        with self._lock:
            self._in_round = self._abandoned = False
            if number == 1 or not self._intervals:
                return prompts
            if self.stopped:
                return None
            intermission = self.intermission = Intermission(game, number, prompts)
        intermission.wait()
        self.intermission = None
        return None if self.stopped else intermission.prompts

    def begin_turn(self) -> None:
        """The last turn is over: who is ready to take a seat sits down."""
        with self._lock:
            self._in_round = True
            self._seat_pending_brains()

    def seat_change(self, bot: int) -> SeatChange | None:
        """Who has sat down there since the match was last told, None if nobody has."""
        with self._lock:
            seat = self._seats[bot]
            if seat.brain_thread is seat.announced:
                return None
            seat.announced = seat.brain_thread
            return SeatChange(seat.brain_thread.info, seat.why, seat.problem)

    def ask(self, bot: int, view: View) -> Answer | Interruption:
        """The brain's answer within its deadline, or why none is wanted."""
        with self._lock:
            interruption = self._interruption(bot)
            if interruption is not None:
                return interruption
            seat, brain_thread = self._seats[bot], self._seats[bot].brain_thread
            box, live, began = ReplySlot(), Live(brain_thread.deadline_s), time.monotonic()
            view = replace(view, live=live)
            waiting = self._waiting = _Wait(seat, box.ready, live)
            self.thinking = OpenRequest(bot, brain_thread.info, view, began)
        brain_thread.submit(view, box)
        if not self.stopped:  # a ctrl-C may have come in between, on this very thread
            _wait(box.ready, live)
        with self._lock:
            waited = time.monotonic() - began
            self.thinking = self._waiting = None
            interruption = self._interruption(bot) or (Interruption.ANOTHER if waiting.given_up else None)
            decision, problem = box.decision, box.problem
        if decision is None or interruption is not None:
            live.cancel()
        return interruption or _answer(brain_thread, decision, problem, waited)

    def fall_back(self, bot: int, problem: str) -> bool:
        """See that somebody else plays the next turn after too many failures; False if there is nobody left."""
        with self._lock:
            seat, failing = self._seats[bot], self._seats[bot].brain_thread
            if self.stopped or failing is not seat.announced or seat.due:
                return True  # it is somebody else's affair already
            if seat.former is not None:
                self._hand_back(seat, problem)
                return True
            if failing.fallback:
                return False
            stand_in = PendingBrain(self._fallback, lambda: self._brain_thread(self._fallback, fallback=True))
            waiting = self._waiting = _Wait(seat, stand_in.settled)
        stand_in.settled.wait(self._deadline_s)
        with self._lock:
            self._waiting = None
            brain_thread = stand_in.take() if seat.brain_thread is failing else None
            if brain_thread is not None:
                self._put(seat, brain_thread, "fallback", problem)
                self._let_go(failing)
            else:
                self._let_go(stand_in.drop())
            return brain_thread is not None or waiting.given_up

    @staticmethod
    def now() -> str:
        """The time, ISO 8601 in UTC."""
        return timestamp()

    # ------------------------------------------------------------------------------ what people ask for

    def swap(self, bot: int, spec: Spec) -> None:
        """Give the seat to another brain at the end of a turn, as soon as it is ready; UsageError for wrong options.

        It gets ready on a thread of its own; `pending` tells how far it is and why it failed. The last
        wish counts: a swap ends a person's time at the wheel, where it was wanted during that.
        """
        find_kind(self._kinds, spec)
        pending_brain = PendingBrain(spec, lambda: self._brain_thread(spec))
        pending_brain.made.wait(MAKING_S)
        if pending_brain.refused:
            raise UsageError(f"{SEATS[bot]}: {pending_brain.pending.problem}")
        with self._lock:
            pending_brain.takes_wheel = self._seats[bot].former is not None
            self._replace_pending_brain(bot, pending_brain)

    def call_off(self, bot: int) -> None:
        """Forget the swap that waits for this seat, or that failed."""
        with self._lock:
            self._replace_pending_brain(bot, None)

    def pending(self, bot: int) -> PendingStatus | None:
        """The swap that waits for this seat or has failed, None without one."""
        pending_brain = self._seats[bot].pending_brain
        return pending_brain.pending if pending_brain is not None else None

    def take_over(self, bot: int) -> None:
        """A person takes the seat with its very next play; a question under way is theirs. A person's seat stays.

        A swap that was wanted before waits until the seat is handed back. UsageError where no plugin
        offers a person's seat.
        """
        person = self._brain_thread(self._person(), late=True)
        with self._lock:
            seat = self._seats[bot]
            if seat.brain_thread.human or self._closed:
                self._let_go(person)
                return
            seat.former = seat.brain_thread
            if seat.pending_brain is not None:
                seat.pending_brain.takes_wheel = False
            self._put(seat, person, "wheel")

    def hand_back(self, bot: int) -> None:
        """The brain a person took the wheel from plays on, from the seat's very next play; a question is its own."""
        with self._lock:
            if self._seats[bot].former is not None and not self._closed:
                self._hand_back(self._seats[bot])

    def taken_over(self, bot: int) -> bool:
        """Whether a person has taken this seat and may hand it back."""
        return self._seats[bot].former is not None

    def abandon_round(self) -> None:
        """End the round under way; the next one begins, or the game ends on points. Nothing between rounds."""
        with self._lock:
            self._abandoned = self._in_round
            if self._abandoned and self._waiting is not None:
                self._waiting.give_up()

    def stop(self) -> None:
        """Leave the match: whoever is being asked is given up, and every later question too."""
        with self._lock:
            self.stopped = True
            if self._waiting is not None:
                self._waiting.give_up()
            if self.intermission is not None:
                self.intermission.go_on()

    def close(self) -> None:
        """Let all brains go."""
        with self._lock:
            self._closed = True
            for seat in self._seats:
                for brain_thread in seat.brain_threads():
                    self._let_go(brain_thread)
                if seat.pending_brain is not None:
                    seat.pending_brain.drop()
        ends = time.monotonic() + CLOSING_S
        for thread in self._closing:  # a brain that does not let go is left behind
            thread.join(max(0.0, ends - time.monotonic()))

    # ------------------------------------------------------------------------------ the seats, under the lock

    def _first(self, seat: str, spec: Spec) -> BrainThread:
        try:
            return self._brain_thread(spec)
        except ArcadeError as error:
            raise UsageError(f"{seat}: {one_line(error, 1000)}") from None

    def _brain_thread(self, spec: Spec, *, late: bool = False, fallback: bool = False) -> BrainThread:
        return BrainThread(self._kinds, spec, self._deadline_s, self._clock_s, late=late, fallback=fallback)

    def _person(self) -> Spec:
        people = [name for name, kind in self._kinds.items() if kind.human]
        if not people:
            raise UsageError("nobody can take the wheel: no plugin offers a person's seat")
        return Spec("keyboard" if "keyboard" in people else people[0])

    def _put(self, seat: _Seat, brain_thread: BrainThread, why: Why, problem: str = "") -> None:
        seat.brain_thread, seat.why, seat.problem = brain_thread, why, problem
        if self._waiting is not None and self._waiting.seat is seat:
            self._waiting.give_up()

    def _hand_back(self, seat: _Seat, problem: str = "") -> None:
        person, former, seat.former = seat.brain_thread, seat.former, None
        assert former is not None
        self._put(seat, former, "wheel", problem)
        self._let_go(person)

    def _seat_pending_brains(self) -> None:
        for seat in self._seats:
            brain_thread = seat.pending_brain.take() if seat.due and seat.pending_brain is not None else None
            if brain_thread is not None:
                before, seat.former, seat.pending_brain = (seat.brain_thread, seat.former), None, None
                self._put(seat, brain_thread, "swap")
                for gone in before:
                    self._let_go(gone)

    def _replace_pending_brain(self, bot: int, pending_brain: PendingBrain | None) -> None:
        seat = self._seats[bot]
        given, seat.pending_brain = seat.pending_brain, pending_brain
        for gone in (given, pending_brain if self._closed else None):
            if gone is not None:
                self._let_go(gone.drop())

    def _interruption(self, bot: int) -> Interruption | None:
        if self.stopped:
            return Interruption.STOPPED
        if self._abandoned:
            return Interruption.ABANDONED
        seat = self._seats[bot]
        return None if seat.brain_thread is seat.announced else Interruption.ANOTHER

    def _let_go(self, brain_thread: BrainThread | None) -> None:
        """Close a chair that nobody can need any more, without waiting for it."""
        if brain_thread is not None:
            thread = threading.Thread(target=brain_thread.close, daemon=True, name=f"closing {brain_thread.spec.short}")
            self._closing.append(thread)
            thread.start()


def _answer(brain_thread: BrainThread, decision: Decision | None, problem: str, waited: float) -> Answer:
    if decision is not None:
        return Answer(decision, "ok", "", waited, timestamp())
    nothing = Decision("", None)
    if problem:
        return Answer(nothing, "error", problem, waited, timestamp())
    late = (
        "it gave its answer up"
        if brain_thread.deadline_s is None
        else f"no answer within {brain_thread.deadline_s:g} s"
    )
    return Answer(nothing, "timeout", late, waited, timestamp())


def _wait(ready: threading.Event, live: Live) -> None:
    """Wait until the answer is there or the deadline has passed, which a person's window may hold."""
    left = live.seconds_left()
    while not ready.wait(None if left is None else min(left, LOOK_S)):
        left = live.seconds_left()
        if not left:
            return
