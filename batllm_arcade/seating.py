"""The table a match is played at: brains on threads of their own, deadlines, failures, the fallback.

This is the one place below the window where a match waits and reads clocks.
"""

from __future__ import annotations

import os
import queue
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import PurePath
from typing import Any

from batllm_arcade.brains import Brain, BrainError, BrainKind, Cancelled, Decision, Live, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.match import Answer

RAW_LIMIT = 64 * 1024
"""Bytes of UTF-8 of an answer that are kept."""

CLOSING_S = 3.0
"""Seconds that all brains together have to close."""

Kinds = Mapping[str, BrainKind]


def find_kind(kinds: Kinds, spec: Spec) -> BrainKind:
    """The kind a spec names; UsageError with the known names if there is none."""
    if spec.name not in kinds:
        raise UsageError(f"there is no brain {spec.name!r}; choose one of {', '.join(sorted(kinds))}")
    return kinds[spec.name]


def timestamp() -> str:
    """Now, ISO 8601 in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Thinking:
    """A brain that is being asked: what the window shows meanwhile; `since` is `time.monotonic()`."""

    bot: int
    seat: SeatInfo
    view: View
    since: float

    @property
    def live(self) -> Live:
        """The line to the brain: its partial text, and for a person where the command goes."""
        return self.view.live


class Chair:
    """One seat's brain and the thread it thinks on; UsageError if the spec's options are wrong."""

    def __init__(self, kinds: Kinds, spec: Spec, deadline_s: float) -> None:
        kind = find_kind(kinds, spec)
        self.deadline_s = None if kind.human else deadline_s
        if "deadline_s" in spec.options:
            self.deadline_s = spec.number("deadline_s", deadline_s, least=0.01)
        self.brain = _made(kind, spec)
        self.spec, self._human = spec, kind.human
        self._inbox: queue.SimpleQueue[tuple[View, _Box]] | None = None

    @property
    def info(self) -> SeatInfo:
        """Who this is, without secrets and paths."""
        spec = self.spec
        name = spec.text("name") or _attribute(self.brain, "title") or spec.variant or spec.name
        options = {key: _public(key, text) for key, text in spec.options.items() if key != "name" and not _secret(key)}
        return SeatInfo(name, spec.short, _public("model", _attribute(self.brain, "model")), options, self._human)

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load what the brain needs; BrainError, whatever the plugin raises, and only ctrl-C gets through."""
        prepare = getattr(self.brain, "prepare", None)
        if not callable(prepare):
            return
        try:
            prepare(report)
        except (ArcadeError, KeyboardInterrupt):
            raise
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
            raise BrainError(f"{self.spec.short} could not start: {one_line(error)}") from None

    def submit(self, view: View, box: _Box) -> None:
        """Put a question to the brain's thread; a question given up before its turn is skipped."""
        if self._inbox is None:
            self._inbox = queue.SimpleQueue()
            threading.Thread(
                target=self._think, args=(self._inbox,), daemon=True, name=f"brain {self.spec.short}"
            ).start()
        self._inbox.put((view, box))

    def _think(self, inbox: queue.SimpleQueue[tuple[View, _Box]]) -> None:
        while True:
            view, box = inbox.get()
            if not view.live.cancelled:
                box.fill(*_decide(self.brain, view, self.spec.short))

    def close(self) -> None:
        """Let the brain go; what it raises while going is of no use to anybody."""
        close = getattr(self.brain, "close", None)
        if callable(close):
            with suppress(BaseException):
                close()


def _chair(kinds: Kinds, seat: str, spec: Spec, deadline_s: float) -> Chair:
    try:
        return Chair(kinds, spec, deadline_s)
    except ArcadeError as error:
        raise UsageError(f"{seat}: {one_line(error, 1000)}") from None


class _Box:
    """Where one answer is put; a late one lands in a box nobody looks into."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.decision: Decision | None = None
        self.problem = ""

    def fill(self, decision: Decision | None, problem: str) -> None:
        self.decision, self.problem = decision, problem
        self.ready.set()


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


def _decide(brain: Brain, view: View, name: str) -> tuple[Decision | None, str]:
    """The brain's decision, or None and one sentence; whatever a plugin does, this returns."""
    try:
        return _checked(brain.decide(view), name), ""
    except Cancelled:
        return None, ""  # too late by its own account: the same as not answering
    except ArcadeError as error:
        return None, _without_folders(one_line(error, 500))
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
        return None, _without_folders(f"{name} failed with {one_line(error)}{_where(error)}")


def _where(error: BaseException) -> str:
    """The file and line a bot's author has to look at."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return "" if last is None else f" ({PurePath(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno})"


def _without_folders(text: str) -> str:
    # This sentence is recorded: it must hold no key, and not tell which machine this is or where it keeps things.
    for name, value in os.environ.items():
        if len(value) >= 8 and _secret(name):
            text = text.replace(value, "***")
    for personal in (os.path.expanduser("~"), socket.gethostname()):
        if len(personal) > 3:
            text = text.replace(personal, "~" if "/" in personal else "this machine")
    text = re.sub(r"(https?://[^\s?'\"]*)\?[^\s'\"]*", r"\1", text.replace("file://", ""))
    text = re.sub(r"(['\"])(?:~|[A-Za-z]:)?[\\/][^'\"]*[\\/]([^'\"\\/]+)\1", r"\1\2\1", text)
    return re.sub(r"(?<![\w:/\\.])(?:~|[A-Za-z]:)?(?:[\\/]+[^\\/\s'\":]+)*[\\/]+(?=[^\\/\s'\":])", "", text)


def _checked(decision: Any, name: str) -> Decision:
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


def _secret(key: str) -> bool:
    return re.search(r"key|token|secret|password|auth", key, re.IGNORECASE) is not None


def _public(key: str, value: str) -> str:
    """An option's value without what belongs to this machine or this person: folders, passwords."""
    if key == "base_url" or "://" in value:
        scheme, _, rest = value.rpartition("://")
        host, slash, path = re.split(r"[?#]", rest)[0].partition("/")
        host = host.rpartition("@")[2]
        return f"{scheme}://{host}{slash}{path}" if scheme else f"{host}{slash}{path}"
    # `owner/model` is how many servers name their models; anything else with a slash is a file here.
    name = re.fullmatch(r"[\w.-]+(/[\w.:-]+)+", value) and value[0] != "." and not value.lower().endswith(".gguf")
    if (key == "model" and name) or not ("/" in value or "\\" in value):
        return value
    return PurePath(value.replace("\\", "/")).name


def _wait(ready: threading.Event, live: Live) -> None:
    """Wait until the answer is there or the deadline has passed, which a person's window may put off."""
    while not ready.wait(live.seconds_left()):
        if not live.seconds_left():
            return


class Table:
    """Two chairs and their fallback; `ask` waits for a brain at most its deadline and never raises."""

    def __init__(self, kinds: Kinds, specs: tuple[Spec, Spec], *, fallback: Spec, deadline_s: float = 30.0) -> None:
        self._kinds, self._fallback, self._deadline_s = kinds, fallback, deadline_s
        self._chairs = [_chair(kinds, seat, spec, deadline_s) for seat, spec in zip(SEATS, specs, strict=True)]
        self._fell_back = [False, False]
        self._retired: list[Chair] = []
        self._lock = threading.RLock()  # ctrl-C may stop the match on the thread that is asking
        self._wake: threading.Event | None = None
        self.stopped = False
        self.thinking: Thinking | None = None
        """Who is being asked just now, for the window to show."""

    def prepare(self, report: Callable[[str], None]) -> None:
        """Load what the brains need before the first play; BrainError with the seat's name in front."""
        for seat, chair in zip(SEATS, self._chairs, strict=True):
            try:
                chair.prepare(report)
            except ArcadeError as error:
                raise BrainError(f"{seat}: {one_line(error, 1000)}") from None

    def seat(self, bot: int) -> SeatInfo:
        """Who sits there now."""
        return self._chairs[bot].info

    def fall_back(self, bot: int) -> SeatInfo | None:
        """Give the seat to the fallback brain; None if that sits there already or cannot be made."""
        if self._fell_back[bot]:
            return None
        try:
            chair = Chair(self._kinds, self._fallback, self._deadline_s)
            self._retired.append(chair)
            if not self._prepared(chair):
                return None
        except ArcadeError:
            return None
        self._retired[-1], self._chairs[bot], self._fell_back[bot] = self._chairs[bot], chair, True
        return chair.info

    def _prepared(self, chair: Chair) -> bool:
        """Whether the chair got ready within its deadline; a brain that hangs there must not hold the match."""
        done, good = threading.Event(), []

        def prepare() -> None:
            with suppress(ArcadeError):
                chair.prepare(lambda _: None)
                good.append(True)
            done.set()

        with self._lock:
            self._wake = done
        threading.Thread(target=prepare, daemon=True).start()
        if not self.stopped:
            done.wait(chair.deadline_s or self._deadline_s)
        return bool(good)

    def ask(self, bot: int, view: View) -> Answer | None:
        """The brain's answer within its deadline; None when the match was stopped meanwhile."""
        chair, box = self._chairs[bot], _Box()
        live = Live(chair.deadline_s)
        view = replace(view, live=live)
        began = time.monotonic()
        with self._lock:
            if self.stopped:
                return None
            self._wake = box.ready
            self.thinking = Thinking(bot, chair.info, view, began)
        chair.submit(view, box)
        if not self.stopped:  # a ctrl-C may have come in between, on this very thread
            _wait(box.ready, live)
        waited = time.monotonic() - began
        self.thinking = None
        decision, problem = box.decision, box.problem
        if decision is None:
            live.cancel()
        if self.stopped:
            return None
        if decision is not None:
            return Answer(decision, "ok", "", waited, timestamp())
        nothing = Decision("", None)
        if problem:
            return Answer(nothing, "error", problem, waited, timestamp())
        late = "it gave its answer up" if chair.deadline_s is None else f"no answer within {chair.deadline_s:g} s"
        return Answer(nothing, "timeout", late, waited, timestamp())

    def stop(self) -> None:
        """Leave the match: whoever is being asked is given up, and every later question too."""
        with self._lock:
            self.stopped = True
            thinking, wake = self.thinking, self._wake
        if thinking is not None:
            thinking.live.cancel()
        if wake is not None:
            wake.set()

    def close(self) -> None:
        """Let all brains go."""
        closing = [threading.Thread(target=chair.close, daemon=True) for chair in (*self._chairs, *self._retired)]
        for thread in closing:
            thread.start()
        ends = time.monotonic() + CLOSING_S
        for thread in closing:  # a brain that does not let go is left behind
            thread.join(max(0.0, ends - time.monotonic()))

    @staticmethod
    def now() -> str:
        """The time, ISO 8601 in UTC."""
        return timestamp()
