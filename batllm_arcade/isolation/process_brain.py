"""A brain that is a process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from batllm_arcade.brains.live import Cancelled, Lifetime, Live
from batllm_arcade.brains.protocol import HOST_OPTIONS, BrainError, Decision, Spec, View
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.isolation.dialect import (
    BotAnswer,
    BotMessage,
    Dialect,
    Garbage,
    LogLine,
    OtherMessage,
    PartialText,
    Ready,
    read_line,
    seat_name,
    write_line,
)
from batllm_arcade.isolation.sandbox import (
    AUTO,
    BOT_LIMITS,
    ISOLATION_OPTIONS,
    bot_files,
    bot_isolation,
    bot_launch,
    no_sandbox,
)
from batllm_arcade.processes.child import (
    KILL_S,
    Bounds,
    Child,
    ChildLog,
    Ended,
    Exchange,
    GivenUp,
    Launch,
    Limits,
    Line,
    Link,
    Unreadable,
    shown_line,
)

MOST_BYTES, MOST_LINES = 1024 * 1024, 4096
"""What a bot may write for one answer; one that writes more is ended."""
HOST_TYPES = ("loaded", "progress", "failed")
"""Messages of our own host for Python bots that are no mistakes."""


def bot_bounds(line_limit: int) -> Bounds:
    """Return how much of a bot is read."""
    return Bounds(line_limit, MOST_BYTES, MOST_LINES)


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


class BotExchange(Exchange[BotMessage, BotMessage]):
    """One thing asked of a bot; the bot is read from its start to its outcome, and no further."""

    def __init__(self, lines: bytes, noticed: Callable[[str], None] = lambda _sentence: None) -> None:
        super().__init__()
        self._lines, self._noticed = lines, noticed
        self._meant = False
        self.instead = ""
        """What came in place of an outcome, in one sentence; "" while nothing did."""

    def notice(self, sentence: Callable[[], str], *, meant: bool) -> None:
        """Keep what came first in place of an outcome; what was `meant` as one tells more than what else is printed."""
        if not self.instead or (meant and not self._meant):
            self._meant, self.instead = meant, sentence()
            self._noticed(self.instead)

    def start(self, link: Link) -> None:
        """Write the lines that ask."""
        super().start(link)
        link.listen()
        link.send(self._lines)

    def received(self, message: BotMessage) -> bool:
        """Take a message; return False if nobody waits for it."""
        with self._lock:  # who gives it up asks the next at once: this must not make the bot rest then
            if self.state != "waiting":
                return False
            if self.is_outcome(message):
                self._link.rest()
                self._over("done", message)
            return True

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether a message that came while it is waited ends the exchange."""
        return isinstance(message, Garbage)


class Greeting(BotExchange):
    """`hello`, until the bot is ready or says that it cannot play; until then it may report its progress."""

    def __init__(self, dialect: Dialect, seat: str, options: Mapping[str, str], report: Callable[[str], None]) -> None:
        super().__init__(dialect.hello(seat, options))
        self._dialect, self._report = dialect, report

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether the bot is ready or cannot play; report its progress."""
        if isinstance(message, OtherMessage):
            if progress := self._dialect.progress(message):
                self._report(progress)
            return bool(self._dialect.problem(message))
        return isinstance(message, (Ready, Garbage))


class PlayQuestion(BotExchange):
    """`decide`, until the bot answers that very question; until then it may publish what it thinks."""

    def __init__(
        self,
        number: int,
        lines: bytes,
        publish: Callable[[str], None],
        noticed: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        super().__init__(lines, noticed)
        self._number, self._publish = number, publish

    def received(self, message: BotMessage) -> bool:
        """Take a message; return False if it is a play that was asked for before."""
        if isinstance(message, BotAnswer) and message.id != self._number:
            self.notice(lambda: f"a play came with the id {message.id}, and {self._number} was asked", meant=True)
            return False
        return super().received(message)

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether this is the play; publish what the bot thinks about it."""
        if isinstance(message, PartialText) and message.id == self._number:
            self._publish(message.text)
        return isinstance(message, (BotAnswer, Garbage))


def _described(message: LogLine | OtherMessage) -> str:
    if isinstance(message, LogLine):
        line = shown_line(message.line[:400].decode("utf-8", "replace").strip())
        return f"it wrote a line that is no JSON: {without_folders(line)[:100]!r}"
    return f"it wrote a message of {f'the type {message.type[:40]!r}' if message.type else 'no type'}"


class BotProtocol:
    """One life of a bot: hands what it says to the exchange that waits, and counts what nobody has asked for."""

    def __init__(self, log: ChildLog, faults: BotFaults) -> None:
        self._log, self._faults = log, faults
        self._exchange: BotExchange | None = None
        self.ended: Ended | None = None
        """How it has ended, None while it runs."""

    def connected(self, link: Link) -> None:
        """Take what carries lines to the bot."""
        self._link = link

    def begin(self, exchange: BotExchange) -> None:
        """Ask the bot for something; one at a time."""
        self._exchange = exchange
        exchange.start(self._link)
        if self.ended is not None:
            exchange.gone(self.ended)

    def cancel(self) -> None:
        """Give up what the bot was asked last."""
        if self._exchange is not None:
            self._exchange.cancel()

    def received(self, line: Line) -> None:
        """Hand on a message, and note what is none."""
        message = Garbage(line.problem, fatal=True) if isinstance(line, Unreadable) else read_line(line)
        if isinstance(message, OtherMessage) and message.type not in HOST_TYPES:
            self._notice(message)
        if isinstance(message, LogLine):
            if message.line.strip():
                self._log.write(message.line + b"\n")
                self._notice(message)
        elif self._exchange is None or not self._exchange.received(message):
            if isinstance(message, BotAnswer):
                self._faults.dropped += 1
            elif isinstance(message, Garbage):
                self._log.note(f"garbage: {message.problem}")

    def _notice(self, message: LogLine | OtherMessage) -> None:
        if self._exchange is None:
            return
        meant = isinstance(message, OtherMessage) or message.line.lstrip().startswith(b"{")
        self._exchange.notice(partial(_described, message), meant=meant)

    def gone(self, ended: Ended) -> None:
        """Tell who waits that the bot has ended."""
        self.ended = ended
        self._log.end()
        if self._exchange is not None:
            self._exchange.gone(ended)


# -- A brain in a process of its own

READY_S = 10.0
"""Seconds in which a bot has to say that it is ready."""
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
                if self._bot is not None and self._loaded != _stamp(self._watched):
                    self.log.note("the file was changed and is loaded again")
                    self._end_process()
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
            instead = greeting.instead or "if it did, it has to flush its output after every line"
            raise BrainError(f"silent: it did not say that it is ready within {self._ready_s:g} s; {instead}") from None
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
    def __init__(self, launch: Launch, dialect: Dialect, log: ChildLog, faults: BotFaults) -> None:
        self.protocol = BotProtocol(log, faults)
        self.child = Child(launch, self.protocol, "bot", bot_bounds(dialect.line_limit), log.write)


def _stamp(path: Path | None) -> tuple[int, int]:
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
