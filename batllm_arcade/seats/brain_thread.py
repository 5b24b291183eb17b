"""One brain at a seat and the thread it thinks on; whatever a plugin does there, the host gets a checked answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from batllm_arcade.brains.kinds.replaced import BrainKinds
from batllm_arcade.brains.kinds.unknown import unknown_brain
from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, SeatInfo, Spec, View
from batllm_arcade.brains.redaction import SECRETS, public, public_options, public_variant
from batllm_arcade.errors import ArcadeError, UsageError, method_of
from batllm_arcade.isolation.modes import MEANING
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.seats.asking import decision_of
from batllm_arcade.seats.late_answer import ReplySlot
from batllm_arcade.seats.plugin_call import PluginCall
from batllm_arcade.seats.plugin_values import (
    NAME_LIMIT,
    BrainNames,
    adapted_of,
    close_brain,
    make_brain,
    names_of,
    plain_text,
)
from batllm_arcade.seats.prints import logging_prints

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


def find_person(kinds: Kinds) -> Spec:
    """Return the spec of a person's seat; raise UsageError if no plugin offers one."""
    people = [name for name, kind in kinds.items() if kind.human]
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
        self.deadline_s = clock_s if kind.human else deadline_s
        if "deadline_s" in spec.options:
            self.deadline_s = spec.number("deadline_s", deadline_s, least=0.01)
        self.spec, self.human, self.fallback = spec, kind.human, fallback
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
            name, spec.short, public("model", self._names.model), public_options(spec.options), self.human,
            self._names.adapted, self._isolation,
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
                decision, problem = self._decide(question[0])
                self._names = self._names._replace(adapted=adapted_of(self.brain))
                question[1].fill(decision, problem)

    def _decide(self, view: View) -> tuple[Decision | None, str]:
        """Return the brain's decision, or one sentence why there is none; never raise, whatever a plugin does."""
        return decision_of(lambda: self._ask(view), self.spec.short, self.brain, self._log)

    def _logged(self, log: Callable[[str, str], None], line: str) -> None:
        log(f"{self.spec.seat} {self.info.name}".strip(), SECRETS.left_out(line))

    def _ask(self, view: View) -> Decision:
        with self._lifetime.use():
            if self._late:
                self.prepare(view.live.publish)
                self._late = False
            with logging_prints(self._log):
                return self.brain.decide(view)

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
