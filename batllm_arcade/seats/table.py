"""The table a match is played at: who sits there, who is asked, deadlines, the fallback, models that answer again.

This is the one place below the window where a match waits and reads clocks. What a window calls (`stop`,
`abandon_round`, `swap`) may be called from any thread and never waits for a brain.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from batllm_arcade.brains.live import Cancelled, Lifetime, Live
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, SeatInfo, Spec, View
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.rules import Result
from batllm_arcade.core.streams import resumed, state_of
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.match.records import Why
from batllm_arcade.match.runner import Answer, Interruption, Prompts, SeatChange, why_refused
from batllm_arcade.seats.brain_thread import (
    BotReport,
    BrainThread,
    Kinds,
    ReplySlot,
    answer_of,
    find_kind,
    find_person,
    wait_for_answer,
)
from batllm_arcade.seats.plugin_calls import as_played_of, why_of


class Closing(Protocol):
    """A brain at a seat or on its way to one."""

    spec: Spec

    def close(self) -> None:
        """End whatever it does, now or soon."""
        ...


class Closer:
    """Closes each brain on a thread of its own; one that never returns is left behind."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def close(self, brain: Closing | None) -> None:
        """Close a brain that is no longer needed, without waiting for it."""
        if brain is not None:
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            name = f"closing {brain.spec.short}"
            thread = threading.Thread(target=brain.close, daemon=True, name=name)
            try:
                thread.start()  # before anybody can wait for it: a thread cannot be joined before
            except RuntimeError:  # the program ends, and begins no thread any more
                brain.close()
            else:
                self._threads.append(thread)

    def wait(self, seconds: float) -> None:
        """Wait at most `seconds` until all of them are closed."""
        ends = time.monotonic() + seconds
        for thread in tuple(self._threads):
            thread.join(max(0.0, ends - time.monotonic()))


# -- A brain that gets ready for a seat on a thread of its own


@dataclass(frozen=True)
class PendingStatus:
    """How far a pending brain is: `ready` for the next turn's end, failed with a `problem`, or still loading.

    `progress` is the line it last reported, `since` is `time.monotonic()`, `why` the kind of its problem.
    """

    spec: Spec
    ready: bool
    problem: str
    progress: str
    since: float
    why: str = ""


class PendingBrain:
    """Makes and prepares a brain at once; it can be taken when it is ready, and closed at any moment."""

    def __init__(self, spec: Spec, make: Callable[[], BrainThread]) -> None:
        self.spec = spec
        self.settled = threading.Event()
        """Set when it is ready, has failed or was closed; who waits for it may set it, too."""
        self.replaces_person = False
        """Whether it was asked for while a person had taken the seat over, and so ends that."""
        self._make, self._since = make, time.monotonic()
        self._brain_thread: BrainThread | None = None
        self._problem, self._why, self._progress = "", "", "getting ready"
        self._lifetime = Lifetime(self._release)
        threading.Thread(target=self._run, daemon=True, name=f"pending brain {spec.short}").start()

    @property
    def status(self) -> PendingStatus:
        """How far it is."""
        return PendingStatus(self.spec, self.ready, self._problem, self._progress, self._since, self._why)

    @property
    def ready(self) -> bool:
        """Whether it can play."""
        return self._lifetime.state == "ready"

    def take(self) -> BrainThread | None:
        """Return the brain, which is the caller's to close from now on; None unless it is ready and still here."""
        return self._brain_thread if self._lifetime.hand_over() else None

    def close(self) -> None:
        """Give it up: what is still being prepared is cut short and closed."""
        self._lifetime.close()
        self.settled.set()

    def _release(self) -> None:
        if self._brain_thread is not None:
            self._brain_thread.close()

    def _report(self, text: str) -> None:
        self._progress = text

    def _run(self) -> None:
        try:
            with self._lifetime.start():
                self._brain_thread = self._make()
                if not self._lifetime.ended:
                    self._brain_thread.prepare(self._report)
        except Cancelled:
            pass
        except ArcadeError as error:
            self._why = why_of(error)
            self._fail(one_line(error, 1000))
        except BaseException as error:  # noqa: BLE001 - ctrl-C out of a plugin, on a thread that is nobody's
            self._fail(f"{self.spec.short} could not start: {one_line(error)}")
        self.settled.set()

    def _fail(self, problem: str) -> None:
        self._problem = without_folders(problem)
        self._lifetime.close()


# -- A model that has lost its seat to the fallback

UNATTENDED = ("", "late", "other")
"""Kinds of failure of which nothing is asked: they pass, or nobody could do anything about them."""
RECOVERY_S = 10.0
"""Seconds for which a round waits for a model to get ready again; one that takes longer comes in the middle of it."""


def may_recover(kind: BrainKind) -> bool:
    """Return whether a brain that failed may do better later: a model, whose server was away, or a person who was."""
    return (kind.prompted or kind.remote) and not kind.files


class Recovery:
    """Gets the model of `spec` ready again, in each round anew if that failed; `close` it at any moment."""

    def __init__(self, spec: Spec, make: Callable[[], BrainThread]) -> None:
        self.spec, self._make = spec, make
        self._pending: PendingBrain | None = None

    def begin(self) -> PendingBrain:
        """Begin to get ready, unless that is under way; return what to wait for."""
        if self._pending is None or (self._pending.settled.is_set() and not self._pending.ready):
            self._pending = PendingBrain(self.spec, self._make)
        return self._pending

    @property
    def status(self) -> PendingStatus | None:
        """How far it is, None while it is not being got ready."""
        return self._pending.status if self._pending is not None else None

    def take(self) -> BrainThread | None:
        """Return the model if it is ready to be asked, which is the caller's to close; it is got ready anew later."""
        pending = self._pending
        brain_thread = pending.take() if pending is not None and pending.ready else None
        if brain_thread is not None:
            self._pending = None
        return brain_thread

    def close(self) -> None:
        """Give it up."""
        if self._pending is not None:
            self._pending.close()


class KeptAnswer(NamedTuple):
    """The answer with which a model has got its seat back, until the match asks for it again at its new seat."""

    brain_thread: BrainThread
    play: tuple[int, int, int]
    answer: Answer
    stream: tuple[Any, ...]
    """The state of the seat's random stream after it."""


def play_of(view: View) -> tuple[int, int, int]:
    """Return what tells a play from every other: its game, round and number."""
    return view.game, view.round, view.number


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
        self.given_up: BrainThread | None = None
        """The brain about which nobody is asked any more until it answers."""

    @property
    def due(self) -> bool:
        """Whether another brain takes the seat at the turn's end."""
        return self.swap is not None and self.swap.ready and (self.former is None or self.swap.replaces_person)

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


# -- What a match waits for


@dataclass(frozen=True)
class OpenRequest:
    """A brain that is being asked, for the window to show; `since` is `time.monotonic()`."""

    bot: int
    seat: SeatInfo
    view: View
    since: float
    remote: bool = False
    """Whether it is a person who is somewhere else, so that no key of a window is theirs."""

    @property
    def live(self) -> Live:
        """The line to the brain: its partial text, and for a person where the command goes."""
        return self.view.live


class Intermission:
    """The time between two rounds: the match waits until `go_on`; `round` is the one to come."""

    def __init__(self, game: int, round: int, prompts: Prompts) -> None:
        self.game, self.round, self.prompts = game, round, prompts
        self._lock = threading.Lock()
        self._over = threading.Event()

    def go_on(self, prompts: Prompts | None = None) -> None:
        """Begin the round, with these prompts (left first) from here on; a second call changes nothing."""
        with self._lock:
            if not self._over.is_set():
                self.prompts = self.prompts if prompts is None else prompts
                self._over.set()

    def wait(self) -> None:
        """Wait until somebody goes on."""
        self._over.wait()


class Outage:
    """A brain that cannot play, and not because it is slow: the match waits until somebody says what is to be done.

    `why` is the kind of the problem.
    """

    def __init__(self, bot: int, spec: Spec, problem: str, why: str) -> None:
        self.bot, self.spec, self.problem, self.why = bot, spec, problem, why
        self.missed = False
        """Whether its plays are missed from now on, until it answers."""
        self.over = threading.Event()

    def again(self) -> None:
        """Ask whoever has the seat then for the same play."""
        self.over.set()

    def miss(self) -> None:
        """Go on without its play: after three the fallback takes its seat."""
        self.missed = True
        self.over.set()


class PendingWait:
    """What the match waits for at a seat, a brain's answer or another brain; `given_up` when it need not any more.

    `seat` is None where whoever sits there may change meanwhile.
    """

    def __init__(self, seat: Seat | None, ready: threading.Event, live: Live | None = None) -> None:
        self.seat, self.given_up = seat, False
        self._ready, self._live = ready, live

    def give_up(self) -> None:
        """Let the match go on at once."""
        self.given_up = True
        if self._live is not None:
            self._live.cancel()
        self._ready.set()


# -- Who sits at a table

Log = Callable[[str, str], None]
"""Gets a seat with its name, and a line that its bot has printed."""


CLOSING_S = 3.0
"""Seconds that all brains together have to close."""


class Table:
    """Two seats and their fallbacks, one for both or a pair; `ask` waits at most a brain's deadline and never raises.

    A seat whose fallback is None forfeits the game where another one's fallback takes its seat.

    A model that has lost its seat to the fallback is asked again in every following round: then `ask` waits for both.

    `turn_clock_s` is what a person has for a turn (0: as long as they like). With `intervals` the match waits between
    rounds until a window lets it go on. `log` gets what bots print, `kept` are brains of another table, `now` tells the
    time of their session, `first_view` what a seat will be asked first. With `patient` no brain's time runs while the
    limit of its server is waited for. Raise UsageError, with the seat's name, if options are wrong.
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
        patient: bool = False,
        now: Callable[[], str] | None = None,
        first_view: Callable[[int], View] | None = None,
    ) -> None:
        self._kinds, self._deadline_s, self._clock_s, self._log = kinds, deadline_s, turn_clock_s or None, log
        self._lock = threading.RLock()  # ctrl-C may stop the match on the thread that is asking
        self._waiting: PendingWait | None = None
        self._closer = Closer()
        self._closed = self.stopped = False
        self._seats = self._first_seats(specs, kept)
        self._patient = patient
        self._now, self._first_view = now or SessionClock().now, first_view
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
        self.attended = False
        """Whether somebody looks on who is asked what to do about a brain that cannot play."""
        self.outage: Outage | None = None
        """Set while the match waits for that."""

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
                if self._first_view is not None and (note := brain_thread.foreseen(self._first_view(seat))):
                    report(f"{name}: {note}")
            except ArcadeError as error:
                self.unready = seat
                problem = BrainError(f"{name}: {one_line(error, 4000)}")
                problem.why = why_of(error)
                raise problem from None
            finally:
                self._preparing = None

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
        if view.over:  # a model that has lost its seat gets it back with a play alone
            brain_thread = self._seats[bot].brain_thread
            return self._question(bot, brain_thread, view)[0] if brain_thread.info.notes else Interruption.ANOTHER
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
        answer, why = self._question(bot, seat.brain_thread, view)
        if isinstance(answer, Interruption) or not self.attended or seat.brain_thread.human:
            return answer
        if answer.status == "ok":
            seat.given_up = None
        elif why not in UNATTENDED and seat.given_up is not seat.brain_thread:
            return self._held(bot, answer, why)
        return answer

    def _held(self, bot: int, answer: Answer, why: str) -> Answer | Interruption:
        """Wait until somebody says what is to be done about a brain that cannot play; who takes its seat plays now."""
        with self._lock:
            if (interruption := self._interruption(bot)) is not None:
                return interruption
            seat = self._seats[bot]
            failing = seat.brain_thread
            outage = self.outage = Outage(bot, failing.spec, answer.reason, why)
            self._waiting = PendingWait(seat, outage.over)
        outage.over.wait()
        with self._lock:
            self.outage, swap = None, seat.swap
            self._waiting = PendingWait(seat, swap.settled) if swap is not None else None
        if swap is not None and self._interruption(bot) is None:
            swap.settled.wait()
        with self._lock:
            self._waiting = None
            if outage.missed and self._interruption(bot) is None:
                seat.given_up = failing
                return answer
            self._seat_pending_brains(bot)
            return self._interruption(bot) or Interruption.ANOTHER

    def _ask_again(self, bot: int, returning: BrainThread, view: View) -> Interruption | None:
        """Ask a model that has lost its seat, and give it back if it answers; return None if it does not."""
        own = replace(view, rng=resumed(view.rng.getstate()))  # the fallback may still be asked for this play
        answer, _ = self._question(bot, returning, own)
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

    def _question(self, bot: int, brain_thread: BrainThread, view: View) -> tuple[Answer | Interruption, str]:
        with self._lock:
            if (interruption := self._interruption(bot)) is not None:
                return interruption, ""
            slot, began = ReplySlot(), time.monotonic()
            live = Live(brain_thread.deadline_s, patient=self._patient, attended=self.attended)
            info = brain_thread.info
            view = replace(view, live=live, notes=view.notes if info.notes else "")
            waiting = self._waiting = PendingWait(self._seats[bot], slot.ready, live)
            self.thinking = OpenRequest(bot, info, view, began, brain_thread.remote)
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
        return interruption or answer_of(
            decision, problem, waited, brain_thread.deadline_s, brain_thread.info.adapted, live, self.now()
        ), slot.why

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

    def seat(self, bot: int) -> SeatInfo:
        """Return who sits there now."""
        return self._seats[bot].brain_thread.info

    def as_played(self, bot: int) -> tuple[dict[str, str], dict[str, str]]:
        """Return how the model that sat down first plays, and in what not as it should; nothing of any other brain."""
        return as_played_of(self._seats[bot].first.brain)

    def is_here(self, bot: int) -> bool:
        """Return whether a person sits there now whose keys are those of a window here."""
        brain_thread = self._seats[bot].brain_thread
        return brain_thread.human and not brain_thread.remote

    def bot_report(self, bot: int) -> BotReport | None:
        """Return what the bot at a seat has logged and done wrong, None for a brain inside the program."""
        return self._seats[bot].brain_thread.report

    def swap(self, bot: int, spec: Spec) -> None:
        """Give the seat to another brain at the end of a turn, as soon as it is ready; never wait for it.

        Where the match waits because the brain at that seat cannot play, the other one has its seat at once.

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
            if self.outage is not None and self.outage.bot == bot:
                self.outage.again()

    def settle(self, bot: int) -> str:
        """Wait until the swap that waits for this seat is ready or has failed; return why it failed, else ""."""
        swap = self._seats[bot].swap
        if swap is None:
            return ""
        swap.settled.wait()
        return swap.status.problem

    def cancel_swap(self, bot: int) -> None:
        """Forget the swap that waits for this seat, or that failed."""
        with self._lock:
            self._replace_swap(bot, None)

    def pending(self, bot: int) -> PendingStatus | None:
        """Return the swap that waits for this seat or has failed, None without one."""
        return swap.status if (swap := self._seats[bot].swap) is not None else None

    def take_over(self, bot: int, command: Callable[[View], str] | None = None) -> None:
        """Give the seat to a person with its very next play, a question under way included; a person's seat stays.

        The person's commands come from the window, or from `command`. A swap that was asked for before waits until the
        seat is handed back. Raise UsageError if no plugin offers a person's seat.
        """
        spec, kinds = find_person(self._kinds), self._kinds
        if command is not None:
            kinds = {**kinds, spec.name: replace(kinds[spec.name], make=lambda _spec: _Commanded(command))}
        person = BrainThread(kinds, spec, self._deadline_s, self._clock_s, late=True, log=self._log)
        with self._lock:
            seat = self._seats[bot]
            if self.is_here(bot) or self._closed:
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

    def _first_seats(self, specs: tuple[Spec, Spec], kept: tuple[BrainThread | None, ...]) -> tuple[Seat, ...]:
        seats: list[Seat] = []
        for name, spec, brain_thread in zip(SEATS, specs, kept, strict=True):
            try:
                seats.append(Seat(brain_thread or self._brain_thread(replace(spec, seat=name))))
            except ArcadeError as error:
                for seat in seats:
                    if seat.first not in kept:
                        seat.first.close()
                raise UsageError(f"{name}: {one_line(error, 1000)}") from None
        return tuple(seats)

    @property
    def _left(self) -> bool:
        return self.stopped or self._closed

    def _brain_thread(self, spec: Spec, *, late: bool = False, fallback: bool = False) -> BrainThread:
        return BrainThread(
            self._kinds, spec, self._deadline_s, self._clock_s, late=late, fallback=fallback, log=self._log
        )

    def _put(self, seat: Seat, brain_thread: BrainThread, why: Why, problem: str = "") -> None:
        seat.brain_thread, seat.why, seat.problem = brain_thread, why, problem
        if self._waiting is not None and self._waiting.seat is seat:
            self._waiting.give_up()

    def _hand_back(self, seat: Seat, problem: str = "") -> None:
        person, former, seat.former = seat.brain_thread, seat.former, None
        assert former is not None
        self._put(seat, former, "wheel", problem)
        self._closer.close(person)

    def _seat_pending_brains(self, bot: int | None = None) -> None:
        for seat in self._seats if bot is None else (self._seats[bot],):
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


class _Commanded:
    """A person whose commands a function gives."""

    title = "Human"

    def __init__(self, command: Callable[[View], str]) -> None:
        self._command = command

    def decide(self, view: View) -> Decision:
        token = self._command(view)
        return Decision(token, token or None)


def _is_new_answer(answer: Answer, view: View) -> bool:
    """Return whether the match will take this as an answer that a model gave just now."""
    decision = answer.decision
    refused = decision.queued_from is not None or why_refused(decision, view.rules, view.number, ())
    return answer.status == "ok" and not refused
