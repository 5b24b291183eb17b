"""What is said with a bot, whatever carries it: it is greeted, then asked for play after play.

Each thing asked is an exchange. It ends with the answer, with `Garbage` or with `Ended`; who asked judges that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from batllm_arcade.isolation.dialect import Dialect
from batllm_arcade.isolation.messages import (
    BotAnswer,
    BotMessage,
    Garbage,
    LogLine,
    OtherMessage,
    PartialText,
    Ready,
    read_line,
)
from batllm_arcade.processes.calls import Exchange
from batllm_arcade.processes.child import Bounds, Link
from batllm_arcade.processes.child_log import ChildLog
from batllm_arcade.processes.launch import Ended
from batllm_arcade.processes.lines import Line, Unreadable

MOST_BYTES, MOST_LINES = 1024 * 1024, 4096
"""What a bot may write for one answer; one that writes more is ended."""


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

    def __init__(self, lines: bytes) -> None:
        super().__init__()
        self._lines = lines

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

    def __init__(self, number: int, lines: bytes, publish: Callable[[str], None]) -> None:
        super().__init__(lines)
        self._number, self._publish = number, publish

    def received(self, message: BotMessage) -> bool:
        """Take a message; return False if it is a play that was asked for before."""
        if isinstance(message, BotAnswer) and message.id != self._number:
            return False
        return super().received(message)

    def is_outcome(self, message: BotMessage) -> bool:
        """Return whether this is the play; publish what the bot thinks about it."""
        if isinstance(message, PartialText) and message.id == self._number:
            self._publish(message.text)
        return isinstance(message, (BotAnswer, Garbage))


class BotProtocol:
    """One life of a bot: hands what it says to the exchange that waits, and counts what nobody has asked for."""

    def __init__(self, log: ChildLog, faults: BotFaults) -> None:
        self._log, self._faults = log, faults
        self._exchange: Exchange[Any, Any] | None = None
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
        if isinstance(message, LogLine):
            if message.line.strip():
                self._log.write(message.line + b"\n")
        elif self._exchange is None or not self._exchange.received(message):
            self._stray(message)

    def _stray(self, message: BotMessage) -> None:
        if isinstance(message, BotAnswer):
            self._faults.dropped += 1
        elif isinstance(message, Garbage):
            self._log.note(f"garbage: {message.problem}")

    def gone(self, ended: Ended) -> None:
        """Tell who waits that the bot has ended."""
        self.ended = ended
        self._log.end()
        if self._exchange is not None:
            self._exchange.gone(ended)
