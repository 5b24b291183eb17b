"""One brain at a seat and the thread it thinks on; whatever a plugin does there, the host gets a checked answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.protocol import Brain, BrainError, BrainKind, Cancelled, Decision, SeatInfo, Spec, View
from batllm_arcade.brains.redaction import public, public_options, without_folders
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.seats.late_answer import ReplySlot

RAW_LIMIT = 64 * 1024
"""Bytes of UTF-8 of an answer that are kept."""

Kinds = Mapping[str, BrainKind]


def find_kind(kinds: Kinds, spec: Spec) -> BrainKind:
    """Return the kind a spec names; raise UsageError with the known names if there is none."""
    if spec.name not in kinds:
        raise UsageError(f"there is no brain {spec.name!r}; choose one of {', '.join(sorted(kinds))}")
    return kinds[spec.name]


def find_person(kinds: Kinds) -> Spec:
    """Return the spec of a person's seat; raise UsageError if no plugin offers one."""
    people = [name for name, kind in kinds.items() if kind.human]
    if not people:
        raise UsageError("nobody can take the seat over: no plugin offers a person's seat")
    return Spec("keyboard" if "keyboard" in people else people[0])


class BrainThread:
    """A seat's brain and the thread it thinks on; raise UsageError if the spec's options are wrong.

    `deadline_s` is a brain's time for an answer, `clock_s` a person's (None: no limit). With `late` it is
    prepared when it is first asked; a brain that is a `fallback` is never replaced by one itself.
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
    ) -> None:
        kind = find_kind(kinds, spec)
        self.deadline_s = clock_s if kind.human else deadline_s
        if "deadline_s" in spec.options:
            self.deadline_s = spec.number("deadline_s", deadline_s, least=0.01)
        self.brain = _made(kind, spec)
        self.spec, self.human, self.fallback = spec, kind.human, fallback
        self._late = late
        self._lifetime = Lifetime(self._release)
        self._inbox: queue.SimpleQueue[tuple[View, ReplySlot] | None] | None = None

    @property
    def info(self) -> SeatInfo:
        """The seat as it is shown and recorded, without secrets and paths."""
        spec = self.spec
        name = spec.text("name") or _attribute(self.brain, "title") or spec.variant or spec.name
        model = public("model", _attribute(self.brain, "model"))
        return SeatInfo(name, spec.short, model, public_options(spec.options), self.human)

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load what the brain needs; raise BrainError, whatever the plugin raises, except for ctrl-C."""
        try:
            with self._lifetime.start():
                prepare = getattr(self.brain, "prepare", None)
                if callable(prepare):
                    prepare(report)
        except (ArcadeError, KeyboardInterrupt):
            raise
        except Cancelled:
            raise BrainError(f"{self.spec.short} was closed before it was ready") from None
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
            raise BrainError(f"{self.spec.short} could not start: {one_line(error)}") from None

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

    def _think(self, inbox: queue.SimpleQueue[tuple[View, ReplySlot] | None]) -> None:
        while (question := inbox.get()) is not None:
            view, slot = question
            if not view.live.cancelled:
                slot.fill(*self._decide(view))

    def _decide(self, view: View) -> tuple[Decision | None, str]:
        """Return the brain's decision, or None and one sentence; never raise, whatever a plugin does."""
        name = self.spec.short
        try:
            with self._lifetime.use():
                if self._late:
                    self.prepare(view.live.publish)
                    self._late = False
                return _checked(self.brain.decide(view), name, view.number), ""
        except Cancelled:
            return None, ""  # it was given up or closed: the same as not answering
        except ArcadeError as error:
            return None, without_folders(one_line(error, 500))
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
            return None, without_folders(f"{name} failed with {one_line(error)}{_where(error)}")

    def close(self) -> None:
        """End the thread and close the brain, whatever it is doing; what it raises while it closes is dropped.

        A brain that is closed while it is prepared or asked is closed once more when that call has returned.
        """
        self._lifetime.close()

    def _release(self) -> None:
        if self._inbox is not None:
            self._inbox.put(None)
        close = getattr(self.brain, "close", None)
        if callable(close):
            with suppress(BaseException):
                close()


def _made(kind: BrainKind, spec: Spec) -> Brain:
    try:
        brain = kind.make(spec)
    except (ArcadeError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - a plugin's factory may raise anything
        raise BrainError(f"{spec.short} could not be made: {one_line(error)}") from None
    if not callable(getattr(brain, "decide", None)):
        raise BrainError(f"{spec.short} is no brain: its factory made {brain!r:.60}, which has no decide")
    return brain


def _attribute(brain: Brain, name: str) -> str:
    try:
        return str(getattr(brain, name, "") or "")
    except Exception:  # noqa: BLE001 - the property is a plugin's
        return ""


def _where(error: BaseException) -> str:
    """The file and line a bot's author has to look at."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return "" if last is None else f" ({PurePath(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno})"


def _checked(decision: Any, name: str, number: int) -> Decision:
    if not isinstance(decision, Decision):
        raise BrainError(f"{name} answered {decision!r:.60}; a brain must return a Decision")
    # Exactly text: what a subclass does when it is read is a plugin's code again.
    if type(decision.raw) is not str or type(decision.command) not in (str, type(None)):
        raise BrainError(
            f"{name} answered with raw {decision.raw!r:.40} and command {decision.command!r:.40}; both must be text"
        )
    tokens, numbers = decision.tokens, (decision.queued_from, decision.raw_cut)
    counted = tokens is None or (isinstance(tokens, Mapping) and all(_whole(count) for count in tokens.values()))
    if not counted or not all(number is None or _whole(number) for number in numbers):
        raise BrainError(f"{name} answered with tokens, queued_from or raw_cut that are no whole numbers")
    queued, full = numbers
    if queued is not None and (decision.raw or not 1 <= queued < number):
        raise BrainError(f"{name} answered with a queued_from that is no earlier play, or with a raw beside it")
    if full is not None and full <= len(decision.raw):
        raise BrainError(f"{name} answered with a raw_cut that is no more than its raw")
    command = decision.command
    if command is not None and len(command) > RAW_LIMIT:
        command = command[:200] + "\u2026"  # no command either way, and nobody keeps megabytes of it
    return cut(
        replace(
            decision,
            command=command,
            thought=str(decision.thought)[:4000],
            say=str(decision.say)[:1000],
            invalid=" ".join(str(decision.invalid).split())[:500],
            tokens=tokens and {str(key)[:40]: count for key, count in tokens.items()},
        )
    )


def _whole(value: object) -> bool:
    return type(value) is int and abs(value) < 10**15


def cut(decision: Decision) -> Decision:
    """The decision with `raw` cut to 64 KiB of UTF-8, its full length noted."""
    if len(decision.raw) * 4 <= RAW_LIMIT:
        return decision
    head = decision.raw[: RAW_LIMIT + 1].encode("utf-8", "surrogatepass")
    if len(head) <= RAW_LIMIT:
        return decision
    end = RAW_LIMIT
    while head[end] & 0xC0 == 0x80:  # never within a character
        end -= 1
    return replace(decision, raw=head[:end].decode("utf-8", "surrogatepass"), raw_cut=len(decision.raw))
