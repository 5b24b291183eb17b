"""The thread in which a brain decides."""

from __future__ import annotations

import io
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TextIO

from batllm_arcade.brains.live import Cancelled, Lifetime, Live
from batllm_arcade.brains.protocol import (
    BrainError,
    BrainKind,
    BrainKinds,
    Decision,
    SeatInfo,
    Spec,
    View,
    shown_name,
    unknown_brain,
)
from batllm_arcade.brains.redaction import SECRETS, public, public_options, public_variant
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError, method_of
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.isolation.sandbox import MEANING
from batllm_arcade.match.runner import Answer
from batllm_arcade.seats.plugin_calls import (
    NAME_LIMIT,
    BrainNames,
    PluginCall,
    adapted_of,
    close_brain,
    decision_of,
    make_brain,
    names_of,
    plain_text,
)

POLL_S = 0.2
"""Seconds after which the deadline is looked at again: a person's window may hold it."""


class ReplySlot:
    """Where one answer is put; nobody reads the slot of a question that was given up, so a late answer is dropped."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.decision: Decision | None = None
        self.problem, self.why = "", ""

    def fill(self, decision: Decision | None, problem: str, why: str = "") -> None:
        """Set the answer, or why there is none, also as a kind: None, or what was received all the same."""
        self.decision, self.problem, self.why = decision, problem, why
        self.ready.set()


def wait_for_answer(slot: ReplySlot, live: Live) -> None:
    """Wait until the answer is there or the deadline has passed."""
    left = live.seconds_left()
    while not slot.ready.wait(None if left is None else min(left, POLL_S)):
        left = live.seconds_left()
        if not left:
            return


def answer_of(
    decision: Decision | None, problem: str, waited: float, limit: float | None, adapted: tuple[str, ...], live: Live,
    now: str,
) -> Answer:  # fmt: skip
    """Return what came of asking a brain; without a decision and a problem it was too late.

    With a problem the decision is what was received all the same. `waited` is the time it took, `limit` the brain's
    deadline, in seconds; `adapted` is what its requests leave out. `live` has what was thought until then, and what
    came in place of an answer. `now` is the time, ISO 8601.
    """
    nothing = Decision("", None)
    if problem:
        return Answer(decision or nothing, "error", problem, waited, now, adapted)
    if decision is not None:
        return Answer(decision, "ok", "", waited, now, adapted)
    late = "it gave its answer up" if limit is None else f"no answer within {limit:g} s"
    late += f"; {live.reason}" if live.reason else ""
    return Answer(Decision("", None, thought=live.thought.strip()), "timeout", late, waited, now, adapted)


# -- What brains inside the program print

Log = Callable[[str], None]
LONGEST = 64 * 1024
"""Characters of a line that is not ended, until it is logged all the same."""
_printing = threading.local()


@contextmanager
def logging_prints(log: Log | None) -> Iterator[None]:
    """Hand what this thread prints to `log`, line by line, where `PrintsBySeat` is the standard output."""
    if log is None:
        yield
        return
    before = getattr(_printing, "log", None), getattr(_printing, "begun", "")
    _printing.log, _printing.begun = log, ""
    try:
        yield
    finally:
        rest = _printing.begun
        _printing.log, _printing.begun = before
        if rest:
            log(rest)


class PrintsBySeat(io.TextIOBase):
    """A standard output that hands what a brain's thread prints to its log; all else goes to `stream`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        """Write a text; return its length."""
        log: Log | None = getattr(_printing, "log", None)
        if log is None:
            return self._stream.write(text)
        *lines, rest = (_printing.begun + text).split("\n")
        _printing.begun = rest
        if len(rest) > LONGEST:
            lines, _printing.begun = [*lines, rest], ""
        for line in lines:
            log(line)
        return len(text)

    def flush(self) -> None:
        """Flush the stream behind it."""
        self._stream.flush()


# -- One brain at a seat, and its thread

Kinds = Mapping[str, BrainKind]
Question = tuple[View, ReplySlot]
News = tuple[Mapping[str, Any], threading.Event]
"""How a game has ended, and what is set when the brain has been told."""
END_S = 1.0
"""Seconds for which a match waits for a brain that is told how a game has ended."""


def find_kind(kinds: Kinds, spec: Spec) -> BrainKind:
    """Return the kind a spec names; raise UsageError with what may be meant if there is none."""
    if spec.bundled and isinstance(kinds, BrainKinds) and spec.name in kinds.replaced:
        return kinds.replaced[spec.name]
    if spec.name not in kinds:
        raise unknown_brain(kinds, spec)
    return kinds[spec.name]


def needs_window(kind: BrainKind) -> bool:
    """Return whether a brain is a person who plays with the keys of a window here."""
    return kind.human and not kind.remote


def find_person(kinds: Kinds) -> Spec:
    """Return the spec of a person's seat; raise UsageError if no plugin offers one."""
    people = [name for name, kind in kinds.items() if needs_window(kind)]
    if not people:
        raise UsageError("nobody can take the seat over: no plugin offers a person's seat")
    return Spec("keyboard" if "keyboard" in people else people[0])


class BotReport(NamedTuple):
    """What a bot in a process of its own has done wrong, such as `crashed 2, late 1`, and the lines of its log."""

    faults: str
    log: list[str]


class BrainThread:
    """A seat's brain and the thread it thinks on; raise UsageError if the spec's options are wrong.

    `deadline_s` is a brain's time for an answer, `clock_s` a person's (None: no limit). With `late` it is
    prepared when it is first asked; a brain that is a `fallback` is never replaced by one itself. `log` gets every line
    that a bot prints, and whole tracebacks, after the seat and its name, on any thread.
    """

    def __init__(
        self,
        kinds: Kinds,
        spec: Spec,
        deadline_s: float,
        clock_s: float | None = None,
        *,
        late: bool = False,
        fallback: bool = False,
        log: Callable[[str, str], None] | None = None,
    ) -> None:
        kind = find_kind(kinds, spec)
        self.deadline_s = clock_s if kind.human else None if kind.patient else deadline_s
        if "deadline_s" in spec.options:
            self.deadline_s = spec.number("deadline_s", deadline_s, least=0.01)
        self.spec, self.human, self.fallback = spec, kind.human, fallback
        self.remote = kind.remote
        self._isolated = bool(kind.isolation)
        self._prepare_s = spec.number("prepare_s", kind.prepare_s, least=0.01)
        self._grace_s = kind.prepare_grace_s
        self.brain, self._names = make_brain(kind, spec, self._prepare_s)
        self._log = None if log is None else partial(self._logged, log)
        if isinstance(self.brain, ProcessBrain):
            self.brain.log.listener = self._log
        self._preparing: PluginCall[BrainNames] | None = None
        self._late, self._prepared = late, False
        self._lifetime = Lifetime(self._release)
        self._inbox: queue.SimpleQueue[Question | News | None] | None = None

    @property
    def info(self) -> SeatInfo:
        """The seat as it is shown and recorded, without secrets and paths."""
        spec = self.spec
        name = spec.text("name") or self._names.title or public_variant(spec.variant) or spec.name
        return SeatInfo(
            shown_name(name, spec.short), spec.short, public("model", self._names.model),
            public_options(spec.options), self.human, self._names.adapted, self._isolation,
            " ".join(text for key, text in sorted(spec.options.items()) if key.endswith("_env")),
            view=spec.text("view") if self._names.model and spec.text("view") in ("picture", "both") else "",
            notes=self._names.takes_notes,
        )  # fmt: skip

    @property
    def isolated(self) -> str:
        """Where a bot that can be isolated runs, in a sentence, "" for any other brain."""
        brain = self.brain
        if isinstance(brain, ProcessBrain):
            return str(brain.isolation)
        return MEANING["none"] if self._isolated else ""

    @property
    def apart(self) -> bool:
        """Whether the brain is in a process of its own, which may be kept for another game."""
        return isinstance(self.brain, ProcessBrain)

    def sit(self, seat: str) -> bool:
        """Play another seat from the next game on; return False where it has to be started anew for that."""
        moved = isinstance(self.brain, ProcessBrain) and self.brain.sit(seat)
        if moved:
            self.spec = replace(self.spec, seat=seat)
        return moved

    @property
    def stand_in(self) -> Spec | None:
        """Who the brain itself says shall play on where it has failed too often, None for the match's fallback."""
        try:
            named = getattr(self.brain, "stand_in", None)
        except BaseException:  # noqa: BLE001 - the attribute is a plugin's
            return None
        return named if type(named) is Spec else None

    @property
    def _isolation(self) -> str:
        brain = self.brain
        return brain.isolation.mode if isinstance(brain, ProcessBrain) else "none" if self._isolated else ""

    @property
    def report(self) -> BotReport | None:
        """Return what a bot in a process of its own has done wrong and logged; None for any other brain."""
        brain = self.brain
        if not isinstance(brain, ProcessBrain):
            return None
        return BotReport(str(brain.faults), [SECRETS.left_out(line) for line in brain.log.lines()])

    def prepare(self, report: Callable[[str], None], prompt: str = "", header: str = "", seat: int = 0) -> None:
        """Load what the brain needs, once, and let it read ahead what costs nothing: its orders, the system header.

        Raise an ArcadeError, whatever the plugin raises and however long it takes.
        """
        try:
            if not self._names.gets_ready:  # a script: no thread is needed to find that out
                with self._lifetime.start():
                    return
            self._preparing = PluginCall(
                lambda: self._start(report, prompt, header, seat), f"{self.spec.short} could not start",
                code=method_of(self.brain, "prepare"),
            )  # fmt: skip
            self._names = self._preparing.result(self._prepare_s + self._grace_s)
        except Cancelled:
            raise BrainError(f"{self.spec.short} was closed before it was ready") from None

    def foreseen(self, view: View) -> str:
        """Return what the brain, which is ready, says of a round that begins so, in a sentence; "" for nothing."""
        foresee = getattr(self.brain, "foresee", None)
        if not callable(foresee):
            return ""
        with suppress(ArcadeError):
            said = PluginCall(lambda: foresee(view), f"{self.spec.short} could not tell").result(END_S)
            return plain_text(str(said), NAME_LIMIT)
        return ""

    def submit(self, view: View, slot: ReplySlot) -> None:
        """Put a question to the brain's thread; a closed brain leaves it unanswered.

        A question that is cancelled before its turn is skipped.
        """
        try:
            with self._lifetime.use():
                if self._inbox is None:
                    self._inbox = queue.SimpleQueue()
                    name = f"brain {self.spec.short}"
                    threading.Thread(target=self._think, args=(self._inbox,), daemon=True, name=name).start()
                self._inbox.put((view, slot))
        except Cancelled:
            slot.fill(None, "")

    def end_game(self, result: Mapping[str, Any]) -> None:
        """Tell a brain that has an `end_game` how the game has ended; wait at most a second until it knows."""
        if self._inbox is not None and self._names.hears_ends:
            heard = threading.Event()
            self._inbox.put((dict(result), heard))
            heard.wait(END_S)

    def _think(self, inbox: queue.SimpleQueue[Question | News | None]) -> None:
        while (question := inbox.get()) is not None:
            if isinstance(question[1], threading.Event):
                self._tell(question[0], question[1])
            elif not question[0].live.cancelled:
                answer = decision_of(lambda: self._ask(question[0]), self.spec.short, self.brain, self._log)
                self._names = self._names._replace(adapted=adapted_of(self.brain))
                question[1].fill(*answer)

    def _logged(self, log: Callable[[str, str], None], line: str) -> None:
        log(f"{self.spec.seat} {self.info.name}".strip(), SECRETS.left_out(line))

    def _ask(self, view: View) -> Decision:
        with self._lifetime.use():
            if self._late:
                self.prepare(view.live.publish)
                self._late = False
            with logging_prints(self._log):
                return self.brain.note(view) if view.over else self.brain.decide(view)  # type: ignore[attr-defined]

    def _tell(self, result: Mapping[str, Any], heard: threading.Event) -> None:
        with suppress(BaseException), self._lifetime.use(), logging_prints(self._log):
            self.brain.end_game(result)  # type: ignore[attr-defined]
        heard.set()

    def close(self) -> None:
        """End the thread and close the brain, whatever it is doing; what it raises while it closes is dropped.

        A brain that is closed while it is prepared or asked is closed once more when that call has returned.
        """
        self._lifetime.close()

    def _start(self, report: Callable[[str], None], prompt: str, header: str, seat: int) -> BrainNames:
        with self._lifetime.start():
            prepare = getattr(self.brain, "prepare", None)
            if callable(prepare) and not self._prepared:
                with logging_prints(self._log):
                    prepare(lambda text: report(plain_text(text, NAME_LIMIT)))
            self._prepared = True
            read_orders = getattr(self.brain, "read_orders", None) if prompt.strip() else None
            if callable(read_orders):  # so that the first answer takes no longer than the others
                report("reading the orders")
                with suppress(ArcadeError):  # told when it is asked
                    read_orders(prompt)
            read_header = getattr(self.brain, "read_header", None) if header else None
            if callable(read_header):
                report("reading the rules")
                with suppress(ArcadeError):
                    read_header(header, seat)
            return names_of(self.brain)

    def _release(self) -> None:
        if self._preparing is not None:
            self._preparing.give_up()
        if self._inbox is not None:
            self._inbox.put(None)
        close_brain(self.brain)


# -- Bots that are kept from one table to the next

MOST = 8
"""Bots that are kept; of more players those that were asked last."""


class KeptBots:
    """At most one bot for each player and seat; a Python file's changes its seat, and is so loaded once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], BrainThread] = {}

    def take(self, player: str, seat: str) -> BrainThread | None:
        """Return the bot of this player for this seat, which is the caller's from now on; None if none is kept."""
        kept = self._kept.pop((player, seat), None)
        if kept is not None:
            return kept
        for other in SEATS:
            bot = self._kept.get((player, other))
            if bot is not None and self._moved(bot, seat):
                return self._kept.pop((player, other))
        return None

    @staticmethod
    def _moved(bot: BrainThread, seat: str) -> bool:
        with suppress(ArcadeError, Cancelled):  # it is then started anew, which tells what is wrong
            return bot.sit(seat)
        return False

    def put(self, player: str, seat: str, bot: BrainThread | None) -> None:
        """Keep the bot of a game that is over; close one that is in no process of its own, or one too many."""
        if bot is None:
            return
        if not bot.apart:
            bot.close()
            return
        self._kept[player, seat] = bot
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept))).close()

    def close(self) -> None:
        """Close all that are kept."""
        while self._kept:
            self._kept.popitem()[1].close()
