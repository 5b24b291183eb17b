"""A brain in a process of its own: started, asked, told how games end, started again after a crash, ended."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import HOST_OPTIONS, BrainError, Decision, Spec, View
from batllm_arcade.isolation.bot_protocol import (
    BotExchange,
    BotFaults,
    BotProtocol,
    Greeting,
    PlayQuestion,
    bot_bounds,
)
from batllm_arcade.isolation.dialect import Dialect, seat_name
from batllm_arcade.isolation.environment import BOT_LIMITS, bot_launch
from batllm_arcade.isolation.messages import BotAnswer, Garbage, OtherMessage, Ready, write_line
from batllm_arcade.isolation.modes import AUTO, ISOLATION_OPTIONS, bot_isolation, no_sandbox
from batllm_arcade.isolation.readable import bot_files
from batllm_arcade.processes.calls import GivenUp
from batllm_arcade.processes.child import KILL_S, Child
from batllm_arcade.processes.child_log import ChildLog
from batllm_arcade.processes.launch import Ended, Launch, Limits

READY_S = 10.0
"""Seconds in which a bot has to say that it is ready."""
GRACE_S = 15.0
"""Seconds for which the host waits longer than that, so that the reason is told, and for the processes to end."""
BOT_OPTIONS = ("memory_mb", "processes", *ISOLATION_OPTIONS, *HOST_OPTIONS)
"""The options of every brain in a process of its own, which the program reads; others are the bot's."""


class ProcessBrain:
    """A brain that speaks the line protocol; `command` is run in an empty folder, without this program's secrets.

    In a sandbox it can read what is `readable` besides what the command names; unless that is given, a `watched` file
    and what is in its folder if that is one bot's own.
    Raise UsageError if the spec's `memory_mb`, `processes`, `isolation` or `network` is wrong. What goes wrong is a
    BrainError whose sentence begins with `crashed`, `silent` or `garbage`; an answer that is late is dropped. A
    `watched` file that was changed is loaded again for the next game.
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
        readable: Sequence[str] | None = None,
    ) -> None:
        self.title, self.model = title, ""
        self.faults, self.log = BotFaults(), ChildLog()
        self._command, self._options, self._seat = command, options, seat_name(spec.seat)
        self._limits = limits_of(spec)
        if readable is None:
            readable = bot_files(watched) if watched is not None else ()
        self._readable = readable
        self.isolation = bot_isolation(spec)
        """How its process is isolated."""
        self._why_process = no_sandbox() if spec.text("isolation", AUTO) == AUTO else ""
        self._ready_s = spec.number("prepare_s", READY_S, least=0.01) if ready_s is None else ready_s
        self._report: Callable[[str], None] = _say_nothing
        self._watched, self._loaded, self._game = watched, _stamp(watched), 0
        self._dialect = dialect or Dialect()
        self._lifetime = Lifetime(self._release)
        self._bot: _Bot | None = None
        self._starting = threading.Lock()
        self._number = 0

    def prepare(self, report: Callable[[str], None]) -> None:
        """Start the bot and wait until it is ready; raise BrainError if it is not, Cancelled if it was closed."""
        self._report = report
        if self._why_process:
            report(self._why_process)
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
            bot = self._running(view.live)
            self._number += 1
            try:
                return self._ask(bot, self._number, view)
            except Cancelled:
                self._dialect.given_up()
                raise

    def end_game(self, result: Mapping[str, Any]) -> None:
        """Tell the bot how the game has ended, if it is there."""
        with self._lifetime.use():
            bot, self._game = self._bot, 0
            if bot is not None and bot.child.alive:
                bot.child.send_soon(self._dialect.result(result))

    def sit(self, seat: str) -> bool:
        """Play another seat from the next game on; return False where the bot has to be started anew for that."""
        with self._lifetime.use():
            bot = self._bot
            if bot is None or not bot.child.alive or not self._dialect.sit(seat):
                return False
            self._seat = seat
            self._greet(bot, None)
            return True

    def close(self) -> None:
        """Tell the bot to quit, and end it with all it has started if it does not."""
        self._lifetime.close()

    # ------------------------------------------------------------------------------ its process

    def _release(self) -> None:
        bot, self._bot = self._bot, None
        if bot is not None:
            bot.protocol.cancel()
            bot.child.quit(write_line("quit", {}))

    def _running(self, live: Live) -> _Bot:
        bot = self._bot
        if bot is not None and bot.child.alive:
            return bot
        if bot is not None:
            if bot.child.unguarded:
                bot.child.kill()
            bot.child.join(KILL_S)
            failed = self._crashed(ended := bot.protocol.ended or Ended("it was ended", -9))
            if ended.unguarded:
                raise failed  # else it ended between two plays, which costs none
        live.hold(True)  # starting it again is not its thinking
        try:
            return self._start(live)
        finally:
            live.hold(False)

    def _end_if_changed(self) -> None:
        """End the process of a file that was changed since it was loaded: the next game is the new one's."""
        if self._bot is not None and self._loaded != _stamp(self._watched):
            self.log.note("the file was changed and is loaded again")
            self._end_process()

    def _start(self, live: Live | None) -> _Bot:
        with self._starting:
            self._end_process()
            self._loaded = _stamp(self._watched)
            self._dialect.reset()
            if self._lifetime.ended:
                raise Cancelled
            try:
                launch = bot_launch(self._command, self._limits, self.isolation, self._readable)
                bot = self._bot = _Bot(launch, self._dialect, self.log, self.faults)
            except OSError as error:
                self.faults.crashed += 1
                raise BrainError(f"crashed: no process can be started: {error.strerror or error}") from None
        try:
            self._greet(bot, live)
        except BaseException:
            self._end_process()
            raise
        return bot

    def _end_process(self) -> None:
        bot, self._bot = self._bot, None
        if bot is not None:
            bot.child.kill()

    # ------------------------------------------------------------------------------ what it is asked

    def _greet(self, bot: _Bot, live: Live | None) -> None:
        greeting = Greeting(self._dialect, self._seat, self._options, self._report)
        self._begin(bot, greeting, live)
        try:
            outcome = greeting.wait(self._ready_s)
        except GivenUp:
            raise Cancelled from None
        except TimeoutError:
            self.faults.silent += 1
            self.log.note("silent")
            instead = f"; {greeting.instead}" if greeting.instead else ""
            raise BrainError(f"silent: it did not say that it is ready within {self._ready_s:g} s{instead}") from None
        if isinstance(outcome, OtherMessage):
            raise BrainError(self._dialect.problem(outcome))
        if isinstance(outcome, Ready):
            self.title = outcome.name or self.title
            self.model = outcome.model or (f"{self.title} {outcome.version}" if outcome.version else "")
        else:
            raise self._failed(outcome)

    def _ask(self, bot: _Bot, number: int, view: View) -> Decision:
        live, left = view.live, view.live.seconds_left()
        lines = self._dialect.question(number, view, None if left is None else int(1000 * left))
        question = PlayQuestion(number, lines, live.publish, live.keep_reason)
        self._begin(bot, question, live)
        while True:
            try:
                outcome = question.wait(live.seconds_left())
                break
            except (GivenUp, TimeoutError):
                if question.state == "given up" or live.seconds_left() == 0.0:
                    self._late(bot, question, number, live)
                    raise Cancelled from None
        if isinstance(outcome, BotAnswer):
            return self._dialect.decision(outcome, view)
        raise self._failed(outcome)

    def _begin(self, bot: _Bot, exchange: BotExchange, live: Live | None) -> None:
        """Ask, so that it is given up when the answer is not wanted or the brain is closed, at whatever moment."""
        if live is not None:  # before it is written: a bot that reads nothing may hold the pipe up until it is ended
            live.on_cancel(exchange.cancel)
        bot.protocol.begin(exchange)
        if self._lifetime.ended:  # `_release` may have come before there was anything to give up
            exchange.cancel()

    def _late(self, bot: _Bot, question: PlayQuestion, number: int, live: Live) -> None:
        question.cancel()
        if live.seconds_left() == 0.0:
            self.faults.late += 1
            self.log.note("late")
        if not self._lifetime.ended:  # else its third time, perhaps: the fallback is there already
            bot.child.send_soon(write_line("stop", {"id": number}))  # before the next question, whoever asks it
            bot.child.rest()

    def _failed(self, outcome: object) -> BrainError:
        """Return the error for an exchange that ended with something else; raise Cancelled if that is our own doing."""
        if self._lifetime.ended:
            raise Cancelled
        if isinstance(outcome, Ended):
            return self._crashed(outcome)
        assert isinstance(outcome, Garbage)
        self.faults.garbage += 1
        self.log.note(f"garbage: {outcome.problem}")
        if outcome.fatal:
            self._end_process()
        return BrainError(f"garbage: {outcome.problem}")

    def _crashed(self, ended: Ended) -> BrainError:
        self._end_process()
        self.faults.crashed += 1
        words = self.log.last_words()
        self.log.note(f"crashed: {ended.problem}")
        return BrainError(f"crashed: {ended.problem}" + (f"; its log ends with: {words}" if words else ""))


class _Bot:
    """One life of the bot: its process, and what is said with it."""

    def __init__(self, launch: Launch, dialect: Dialect, log: ChildLog, faults: BotFaults) -> None:
        self.protocol = BotProtocol(log, faults)
        self.child = Child(launch, self.protocol, "bot", bot_bounds(dialect.line_limit), log.write)


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
    megabytes = spec.number("memory_mb", BOT_LIMITS.memory_mb, least=16)
    processes = spec.number("processes", BOT_LIMITS.processes, least=1)
    return replace(BOT_LIMITS, memory_mb=int(min(megabytes, 2**20)), processes=int(processes))
