"""A brain in a process of its own: started, asked, told how games end, started again after a crash, ended."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import HOST_OPTIONS, BrainError, Decision, Spec, View
from batllm_arcade.isolation.bot_log import BotLog
from batllm_arcade.isolation.bot_process import BotProcess, Ended
from batllm_arcade.isolation.dialect import Dialect, seat_name
from batllm_arcade.isolation.environment import Limits
from batllm_arcade.isolation.messages import BotAnswer, Garbage, OtherMessage, PartialText, Ready, write_line

READY_S = 10.0
"""Seconds in which a bot has to say that it is ready."""
GRACE_S = 15.0
"""Seconds for which the host waits longer than that, so that the reason is told, and for the processes to end."""
BOT_OPTIONS = ("memory_mb", "processes", *HOST_OPTIONS)
"""The options of every brain in a process of its own, which the program reads; others are the bot's."""


@dataclass
class BotFaults:
    """How often a bot did what it must not: its plays that failed by reason, and answers `dropped` as too late."""

    crashed: int = 0
    silent: int = 0
    late: int = 0
    garbage: int = 0
    dropped: int = 0

    def __str__(self) -> str:
        counts = ((each.name, getattr(self, each.name)) for each in fields(self))
        return ", ".join(f"{name} {count}" for name, count in counts if count)


class ProcessBrain:
    """A brain that speaks the line protocol; `command` is run in an empty folder, without this program's secrets.

    Raise UsageError if the spec's `memory_mb` or `processes` is wrong. What goes wrong is a BrainError whose
    sentence begins with `crashed`, `silent` or `garbage`; an answer that is late is dropped. A `watched` file that was
    changed is loaded again for the next game.
    """

    def __init__(
        self,
        spec: Spec,
        command: Sequence[str],
        options: Mapping[str, str],
        *,
        title: str = "",
        dialect: Dialect | None = None,
        ready_s: float | None = None,
        watched: Path | None = None,
    ) -> None:
        self.title, self.model = title, ""
        self.faults, self.log = BotFaults(), BotLog()
        self._command, self._options, self._seat = command, options, seat_name(spec.seat)
        self._limits = limits_of(spec)
        self._ready_s = spec.number("prepare_s", READY_S, least=0.01) if ready_s is None else ready_s
        self._report: Callable[[str], None] = _say_nothing
        self._watched, self._loaded, self._game = watched, _stamp(watched), 0
        self._dialect = dialect or Dialect()
        self._lifetime = Lifetime(self._release)
        self._process: BotProcess | None = None
        self._starting = threading.Lock()
        self._number = 0

    @property
    def pid(self) -> int | None:
        """Return the process that is waited for (on Linux the bot's guard), None where there is none."""
        process = self._process
        return process.pid if process is not None and process.alive else None

    def prepare(self, report: Callable[[str], None]) -> None:
        """Start the bot and wait until it is ready; raise BrainError if it is not, Cancelled if it was closed."""
        self._report = report
        try:
            with self._lifetime.start():
                self._start(None)
        finally:
            self._report = _say_nothing

    def decide(self, view: View) -> Decision:
        """Return the bot's decision; raise BrainError if there is none, Cancelled if it is late or not wanted."""
        with self._lifetime.use():
            if view.game != self._game:
                self._game = view.game
                self._end_if_changed()
            process = self._running(view.live)
            self._number += 1
            try:
                return self._ask(process, self._number, view)
            except Cancelled:
                self._dialect.given_up()
                raise

    def end_game(self, result: Mapping[str, Any]) -> None:
        """Tell the bot how the game has ended, if it is there."""
        with self._lifetime.use():
            process = self._process
            if process is not None and process.alive:
                process.send_soon(self._dialect.result(result))

    def close(self) -> None:
        """Tell the bot to quit, and end it with all it has started if it does not."""
        self._lifetime.close()

    # ------------------------------------------------------------------------------ its process

    def _release(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.wake()
            process.quit()

    def _running(self, live: Live) -> BotProcess:
        process = self._process
        if process is not None and process.alive:
            return process
        if process is not None:
            self._crashed(process.last_event())  # between two plays: it costs none
        live.hold(True)  # starting it again is not its thinking
        try:
            return self._start(live)
        finally:
            live.hold(False)

    def _end_if_changed(self) -> None:
        """End the process of a file that was changed since it was loaded: the next game is the new one's."""
        if self._process is not None and self._loaded != _stamp(self._watched):
            self.log.note("the file was changed and is loaded again")
            self._end_process()

    def _start(self, live: Live | None) -> BotProcess:
        with self._starting:
            self._end_process()
            self._loaded = _stamp(self._watched)
            self._dialect.reset()
            if self._lifetime.ended:
                raise Cancelled
            try:
                process = BotProcess(self._command, self._limits, self.log, self._dialect.line_limit)
            except OSError as error:
                self.faults.crashed += 1
                raise BrainError(f"crashed: no process can be started: {error.strerror or error}") from None
            self._process = process
        try:
            if self._lifetime.ended:  # `_release` may have come before there was anything to end
                raise Cancelled
            self._greet(process, live)
        except BaseException:
            self._end_process()
            raise
        return process

    def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _greet(self, process: BotProcess, live: Live | None) -> None:
        process.listen()
        process.send_soon(self._dialect.hello(self._seat, self._options))
        ends = time.monotonic() + self._ready_s
        if live is not None:
            live.on_cancel(process.wake)
        while True:
            left = ends - time.monotonic()
            event = process.next_event(left) if left > 0 else None
            if self._lifetime.ended or (live is not None and live.cancelled):
                raise Cancelled
            if isinstance(event, Ready):
                process.rest()
                self._named(event)
                return
            if isinstance(event, OtherMessage):
                self._report_or_raise(event)
            if isinstance(event, Garbage):
                raise self._garbage(event)
            if isinstance(event, Ended):
                raise self._crashed(event)
            if left <= 0:
                self.faults.silent += 1
                self.log.note("silent")
                raise BrainError(f"silent: it did not say that it is ready within {self._ready_s:g} s")

    def _report_or_raise(self, message: OtherMessage) -> None:
        if problem := self._dialect.problem(message):
            raise BrainError(problem)
        if progress := self._dialect.progress(message):
            self._report(progress)

    def _named(self, ready: Ready) -> None:
        self.title = ready.name or self.title
        self.model = ready.model or (f"{self.title} {ready.version}" if ready.version else "")

    # ------------------------------------------------------------------------------ a play

    def _ask(self, process: BotProcess, number: int, view: View) -> Decision:
        for stray in process.drain():
            self._stray(stray)
        left = view.live.seconds_left()
        lines = self._dialect.question(number, view, None if left is None else int(1000 * left))
        process.listen(number)
        # Before it is written: a bot that reads nothing may hold the pipe up until it is ended.
        view.live.on_cancel(process.wake)
        process.send(lines)
        while True:
            event = process.next_event(view.live.seconds_left())
            if self._lifetime.ended:
                self._note_late(view.live)  # its third time: the fallback is there already
                raise Cancelled
            if isinstance(event, BotAnswer) and event.id == number:
                process.rest()
                return self._dialect.decision(event, view)
            if isinstance(event, PartialText) and event.id == number:
                view.live.publish(event.text)
            elif isinstance(event, Garbage):
                raise self._garbage(event, process)
            elif isinstance(event, Ended):
                raise self._crashed(event)
            elif event is None and (view.live.cancelled or view.live.seconds_left() == 0.0):
                self._note_late(view.live)
                process.send_soon(write_line("stop", {"id": number}))  # before the next question, whoever asks it
                process.rest()
                raise Cancelled
            elif event is not None:
                self._stray(event)

    def _note_late(self, live: Live) -> None:
        if live.seconds_left() == 0.0:
            self.faults.late += 1
            self.log.note("late")

    def _stray(self, event: object) -> None:
        """Count what came without being asked for."""
        if isinstance(event, BotAnswer):
            self.faults.dropped += 1
        elif isinstance(event, Garbage):
            self.log.note(f"garbage: {event.problem}")

    def _garbage(self, event: Garbage, process: BotProcess | None = None) -> BrainError:
        self.faults.garbage += 1
        self.log.note(f"garbage: {event.problem}")
        if process is not None and event.fatal:
            self._end_process()
        elif process is not None:
            process.rest()
        return BrainError(f"garbage: {event.problem}")

    def _crashed(self, event: Ended) -> BrainError:
        self._end_process()  # its log is complete then
        self.faults.crashed += 1
        words = self.log.last_words()
        self.log.note(f"crashed: {event.problem}")
        return BrainError(f"crashed: {event.problem}" + (f"; its log ends with: {words}" if words else ""))


def _stamp(path: Path | None) -> tuple[int, int]:
    """Return what changes when a file is written again."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        found = None
    return (found.st_mtime_ns, found.st_size) if found is not None else (0, 0)


def _say_nothing(_line: str) -> None:
    return


def limits_of(spec: Spec) -> Limits:
    """Return the limits that a spec's options ask for; raise UsageError for values out of range."""
    usual = Limits()
    megabytes = spec.number("memory_mb", usual.memory_mb, least=16)
    return Limits(int(min(megabytes, 2**20)), int(spec.number("processes", usual.processes, least=1)))
